// Plays that are listed, to be looked at on the board: with the mouse, with a tap, or with the arrow keys.

const made = (name, ...children) => {
  const element = document.createElement(name);
  element.append(...children);
  return element;
};

// A play as a button that the board shows while it is pointed at or has the focus; `old` is the one that it had before.
function playButton(words, arrows, old) {
  const button = old ?? Object.assign(made("button", words), { type: "button", className: "play", ariaPressed: "false" });
  button.dataset.arrows = JSON.stringify(arrows);
  return button;
}

// Lists plays anew only where they are others, and with the same buttons: who goes through them does not lose the place.
// `rows` are what is listed ({play, arrows}); `item` puts the button of one into a list's item or a table's row.
export function listPlays(box, rows, item = (button) => made("li", button)) {
  const shown = JSON.stringify(rows);
  if (box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  const buttons = () => [...box.querySelectorAll(".play")];
  const old = new Map(buttons().map((button) => [button.textContent, button]));
  const held = old.get(document.activeElement.textContent) === document.activeElement ? document.activeElement : null;
  box.replaceChildren(...rows.map((row, n) => item(playButton(row.play, row.arrows, old.get(row.play)), row, n)));
  const reached = held?.isConnected ? held : buttons()[0];
  for (const button of buttons()) button.tabIndex = button === reached ? 0 : -1;
  held?.focus({ preventScroll: true });
}

// Calls onLook with the steps of the play that is looked at, or with null.
export function browsePlays(onLook) {
  let pointed = null;
  let tapped = null;
  let shown = null;

  const playAt = (event) => event.target.closest?.("[data-arrows]") ?? null;

  function show() {
    const focused = document.activeElement?.matches?.("[data-arrows]:focus-visible") ? document.activeElement : null;
    const now = [pointed, focused, tapped].find((one) => one?.getClientRects().length) ?? null; // not one of a list that is hidden
    if (now === shown) return;
    shown?.setAttribute("aria-pressed", "false");
    now?.setAttribute("aria-pressed", "true");
    shown = now;
    onLook(now && JSON.parse(now.dataset.arrows));
  }

  document.addEventListener("pointerover", (event) => {
    pointed = event.pointerType === "touch" ? null : playAt(event);
    show();
  });
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", () => window.queueMicrotask(show));
  document.addEventListener("click", (event) => {
    const play = playAt(event);
    tapped = play === tapped ? null : play;
    show();
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const from = playAt(event);
    if (!step || !from) return;
    const all = [...from.closest("ul, tbody").querySelectorAll("[data-arrows]")];
    const next = all[all.indexOf(from) + step];
    event.preventDefault();
    if (!next) return;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  return show;
}
