// @ts-check
// The pond answers each touch, just for fun: the dragonfly darts, reeds sway, and bubbles rise
// anywhere else in the water.

import { find, hit } from "./dom.js";
import { isStill } from "./motion.js";
import { progress } from "./progress.js";
import { asking } from "./table.js";

const THINGS =
  "button,a,summary,label,input,form,[role='dialog'],[role='alert'],.card,.seat,.fan,.pond,.line__tags,.tile,.board";
/** @type {Record<string, Keyframe[]>} */
const moves = {
  ".critter--fly": [
    { translate: "0 0" },
    { translate: "46px -38px", offset: 0.3 },
    { translate: "-22px -52px", offset: 0.6 },
    { translate: "0 0" },
  ],
  ".critter--reeds": [
    { rotate: "0deg" },
    { rotate: "7deg", offset: 0.25 },
    { rotate: "-5deg", offset: 0.6 },
    { rotate: "0deg" },
  ],
};

/** @param {MouseEvent} event */
function touchedPond(event) {
  if (isStill() || progress.playing || asking() || !event.detail || hit(event, THINGS)) return;
  for (const [query, frames] of Object.entries(moves)) {
    const one = find(query);
    if (!one || !near(one, event)) continue;
    if (!one.getAnimations().length) one.animate(frames, { duration: 1400, easing: "ease-in-out" });
    return;
  }
  bubblesAt(event.clientX, event.clientY);
}

/**
 * Whether a touch is on an element or a little beside it.
 * @param {Element} one
 * @param {MouseEvent} touch
 */
function near(one, touch) {
  const box = one.getBoundingClientRect();
  const x = Math.max(box.left - touch.clientX, touch.clientX - box.right, 0);
  const y = Math.max(box.top - touch.clientY, touch.clientY - box.bottom, 0);
  return x < 12 && y < 12;
}

/**
 * @param {number} x
 * @param {number} y
 */
async function bubblesAt(x, y) {
  const bubbles = document.createElement("i");
  bubbles.className = "bubbles";
  bubbles.style.left = `${x}px`;
  bubbles.style.top = `${y}px`;
  document.body.append(bubbles);
  const rising = [
    { opacity: 0, scale: 0.5 },
    { opacity: 1, scale: 1, offset: 0.2 },
    { opacity: 0, translate: "6px -90px" },
  ];
  await bubbles.animate(rising, { duration: 1300, easing: "ease-out" }).finished;
  bubbles.remove();
}

export function startPond() {
  document.addEventListener("click", touchedPond);
}
