// The scripts' texts, which the page contains as JSON in its language, by key.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);

// The text of a key, facts in place of its {braces}.
export function say(key, facts = {}) {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

// "3 of White's".
export function counted(side, number) {
  return say(`checkers.${side}`, { number });
}
