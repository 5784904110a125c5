// What stands around the board: the players' bars, the next action, the result, tabs, and the large view.

import { element, find, postButton, redraw, setText } from "./panels.js";
import { seat } from "./seats.js";
import { ask } from "./server.js";

// ---- the players' bars -------------------------------------------------------------------------------------------

export function showPlayers({ players, on_roll: onRoll }) {
  for (const { player, left, away, points } of players) {
    setText(`left-${player}`, left);
    setText(`away-${player}`, left && away ? `· ${away}` : away);
    setText(`points-${player}`, points === null ? "" : String(points)).hidden = points === null;
    find(`bar-${player}`).dataset.turn = player === onRoll ? "yes" : "no";
  }
}

// ---- the next action ---------------------------------------------------------------------------------------------

// The buttons that the server sends; a screen of one player shows that player's buttons, and Roll.
export function showNext(next) {
  const mine = seat();
  const shown = next.filter(({ player, path }) => !mine || !player || player === mine || path.startsWith("/tap"));
  redraw("next", [shown, mine], () => shown.map(({ label, own, tap, path, fields, player, main, done }) => {
    const theirs = mine && player && player !== mine;
    const by = fields.player ?? (mine || null);
    const button = postButton(mine && !theirs ? own : label, path, by ? { ...fields, player: by } : fields, main && !theirs ? {} : { class: "quiet" });
    button.disabled = Boolean(done);
    if (tap) button.dataset.tapped = tap;
    return button;
  }));
}

// ---- how a game ended --------------------------------------------------------------------------------------------

export function showAnalysis(lines) {
  find("result-analysis").hidden = !lines.length;
  redraw("result-analysis", lines, () => lines.map((line) => element("p", {}, line)));
}

// The equity graph of the game: open on a wide screen, elsewhere closed.
let graphOf = null;
export async function showGraph({ graph: address, game_title: title, analysis }) {
  const game = address && JSON.stringify([address, title, analysis]); // the address is the same for each last game
  if (game === graphOf) return;
  graphOf = game;
  find("equity").hidden = true;
  const answer = address ? await ask(address).catch(() => null) : {}; // null: no connection
  if (game !== graphOf) return;
  if (!answer) graphOf = null; // requested again with the next state
  if (!answer?.html) return;
  if (!find("graph-style")) document.head.append(element("link", { id: "graph-style", rel: "stylesheet", href: "/analysis.css" }));
  find("graph").innerHTML = answer.html; // the server has escaped all text in it
  find("equity").open = window.matchMedia("(min-width: 1680px)").matches;
  find("equity").hidden = false;
}

export function showResult(result) {
  find("result").hidden = !result;
  setText("result-words", result?.words);
  setText("result-score", result?.score);
}

find("set-up-later")?.addEventListener("click", () => {
  document.cookie = "set_up_later=yes; path=/; max-age=31536000; samesite=strict"; // the server reads it
  find("first").remove();
});

// ---- tabs --------------------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];

function choose(chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    find(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

tabs.forEach((tab, place) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = tabs[(place + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
});

// A device that may not see pictures has no tab of the camera.
export function showTabs(withCamera) {
  if (!withCamera && tabs.length) choose(find("tab-reading"));
}

// ---- the large view, for a screen across the room ----------------------------------------------------------------

const isBig = () => document.body.dataset.big === "yes";

function become(big) {
  document.body.dataset.big = big ? "yes" : "no";
  find("big").setAttribute("aria-pressed", big);
  window.history.replaceState(null, "", big ? "?big" : "/");
}

find("big").addEventListener("click", () => {
  become(!isBig());
  const whole = isBig() ? document.documentElement.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen();
  whole?.catch(() => {}); // not every browser allows it
});
document.addEventListener("fullscreenchange", () => document.fullscreenElement || become(false));
document.addEventListener("keydown", (event) => event.key === "Escape" && isBig() && become(false));
