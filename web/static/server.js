// Talking to Boardside: the live feed, and what is posted.

import { say } from "./texts.js";

const LANGUAGE = document.documentElement.lang;
const RETRY_MS = 2500;
const POLL_MS = 2000;
const POLLS_BEFORE_RETRY = 15;
const PATIENCE_MS = 8000;

// Calls onState with every state and onLink with "live" or "lost"; a page that nobody looks at lets go of its stream.
// Where the table has no stream left for it, the page asks for the state every POLL_MS, and for a stream now and then.
export function follow(onState, onLink) {
  let source = null;
  let timer = 0;
  let turn = 0;

  function close() {
    window.clearTimeout(timer);
    source?.close();
    source = null;
    turn += 1; // an answer still on its way is no longer waited for
  }

  function open() {
    close();
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

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("online", open);
  open();
}

// The table's state and its tag; without a body where it is still the one whose tag is known.
async function stateUnless(known) {
  const response = await fetch(`/state.json?language=${LANGUAGE}`, {
    headers: known ? { "If-None-Match": known } : {},
    cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.status === 304) return { tag: known, body: null };
  if (!response.ok) throw new Error(response.status);
  return { tag: response.headers.get("ETag"), body: await response.json() };
}

export async function ask(path) {
  const headers = { Accept: "application/json", "Accept-Language": LANGUAGE };
  return (await fetch(path, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })).json();
}

// Posts fields as JSON; gives the answer, or throws an Error whose message is for the player.
export async function post(path, fields = {}) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "Accept-Language": LANGUAGE },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    throw new Error(say("server.silent"));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw Object.assign(new Error(answer.error || say("server.answered", { status: response.status })), { status: response.status });
  }
  return answer;
}
