// The live camera picture with its light and focus, and the corners to mark on it.

import { cornerMarking, offerCorners } from "./corners.js";
import { find, setText } from "./panels.js";
import { ask } from "./server.js";

const EVERY_MS = 700;
let seen = false;

function draw({ reading, words, picture, phase }) {
  setText("camera-words", words);
  if (reading) {
    find("light").value = reading.brightness;
    find("focus").value = reading.sharpness;
    setText("light-said", reading.light_words);
    setText("focus-said", reading.focus_words);
  }
  if (picture && find("camera").getAttribute("src") !== picture) find("camera").src = picture;
  find("camera").hidden = !picture;
  find("no-camera").hidden = Boolean(picture);
  offerCorners(phase, picture);
}

// Updates picture and meter while they are visible; onTrouble takes a text.
export function watchCamera(onTrouble) {
  cornerMarking((error) => onTrouble(error.message));
  if (document.body.dataset.meter !== "yes") return;
  new IntersectionObserver(([entry]) => (seen = entry.isIntersecting)).observe(find("meter-title"));
  window.setInterval(async () => {
    if (!seen || document.hidden) return;
    const answer = await ask("/camera.json").catch(() => null);
    if (answer && !answer.error) draw(answer);
  }, EVERY_MS);
}
