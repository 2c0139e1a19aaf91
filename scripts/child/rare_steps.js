// @ts-check
// The steps that only some games have.

import { find } from "./dom.js";
import { fly, makeBack, spread, turnOver } from "./flights.js";
import { hop, isStill, wait } from "./motion.js";
import { paceNow } from "./pace.js";
import { walk } from "./path.js";
import {
  air,
  boatOf,
  cardsOf,
  clearAir,
  isMe,
  middle,
  padOf,
  pondAt,
  put,
  seatOf,
  shelfOf,
} from "./places.js";
import { sound } from "./sound.js";
import { bubble, cards, count, tapBack, tell } from "./telling.js";

/** @typedef {import("./steps.js").Show} Show */

/** @type {Show} */
async function thought({ seat, step }) {
  clearAir();
  bubble(step, seat);
  await Promise.all([tell(step), wait(1600)]);
  clearAir();
}

/**
 * The card that a player asks with flies to the player who is shown it, during the ask.
 * @param {HTMLElement} step the step after the ask
 */
export async function showBait(step) {
  const { seat, other } = step.dataset;
  const card = cards(step)[0];
  card.dataset.bait = "";
  const { from, to } = baitWay(step.dataset);
  await fly(card, from, to, { delay: isMe(seat) ? 0 : 400, end: isMe(other) ? 1.4 : 0.6 });
}

/**
 * The card goes back to its owner while the answer is given.
 * @type {Show}
 */
async function bait({ seat, other, step, about }) {
  const card = find("[data-bait]", air());
  const { from, to } = baitWay(about);
  const { brief } = paceNow();
  const longer = brief ? 0 : 500; // at the quick pace it was seen while the ask was said
  await Promise.all([tell(step, isMe(seat) && !brief), wait(isMe(other) ? 800 : longer)]);
  if (card) fly(card, to, from, { end: 0.6, there: true }).then(() => card.remove());
}

/** @param {DOMStringMap} about */
function baitWay({ seat, other, fan }) {
  return {
    from: isMe(seat) ? cardsOf(seat, { fan }) : padOf(seat),
    to: isMe(other) ? pondAt() : besideFace(other),
  };
}

/**
 * A point beside a face, towards the pond, so that a card there hides nobody. If the faces are
 * too close together, a point on the pond.
 * @param {string | undefined} seat
 */
function besideFace(seat) {
  const { x, y, w } = padOf(seat);
  const pond = pondAt();
  if (innerWidth <= 700) return { x: pond.x + 34, y: pond.y };
  const aside = w / 2 + 32;
  return { x: x + (x > pond.x ? -aside : aside), y };
}

/** @type {Show} */
async function howmany({ seat, step }) {
  bubble(step, seat);
  sound("turn");
  await Promise.all([tell(step, !paceNow().brief), wait(1000)]);
}

/** @type {Show} */
async function named({ seat, step }) {
  bubble(step, seat);
  await Promise.all([tell(step), wait(900)]);
}

/** @type {Show} */
async function picked({ seat, other, step, about }) {
  clearAir();
  const mine = isMe(seat);
  const backs = spread(other);
  const back = mine ? await tapBack(backs) : backs[Math.floor(backs.length / 2)];
  const talking = mine ? null : tell(step, !paceNow().brief);
  const from = middle(back);
  const face = cards(step).find((card) => !card.classList.contains("card--back"));
  clearAir(back);
  sound("slide");
  const card = face && !isStill() ? await turnOver(back, face, from) : back;
  count(step);
  if (mine) await Promise.all([tell(step), wait(900)]);
  const how = { end: mine ? 1.2 : 0.55, size: 1.2, there: true };
  await fly(card, from, cardsOf(seat, about), how);
  await talking;
  clearAir();
}

/** @type {Show} */
async function replaced({ seat, step, about }) {
  const card = cards(step)[0];
  await fly(card, pondAt(), cardsOf(seat, about), { end: isMe(seat) ? 1.2 : 0.55 });
  count(step);
  await Promise.all([isMe(seat) ? tell(step) : null, wait(300)]);
  clearAir();
}

/** @type {Show} */
async function hidden({ step }) {
  clearAir();
  await Promise.all([tell(step), wait(900)]);
}

/** @type {Show} */
async function layoff({ seat, step, about }) {
  const card = cards(step)[0];
  const shelf = shelfOf(seat);
  const talking = tell(step);
  await fly(card, cardsOf(seat, about), { x: pondAt().x, y: pondAt().y - 10 }, { end: 1.2 });
  count(step);
  await Promise.all([talking, wait(600)]);
  await fly(card, pondAt(), shelf, { end: 0.3, there: true });
  clearAir();
}

/** @type {Show} */
async function baited({ seat, step }) {
  const talking = tell(step);
  const mine = isMe(seat);
  const from = boatOf(seat) || padOf(seat);
  const to = cardsOf(seat);
  await Promise.all(
    cards(step).map((card, i) => {
      const there = { x: to.x + (mine ? i * 60 - 120 : 0), y: to.y };
      return fly(card, from, there, { delay: i * 150, end: mine ? 1.1 : 0.5 });
    }),
  );
  await Promise.all([talking, wait(400)]);
  clearAir();
}

/** @type {Show} */
async function tide({ step, about }) {
  clearAir();
  sound("drop");
  await Promise.all([tell(step), walk("tide", Number(about.left)), wait(1600)]);
}

/** @type {Show} */
async function declared({ seat, step }) {
  clearAir();
  bubble(step, seat);
  await Promise.all([tell(step), wait(1600)]);
}

/** @type {Show} */
async function paid({ seat, step }) {
  await fly(cards(step)[0], pondAt(), boatOf(seat) || cardsOf(seat), { end: 0.6 });
  await Promise.all([tell(step), wait(300)]);
  clearAir();
}

/** @type {Show} */
async function lost({ step }) {
  clearAir();
  const aside = find(".lost");
  const at = aside ? middle(aside) : pondAt();
  for (const [i, face] of cards(step).entries()) {
    const back = put(makeBack(), at);
    const there = { x: pondAt().x + i * 80, y: pondAt().y - 10 };
    await fly(back, at, there, { end: 1.2, there: true });
    if (isStill()) back.replaceWith(put(face, there));
    else await turnOver(back, face, there);
  }
  aside?.classList.add("is-gone");
  await Promise.all([tell(step), wait(1600)]);
  clearAir();
}

/** @type {Show} */
async function out({ seat, step }) {
  hop(find(".pad", seatOf(seat)));
  await Promise.all([tell(step), wait(700)]);
}

/** @type {Record<string, Show>} */
export const rareSteps = {
  thought,
  bait,
  howmany,
  named,
  picked,
  replaced,
  hidden,
  layoff,
  baited,
  declared,
  tide,
  lamp: out,
  paid,
  lost,
  retired: out,
  left: out,
  passed: out,
};
