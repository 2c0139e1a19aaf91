// @ts-check
// The end of a round: everybody's books are counted aloud one by one, in seat order. As its books
// are counted, each animal walks along the numbered path.

import { all, find, the } from "./dom.js";
import { unhurry, wait } from "./motion.js";
import { gather, placeOf, walk } from "./path.js";
import { progress } from "./progress.js";
import { sound } from "./sound.js";
import { say, sayOf } from "./voice.js";

export async function tally() {
  const list = find("#tally");
  if (!list) return;
  progress.playing = true;
  list.classList.add("is-counting");
  /** @type {HTMLElement[]} */
  const rows = all(".endrow", list);
  const ends = rows.map((row) => placeOf(row.dataset.seat));
  gather();
  await wait(500);
  for (const [i, row] of rows.entries()) {
    const { seat = "" } = row.dataset;
    row.classList.add("is-now");
    for (const [before, book] of all(".endrow__book", row).entries()) {
      unhurry();
      book.classList.add("is-counted");
      sound("tap");
      await Promise.all([say("n-" + book.dataset.count), walk(seat, before + 1), wait(620)]);
    }
    await subtract(row);
    await walk(seat, ends[i]);
    the("#heard").textContent = row.getAttribute("aria-label");
    await wait(350);
    row.classList.remove("is-now");
  }
  list.classList.remove("is-counting");
  progress.playing = false;
  sound("book");
  sayOf(find("#made"));
}

/**
 * Shows, step by step, which books are taken from a row and how many are left.
 * @param {HTMLElement} row
 */
async function subtract(row) {
  const sum = find(".endsum", row);
  if (sum) {
    unhurry();
    sum.classList.add("is-counted");
    sound("drop");
    await Promise.all([sayOf(sum), wait(1200)]);
    for (const book of all(".endrow__book--taken", row).reverse()) {
      book.classList.add("is-taken");
      sound("slide");
      await wait(450);
    }
  }
  the(".endrow__n", row).classList.add("is-counted");
  if (sum) await Promise.all([say(sum.dataset.totalSay), wait(700)]);
}
