// The dialog in which a player enters the position on the board by tapping cells; the other player agrees to it.

import { element, find } from "./panels.js";
import { reading } from "./reading.js";
import { seat } from "./seats.js";
import { counted, say } from "./texts.js";
import { rectangle, svgElement } from "./view.js";

const MOST = 15;
const WHITE_BAR = 24;
const SIDES = ["white", "black"];
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const key = (content) => content.join();

// The contents that a cell may have, how they are drawn, and how the position is posted.
const KINDS = {
  points: {
    words([white, black]) {
      if (white && black) return say("checkers.both", { first: counted("white", white), last: counted("black", black) });
      if (white) return counted("white", white);
      return black ? counted("black", black) : say("checkers.empty");
    },
    sides: (cell) => (cell < WHITE_BAR ? [0, 1] : [(cell - WHITE_BAR) % 2]), // bar and trays hold one side's checkers only
    choices: [],
    drawn: (board) => ({ points: board.slice(0, WHITE_BAR), bar: [board[24][0], board[25][1]], off: [board[26][0], board[27][1]] }),
    position(board) {
      const points = board.slice(0, WHITE_BAR).map(([white, black]) => (white && black ? [white, black] : white - black));
      return { points, bar: [board[24][0], board[25][1]], off: [board[26][0], board[27][1]] };
    },
  },
  squares: {
    words([white, black, king]) {
      if (!white && !black) return say("checkers.empty");
      return say(`checkers.${white ? "white" : "black"}.${king ? "king" : "man"}`);
    },
    sides: () => [],
    choices: [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]],
    drawn: (board) => ({
      squares: board.map(([white, black]) => [white, black]),
      kings: board.flatMap(([, , king], cell) => (king ? [cell] : [])),
    }),
    position(board, labels) {
      const listed = (side) => board.flatMap((content, cell) => (content[side] ? [`${content[2] ? "K" : ""}${labels[cell]}`] : []));
      return { fen: `W:W${listed(0).join()}:B${listed(1).join()}` };
    },
  },
};

export function correctionDialog(drawing) {
  const dialog = find("correction");
  const svg = find("correction-board");
  const editor = find("cell-editor");
  const draw = reading(svg, drawing);
  const targets = new Map();
  let correction = null;
  let board = [];
  let labels = [];
  let chosen = null;

  const kind = () => KINDS[correction.kind];

  function complaint() {
    return SIDES.flatMap((name, side) => {
      const found = board.reduce((sum, content) => sum + content[side], 0);
      const lacking = correction.totals[side] - found;
      if (lacking === 0 || (lacking > 0 && !correction.exact)) return [];
      const facts = { found, total: correction.totals[side], number: Math.abs(lacking) };
      return [say(`correction.${name}.${lacking > 0 ? "few" : "many"}`, facts)];
    }).join(" ");
  }

  function check() {
    const inQuestion = correction.cells.map((one) => one.cell);
    draw({ ...kind().drawn(board), labels, doubtful: [], highlighted: inQuestion, live: true, words: say("board.entered") });
    for (const [cell, target] of targets) {
      target.setAttribute("aria-label", say("words.because", { what: correction.names[cell], why: kind().words(board[cell]) }));
      target.setAttribute("aria-pressed", cell === chosen);
      target.setAttribute("tabindex", cell === chosen ? 0 : -1);
    }
    const wrong = complaint();
    find("correction-totals").textContent = wrong || (correction.exact ? say("correction.complete") : "");
    find("correction-totals").dataset.wrong = wrong ? "yes" : "no";
    find("correction-propose").disabled = Boolean(wrong);
  }

  // ---- the place that was tapped ---------------------------------------------------------------------------------

  function put(content) {
    board[chosen] = [...content];
    const focused = [...editor.querySelectorAll("button")].indexOf(document.activeElement);
    edit();
    if (focused >= 0) editor.querySelectorAll("button")[focused]?.focus();
  }

  function step(side, by) {
    const name = say(`correction.${SIDES[side]}.${by > 0 ? "add" : "take"}`);
    const button = element("button", { type: "button", class: "small", "aria-label": name }, by > 0 ? "+" : "−");
    const number = board[chosen][side] + by;
    button.ariaDisabled = number < 0 || number > MOST;
    button.addEventListener("click", () => number >= 0 && number <= MOST && put(board[chosen].map((n, k) => (k === side ? number : n))));
    return button;
  }

  function stepper(side) {
    const count = element("b", {}, String(board[chosen][side]));
    return element("span", { class: "stepper" }, step(side, -1), element("i", { class: `dot ${SIDES[side]}` }), count, step(side, 1));
  }

  function choice(content, words) {
    const button = element("button", { type: "button", class: "small", "aria-pressed": key(content) === key(board[chosen]) }, words);
    button.addEventListener("click", () => put(content));
    return button;
  }

  function edit() {
    const likely = correction.cells.find((one) => one.cell === chosen)?.likely ?? [];
    const named = new Set(likely.map((one) => key(one.content)));
    const others = kind().choices.filter((content) => !named.has(key(content)));
    editor.replaceChildren(
      element("b", { class: "cell-name" }, correction.names[chosen]),
      ...kind().sides(chosen).map(stepper),
      ...likely.map((one) => choice(one.content, one.words)),
      ...others.map((content) => choice(content, kind().words(content))),
    );
    editor.setAttribute("aria-label", correction.names[chosen]);
    check();
  }

  // Tapping the chosen square again changes its content to the next choice.
  function tap(cell) {
    const { choices } = kind();
    const again = cell === chosen && choices.length;
    chosen = cell;
    if (again) board[cell] = [...choices[(choices.findIndex((one) => key(one) === key(board[cell])) + 1) % choices.length]];
    edit();
    targets.get(cell).focus({ preventScroll: true });
  }

  function go([down, right]) {
    const row = drawing.rows.findIndex((cells) => cells.includes(chosen));
    const column = drawing.rows[row]?.indexOf(chosen) ?? 0;
    for (let [r, c] = [row + down, column + right]; drawing.rows[r]?.[c] !== undefined; r += down, c += right) {
      const cell = drawing.rows[r][c];
      if (!targets.has(cell)) continue;
      chosen = cell;
      edit();
      return targets.get(cell).focus({ preventScroll: true });
    }
  }

  svg.addEventListener("click", (event) => {
    const target = event.target.closest("[data-place]");
    if (target) tap(Number(target.dataset.place));
  });
  svg.addEventListener("keydown", (event) => {
    if (STEPS[event.key]) go(STEPS[event.key]);
    else if (event.key === "Enter" || event.key === " ") editor.querySelector("button")?.focus();
    else return;
    event.preventDefault();
  });
  editor.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // back to the board; from there Escape closes the dialog
    targets.get(chosen).focus();
  });

  function placeTargets() {
    targets.clear();
    svg.querySelector(".targets")?.remove();
    const group = svg.appendChild(svgElement("g", { class: "targets" }));
    correction.names.forEach((name, cell) => {
      if (!name) return;
      targets.set(cell, group.appendChild(rectangle(drawing.area(cell), { "data-place": cell, role: "button", rx: 16 })));
    });
  }

  return {
    open(state, names) {
      correction = state;
      labels = names;
      board = correction.base.map((content) => [...content]);
      find("correction-turn").hidden = !correction.turn;
      find("correction-over-words").textContent = correction.over ?? "";
      find("correction-stays-words").textContent = correction.turn ?? "";
      placeTargets();
      chosen = correction.cells.find(({ cell }) => targets.has(cell))?.cell ?? targets.keys().next().value;
      edit();
      dialog.showModal();
      targets.get(chosen).focus();
    },
    close: () => dialog.close(),
    fields() {
      const position = kind().position(board, labels);
      const over = Boolean(correction.turn) && find("correction-over").checked;
      return { remedy: "position", position, turn_over: over, player: seat() || null };
    },
  };
}
