// @ts-check
// While somebody else asks, the child may guess who has the card, with a tap: on the player who is
// asked, or on the pond for nobody. The answer follows at once. Nothing is sent or scored.

import { all, find, hit, the } from "./dom.js";
import { hop } from "./motion.js";
import { seatOf } from "./places.js";
import { sound } from "./sound.js";
import { table } from "./table.js";

/** @type {HTMLElement | null} the player whose answer may be guessed now */
let whose = null;

/**
 * Invites a guess about this ask.
 * @param {string} seat who was asked
 */
export function mayGuess(seat) {
  whose = seatOf(seat);
  table().classList.add("is-guessing");
}

/** @param {MouseEvent} event */
export function guess(event) {
  if (!whose) return;
  const mine = whose.id === "me" && hit(event, "#hand");
  const tapped = hit(event, ".pond,.seat,#me") || (mine && whose);
  if (tapped !== whose && tapped !== find("#pond")) return;
  for (const one of all(".is-guess", table())) one.classList.remove("is-guess");
  tapped?.classList.add("is-guess");
}

/**
 * Called when the answer is told: a right guess gets a star.
 * @param {boolean} has whether the player who was asked has the card
 */
export function guessed(has) {
  const right = whose && (has ? whose : the("#pond"));
  whose = null;
  table().classList.remove("is-guessing");
  if (!right?.matches(".is-guess")) return;
  right.classList.add("is-right");
  sound("catch");
  hop(find(".pad", right) ?? right);
}
