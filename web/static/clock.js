// The chess clock: counts on from the last state, because the server sends nothing while only time passes.

import { find, setText, setTextOrHide } from "./panels.js";
import { say } from "./texts.js";

const EVERY_MS = 250;

let shown = null;
let receivedMs = 0;
let timer = 0;

// Minutes and seconds; the time left is rounded up, so that 0:00 means that none is left.
export function face(seconds) {
  const whole = seconds > 0 ? Math.ceil(seconds) : Math.floor(-seconds);
  const sign = seconds <= -1 ? "−" : "";
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function draw() {
  const passedS = (performance.now() - receivedMs) / 1000;
  for (const { player, reserve_s: reserve, delay_s: delay, fallen } of shown.players) {
    const running = shown.running === player;
    const ofDelay = running ? Math.min(passedS, delay) : 0;
    const left = running ? reserve - (passedS - ofDelay) : reserve;
    const box = find(`clock-${player}`);
    box.dataset.running = running ? "yes" : "no";
    box.dataset.fallen = fallen || left <= 0 ? "yes" : "no";
    box.querySelector("time").textContent = face(left);
    const delayLeft = running ? Math.ceil(delay - ofDelay) : 0;
    box.querySelector("small").textContent = delayLeft > 0 ? say("clock.delay", { seconds: delayLeft }) : "";
  }
}

export function showClock(clock) {
  for (const id of ["clock", "clock-white", "clock-black"]) find(id).hidden = !clock;
  window.clearInterval(timer);
  shown = clock;
  if (!clock) return;
  receivedMs = performance.now();
  setText("clock-pause", say(clock.paused ? "clock.start" : "clock.stop"));
  setTextOrHide("clock-words", clock.words);
  draw();
  if (clock.running) timer = window.setInterval(draw, EVERY_MS);
}
