// Keyboard shortcuts. They have no effect in fields and open dialogs, and can be switched off (WCAG 2.1.4).

import { keep, kept } from "./kept.js";
import { find } from "./panels.js";

const FIELDS = "input, select, textarea, [contenteditable]";

function tap(selector) {
  const button = document.querySelector(selector);
  if (button && !button.disabled && button.checkVisibility()) button.click();
}

function goThroughPlays() {
  const box = find("verdict-plays-box");
  if (box.hidden) return;
  box.open = true;
  box.querySelector("[data-arrows]")?.focus({ focusVisible: true });
}

export function shortcuts(turnRound) {
  const help = find("keys");
  const off = find("keys-off");
  off.checked = kept("keys") === "off";
  const KEYS = { r: () => tap("#next [data-post='/tap/roll']"), h: () => tap("#hint"), p: goThroughPlays, f: turnRound, "?": () => help.showModal() };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (event.target.closest(FIELDS) || document.querySelector("dialog[open]")) return;
    const act = KEYS[event.key.toLowerCase()];
    if (!act || (off.checked && event.key !== "?")) return;
    event.preventDefault();
    act();
  });
  find("keys-open").addEventListener("click", () => help.showModal());
  off.addEventListener("change", () => keep("keys", off.checked ? "off" : "on"));
}
