// Sounds of a roll and of a verdict; off by default, chosen on each device.

import { keep, kept } from "./kept.js";

const button = document.getElementById("sounds");
let before = null;

const isOn = () => button.getAttribute("aria-pressed") === "true";

// A sound that cannot be loaded is left out silently.
const play = (name) => import("./tones.js").then((tones) => tones.play(name)).catch(() => {});

function turn(on) {
  button.setAttribute("aria-pressed", String(on));
  keep("sounds", on ? "on" : "off");
  if (on) play("legal");
}

export function sounds() {
  button.setAttribute("aria-pressed", String(kept("sounds") === "on"));
  button.addEventListener("click", () => turn(!isOn()));
}

// Plays the sound of the change from the state before.
export function sound({ dice, verdict }) {
  const now = { dice: JSON.stringify(dice), finding: verdict?.finding };
  const rolled = before && dice.length && now.dice !== before.dice;
  const judged = before && now.finding !== before.finding && ["legal", "illegal"].includes(now.finding);
  before = now;
  if (isOn() && (rolled || judged)) play(rolled ? "roll" : now.finding);
}
