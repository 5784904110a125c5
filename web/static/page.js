// The page: draws every state that the live feed sends, and posts what is tapped.

import { showClock } from "./clock.js";
import { showCodes } from "./codes.js";
import { enteredDice, showFairness } from "./fairness.js";
import { browsePlays } from "./browse.js";
import { seatChanged, startView, turnRound } from "./looks.js";
import { kindNamed } from "./kinds.js";
import { find, setText, setTextOrHide, showDice, showHints, showMatch, showVerdict } from "./panels.js";
import { filmControls, showFilm } from "./film.js";
import { follow } from "./server.js";
import { namedPlay, showDispute, showMends, showProposal, showReadings, showSettled } from "./procedure.js";
import { reading } from "./reading.js";
import { askForSeat, loseSeat, mayAct, rememberSeat, seat, withoutPictures } from "./seats.js";
import { sender, toast } from "./sending.js";
import { shortcuts } from "./shortcuts.js";
import { sound, sounds } from "./sounds.js";
import { showAnalysis, showGraph, showNext, showPlayers, showResult, showTabs } from "./stage.js";
import { say } from "./texts.js";
import { showTurns } from "./turns.js";

window.history.scrollRestoration = "manual"; // a page begins at the board, also after a reload
const first = JSON.parse(find("state").textContent);
// Modules that only some tables need.
const [kind, simulated, corners] = await Promise.all([
  kindNamed(first.layout.kind),
  first.simulated ? import("./simulated.js") : null,
  document.body.dataset.marking === "yes" ? import("./corners.js") : null,
]);
startView(kind, first.layout);
const showReading = reading(find("reading-board"), kind);
const table = simulated?.simulatedTable(find("table-board"), { onTrouble: trouble, mayAct, speak, kind });

const send = sender(trouble);
let correction = null;
corners?.cornerMarking(trouble);
let latest = null;
let preview = null; // the steps of a play to preview
shortcuts(turnRound);
sounds();

function decorate() {
  const what = [latest, preview && { steps: preview, side: latest.on_roll }];
  showReading.decorate(...what);
  if (latest.checkers) table.decorate(...what);
}

const updatePreview = browsePlays((steps) => {
  preview = steps;
  if (latest) decorate();
});

let spoken = "";

// Shows an error; a device that has lost its seat only watches from now on.
function trouble(error) {
  if (error.status === 401) loseSeat();
  toast(error.message);
}

function speak(words, language = first.language) {
  find("spoken").lang = language;
  setText("spoken", words);
}

let saidLast = first.spoken.at(-2)?.id ?? 0;

// Tells screen readers what has changed: the lines that the table speaks, or if it speaks none, the notice, whose turn
// it is, and the verdict.
function announce(state) {
  if (state.spoken.length) {
    const newest = state.spoken.at(-1).id;
    if (newest < saidLast) saidLast = 0; // Boardside was restarted
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

// Loads the newest picture before it replaces the one shown, so that nothing flickers; one at a time.
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
    askForSeat(); // without a seat there are no pictures
    if (pictureWanted !== source) showPicture(pictureWanted);
  });
  next.src = source;
}

function show(state) {
  const others = ["game", "language", "names", "layout", "simulated"].some((key) => JSON.stringify(state[key]) !== JSON.stringify(first[key]));
  if (others) return window.location.reload(); // the page needs other HTML
  if (latest && latest.match?.terms !== state.match?.terms) askForSeat(); // players who change colours keep their seats
  latest = state;
  state = withoutPictures(state);
  document.body.dataset.phase = state.phase;
  document.body.dataset.version = state.version;
  setText("headline", state.headline.replace(/(\d)-(\d)/, "$1\u2011$2")); // the dice stay on one line
  setText("light-words", state.light.words);
  find("lamp").dataset.colour = state.light.colour;
  find("lamp").setAttribute("aria-label", say(`lamp.${state.light.colour}`));
  setTextOrHide("advice", state.advice);
  setTextOrHide("notice", state.proposal ? (state.notice ?? "").replace(state.proposal.words, "").trim() : state.notice); // the proposal is shown above
  setTextOrHide("camera-trouble", state.camera);
  setTextOrHide("storage-trouble", state.storage);
  setText("game", state.game_name);
  setText("sheet", state.sheet);
  setTextOrHide("score", state.score && say("score", state.score));
  showMatch(state.match, state.deeds.filter(({ fields }) => !seat() || !fields.player || fields.player === seat()));
  showPlayers(state);
  showDice(state.dice);
  find("dice").hidden = state.game === "checkers";
  showNext(state.next);
  showResult(state.result);
  showAnalysis(state.analysis);
  showGraph(state);
  showTabs(document.body.dataset.seat !== "none");
  showClock(state.clock);
  showVerdict(state.dispute ? null : state.verdict, state.light); // a dispute shows the verdict itself
  showReadings(state.readings);
  if (state.readings) find("verdict-plays-box").hidden = true; // the buttons show them
  if (state.readings || state.proposal) find("hint").disabled = false; // Hint then selects a reading or declines, also in a match without hints
  showHints(state.hints);
  setTextOrHide("lesson", state.lesson);
  showProposal(state.proposal);
  showDispute(state.dispute, state.rulings);
  showMends(state.proposal ? [] : state.mends, Boolean(state.correction));
  showSettled(state.settled);
  showTurns(state);
  showFilm(state.film);
  setTextOrHide("false-moves", state.false_moves);
  showFairness(state.fairness);
  showReading(state.board);
  setText("reading-caption", state.board?.caption ?? say("board.nothing"));
  showCodes(state.codes);
  showPicture(state.picture);
  corners?.offerCorners(state.phase, state.picture);
  find("camera").classList.toggle("stale", Boolean(state.camera));
  find("table").hidden = !state.checkers;
  if (state.checkers) {
    table.show(state.checkers, state.board?.labels, state.board?.kings);
    table.mark(state.board?.highlighted ?? [], []);
    find("put-back").disabled = !["to_roll", "to_move"].includes(state.phase);
  }
  updatePreview();
  decorate();
  announce(state);
  sound(state);
}

function showLink(link) {
  askForSeat();
  document.body.dataset.link = link;
  find("link").dataset.link = link;
  setText("link-words", say(link === "live" ? "link.live" : "link.lost"));
  setTextOrHide("lost", link === "live" ? "" : say("link.trouble"));
}

async function correct() {
  try {
    correction ??= (await import("./correction.js")).correctionDialog(kind);
    if (latest.correction) correction.open(latest.correction, latest.board.labels);
  } catch {
    trouble(new Error(say("server.silent")));
  }
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
  if (button.id === "enter-position") await correct();
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

filmControls(send);
rememberSeat(() => {
  seatChanged();
  if (latest) show(latest);
});
show(first);
follow(show, showLink);
// Browsers have service workers on https and localhost only. A film has no table that could become unreachable.
if (document.body.dataset.seat !== "film") navigator.serviceWorker?.register("/worker.js").catch(() => {}); // the page works without
