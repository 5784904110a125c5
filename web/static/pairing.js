// The page of seats: taking one by the table's code or by an invitation, inviting another device, the list of devices.

import { die, element, find, setText, setTextOrHide } from "./panels.js";
import { sender, toast } from "./sending.js";
import { ask } from "./server.js";
import { say } from "./texts.js";

const NUMBERS = 4;
const FACES = [1, 2, 3, 4, 5, 6];

const send = sender((error) => toast(error.message));
const invitation = window.location.hash.slice(1);
let code = [];

// ---- the code ----------------------------------------------------------------------------------------------------

function showCode() {
  const slots = Array.from({ length: NUMBERS }, (_, n) => (code[n] ? die({ number: code[n] }) : element("span", { class: "die empty" })));
  slots[code.length]?.classList.add("next");
  find("slots").replaceChildren(...slots);
  find("slots").setAttribute("aria-label", code.length ? say("pairing.entered", { numbers: code.join(" ") }) : say("pairing.nothing"));
  find("back").disabled = code.length === 0;
}

function enter(number) {
  if (code.length < NUMBERS) code = [...code, number];
  showCode();
}

function deleteLast() {
  code = code.slice(0, -1);
  showCode();
}

find("faces").append(...FACES.map((number) => element("button", { type: "button", "data-face": number, "aria-label": number }, die({ number }))));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !find("pairing").open) return;
  if (FACES.includes(Number(event.key))) enter(Number(event.key));
  else if (event.key === "Backspace") deleteLast();
});

// ---- seats -------------------------------------------------------------------------------------------------------

async function take(button) {
  const { take: seat } = button.dataset;
  const invited = button.closest(".seats").dataset.action === "accept";
  if (!invited && code.length < NUMBERS) return toast(say("pairing.four"));
  const taken = invited ? await send(button, "/seat/accept", { invitation, seat }) : await send(button, "/seat/take", { code, seat });
  if (taken) return window.location.assign("/");
  code = [];
  return showCode();
}

async function invite(button) {
  const answer = await send(button, "/seat/invite");
  if (!answer) return;
  find("qr").replaceChildren(new DOMParser().parseFromString(answer.qr, "text/html").body.firstChild);
  find("qr").hidden = false;
  setTextOrHide("scan", say("pairing.scan", { address: answer.address }));
}

function deviceItem({ number, seat, name, since_s: sinceS, own, removable }) {
  const time = new Date(1000 * sinceS).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const facts = [say("pairing.since", { time }), own ? say("pairing.own") : ""].filter(Boolean).join(" · ");
  const item = element("li", {}, element("p", {}, element("b", {}, name), ` ${say(`seat.${seat}`)}`, element("small", {}, facts)));
  if (removable && !own) item.append(element("button", { type: "button", class: "small", "data-device": number, "data-question": say("pairing.question", { device: name }) }, say("pairing.remove")));
  return item;
}

async function show() {
  const { seat, devices } = await ask("/seat.json");
  document.body.dataset.seat = seat ?? "none";
  find("own").hidden = find("inviting").hidden = !seat;
  find("devices").hidden = !devices?.length;
  if (!seat) return;
  setText("own-title", say(`seat.${seat}`));
  find("leave").hidden = !devices.some(({ own }) => own);
  find("devices-list").replaceChildren(...devices.map(deviceItem));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { face, take: seat, question, device } = button.dataset;
  if (question && !window.confirm(question)) return;
  if (face) enter(Number(face));
  if (seat) await take(button);
  if (button.id === "back") deleteLast();
  if (button.id === "ask" && (await send(button, "/seat/ask"))) setTextOrHide("asked", say("pairing.shown"));
  if (button.id === "invite") await invite(button);
  if (device && (await send(button, "/seat/remove", { device: Number(device) }))) await show();
  if (button.id === "leave" && (await send(button, "/seat/leave"))) window.location.reload();
});

if (invitation) {
  window.history.replaceState(null, "", window.location.pathname); // the browser's history must not contain it
  find("invited").hidden = false;
  find("pairing").open = false;
}
window.addEventListener("hashchange", () => window.location.reload()); // another invitation
showCode();
show();
