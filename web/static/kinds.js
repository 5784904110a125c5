// Kinds of boards, by the name that the server sends; a page loads only the one that it shows.

const KINDS = {
  points: () => import("./board.js").then(({ backgammon }) => backgammon),
  tiles: () => import("./tiles.js").then(({ tiles }) => tiles),
  squares: () => import("./squares.js").then(({ checkers }) => checkers),
};

export const kindNamed = (name) => KINDS[name]();
