// @ts-check
// What is seen and heard while a step is told: balloons, the sentence in pictures, the numbers.

import { all, find, listed, the } from "./dom.js";
import { copied, drawing } from "./flights.js";
import { animate, isStill, wait } from "./motion.js";
import { untilLit } from "./pace.js";
import { air, isMe, padOf, seatOf } from "./places.js";
import { point, table } from "./table.js";
import { sayOf } from "./voice.js";

/**
 * Puts a balloon beside the seat that speaks, or above it if it would hide another seat. Removes
 * what the seat said before.
 * @param {HTMLElement} step
 * @param {string | undefined} seat
 */
export function bubble(step, seat) {
  const said = find(".say", step);
  if (!said) return;
  const balloon = copied(said);
  for (const old of all(`[data-by="${seat}"]`, air())) old.remove();
  balloon.dataset.by = seat;
  air().append(balloon);
  const { side, at } = beside(seat, balloon.offsetWidth, balloon.offsetHeight);
  balloon.classList.add("say--" + side);
  for (const old of all(".say", air())) {
    if (old !== balloon && meet(old.getBoundingClientRect(), at)) old.remove();
  }
  balloon.style.translate = `${at.x}px ${at.y}px`;
  if (isStill()) return;
  animate(
    balloon,
    [
      { scale: 0.6, opacity: 0 },
      { scale: 1, opacity: 1 },
    ],
    {
      duration: 420,
      easing: "cubic-bezier(.3,1.45,.5,1)",
    },
  );
}

/**
 * Where a balloon of this size fits: on side `r`, `l` or `up`, and its place on the screen.
 * @param {string | undefined} seat
 * @param {number} w
 * @param {number} h
 */
function beside(seat, w, h) {
  const pad = padOf(seat);
  const gap = pad.w / 2 + 6;
  const level = pad.y - h / 2 - 8;
  const over = Math.min(Math.max(pad.x - w / 2, 6), innerWidth - w - 6);
  const up = new DOMRect(over, Math.max(pad.y - pad.h / 2 - h - 12, 6), w, h);
  const faces = all(".seat .pad")
    .filter((one) => !seatOf(seat).contains(one))
    .map((one) => one.getBoundingClientRect());
  if (isMe(seat) && fits(up, faces)) return { side: "up", at: up };
  const sides = [
    { side: "r", at: new DOMRect(pad.x + gap, level, w, h) },
    { side: "l", at: new DOMRect(pad.x - gap - w, level, w, h) },
  ];
  return sides.find(({ at }) => fits(at, faces)) || { side: "up", at: up };
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * @param {DOMRect} box
 * @param {DOMRect[]} others
 */
const fits = (box, others) =>
  box.left >= 6 && box.right < innerWidth - 6 && !others.some((other) => meet(other, box));

/**
 * Tells a step in the bar, in pictures and words; aloud if `spoken`; and to screen readers.
 * @param {HTMLElement} step
 * @param {boolean} [spoken]
 * @returns {Promise<void>}
 */
export function tell(step, spoken = true) {
  const bar = the("#tell");
  const told = find(".told", step);
  const words = told && copied(told);
  bar.replaceChildren(...all(".step__bar > *", step).map(copied));
  if (words) {
    bar.append(words);
    the("#heard").textContent = words.textContent;
  }
  bar.hidden = !bar.children.length;
  return spoken && words ? sayOf(words) : Promise.resolve();
}

/**
 * Shows the numbers that are true after the step.
 * @param {HTMLElement} step
 */
export function count(step) {
  // hands are left out where nobody can tell which pile the cards came from
  listed(step.dataset.hands).forEach((number, seat) => {
    const badge = find(`#seat-${seat} .seat__n`);
    const backs = find(`#seat-${seat} .seat__backs use`);
    if (badge) badge.textContent = number;
    if (backs && number !== "0") point(backs, "backs-" + Math.min(9, Number(number)));
  });
  const pond = Number(step.dataset.pond);
  const { counted, many } = the("#pond").dataset;
  the(".pond__n").textContent = pond > Number(counted) && many ? many : String(pond);
  const pile = find(".pond__cards use");
  if (pond && pile?.getAttribute("href")?.includes("#pond-")) point(pile, "pond-" + amount(pond));
}

/** @param {number} cards */
function amount(cards) {
  if (cards > 12) return "many";
  if (cards > 5) return "some";
  return cards > 1 ? "few" : "one";
}

/**
 * Gives this look to these seats, and takes it from all others.
 * @param {string | undefined | string[]} seat
 * @param {string} look a class
 */
export function light(seat, look) {
  for (const one of all("." + look, table())) one.classList.remove(look);
  for (const one of [seat].flat()) seatOf(one).classList.add(look);
}

/**
 * Copies of the cards that a step moves.
 * @param {HTMLElement} step
 */
export const cards = (step) => all(".step__cards .card", step).map(copied);

/** When I fish: the pond stays lit until it is tapped, or for a while. */
export async function tapPond() {
  const { words = "", say: pieces = "" } = the("#pond").dataset;
  const pond = invite(words, pieces);
  await wait(4000);
  pond.classList.remove("is-now");
}

/**
 * When I pick from a hand: any back may be tapped, since chance has decided already. After a while
 * the middle back is taken.
 * @param {HTMLElement[]} backs
 */
export async function tapBack(backs) {
  const { one = "" } = the("#pond").dataset;
  const pond = invite(one, "take-one");
  /** @type {HTMLElement | undefined} */
  let taken;
  const choose = (/** @type {MouseEvent} */ { target, clientX, clientY }) => {
    taken = backs.find((back) => back === target || holds(back, clientX, clientY)) || taken;
  };
  for (const back of backs) back.classList.add("backs");
  document.addEventListener("pointerdown", choose, true);
  document.addEventListener("click", choose, true); // a switch clicks on what is lit
  await Promise.all([wait(5000), wait(untilLit(backs.length), 1)]);
  document.removeEventListener("pointerdown", choose, true);
  document.removeEventListener("click", choose, true);
  for (const back of backs) back.classList.remove("backs");
  pond.classList.remove("is-now");
  return taken || backs[Math.floor(backs.length / 2)];
}

/**
 * @param {HTMLElement} element
 * @param {number} x
 * @param {number} y
 */
function holds(element, x, y) {
  const box = element.getBoundingClientRect();
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/**
 * Says in the bar what to tap, and makes the pond light up; returns the pond.
 * @param {string} words
 * @param {string} pieces
 */
function invite(words, pieces) {
  const bar = the("#tell");
  const line = document.createElement("p");
  line.className = "told";
  line.textContent = words;
  line.dataset.say = pieces;
  bar.replaceChildren(drawing(".ask__hook"), line);
  bar.hidden = false;
  the("#heard").textContent = words;
  const pond = the("#pond");
  pond.classList.add("is-now");
  sayOf(line);
  return pond;
}
