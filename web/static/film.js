// The controls of a filmed game: pause and go on, the next turn, from the beginning, how fast.

import { setText } from "./panels.js";

const find = (id) => document.getElementById(id);

export function showFilm(film) {
  find("film").hidden = !film;
  if (!film) return;
  setText("film-words", film.words);
  find("film-pause").dataset.fields = JSON.stringify({ deed: film.deed });
  setText("film-pause", film.label);
  for (const id of ["film-step", "film-restart"]) find(id).hidden = film.over; // the first button begins anew then
  if (document.activeElement !== find("film-speed")) find("film-speed").value = String(film.speed);
}

export function filmControls(send) {
  find("film-speed").addEventListener("change", ({ target }) => send(target, "/film", { speed: Number(target.value) }));
}
