// Requests to Boardside: the live feed, questions and posts.

import { say } from "./texts.js";

const LANGUAGE = document.documentElement.lang;
const RETRY_MS = 2500;
const POLL_MS = 2000;
const POLLS_BEFORE_RETRY = 15;
const PATIENCE_MS = 8000;

// Calls onState with every state and onLink with "live" or "lost"; a hidden page closes its stream. If the table has no
// stream left, the page polls the state every POLL_MS, and tries to open a stream now and then.
export function follow(onState, onLink) {
  let source = null;
  let timer = 0;
  let turn = 0;

  function close() {
    window.clearTimeout(timer);
    source?.close();
    source = null;
    turn += 1; // an answer that is still to come is ignored
  }

  function open() {
    close();
    if (document.hidden) return;
    source = new EventSource(`/events?language=${LANGUAGE}`);
    timer = window.setTimeout(giveUp, PATIENCE_MS);
    source.addEventListener("open", () => {
      window.clearTimeout(timer);
      onLink("live");
    });
    source.addEventListener("state", (event) => onState(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return giveUp();
      close();
      poll(POLLS_BEFORE_RETRY, null);
    });
  }

  function giveUp() {
    close();
    lose();
  }

  function lose() {
    onLink("lost");
    timer = window.setTimeout(open, RETRY_MS);
  }

  async function poll(polls, known) {
    const mine = turn;
    const state = await stateUnless(known).catch(() => null);
    if (mine !== turn) return;
    if (!state) return lose();
    onLink("live");
    if (state.body) onState(state.body);
    timer = window.setTimeout(() => (polls > 1 ? poll(polls - 1, state.tag) : open()), POLL_MS);
  }

  document.addEventListener("visibilitychange", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("online", open);
  open();
}

// The table's state and its tag; without a body if it still has the known tag.
async function stateUnless(known) {
  const response = await request("/state.json", { headers: known ? { "If-None-Match": known } : {}, cache: "no-store" });
  if (response.status === 304) return { tag: known, body: null };
  if (!response.ok) throw new Error(response.status);
  return { tag: response.headers.get("ETag"), body: await response.json() };
}

// The response; without one throws an Error whose message is for the player.
async function request(path, { headers, ...options } = {}) {
  const inLanguage = { Accept: "application/json", "Accept-Language": LANGUAGE, ...headers };
  try {
    return await fetch(path, { ...options, headers: inLanguage, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new Error(say("server.silent"));
  }
}

// The answer as JSON, also of an error: {error, status}; without one throws an Error whose message is for the player.
export async function ask(path) {
  const response = await request(path);
  return response.json().catch(() => {
    throw new Error(say("server.answered", { status: response.status })); // from a proxy, or broken off
  });
}

// Posts fields as JSON; returns the answer, or throws an Error whose message is for the player.
export async function post(path, fields = {}) {
  const headers = { "Content-Type": "application/json" };
  const response = await request(path, { method: "POST", headers, body: JSON.stringify(fields) });
  const answer = await response.json().catch(() => null);
  if (!response.ok || !answer) {
    throw Object.assign(new Error(answer?.error || say("server.answered", { status: response.status })), { status: response.status });
  }
  return answer;
}
