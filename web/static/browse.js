// Lists of plays: the board previews the one that is pointed at, tapped, or reached with the arrow keys.

// The button of a play; `old` is the one of the same play before.
function playButton(play, arrows, old) {
  const button = old ?? Object.assign(document.createElement("button"), { type: "button", className: "play", ariaPressed: "false", textContent: play });
  button.dataset.arrows = JSON.stringify(arrows);
  return button;
}

// Lists `rows` ({play, arrows}) if they differ from those shown. Buttons of the same plays are kept, so that the focus
// stays. `item` makes a list item or a table row from a button.
export function listPlays(box, rows, item) {
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

// Calls onPreview with the steps of the play to preview, or with null.
export function browsePlays(onPreview) {
  let pointed = null;
  let tapped = null;
  let shown = null;

  const playAt = (event) => event.target.closest?.("[data-arrows]") ?? null;

  function show() {
    const focused = document.activeElement?.matches?.("[data-arrows]:focus-visible") ? document.activeElement : null;
    const now = [pointed, focused, tapped].find((one) => one?.getClientRects().length) ?? null; // not one of a hidden list
    if (now === shown) return;
    shown?.setAttribute("aria-pressed", "false");
    now?.setAttribute("aria-pressed", "true");
    shown = now;
    onPreview(now && JSON.parse(now.dataset.arrows));
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
