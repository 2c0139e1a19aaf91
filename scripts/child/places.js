// @ts-check
// Where things are on the screen, in pixels of the window.

import { find, the } from "./dom.js";
import { fanOf, table } from "./table.js";

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { w: number, h: number }} Place the middle of something, and its size */
/** @typedef {DOMStringMap} About what a step is about: the data of its element */

export const air = () => the("#air");

/**
 * Removes what is in the air, except `keep`.
 * @param {Element} [keep]
 */
export function clearAir(keep) {
  for (const one of [...air().children]) if (one !== keep) one.remove();
}

/** Removes what is in the air, except what players have said in this turn. */
export function clearCards() {
  for (const one of [...air().children]) if (!one.matches(".say")) one.remove();
}

/** @param {string | number | undefined} seat */
export const seatOf = (seat) => find(`#seat-${seat}`) || the("#me");
/** @param {string | number | undefined} seat */
export const isMe = (seat) => String(seat) === table().dataset.me;

/**
 * @param {Element} element
 * @returns {Place}
 */
export function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, w: box.width, h: box.height };
}

/** @param {string | undefined} seat */
export const padOf = (seat) => middle(the(".pad", seatOf(seat)));

export function pondAt() {
  const at = middle(the("#pond"));
  return { ...at, y: at.y - 6 };
}

/**
 * My fan of the cards in a step; in Make Ten, if there is none, the fan of the card I asked with.
 * @param {About} about
 */
export const myFan = (about) => fanOf(about.fan || about.class) || fanOf(about.has);

/**
 * Where the cards of a seat are; for me, my fan with the cards of the step, or my hand if there is
 * none.
 * @param {string | undefined} seat
 * @param {About} [about]
 * @returns {Point}
 */
export function cardsOf(seat, about) {
  if (!isMe(seat)) return padOf(seat);
  const fan = about && myFan(about);
  if (fan) return middle(fan);
  const hand = the("#hand").getBoundingClientRect();
  return { x: hand.left + hand.width / 2, y: Math.min(hand.top + 90, innerHeight - 60) };
}

/**
 * Somebody's boat; mine carries the cards I caught. Null in games without boats.
 * @param {string | undefined} seat
 */
export function boatOf(seat) {
  const boat = find(".boat", seatOf(seat));
  return boat?.getClientRects().length ? middle(boat) : null; // it may be hidden
}

/**
 * Where somebody's books go: into the shared shell, if there is one.
 * @param {string | undefined} seat
 */
export function shelfOf(seat) {
  const shell = find("#shell");
  if (shell) return middle(shell);
  return isMe(seat) ? middle(find("#shelf") || the("#me")) : padOf(seat);
}

/**
 * Puts an element into the air.
 * @template {HTMLElement | SVGElement} T
 * @param {T} element
 * @param {Point} at
 * @param {number} [turn] degrees
 * @param {number} [size]
 */
export function put(element, at, turn = 0, size = 1) {
  air().append(element);
  const box = element.getBoundingClientRect();
  element.style.transform = `${movedTo(at, box.width, box.height)} rotate(${turn}deg) scale(${size})`;
  return element;
}

/**
 * The transform that moves an element's middle to `at`.
 * @param {HTMLElement | SVGElement} element
 * @param {Point} at
 * @param {number} turn
 * @param {number} size
 */
export function placed(element, at, turn, size) {
  const drawn = !(element instanceof HTMLElement); // a drawing has no offsetWidth
  const w = drawn ? element.clientWidth : element.offsetWidth;
  const h = drawn ? element.clientHeight : element.offsetHeight;
  return `${movedTo(at, w, h)} rotate(${turn}deg) scale(${size})`;
}

/**
 * The same for an element that is neither turned nor scaled, from the size it has now.
 * @param {Element} element
 * @param {Point} at
 */
export function placedBox(element, at) {
  const box = element.getBoundingClientRect();
  return movedTo(at, box.width, box.height);
}

/**
 * @param {Point} at
 * @param {number} w
 * @param {number} h
 */
const movedTo = (at, w, h) => `translate(${at.x - w / 2}px,${at.y - h / 2}px)`;
