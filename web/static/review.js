// Steps through a recorded match move by move. The address names the moment: #game.moment.

import { kindNamed } from "./kinds.js";
import { element, find, setText, setTextOrHide } from "./panels.js";
import { reading } from "./reading.js";
import { ask } from "./server.js";
import { view } from "./view.js";

const { match, kind, mirrored } = find("review").dataset;
view.mirrored = mirrored === "yes";
const show = reading(find("moment-board"), await kindNamed(kind));
const choice = find("game");
const slider = find("place");
const games = new Map();
let game = null;
let place = 0;

async function fetched(number) {
  if (!games.has(number)) {
    const answer = await ask(`/matches/${match}/games/${number}.json`);
    if (answer.error) throw new Error(answer.error);
    games.set(number, answer);
  }
  return games.get(number);
}

function trouble(error) {
  setTextOrHide("toast", error.message);
}

function listed(moment, index) {
  const button = element("button", { type: "button", "data-kind": moment.kind },
    element("span", { class: `dot ${moment.player ?? "none"}`, "aria-hidden": "true" }), moment.title);
  button.addEventListener("click", () => go(index));
  return element("li", {}, button);
}

async function open(number, at) {
  const opened = await fetched(number);
  if (opened !== game) {
    game = opened;
    choice.value = String(number);
    slider.max = String(game.moments.length - 1);
    find("moments").replaceChildren(...game.moments.map(listed));
  }
  go(at);
}

function go(to) {
  place = Math.max(0, Math.min(to, game.moments.length - 1));
  const moment = game.moments[place];
  show(moment.board);
  show.decorate(moment);
  slider.value = String(place);
  slider.setAttribute("aria-valuetext", moment.title);
  setText("moment-title", moment.title);
  setText("moment-when", moment.when);
  setText("moment-cube", moment.cube_words);
  find("moment-says").replaceChildren(...moment.says.map((line) => element("p", {}, line)));
  find("moment-plays").replaceChildren(...(moment.plays ? [element("summary", {}, moment.plays.title), ...moment.plays.plays.map((play) => element("p", {}, play))] : []));
  find("moment-evidence").hidden = !moment.evidence;
  find("moment-evidence").href = moment.evidence ?? "";
  find("moment-plays").hidden = !moment.plays;
  find("moment-pictures").replaceChildren(...moment.pictures.map(({ src, caption }) => element("figure", {},
    element("a", { href: src }, element("img", { src, alt: caption, loading: "lazy" })), element("figcaption", {}, caption))));
  [...find("moments").children].forEach(({ firstChild: button }, index) => {
    if (index !== place) return button.removeAttribute("aria-current");
    button.setAttribute("aria-current", "step");
    return keepInSight(button);
  });
  history.replaceState(null, "", `#${game.number}.${place}`);
}

// Scrolls the list alone, not the page.
function keepInSight(button) {
  const box = find("moments");
  const top = button.offsetTop - box.offsetTop;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + button.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + button.offsetHeight - box.clientHeight;
}

const other = (by) => open(Math.max(1, Math.min(game.number + by, choice.options.length)), 0).catch(trouble);
const STEPS = { first: () => go(0), back: () => go(place - 1), on: () => go(place + 1), last: () => go(Infinity) };
const KEYS = {
  ArrowLeft: STEPS.back, ArrowRight: STEPS.on, Home: STEPS.first, End: STEPS.last, PageUp: () => other(-1), PageDown: () => other(1),
};

for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => game && STEPS[button.dataset.step]());
slider.addEventListener("input", () => go(Number(slider.value)));
choice.addEventListener("change", () => open(Number(choice.value), 0).catch(trouble));
document.addEventListener("keydown", (event) => {
  const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!game || !plain || !KEYS[event.key] || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  KEYS[event.key]();
});

function named() {
  const [, number, moment] = /^#(\d+)\.(\d+)$/.exec(location.hash) ?? [];
  const known = number && Number(number) <= choice.options.length;
  return known ? [Math.max(1, Number(number)), Number(moment)] : [1, 0];
}

window.addEventListener("hashchange", () => open(...named()).catch(trouble));
if (choice.options.length) open(...named()).catch(trouble);
