// @ts-check
// The numbered path: an animal hops forward when it makes a book, one step for each, and the number
// it reaches is said. At the end the animals hop as the books are counted. Where all play together,
// the number in their shell is said.

import { all, find, listed, the } from "./dom.js";
import { animate, isStill, wait } from "./motion.js";
import { middle } from "./places.js";
import { say } from "./voice.js";

const stones = () => all("#path > .path__step");
/** @param {string | number | undefined} seat */
const walker = (seat) => find(`#walks-${seat}`);

/**
 * The number of steps that a player has taken.
 * @param {string | number | undefined} seat
 */
export const placeOf = (seat) => {
  const face = walker(seat);
  return stones().findIndex((stone) => stone.contains(face));
};

/**
 * Makes everybody whose books the step has changed hop to their new place.
 * @param {HTMLElement} step
 */
export async function stepForward(step) {
  const together = find("#shell .shell__n");
  if (together) {
    const number = listed(step.dataset.books).reduce((sum, books) => sum + Number(books), 0);
    together.textContent = String(number);
    await say("n-" + number);
  }
  for (const [seat, books] of listed(step.dataset.books).entries()) {
    await walk(seat, Number(books), true);
  }
}

/**
 * Hops to a place, step by step. If the path is too short, a new picture of it shows the place.
 * @param {string | number} seat
 * @param {number} place
 * @param {boolean} [aloud] whether to say each number
 */
export async function walk(seat, place, aloud = false) {
  const path = stones();
  const face = walker(seat);
  for (let at = placeOf(seat); face && path[place] && at !== place;) {
    at += at < place ? 1 : -1;
    const number = the("b", path[at]).textContent;
    await Promise.all([hopTo(face, path[at]), aloud && say("n-" + number)]);
  }
}

/**
 * @param {HTMLElement} face
 * @param {HTMLElement} stone
 */
async function hopTo(face, stone) {
  const from = middle(face);
  stand(face, stone);
  const x = from.x - middle(face).x;
  if (isStill()) {
    await wait(500);
    return;
  }
  await animate(
    face,
    [
      { transform: `translateX(${x}px)` },
      { transform: `translate(${x / 2}px,-18px)`, offset: 0.5 },
      { transform: "none" },
    ],
    { duration: 420, easing: "ease-in-out", fill: "none" },
  );
}

/**
 * Puts a face on a stone; my face comes last, so that it lies on top.
 * @param {HTMLElement} face
 * @param {HTMLElement} stone
 */
function stand(face, stone) {
  const row = the(".path__who", stone);
  if (face.matches(".path__face--me")) row.append(face);
  else row.prepend(face);
}

/** Puts everybody back at the beginning without a hop, for the books to be counted again. */
export function gather() {
  const [start] = stones();
  if (start) for (const face of all(".path__face:not(.path__face--tide)")) stand(face, start);
}
