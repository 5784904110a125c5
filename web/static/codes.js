// The codes of the present position (Position ID, Match ID, XGID or FEN), each copied with one tap.

import { svgElement } from "./view.js";
import { element, find, setText } from "./panels.js";
import { say } from "./texts.js";

const DONE_MS = 2000;

let timer = 0;

// Pages over plain HTTP have no clipboard: there the browser's own command copies selected text.
async function copied(box) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(box.textContent);
      return true;
    }
  } catch { /* not allowed here: as over plain HTTP */ }
  window.getSelection().selectAllChildren(box);
  return document.execCommand("copy");
}

async function copy(notation, box, button) {
  const done = await copied(box);
  setText("codes-said", done ? say("codes.copied", { notation }) : say("codes.failed"));
  button.dataset.copied = done ? "yes" : "no";
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    setText("codes-said", "");
    delete button.dataset.copied;
  }, DONE_MS);
}

function twoSheets() {
  const sheet = (x, y) => svgElement("rect", { x, y, width: 9, height: 11, rx: 2 });
  return svgElement("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, sheet(2, 2), sheet(6, 5));
}

function line({ notation, code }) {
  const box = element("code", {}, code);
  const label = say("codes.copy", { notation });
  const button = element("button", { type: "button", class: "copy", "aria-label": label, title: label }, twoSheets());
  button.addEventListener("click", () => copy(notation, box, button));
  return element("span", { class: "code" }, element("span", { class: "code-name" }, notation), button, box);
}

export function showCodes(codes) {
  const box = find("codes");
  box.hidden = codes.length === 0;
  const shown = JSON.stringify(codes);
  if (box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  find("codes-list").replaceChildren(...codes.map(line));
}
