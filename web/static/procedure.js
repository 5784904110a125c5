// The referee's procedure: the open dispute, what both players must agree on, and what was agreed.

import { element, list, setText, setTextOrHide } from "./panels.js";
import { seat } from "./seats.js";
import { say } from "./texts.js";

const find = (id) => document.getElementById(id);

function postButton(label, path, fields, attributes = {}) {
  const button = element("button", { type: "button", "data-post": path, ...attributes }, label);
  button.dataset.fields = JSON.stringify(fields);
  return button;
}

// Redraws the children of a box. A child that stays the same stays in place: a button replaced under a finger would lose the tap.
function redraw(id, content, draw) {
  const box = find(id);
  const shown = JSON.stringify(content);
  if (box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  const focused = box.contains(document.activeElement) ? document.activeElement.textContent : null;
  const wanted = draw();
  for (const child of [...box.children]) if (!wanted.some((one) => one.isEqualNode(child))) child.remove();
  wanted.forEach((one, place) => {
    if (!box.children[place]?.isEqualNode(one)) box.insertBefore(one, box.children[place] ?? null);
  });
  while (box.children.length > wanted.length) box.lastElementChild.remove();
  if (focused && !box.contains(document.activeElement)) [...box.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
}

// ---- what both must agree on ------------------------------------------------------------------------------------

export function showProposal(proposal) {
  const box = find("proposal");
  const opened = proposal && box.dataset.id !== String(proposal.id);
  box.hidden = !proposal;
  box.dataset.id = proposal?.id ?? "";
  if (!proposal) return;
  setText("proposal-words", proposal.words);
  setText("proposal-title", proposal.title);
  setTextOrHide("proposal-agreed", proposal.offered_by ? "" : `${proposal.agreed}.`);
  const mine = seat();
  redraw("proposal-buttons", [proposal.id, proposal.open, mine], () => {
    if (proposal.offered_by) return answers(proposal, mine);
    // A player who has agreed keeps a button, so that the others stay where fingers are.
    const players = ["white", "black"].filter((side) => !mine || side === mine);
    const yes = players.map((player) => {
      const button = postButton(say(mine ? "proposal.agree" : `proposal.${player}`), "/agree", { proposal: proposal.id, player });
      button.disabled = !proposal.open.includes(player);
      return button;
    });
    return [...yes, postButton(say("proposal.no"), "/decline", { proposal: proposal.id, player: mine || null }, { class: "quiet" })];
  });
  if (opened) box.scrollIntoView({ block: "nearest" });
}

// An offer is accepted or refused by one player, and may be withdrawn by the other.
function answers({ id, offered_by: by }, mine) {
  const other = by === "white" ? "black" : "white";
  const accept = postButton(say(`offer.${other}.accepts`), "/agree", { proposal: id, player: other });
  const refuse = postButton(say(`offer.${other}.refuses`), "/decline", { proposal: id, player: other });
  const withdraw = postButton(say(`offer.${by}.withdraws`), "/decline", { proposal: id, player: by }, { class: "quiet" });
  return [...(mine === by ? [] : [accept, refuse]), ...(mine === other ? [] : [withdraw])];
}

// Which of several readings is on the board: each is a button; both players must agree.
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

export function showDispute(dispute, rulings) {
  const box = find("dispute");
  const opened = box.hidden && dispute;
  box.hidden = !dispute;
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
  if (opened) box.focus();
}

// Where the referee misread the board, the players name the play that was made.
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

// ---- what else may be put right ----------------------------------------------------------------------------------

export function showMends(mends, canEnter) {
  const box = find("mends");
  box.hidden = mends.length === 0;
  find("enter-position").hidden = !canEnter;
  redraw("mend-offers", [mends, seat()], () => mends.map((offer) => offerButton(offer, withSeat())));
}

// ---- what was settled --------------------------------------------------------------------------------------------

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
