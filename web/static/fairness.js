// The page's part on dice: commitment, secret, counts, and dice that were rolled by hand.

import { element, setText, setTextOrHide } from "./panels.js";
import { seat } from "./seats.js";
import { say } from "./texts.js";

const find = (id) => document.getElementById(id);

function showEntry(enter) {
  const form = find("enter-dice");
  form.hidden = !enter || Boolean(seat() && enter.by && enter.by !== seat());
  if (form.hidden) return;
  form.dataset.player = enter.player ?? "";
  setText("enter-title", enter.title);
  enter.dice.forEach((name, n) => setText(`enter-die-${n}`, name));
}

function bar({ face, count, bar: percent }) {
  const filled = element("i", { class: "face-bar" });
  filled.style.width = `${percent}%`;
  return element("li", {}, element("b", {}, String(face)), element("span", { class: "face-track" }, filled), element("span", { class: "face-count" }, String(count)));
}

let asked = 0;

// The one line on the check that this device does of the rolls.
async function showCheck(fairness) {
  const mine = (asked += 1);
  const { lineOf } = await import("./dicecheck.js");
  const { line, wrong } = await lineOf(fairness);
  if (mine !== asked) return;
  setTextOrHide("dice-check", line);
  find("dice-check").classList.toggle("wrong", wrong);
}

let promise = "";

export function showFairness(fairness) {
  const box = find("fairness");
  box.hidden = !fairness;
  if (!fairness) {
    find("enter-dice").hidden = true;
    setTextOrHide("lying", "");
    return;
  }
  setText("fairness-source", fairness.source);
  setTextOrHide("lying", fairness.lying);
  showEntry(fairness.enter);
  find("sealed").hidden = !fairness.commitment;
  setText("commitment", fairness.commitment);
  setText("promised", fairness.promised);
  find("told").hidden = !fairness.told;
  setText("told-secret", fairness.lost ? say("dice.lost") : fairness.told?.secret);
  setText("told-commitment", fairness.told?.commitment);
  setText("fairness-words", fairness.words);
  setTextOrHide("fairness-statistic", fairness.statistic);
  const now = JSON.stringify([fairness.commitment, fairness.told, fairness.rolls]);
  if (now !== promise && (fairness.commitment || fairness.told)) showCheck(fairness).catch(() => { promise = ""; }); // no connection
  promise = now;
  const shown = JSON.stringify(fairness.faces);
  if (find("faces").dataset.shown === shown) return;
  find("faces").dataset.shown = shown;
  find("faces").replaceChildren(...fairness.faces.map(bar));
}

// What the players entered: {player, dice}; null where a number is missing.
export function enteredDice(form) {
  const numbers = [0, 1].map((n) => form.elements[`die-${n}`].value).filter(Boolean).map(Number);
  return numbers.length ? { player: form.dataset.player || null, dice: numbers } : null;
}
