// Verifies on this device that rolls follow from the secret committed to before them (web/documents/fair-dice.md), and
// stores the commitments that it sees.

import { keep, kept } from "./kept.js";
import { ask } from "./server.js";
import { say } from "./texts.js";

const LARGEST_FAIR_BYTE = 251;
const BLOCK = 64; // bytes of SHA-256
const MOST_NOTED = 50;

// SHA-256 by Web Crypto if the browser offers it to this page, else in JavaScript.
async function digest(data) {
  if (crypto.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return (await import("./sha256.js")).sha256(data);
}

const bytes = (text) => new TextEncoder().encode(text);
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// HMAC (RFC 2104); secrets have 32 bytes, so that no key is longer than a block.
async function hmac(key, message) {
  const padded = (mask) => Array.from({ length: BLOCK }, (_, n) => (key[n] ?? 0) ^ mask);
  const inner = await digest(Uint8Array.from([...padded(0x36), ...message]));
  return digest(Uint8Array.from([...padded(0x5c), ...inner]));
}

async function follows(secret, counter, taps, count) {
  const found = [];
  for (let block = 0; found.length < count; block += 1) {
    const fair = [...(await hmac(secret, bytes(`${counter} ${block} ${taps}`)))].filter((byte) => byte <= LARGEST_FAIR_BYTE);
    found.push(...fair.slice(0, count - found.length).map((byte) => (byte % 6) + 1));
  }
  return found;
}

// The error in {commitment, secret, rolls: [{counter, tapped_ms, dice}]}: the end of a text's key, and facts; null: none.
export async function wrongWith({ commitment, secret: told, rolls }) {
  const secret = fromHex(told);
  if (hex(await digest(secret)) !== commitment) return ["secret", {}];
  let taps = "";
  for (const [n, { counter, tapped_ms: tapped, dice }] of rolls.entries()) {
    if (counter !== n + 1) return ["missing", { number: n + 1 }];
    taps = hex(await digest(bytes(`${taps} ${tapped}`)));
    if ((await follows(secret, counter, taps, dice.length)).join() !== dice.join()) return ["wrong", { number: counter }];
  }
  return null;
}

// ---- commitments that this device has seen, each with the time and the number of rolls before, the newest last ----

function noted() {
  try {
    return JSON.parse(kept("commitments")) ?? [];
  } catch {
    return []; // something else is stored there
  }
}

// The note on an open commitment; made now if there is none.
function note({ commitment, rolls, told }) {
  const notes = noted();
  const before = notes.find((one) => one.commitment === commitment);
  if (before) return before;
  const last = notes.at(-1);
  const made = { commitment, rolls, at: Date.now(), instead: last && last.commitment !== told?.commitment ? last.at : null };
  keep("commitments", JSON.stringify([...notes, made].slice(-MOST_NOTED)));
  return made;
}

function openLine(fairness) {
  const { at, instead } = note(fairness);
  const time = (when) => new Date(when).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return instead ? say("check.replaced", { time: time(instead) }) : say("check.waits", { time: time(at) });
}

let checked = { commitment: null, line: "", wrong: false };

async function check(commitment) {
  const told = await ask("/dice/rolls.json");
  if (told.commitment !== commitment || told.secret === null) return { commitment: null, line: "", wrong: false };
  const wrong = await wrongWith(told);
  const number = told.rolls.length;
  const seen = noted().find((one) => one.commitment === commitment);
  const well = seen?.rolls === 0 ? (number === 1 ? "one" : "many") : "late";
  return { commitment, line: wrong ? say(`check.${wrong[0]}`, wrong[1]) : number ? say(`check.${well}`, { number }) : "", wrong: Boolean(wrong) };
}

// Returns {line, wrong}: the result of the check of these dice, or if nothing can be checked yet, the open commitment.
export async function lineOf(fairness) {
  const open = fairness.commitment ? openLine(fairness) : "";
  const { told } = fairness;
  if (told?.secret && told.commitment !== checked.commitment) checked = await check(told.commitment);
  const current = told && told.commitment === checked.commitment ? checked : { line: "", wrong: false };
  const past = current.wrong || !fairness.commitment || (current.line && !fairness.rolls);
  return past ? current : { line: open, wrong: false };
}
