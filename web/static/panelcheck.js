// The test of the panel: one part at a time, and the last press.

import { find, setText } from "./panels.js";
import { ask, post } from "./server.js";
import { say } from "./texts.js";

const EVERY_MS = 500;
const POLLS = 60; // half a minute after the last part was tested
let polls = 0;

async function listen() {
  if (polls <= 0 || document.hidden) return;
  polls -= 1;
  const answer = await ask("/panel.json").catch(() => null);
  if (answer && !answer.error) setText("pressed", answer.heard?.words ?? say("panel.none"));
}

export function checkPanel() {
  if (!find("pressed")) return;
  for (const button of document.querySelectorAll("[data-check]")) {
    button.addEventListener("click", async () => {
      try {
        await post("/panel/check", { what: button.dataset.check });
        polls = POLLS;
      } catch (error) {
        setText("pressed", error.message);
      }
    });
  }
  window.setInterval(listen, EVERY_MS);
}
