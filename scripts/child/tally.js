// @ts-check
// The end of a round: everybody's books are counted one by one, in seat order, aloud.

import { all, find, the } from "./dom.js";
import { unhurry, wait } from "./motion.js";
import { progress } from "./progress.js";
import { sound } from "./sound.js";
import { say, sayOf } from "./voice.js";

export async function tally() {
  const list = find("#tally");
  if (!list) return;
  progress.playing = true;
  list.classList.add("is-counting");
  for (const row of /** @type {HTMLElement[]} */ ([...list.children])) {
    row.classList.add("is-now");
    for (const book of all(".endrow__book", row)) {
      unhurry();
      book.classList.add("is-counted");
      sound("tap");
      await Promise.all([say("n-" + book.dataset.count), wait(620)]);
    }
    await subtract(row);
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
 * What is taken from a row, step by step, and what is left.
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
