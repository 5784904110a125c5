// The page: draws every state that the live feed sends, and sends what is tapped.

import { showClock } from "./clock.js";
import { showCodes } from "./codes.js";
import { cornerMarking, offerCorners } from "./corners.js";
import { enteredDice, showFairness } from "./fairness.js";
import { backgammon } from "./board.js";
import { looseTable } from "./loose.js";
import { correctionDialog } from "./correction.js";
import { setText, setTextOrHide, showDice, showHints, showHistory, showMatch, showVerdict } from "./panels.js";
import { follow } from "./server.js";
import { namedPlay, showDispute, showMends, showProposal, showReadings, showSettled } from "./procedure.js";
import { reading } from "./reading.js";
import { askForSeat, loseSeat, mayAct, rememberSeat, seat, settled, withoutTheRoom } from "./seats.js";
import { sender, toast } from "./sending.js";
import { checkers } from "./squares.js";
import { say } from "./texts.js";

const find = (id) => document.getElementById(id);
const first = JSON.parse(find("state").textContent);
const kind = first.game === "checkers" ? checkers : backgammon;
const showReading = reading(find("reading-board"), kind);
const table = looseTable(find("table-board"), { onTrouble: trouble, mayAct, speak, kind });

const send = sender(trouble);
const correction = correctionDialog(kind);
cornerMarking(trouble);
let latest = null;

let spoken = "";

// What went wrong in words; a device that has lost its seat watches from now on.
function trouble(error) {
  if (error.status === 401) loseSeat();
  toast(error.message);
}

function speak(words, language = first.language) {
  find("spoken").lang = language;
  setText("spoken", words);
}

let saidLast = first.spoken.at(-2)?.id ?? 0;

// Says aloud what has changed for somebody who does not look: the table's own lines, or where it has no words
// for it, the verdict, a notice, whose turn it is.
function announce(state) {
  if (state.spoken.length) {
    const newest = state.spoken.at(-1).id;
    if (newest < saidLast) saidLast = 0; // Boardside was started anew
    const lines = state.spoken.filter(({ id }) => id > saidLast);
    if (!lines.length) return;
    saidLast = newest;
    speak(lines.map(({ text }) => text).join(" "), lines[0].language);
    return;
  }
  const verdict = state.verdict ? [state.verdict.title, state.verdict.detail, state.verdict.message] : [];
  const words = [state.notice, state.headline, ...verdict].filter(Boolean).map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(" ");
  if (words !== spoken) speak(words);
  spoken = words;
}

let pictureShown = null;
let pictureLoading = false;
let pictureWanted = null;

// Loads the newest picture beside the one shown, so that nothing flickers; never two at a time.
function showPicture(source) {
  pictureWanted = source;
  if (pictureLoading || !source || source === pictureShown) return;
  pictureLoading = true;
  const next = new Image();
  next.addEventListener("load", () => {
    find("camera").src = next.src;
    find("camera").hidden = false;
    find("no-camera").hidden = true;
    pictureShown = source;
    pictureLoading = false;
    showPicture(pictureWanted);
  });
  next.addEventListener("error", () => {
    pictureLoading = false;
    askForSeat(); // without one there are no pictures
    if (pictureWanted !== source) showPicture(pictureWanted);
  });
  next.src = source;
}

function show(state) {
  const others = ["game", "language", "names"].some((key) => String(state[key]) !== String(first[key]));
  if (others) return window.location.reload(); // another page altogether
  latest = state;
  state = withoutTheRoom(state);
  document.body.dataset.phase = state.phase;
  document.body.dataset.version = state.version;
  setText("headline", state.headline.replace(/(\d)-(\d)/, "$1\u2011$2")); // the dice stay on one line
  setText("light-words", state.light.words);
  find("lamp").dataset.colour = state.light.colour;
  find("lamp").setAttribute("aria-label", say(`lamp.${state.light.colour}`));
  setTextOrHide("advice", state.advice);
  setTextOrHide("notice", state.notice === state.proposal?.words ? "" : state.notice); // said above at length
  setTextOrHide("camera-trouble", state.camera);
  setTextOrHide("storage-trouble", state.storage);
  setText("game", state.game_name);
  setText("sheet", state.sheet);
  setTextOrHide("score", state.score && say("score", state.score));
  showMatch(state.match, state.deeds.filter(({ fields }) => !settled() || !fields.player || fields.player === settled()));
  showDice(state.dice);
  find("dice").hidden = state.game === "checkers";
  showClock(state.clock);
  showVerdict(state.dispute ? null : state.verdict, state.light); // a dispute shows it at length
  showReadings(state.readings);
  if (state.readings) find("verdict-plays-box").hidden = true; // the buttons show them
  if (state.readings || state.proposal) find("hint").disabled = false; // Hint goes through them, or says no, also where there are no hints
  showHints(state.hints);
  showProposal(state.proposal);
  showDispute(state.dispute, state.rulings);
  showMends(state.proposal ? [] : state.mends, Boolean(state.correction));
  showSettled(state.settled);
  showHistory(state.history);
  setTextOrHide("false-moves", state.false_moves);
  showFairness(state.fairness);
  showReading(state.board);
  setText("reading-caption", state.board?.caption ?? say("board.nothing"));
  showCodes(state.codes);
  showPicture(state.picture);
  offerCorners(state.phase, state.picture);
  find("camera").classList.toggle("stale", Boolean(state.camera));
  find("table").hidden = !state.checkers;
  if (state.checkers) {
    table.show(state.checkers, state.board?.labels);
    table.mark(state.board?.highlighted ?? [], []);
    find("put-back").disabled = state.phase === "waiting" || state.phase === "opening";
  }
  announce(state);
}

function showLink(link) {
  askForSeat();
  document.body.dataset.link = link;
  find("link").dataset.link = link;
  setText("link-words", say(link === "live" ? "link.live" : "link.lost"));
  setTextOrHide("lost", link === "live" ? "" : say("link.trouble"));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { tap, setUp, post: path, fields, question } = button.dataset;
  if (tap) await send(button, `/tap/${tap}`, seat() ? { player: seat() } : {});
  if (path && (!question || window.confirm(question))) {
    await send(button, path, JSON.parse(fields));
    find("ends").open = false;
    find("mends").open = false;
  }
  if (button.id === "propose-play") await send(button, "/propose", namedPlay());
  if (button.id === "enter-position" && latest.correction) correction.open(latest.correction, latest.board.labels);
  if (button.id === "correction-cancel") correction.close();
  if (button.id === "correction-propose" && (await send(button, "/propose", correction.fields()))) correction.close();
  if (setUp) {
    const answer = await send(button, "/simulated/set-up", { to: setUp });
    if (answer) table.show(answer.checkers);
  }
  if (button.id === "hide-hints") await send(button, "/hints/hide");
});

find("enter-dice").addEventListener("submit", async (event) => {
  event.preventDefault();
  const entered = enteredDice(event.target);
  if (!entered) toast(say("dice.missing"));
  else if (await send(event.submitter, "/dice", entered)) event.target.reset();
});

rememberSeat(() => latest && show(latest));
show(first);
follow(show, showLink);
