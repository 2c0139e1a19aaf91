// @ts-check
// The keys on a table's page: Escape, keys that hurry a step, and arrow keys to move between cards.

import { shutBoard } from "./board.js";
import { all, hit } from "./dom.js";
import { focusOn, neighbour } from "./focus.js";
import { hurry } from "./motion.js";
import { touched } from "./nudges.js";
import { progress } from "./progress.js";
import { focusCards } from "./refresh.js";
import { shutSheets } from "./sheets.js";
import { asking, fans, hasTable, seats } from "./table.js";

/** @param {KeyboardEvent} event */
function keyPressed(event) {
  touched();
  if (event.key === "Escape") {
    escape();
    return;
  }
  const enters = event.key === "Enter" || event.key === " ";
  if (progress.playing && !asking() && enters && !hit(event, "a,#sound,.veil")) {
    event.preventDefault();
    if (!event.repeat) hurry();
  }
  moveFocus(event);
}

function escape() {
  if (asking()) return; // a question handles Escape itself
  if (progress.playing) hurry();
  else if (!shutSheets()) shutBoard();
}

/** @param {KeyboardEvent} event */
function moveFocus(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const here = hit(event, ".fan,.ring .seat,.trait,.single");
  if (here) {
    focusOn(neighbour(rowOf(here), here, step));
    event.preventDefault();
  } else if (hasTable() && !asking() && !progress.playing) focusCards();
}

/**
 * @param {HTMLElement} here
 * @returns {HTMLElement[]}
 */
function rowOf(here) {
  if (here.matches(".fan")) return fans();
  if (here.matches(".seat")) return seats();
  return all(".trait,.single", here.parentElement ?? document);
}

export function startKeys() {
  document.addEventListener("keydown", keyPressed);
}
