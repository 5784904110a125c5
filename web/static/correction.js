// Saying what stands on the board, cell by cell, without typing; the other player agrees to it.

import { element } from "./panels.js";
import { reading } from "./reading.js";
import { seat } from "./seats.js";
import { counted, say } from "./texts.js";

const find = (id) => document.getElementById(id);
const MOST = 15;
const WHITE_BAR = 24;

const key = (content) => content.join();

// What may lie on a cell, how it is drawn, and how the position is posted.
const KINDS = {
  points: {
    words([white, black]) {
      if (white && black) return say("checkers.both", { first: counted("white", white), last: counted("black", black) });
      if (white) return counted("white", white);
      return black ? counted("black", black) : say("checkers.empty");
    },
    possible(cell) { // the bar and the trays hold one side's checkers only
      const side = cell < WHITE_BAR ? null : (cell - WHITE_BAR) % 2;
      const counts = Array.from({ length: MOST }, (_, n) => n + 1);
      return [[0, 0], ...(side === 1 ? [] : counts.map((n) => [n, 0])), ...(side === 0 ? [] : counts.map((n) => [0, n]))];
    },
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
    possible: () => [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]],
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
  const draw = reading(find("correction-board"), drawing);
  let told = null;
  let board = [];
  let cells = [];
  let labels = [];

  const kind = () => KINDS[told.kind];

  function totals() {
    return [0, 1].map((side) => board.reduce((sum, content) => sum + content[side], 0));
  }

  function complaint() {
    const found = totals();
    return ["white", "black"].flatMap((name, side) => {
      const lacking = told.totals[side] - found[side];
      if (lacking === 0 || (lacking > 0 && !told.exact)) return [];
      const facts = { found: found[side], total: told.totals[side], number: Math.abs(lacking) };
      return [say(`correction.${name}.${lacking > 0 ? "few" : "many"}`, facts)];
    }).join(" ");
  }

  function row({ cell, likely }) {
    const select = element("select", { "data-cell": cell, id: `stands-on-${cell}` });
    const seen = likely.map((one) => element("option", { value: key(one.content) }, one.words));
    const named = new Set(likely.map((one) => key(one.content)));
    const others = kind().possible(cell).filter((content) => !named.has(key(content)));
    const rest = others.map((content) => element("option", { value: key(content) }, kind().words(content)));
    if (seen.length) select.append(element("optgroup", { label: say("correction.seen") }, ...seen), element("optgroup", { label: say("correction.otherwise") }, ...rest));
    else select.append(...rest);
    select.value = key(board[cell]);
    return element("p", { class: "cell-row" }, element("label", { for: select.id }, told.names[cell]), select);
  }

  function show() {
    find("correction-cells").replaceChildren(...cells.map(row));
    const more = find("correction-more");
    const rest = told.names.map((name, cell) => [name, cell]).filter(([name, cell]) => name && !cells.some((one) => one.cell === cell));
    more.replaceChildren(element("option", { value: "" }, say("correction.choose")), ...rest.map(([name, cell]) => element("option", { value: cell }, name)));
    check();
  }

  function check() {
    draw({
      ...kind().drawn(board), labels, doubtful: [], highlighted: cells.map((one) => one.cell), live: true, words: say("board.entered"),
    });
    const wrong = complaint();
    find("correction-totals").textContent = wrong || (told.exact ? say("correction.complete") : "");
    find("correction-totals").dataset.wrong = wrong ? "yes" : "no";
    find("correction-propose").disabled = Boolean(wrong);
  }

  dialog.addEventListener("change", (event) => {
    const { target } = event;
    if (target.id === "correction-more" && target.value !== "") {
      const cell = Number(target.value);
      cells = [...cells, { cell, likely: [] }];
      show();
      dialog.querySelector(`select[data-cell="${cell}"]`).focus();
    } else if (target.dataset.cell !== undefined) {
      board[Number(target.dataset.cell)] = target.value.split(",").map(Number);
      check();
    }
  });

  return {
    open(correction, names) {
      told = correction;
      labels = names;
      board = correction.base.map((content) => [...content]);
      cells = [...correction.cells];
      find("correction-turn").hidden = !correction.turn;
      find("correction-over-words").textContent = correction.over ?? "";
      find("correction-stays-words").textContent = correction.turn ?? "";
      show();
      dialog.showModal();
    },
    close: () => dialog.close(),
    fields() {
      const position = kind().position(board, labels);
      const over = Boolean(told.turn) && find("correction-over").checked;
      return { remedy: "position", position, turn_over: over, player: seat() || null };
    },
  };
}
