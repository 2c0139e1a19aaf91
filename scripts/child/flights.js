// @ts-check
// Cards and hooks that move: a card flies, a line is cast, a card comes out of the pond.

import { all, find, the } from "./dom.js";
import { animate, isStill, wait } from "./motion.js";
import { air, padOf, placed, placedBox, pondAt, put, seatOf } from "./places.js";
import { sound } from "./sound.js";

/** @typedef {import("./places.js").Point} Point */

/**
 * @template {Node} T
 * @param {T} node
 */
export const copied = (node) => /** @type {T} */ (node.cloneNode(true));

/**
 * A copy of a drawing that the page keeps ready: `.hook`, `.ask__hook` or `.wish`.
 * @param {string} query
 * @returns {SVGElement}
 */
export function drawing(query) {
  /** @type {HTMLTemplateElement} */
  const held = the("#hooks");
  return copied(the(query, held.content));
}

export function makeBack() {
  const back = document.createElement("span");
  back.className = "card card--back";
  return back;
}

/**
 * A card flies from one place to another, in an arc.
 * @param {HTMLElement} card
 * @param {Point} from
 * @param {Point} to
 * @param {{ delay?: number, size?: number, end?: number, turn?: number, there?: boolean }} [how]
 *   `there`: the card is already visible; `size`: its size in the air; `end`: at the end
 */
export async function fly(card, from, to, how = {}) {
  const { delay = 0, size = 1, end = 0.7, turn = 0, there = false } = how;
  put(card, from);
  if (isStill()) {
    card.style.transform = placed(card, to, turn, 1);
    await wait(900);
    return;
  }
  const over = {
    x: (from.x + to.x) / 2,
    y: Math.min(from.y, to.y) - 50 + Math.abs(from.y - to.y) * 0.3,
  };
  setTimeout(() => sound("slide"), delay);
  await animate(
    card,
    [
      {
        transform: placed(card, from, there ? 0 : -8, size * (there ? 1 : 0.6)),
        opacity: there ? 1 : 0,
      },
      { transform: placed(card, from, there ? 0 : -4, size), opacity: 1, offset: 0.12 },
      { transform: placed(card, over, turn + 6, size * 1.1), opacity: 1, offset: 0.55 },
      { transform: placed(card, to, turn, end), opacity: 1 },
    ],
    { duration: 700, delay, easing: "cubic-bezier(.45,.05,.35,1)" },
  );
}

/**
 * A line is cast from a seat into the pond, the hook dips, and rings spread on the water.
 * @param {string | undefined} seat
 */
export async function cast(seat) {
  const from = padOf(seat);
  const to = pondAt();
  if (isStill()) return;
  const cord = line(from, to);
  const hook = drawing(".hook");
  const rings = document.createElement("i");
  rings.className = "rings";
  animate(cord, [{ transform: "scale(.02)" }, { transform: "none" }], {
    duration: 520,
    easing: "ease-out",
  });
  put(hook, { x: to.x, y: to.y - 150 });
  await animate(
    hook,
    [
      { transform: placed(hook, { x: to.x, y: to.y - 190 }, 0, 1), opacity: 0 },
      { transform: placed(hook, { x: to.x, y: to.y - 34 }, 0, 1), opacity: 1 },
    ],
    { duration: 620, easing: "cubic-bezier(.45,.05,.35,1)" },
  );
  sound("drop");
  put(rings, { x: to.x, y: to.y + 6 });
  animate(
    rings,
    [
      { transform: placed(rings, to, 0, 0.3), opacity: 0.9 },
      { transform: placed(rings, to, 0, 1.5), opacity: 0 },
    ],
    { duration: 900, easing: "ease-out" },
  );
  await wait(260);
}

/**
 * The fishing line in the air. It begins at the pad's edge on the pond's side, so that it crosses
 * no face, and grows from there.
 * @param {import("./places.js").Place} pad
 * @param {Point} to
 */
function line(pad, to) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.classList.add("cast");
  const hook = { x: to.x, y: to.y - 40 };
  const far = Math.hypot(hook.x - pad.x, hook.y - pad.y) || 1;
  const edge = (pad.w / 2 + 4) / far;
  const from = { x: pad.x + (hook.x - pad.x) * edge, y: pad.y + (hook.y - pad.y) * edge };
  // the line hangs below the faces of the players in between
  const bend = `${(from.x + hook.x) / 2} ${Math.max(from.y, hook.y) + pad.w * 0.4}`;
  const look = {
    d: `M${from.x} ${from.y}Q${bend} ${hook.x} ${hook.y}`,
    fill: "none",
    stroke: "#fffaf0",
    "stroke-width": "2.5",
    "stroke-linecap": "round",
  };
  for (const [name, value] of Object.entries(look)) path.setAttribute(name, value);
  svg.append(path);
  svg.style.transformOrigin = `${from.x}px ${from.y}px`;
  air().append(svg);
  return svg;
}

/**
 * A card comes up out of the pond. If there is a face to show, it turns over.
 * @param {HTMLElement} card
 * @param {HTMLElement | null | undefined} face
 */
export async function rise(card, face) {
  const at = { ...pondAt(), y: pondAt().y - 10 };
  put(card, at);
  card.classList.add("card--glow");
  if (isStill()) {
    if (face) card.replaceWith(put(face, at));
    return face || card;
  }
  await animate(
    card,
    [
      { transform: placed(card, { ...at, y: at.y + 46 }, -7, 0.7), opacity: 0 },
      { transform: placed(card, at, -4, 1.15), opacity: 1 },
    ],
    { duration: 420, easing: "cubic-bezier(.2,.8,.3,1)" },
  );
  return face ? turnOver(card, face, at) : card;
}

/**
 * @param {HTMLElement} card
 * @param {HTMLElement} face
 * @param {Point} at
 */
export async function turnOver(card, face, at) {
  sound("slide");
  const flat = (/** @type {HTMLElement} */ element) =>
    placed(element, at, -4, 1.15) + " scaleX(.02)";
  await animate(card, [{ transform: placed(card, at, -4, 1.15) }, { transform: flat(card) }], {
    duration: 160,
    easing: "ease-in",
  });
  face.classList.add("card--glow");
  put(face, at);
  card.remove();
  await animate(face, [{ transform: flat(face) }, { transform: placed(face, at, 0, 1.25) }], {
    duration: 200,
    easing: "ease-out",
  });
  return face;
}

/**
 * A wish came true: a star rises over the pond, for everybody to see.
 * @param {Point} at
 */
export async function wish(at) {
  const star = drawing(".wish");
  sound("wish");
  put(star, { x: at.x, y: at.y - 150 });
  if (isStill()) return;
  await animate(
    star,
    [
      { transform: placed(star, { x: at.x, y: at.y - 20 }, 0, 0.3), opacity: 0 },
      { transform: placed(star, { x: at.x, y: at.y - 150 }, -6, 1.25), opacity: 1, offset: 0.6 },
      { transform: placed(star, { x: at.x, y: at.y - 140 }, 0, 1.1), opacity: 1 },
    ],
    { duration: 900, easing: "cubic-bezier(.2,.8,.3,1)" },
  );
}

/**
 * The backs of somebody's hand, spread out over the pond to pick from.
 * @param {string | undefined} seat
 */
export function spread(seat) {
  const at = pondAt();
  const held = find(".seat__n", seatOf(seat))?.textContent || all("#hand .card").length;
  const number = Math.min(Number(held) || 1, 9);
  const gap = Math.min(64, (innerWidth - 120) / number);
  return Array.from({ length: number }, (_, i) => {
    const off = i - (number - 1) / 2;
    const there = { x: at.x + off * gap, y: at.y - 10 + Math.abs(off) * 6 };
    return put(makeBack(), there, off * 5, 1.1);
  });
}

/**
 * The flower that shows whose turn it is floats to another seat.
 * @param {SVGElement} lily
 * @param {Point} from
 * @param {import("./places.js").Place} to
 */
export async function passLily(lily, from, to) {
  const flower = copied(lily);
  flower.setAttribute("class", "lilyfly");
  lily.remove();
  const land = { x: to.x + to.w * 0.36, y: to.y - to.h * 0.34 };
  put(flower, from);
  const over = { x: (from.x + land.x) / 2, y: Math.min(from.y, land.y) - 40 };
  await animate(
    flower,
    [
      { transform: placedBox(flower, from) },
      { transform: placedBox(flower, over), offset: 0.5 },
      { transform: placedBox(flower, land) },
    ],
    { duration: 620, easing: "ease-in-out" },
  );
}
