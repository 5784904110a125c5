// The list of turns: those of this game, and of earlier games, each requested when it is opened.

import { element, find, setTextOrHide } from "./panels.js";
import { ask } from "./server.js";

let drawn = "";

function item(entry) {
  const dot = element("span", { class: `dot ${entry.player ?? ""}`, title: entry.name ?? "" });
  if (entry.words) return element("li", {}, dot, element("span", { class: "turn-words" }, entry.words));
  return element("li", {}, dot,
    element("span", { class: "for-listeners" }, `${entry.name} `),
    element("span", { class: "turn-dice" }, entry.dice),
    element("span", { class: "turn-play" }, entry.play),
    element("span", { class: "turn-note" }, entry.note));
}

function items(entries) {
  return entries.toReversed().map(item);
}

function earlierGame({ number, title }) {
  const turns = element("ol", { class: "turn-list", tabindex: "0", reversed: "" });
  const box = element("details", {}, element("summary", {}, title), turns);
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    const { history = [] } = await ask(`/turns/${number}.json`).catch(() => ({}));
    turns.replaceChildren(...items(history));
  });
  return box;
}

export function showTurns({ history, game_title: title, earlier }) {
  find("no-history").hidden = history.length > 0;
  setTextOrHide("game-title", title);
  const now = JSON.stringify(history);
  if (now !== drawn) find("history").replaceChildren(...items(history));
  drawn = now;
  const shown = JSON.stringify(earlier);
  if (find("earlier").dataset.shown === shown) return;
  find("earlier").dataset.shown = shown; // an opened game stays open until the next is over
  find("earlier").replaceChildren(...earlier.map(earlierGame));
}
