// @ts-check
// The faces of the animals: glad, thinking or surprised, but only for a reason, and only while the
// reason is shown. Otherwise they are calm; the next picture from the school calms them all.

import { all, find } from "./dom.js";
import { seatOf } from "./places.js";
import { point, table } from "./table.js";

/** For each kind of step, the face of the player who acts, and the face of the other player. */
const causes = /** @type {Record<string, [string, string?]>} */ ({
  thought: ["thinks"],
  gave: ["oh", "glad"], // the player who gives a card; the player who gets it
  lucky: ["oh"],
  book: ["glad"],
  claimed: ["glad"],
});

/**
 * Shows how the players in a step feel; all others are calm.
 * @param {DOMStringMap} step
 */
export function showFeelings({ kind = "", seat, other }) {
  for (const one of all("[data-animal]", table())) feel(one, "");
  const [its, others] = causes[kind] ?? [];
  if (its) feel(seatOf(seat), its);
  if (others && other) feel(seatOf(other), others);
}

/**
 * @param {HTMLElement} somebody
 * @param {string} feeling
 */
function feel(somebody, feeling) {
  const face = find(".pad__face use", somebody);
  const { animal } = somebody.dataset;
  if (face) point(face, `a-${animal}${feeling && "-" + feeling}`);
}
