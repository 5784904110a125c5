// Marks the board's corners on the camera's picture, if the table does not find them by itself.

import { find } from "./panels.js";
import { ask, post } from "./server.js";
import { say } from "./texts.js";
import { svgElement } from "./view.js";

const CORNERS = [0, 1, 2, 3]; // bottom left, bottom right, top right, top left
const MARGIN = 0.2; // of the picture's width and height, if there is no guess
const MAGNIFIED = 3; // times, in the magnifier
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let corners = [];

function size() {
  const picture = find("camera");
  return { width: picture.naturalWidth, height: picture.naturalHeight };
}

// Bottom left, bottom right, top right, top left of a picture in which White sits at the bottom.
function rectangle() {
  const { width, height } = size();
  const [left, right, top, bottom] = [MARGIN * width, (1 - MARGIN) * width, MARGIN * height, (1 - MARGIN) * height];
  return [[left, bottom], [right, bottom], [right, top], [left, top]];
}

function place(number, x, y) {
  const { width, height } = size();
  corners[number] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  draw();
}

function draw() {
  const svg = find("corners");
  svg.querySelector("polygon").setAttribute("points", corners.map((corner) => corner.join()).join(" "));
  const [[x1, y1], [x2, y2]] = corners;
  for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) svg.querySelector("line").setAttribute(key, value);
  svg.querySelectorAll("circle[role]").forEach((handle, number) => {
    handle.setAttribute("cx", corners[number][0]);
    handle.setAttribute("cy", corners[number][1]);
    handle.setAttribute("aria-valuetext", corners[number].map(Math.round).join(", "));
  });
}

// Shows a magnifier over the surroundings of a corner, away from the finger; null: hides it.
function magnify(number) {
  const svg = find("corners");
  svg.querySelector(".loupe")?.remove();
  if (number === null) return;
  const { width, height } = size();
  const radius = width / 8;
  const [x, y] = corners[number];
  const [at_x, at_y] = [x < width / 2 ? width - radius : radius, y < height / 2 ? height - radius : radius];
  const group = svgElement("g", { class: "loupe", "aria-hidden": "true" });
  const clip = svgElement("clipPath", { id: "loupe-clip" });
  clip.append(svgElement("circle", { cx: at_x, cy: at_y, r: radius }));
  const picture = svgElement("image", {
    href: find("camera").src, width: width * MAGNIFIED, height: height * MAGNIFIED, x: at_x - MAGNIFIED * x, y: at_y - MAGNIFIED * y,
  });
  const inside = svgElement("g", { "clip-path": "url(#loupe-clip)" });
  inside.append(picture);
  const cross = `M${at_x - radius} ${at_y}h${2 * radius}M${at_x} ${at_y - radius}v${2 * radius}`;
  group.append(clip, inside, svgElement("path", { d: cross }), svgElement("ellipse", { cx: at_x, cy: at_y, rx: radius, ry: radius }));
  svg.append(group);
}

function handle(number, radius) {
  const made = svgElement("circle", { r: radius, tabindex: 0, role: "slider", "aria-label": say(`corner.${number}`) });
  made.addEventListener("pointerdown", (event) => {
    made.setPointerCapture(event.pointerId);
    event.preventDefault();
    made.focus();
    magnify(number);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) made.addEventListener(end, () => magnify(null));
  made.addEventListener("pointermove", (event) => {
    if (!made.hasPointerCapture(event.pointerId)) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(find("corners").getScreenCTM().inverse());
    place(number, at.x, at.y);
    magnify(number);
  });
  made.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const [x, y] = corners[number];
    const far = event.shiftKey ? 10 : 1;
    place(number, x + far * step[0], y + far * step[1]);
    magnify(number);
  });
  return made;
}

async function begin(onTrouble) {
  let guess = null;
  try {
    guess = (await ask("/corners.json")).corners;
  } catch (error) {
    return onTrouble(error);
  }
  if (find("mark-corners").hidden) return; // a game began meanwhile
  const { width, height } = size();
  const inside = ([x, y]) => x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
  corners = guess?.every(inside) ? guess : rectangle(); // a corner outside the picture could not be dragged
  const svg = find("corners");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const handles = CORNERS.map((number) => handle(number, width / 45));
  svg.replaceChildren(svgElement("polygon", {}), svgElement("line", {}), ...handles);
  draw();
  marking(true);
  handles[0].focus();
}

function marking(on) {
  find("corners").toggleAttribute("hidden", !on);
  find("corner-tools").hidden = !on;
  find("mark-corners").setAttribute("aria-expanded", String(on));
}

// Attaches the buttons; onTrouble takes an Error whose message is for the player.
export function cornerMarking(onTrouble) {
  find("mark-corners").addEventListener("click", () => begin(onTrouble));
  find("drop-corners").addEventListener("click", () => marking(false));
  find("learn-corners").addEventListener("click", async () => {
    try {
      await post("/corners", { corners });
      marking(false);
    } catch (error) {
      onTrouble(error);
    }
  });
}

// Corners are marked between games only, and on a picture.
export function offerCorners(phase, picture) {
  const offered = document.body.dataset.marking === "yes" && Boolean(picture) && ["waiting", "over"].includes(phase);
  find("mark-corners").hidden = !offered;
  if (!offered) marking(false);
}
