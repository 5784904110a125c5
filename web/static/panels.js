// What stands beside the boards: dice, verdict, match and hints; and helpers for elements.

import { listPlays } from "./browse.js";
import { say } from "./texts.js";

export const find = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function setText(id, text) {
  const shown = find(id);
  if (shown.textContent !== (text ?? "")) shown.textContent = text ?? "";
  return shown;
}

export function setTextOrHide(id, text) {
  setText(id, text).hidden = !text;
}

export function list(id, items) {
  find(id).replaceChildren(...items.map((item) => element("li", {}, item)));
  find(id).hidden = items.length === 0;
}

export function postButton(label, path, fields, attributes = {}) {
  const button = element("button", { type: "button", "data-post": path, ...attributes }, label);
  button.dataset.fields = JSON.stringify(fields);
  return button;
}

// Redraws the children of a box. Equal children are kept: a button that is replaced under a finger would lose the tap.
export function redraw(id, content, draw) {
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

// ---- dice: seven LEDs each, wired as four groups (the middle, two diagonals, the sides) --------------------------

const LEDS = [["a", 1, 1], ["b", 3, 1], ["c", 1, 2], ["middle", 2, 2], ["c", 3, 2], ["b", 1, 3], ["a", 3, 3]];
const LIT = { 1: "middle", 2: "a", 3: "a middle", 4: "a b", 5: "a b middle", 6: "a b c" };

export function die({ number, player }) {
  const lit = LIT[number].split(" ");
  const face = element("span", { class: `die ${player ?? ""}`, "data-number": number });
  for (const [group, column, row] of LEDS) {
    face.append(element("i", { class: lit.includes(group) ? "led lit" : "led", "data-at": `${column}${row}` }));
  }
  return face;
}

export function showDice(dice) {
  const panel = find("dice");
  const shown = dice.map(({ number, player }) => `${number}${player}`).join();
  if (panel.dataset.shown === shown) return;
  panel.dataset.shown = shown;
  const dark = () => element("span", { class: "die dark" }, ...LEDS.map(([, c, r]) => element("i", { class: "led", "data-at": `${c}${r}` })));
  panel.replaceChildren(...(dice.length ? dice.map(die) : [dark(), dark()]));
  panel.setAttribute("aria-label", dice.length ? say("dice.shown", { dice: dice.map(({ number }) => number).join("-") }) : say("dice.none"));
}

// ---- verdict --------------------------------------------------------------------------------------------------

// The finding itself stands beside the status light; the box has the details.
export function showVerdict(verdict, light) {
  const box = find("verdict");
  box.hidden = !verdict;
  box.dataset.finding = verdict?.finding ?? "";
  box.dataset.colour = light.colour;
  if (!verdict) return;
  setTextOrHide("verdict-title", verdict.detail || verdict.title === light.words ? "" : verdict.title);
  setTextOrHide("verdict-detail", verdict.detail);
  setTextOrHide("verdict-message", verdict.message);
  list("verdict-also", verdict.also);
  const plays = verdict.plays.map((play, n) => ({ play, arrows: verdict.arrows[n] }));
  listPlays(find("verdict-plays"), plays, (button) => element("li", {}, button));
  setText("verdict-plays-title", verdict.plays_title);
  setText("verdict-count", String(verdict.plays.length)).hidden = verdict.plays.length === 0;
  find("verdict-plays-box").hidden = verdict.plays.length + verdict.also.length === 0;
}

// ---- the match: its terms, the cube, and what the players agree on ------------------------------------------------

function showDeeds(id, deeds) {
  redraw(id, deeds, () => deeds.map(({ label, path, fields, question }) => postButton(label, path, fields, { class: "small", "data-question": question })));
}

export function showMatch(match, deeds) {
  setTextOrHide("match", [match?.terms, match?.cube].filter(Boolean).join(" · "));
  find("hint").disabled = Boolean(match?.no_hints);
  const ends = deeds.filter((deed) => deed.ends);
  const others = deeds.filter((deed) => !deed.ends);
  showDeeds("deeds", others);
  showDeeds("ending-deeds", ends);
  find("deeds").hidden = others.length === 0;
  find("ends").hidden = ends.length === 0;
}

// ---- hints ------------------------------------------------------------------------------------

export function showHints(hints) {
  const box = find("hints");
  box.hidden = !hints;
  if (!hints) return;
  setText("hint-engine", hints.by);
  listPlays(find("hint-rows"), hints.rows, (button, row, n) => element("tr", n === 0 ? { class: "best" } : {},
    element("th", { scope: "row" }, button, element("small", {}, row.why)), element("td", {}, row.equity), element("td", {}, row.gives_away)));
  find("hint-plays").hidden = hints.rows.length === 0;
  find("hint-cube").hidden = !hints.cube;
  if (hints.cube) {
    setText("hint-cube-words", hints.cube.words);
    find("hint-cube-rows").replaceChildren(...hints.cube.rows.map((row) => element("tr", {},
      element("th", { scope: "row" }, row.what), element("td", {}, row.equity))));
  }
}
