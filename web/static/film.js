// The controls of a filmed game: play and pause, next turn, restart, speed.

import { find, setText } from "./panels.js";

export function showFilm(film) {
  find("film").hidden = !film;
  if (!film) return;
  setText("film-words", film.words);
  find("film-pause").dataset.fields = JSON.stringify({ deed: film.deed });
  setText("film-pause", film.label);
  for (const id of ["film-step", "film-restart"]) find(id).hidden = film.over; // the first button then restarts
  if (document.activeElement !== find("film-speed")) find("film-speed").value = String(film.speed);
}

export function filmControls(send) {
  find("film-speed").addEventListener("change", ({ target }) => send(target, "/film", { speed: Number(target.value) }));
}
