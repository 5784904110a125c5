// The settings: posts the form, waits while the table opens again, and shows the first start in steps.

import { watchCamera } from "./lightmeter.js";
import { checkPanel } from "./panelcheck.js";
import { find, setTextOrHide } from "./panels.js";
import { ask, post } from "./server.js";
import { say } from "./texts.js";

const form = find("settings");
const STEPS = 4;
const ASK_AGAIN_MS = 500;
const SLOW_AFTER = 30;

// The values of all fields that are not disabled, also of hidden ones; check boxes are true or false.
function fields() {
  const found = {};
  for (const input of form.elements) {
    if (!input.name || input.disabled || (input.type === "radio" && !input.checked)) continue;
    found[input.name] = input.type === "checkbox" ? input.checked : input.value;
  }
  return found;
}

let shown = fields();

// The fields that were changed here, with the choice on which each depends, and the fields that a changed choice shows:
// the others may have been changed on another device meanwhile.
function changes() {
  const found = {}, now = fields();
  const differs = (name) => now[name] !== shown[name];
  for (const [name, value] of Object.entries(now)) {
    const part = form.querySelector(`[name="${name}"]`).closest("[data-when], [data-unless]");
    const [chosen] = (part?.dataset.when ?? part?.dataset.unless ?? "").split("=");
    if (!differs(name) && !(differs(chosen) && !part.hidden)) continue;
    found[name] = value;
    if (chosen in now) found[chosen] = now[chosen];
  }
  return found;
}

function holds(condition) {
  const [name, value] = condition.split("=");
  const input = form.elements.namedItem(name); // not elements[name]: one is called "length"
  return String(input.type === "checkbox" ? input.checked : input.value) === value;
}

// Shows the fields that belong to the game and to the present choices.
function follow() {
  const sheet = form.elements.sheet.value;
  const rules = [...document.querySelectorAll(".rules")];
  for (const each of rules) each.hidden = each.dataset.sheet !== sheet;
  const game = rules.find((each) => each.dataset.sheet === sheet)?.dataset.game;
  for (const each of form.querySelectorAll("[data-when], [data-unless], [data-game]:not(.rules)")) {
    const { when, unless, game: of } = each.dataset;
    each.hidden = Boolean((when && !holds(when)) || (unless && holds(unless)) || (of && game && of !== game));
  }
}

// Resolves once the table has opened again. A screen that then has no seat goes to the page of seats: after a change from
// the simulated table to a camera, this machine's own screen has none.
async function opened(run) {
  for (let asked = 0; ; asked += 1) {
    await new Promise((done) => window.setTimeout(done, ASK_AGAIN_MS));
    if (asked === SLOW_AFTER) setTextOrHide("done", say("settings.slow"));
    try {
      const answer = await ask("/settings.json");
      if (answer.run && answer.run !== run) return;
      if (answer.status !== 401 || (await ask("/seat.json")).film) continue; // a table that waits for its disk has no seats yet
      window.location.assign("/seat");
      return new Promise(() => {}); // this page is left
    } catch { /* the table is being opened */ }
  }
}

// Saves; resolves to the outcome, or false if it was refused; if the table opens again, after that.
async function save(more = {}) {
  setTextOrHide("trouble", "");
  let answer = null;
  try {
    answer = await post("/settings", { ...changes(), ...more });
  } catch (error) {
    setTextOrHide("trouble", error.message);
    find("later").hidden = error.status !== 409;
    find("trouble").scrollIntoView({ block: "nearest" });
    return false;
  }
  shown = { ...fields(), white_agrees: false, black_agrees: false }; // agreements are sent each time
  find("later").hidden = true;
  setTextOrHide("done", answer.words);
  if (answer.outcome === "opens_again") {
    await opened(answer.run);
    setTextOrHide("done", "");
  }
  return answer.outcome;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (["opens_again", "at_once", "later"].includes(await save())) window.location.reload();
});
find("later").addEventListener("click", async () => (await save({ when: "later" })) && window.location.reload());
find("forget")?.addEventListener("click", async () => {
  await post("/settings/forget").catch((error) => setTextOrHide("trouble", error.message));
  window.location.reload();
});
form.addEventListener("change", follow);
for (const button of document.querySelectorAll("[data-for] button")) {
  button.addEventListener("click", () => (form.elements.namedItem(button.parentElement.dataset.for).value = button.value));
}

// ---- the players' own sheets ----

find("sheet-file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  setTextOrHide("sheet-trouble", "");
  setTextOrHide("sheet-done", "");
  try {
    const kept = await post("/settings/sheets", { file: file.name, text: (await file.text()).slice(0, 15_000) });
    setTextOrHide("sheet-done", say("sheet.added", kept));
    form.elements.sheet.append(new Option(kept.title, kept.name));
  } catch (error) {
    setTextOrHide("sheet-trouble", error.message);
  }
  target.value = "";
});
for (const button of document.querySelectorAll("[data-remove]")) {
  button.addEventListener("click", async () => {
    const name = button.dataset.remove;
    if (!window.confirm(say("sheet.question", { sheet: name }))) return;
    try {
      await post("/settings/sheets/remove", { name });
      window.location.reload();
    } catch (error) {
      setTextOrHide("sheet-trouble", error.message);
    }
  });
}

// ---- the first start ----

let step = 0;

function show(number) {
  step = number;
  for (const part of document.querySelectorAll("main .card, .looks")) {
    const own = part.closest("[data-step]");
    if (!own) part.hidden = part.id !== "save";
    else own.hidden = own.dataset.step !== String(step);
  }
  find("walk").hidden = false;
  find("walk-back").hidden = step === 1;
  find("walk-next").hidden = step === STEPS;
  find("walk-go").hidden = step !== STEPS;
  setTextOrHide("walk-step", say("step.of", { step, steps: STEPS }));
  window.scrollTo(0, 0);
}

if (document.body.dataset.walk) {
  show(1);
  find("walk-back").addEventListener("click", () => show(step - 1));
  find("walk-next").addEventListener("click", async ({ target }) => {
    if (target.hasAttribute("aria-busy")) return; // tapped again while the table opens
    target.setAttribute("aria-busy", "true");
    if (step !== 2 || (await save())) show(step + 1);
    target.removeAttribute("aria-busy");
  });
  find("walk-all").addEventListener("click", () => {
    document.body.removeAttribute("data-walk");
    for (const part of document.querySelectorAll("main .card, .looks, #walk, #walk-step, [data-walk-only]")) {
      part.hidden = part.id.startsWith("walk") || "walkOnly" in part.dataset;
    }
  });
}

follow();
watchCamera((message) => setTextOrHide("trouble", message));
checkPanel();
