// @ts-check
// What lies over a table: a question, the board, or #rest, when the class is paused, the child's
// time is over, or a friend plays for a child that is away (then #rest contains #wake). Home, the
// raised hand and the ear can be reached under a question and under #rest; the style sheets dim
// whatever is inert.

import { all, find, pause, the } from "./dom.js";
import { hurry } from "./motion.js";
import { progress } from "./progress.js";
import { asking, question, table } from "./table.js";
import { sayOf } from "./voice.js";

const ALWAYS = ".table__top,.stage__top,.raise";

let lastWords = ""; // what the overlay said last

/** Says once what lies over the table, and makes what is below it inert. */
export function shield() {
  if (!find("#wake") || progress.changes !== progress.wokeAt) {
    document.body.classList.remove("is-back");
  }
  const words = find("body:not(.is-back) #resting");
  const board = find("#board");
  const covered = Boolean(words) || asking();
  const parts = /** @type {HTMLElement[]} */ ([...table().children]);
  for (const part of parts) part.inert = covered && part.id !== "rest" && !part.matches(ALWAYS);
  for (const line of all(".line__form", table())) line.inert = covered;
  for (const panel of [question(), board]) if (panel) panel.inert = Boolean(words);
  table().inert = !words && Boolean(board?.childElementCount);
  if (words && words.dataset.say !== lastWords) sayOf(words);
  lastWords = words?.dataset.say || "";
}

/**
 * Shows the overlay of a picture that waits, if the overlay itself must not wait. "Eyes on me" is
 * always shown at once. So is "a friend plays for you" over a question, so that a touch there wakes
 * the seat and gives no answer. All other overlays come with their picture.
 * @param {ParentNode} picture
 */
export function cover(picture) {
  const old = find("#rest");
  const over = find("#rest", picture);
  const now = over?.matches(asking() ? ".rest--now,.rest--asleep" : ".rest--now");
  if (now || !over || old?.matches(".rest--now")) old?.remove();
  if (over && now) {
    table().append(over.cloneNode(true));
    htmx.process(the("#rest"));
    hurry();
  }
  shield();
}

/** Waits until the teacher ends the pause of the class. */
export async function resumed() {
  while (find(".rest--now")) await pause(100);
}
