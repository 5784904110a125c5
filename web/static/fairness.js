// The page's section on dice: commitment, secret, counts, and the form for dice rolled by hand.

import { element, find, setText, setTextOrHide } from "./panels.js";
import { seat } from "./seats.js";
import { say } from "./texts.js";

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

// Shows the result of this device's own check of the rolls.
async function showCheck(fairness) {
  const mine = (asked += 1);
  const { lineOf } = await import("./dicecheck.js");
  const { line, wrong } = await lineOf(fairness);
  if (mine !== asked) return;
  setTextOrHide("dice-check", line);
  find("dice-check").classList.toggle("wrong", wrong);
}

let checked = "";

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
  if (now !== checked && (fairness.commitment || fairness.told)) showCheck(fairness).catch(() => { checked = ""; }); // no connection
  checked = now;
  const shown = JSON.stringify(fairness.faces);
  if (find("faces").dataset.shown === shown) return;
  find("faces").dataset.shown = shown;
  find("faces").replaceChildren(...fairness.faces.map(bar));
}

// The entered {player, dice}; null if no number was chosen.
export function enteredDice(form) {
  const numbers = [0, 1].map((n) => form.elements[`die-${n}`].value).filter(Boolean).map(Number);
  return numbers.length ? { player: form.dataset.player || null, dice: numbers } : null;
}
