// Saying what stands on the board, cell by cell, without typing; the other player agrees to it.

import { element } from "./panels.js";
import { reading } from "./reading.js";
import { seat } from "./procedure.js";

const find = (id) => document.getElementById(id);
const MOST = 15;
const WHITE_BAR = 24;

const words = ([white, black]) => [white && `${white} white`, black && `${black} black`].filter(Boolean).join(" and ") || "empty";
const key = (content) => content.join();

// One side's own cells hold no checkers of the other's.
function possible(cell) {
  const side = cell < WHITE_BAR ? null : (cell - WHITE_BAR) % 2;
  const counts = Array.from({ length: MOST }, (_, n) => n + 1);
  return [[0, 0], ...(side === 1 ? [] : counts.map((n) => [n, 0])), ...(side === 0 ? [] : counts.map((n) => [0, n]))];
}

export function correctionDialog() {
  const dialog = find("correction");
  const draw = reading(find("correction-board"));
  let told = null;
  let board = [];
  let cells = [];
  let labels = [];

  function totals() {
    return [0, 1].map((side) => board.reduce((sum, content) => sum + content[side], 0));
  }

  function complaint() {
    const found = totals();
    return ["White", "Black"].flatMap((name, side) => {
      const lacking = told.totals[side] - found[side];
      const count = `${found[side]} of ${told.totals[side]} checkers`;
      if (lacking === 0) return [];
      return [`${name} has ${count}: ${Math.abs(lacking)} ${lacking > 0 ? "too few" : "too many"}.`];
    }).join(" ");
  }

  function row({ cell, likely }) {
    const select = element("select", { "data-cell": cell });
    const seen = likely.map((one) => element("option", { value: key(one.content) }, one.words));
    const named = new Set(likely.map((one) => key(one.content)));
    const others = possible(cell).filter((content) => !named.has(key(content)));
    const rest = others.map((content) => element("option", { value: key(content) }, words(content)));
    if (seen.length) select.append(element("optgroup", { label: "As the camera sees it" }, ...seen), element("optgroup", { label: "Otherwise" }, ...rest));
    else select.append(...rest);
    select.value = key(board[cell]);
    return element("label", { class: "cell-row" }, element("span", {}, told.names[cell]), select);
  }

  function show() {
    find("correction-cells").replaceChildren(...cells.map(row));
    const more = find("correction-more");
    const rest = told.names.map((name, cell) => [name, cell]).filter(([, cell]) => !cells.some((one) => one.cell === cell));
    more.replaceChildren(element("option", { value: "" }, "Choose a place …"), ...rest.map(([name, cell]) => element("option", { value: cell }, name)));
    check();
  }

  function check() {
    draw({
      points: board.slice(0, WHITE_BAR), bar: [board[24][0], board[25][1]], off: [board[26][0], board[27][1]],
      labels, doubtful: [], highlighted: cells.map((one) => one.cell), live: true, words: "The position as entered",
    });
    const wrong = complaint();
    find("correction-totals").textContent = wrong || "No checker is missing.";
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
      const signed = board.slice(0, WHITE_BAR).map(([white, black]) => (white && black ? [white, black] : white - black));
      const position = { points: signed, bar: [board[24][0], board[25][1]], off: [board[26][0], board[27][1]] };
      const over = Boolean(told.turn) && find("correction-over").checked;
      return { remedy: "position", position, turn_over: over, player: seat() || null };
    },
  };
}
