// The analysis of a match: its progress, then its result. The server makes the HTML, with all text escaped.

import { ask, post } from "./server.js";

const LOOK_AGAIN_MS = 2000;
const section = document.getElementById("analysis");

async function show() {
  const { match } = section.dataset;
  const answer = await ask(`/matches/${match}/analysis.json`).catch(() => null); // null: no connection
  if (answer) {
    section.innerHTML = answer.html ?? "";
    section.querySelector("[data-ask]")?.addEventListener("click", begin);
  }
  if (!answer || answer.unfinished) setTimeout(show, LOOK_AGAIN_MS);
}

async function begin() {
  await post(`/matches/${section.dataset.match}/analysis`).catch(() => {}); // the section then shows the error
  await show();
}

show();
