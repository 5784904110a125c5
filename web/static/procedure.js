// The referee's procedure: the open dispute, proposals to both players, and settled disputes.

import { element, find, list, postButton, redraw, setText, setTextOrHide } from "./panels.js";
import { seat } from "./seats.js";
import { say } from "./texts.js";

// ---- proposals to both players ------------------------------------------------------------------------------------

export function showProposal(proposal) {
  find("proposal").hidden = !proposal;
  find("console").setAttribute("aria-labelledby", proposal ? "proposal-title" : "headline");
  if (!proposal) return;
  setText("proposal-words", proposal.words);
  setText("proposal-title", proposal.title);
  setTextOrHide("proposal-agreed", proposal.offered_by ? "" : `${proposal.agreed}.`);
}

// The question which of several readings is right: each is a button, and both players must agree.
export function showReadings(readings) {
  find("readings").hidden = !readings;
  if (!readings) return;
  setText("readings-title", readings.title);
  redraw("readings-buttons", [readings, seat()], () => readings.choices.map(({ id, label, note, agreed }) => {
    const button = postButton(label, "/propose", withSeat({ remedy: "reading", reading: id }), { class: agreed ? "" : "quiet", "aria-pressed": agreed });
    if (note) button.append(element("small", {}, note));
    return button;
  }));
}

function offerButton(offer, fields) {
  const reason = offer.refused ?? offer.words;
  const button = postButton(offer.label, "/propose", { remedy: offer.remedy, ...fields }, { class: "quiet offer", "data-remedy": offer.remedy });
  button.append(element("small", {}, reason));
  button.disabled = Boolean(offer.refused);
  return button;
}

function withSeat(fields = {}) {
  return { ...fields, player: seat() || null };
}

// ---- a dispute ---------------------------------------------------------------------------------------------------

function picture(id, source) {
  const image = find(id);
  image.parentElement.hidden = !source;
  if (source && image.getAttribute("src") !== source) image.src = source;
}

let drawn = false; // the first state of a page does not move the focus to its dispute

export function showDispute(dispute, rulings) {
  const box = find("dispute");
  const opened = box.hidden && dispute && drawn;
  box.hidden = !dispute;
  drawn = true;
  if (!dispute) return;
  box.dataset.id = dispute.id;
  setText("dispute-title", dispute.called);
  setText("dispute-turn", dispute.turn);
  picture("dispute-before", dispute.before);
  picture("dispute-after", dispute.after);
  const { verdict } = dispute;
  setText("dispute-finding", verdict ? verdict.detail ? say("words.because", { what: verdict.title, why: verdict.detail }) : verdict.title : say("dispute.silent"));
  box.dataset.finding = verdict?.finding ?? "";
  setTextOrHide("dispute-message", verdict?.message);
  list("dispute-also", verdict?.also ?? []);
  list("dispute-doubts", dispute.doubts);
  find("dispute-doubts-box").hidden = dispute.doubts.length === 0;
  list("dispute-plays", dispute.plays.length ? dispute.plays : [say("dispute.no_play")]);
  redraw("dispute-rulings", [rulings, dispute.id, seat()], () => rulings.map((offer) => offerButton(offer, withSeat({ dispute: dispute.id }))));
  showNamedPlays(dispute);
  if (opened) box.focus({ preventScroll: true });
}

// If the referee misread the board, the players name the play that was made.
function showNamedPlays(dispute) {
  find("named-play-box").hidden = dispute.plays.length === 0;
  const select = find("named-play");
  const shown = dispute.plays.join();
  if (select.dataset.shown === shown) return;
  select.dataset.shown = shown;
  select.replaceChildren(...dispute.plays.map((play) => element("option", { value: play }, play)));
}

export function namedPlay() {
  return withSeat({ remedy: "overruled", dispute: Number(find("dispute").dataset.id), play: find("named-play").value });
}

// ---- remedies without a dispute -----------------------------------------------------------------------------------

export function showMends(mends, canEnter) {
  const box = find("mends");
  box.hidden = mends.length === 0;
  find("enter-position").hidden = !canEnter;
  redraw("mend-offers", [mends, seat()], () => mends.map((offer) => offerButton(offer, withSeat())));
}

// ---- settled disputes ---------------------------------------------------------------------------------------------

function settledItem(one) {
  const pictures = [[one.before, say("dispute.before")], [one.after, say("dispute.stood")]]
    .filter(([source]) => source)
    .map(([source, words]) => element("figure", {}, element("img", { src: source, alt: words, loading: "lazy" }), element("figcaption", {}, words)));
  const facts = [one.called, one.message, ...one.doubts].map((words) => element("p", {}, words));
  return element("li", {},
    element("details", {},
      element("summary", {}, say("words.because", { what: one.turn || say("dispute.dispute"), why: `${one.ruling} ${one.agreed}` })),
      ...facts, element("div", { class: "pictures" }, ...pictures)));
}

export function showSettled(settled) {
  find("settled").hidden = settled.length === 0;
  redraw("settled-list", settled, () => settled.toReversed().map(settledItem));
}
