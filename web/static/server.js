// Talking to Boardside: the live feed, and what is posted.

import { say } from "./texts.js";

const LANGUAGE = document.documentElement.lang;
const RETRY_MS = 2500;
const PATIENCE_MS = 8000;

// Calls onState with every state and onLink with "live" or "lost"; a page that nobody looks at lets go of its stream.
export function follow(onState, onLink) {
  let source = null;
  let timer = 0;

  function close() {
    window.clearTimeout(timer);
    source?.close();
    source = null;
  }

  function open() {
    close();
    source = new EventSource(`/events?language=${LANGUAGE}`);
    source.addEventListener("open", () => onLink("live"));
    source.addEventListener("state", (event) => onState(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      onLink("lost");
      close();
      timer = window.setTimeout(open, RETRY_MS);
    });
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("online", open);
  open();
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
