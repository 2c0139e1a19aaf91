// @ts-check
// Time and movement: a tap hurries whatever waits or moves.

import { paceNow } from "./pace.js";
import { progress } from "./progress.js";
import { hush } from "./voice.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => reduced.matches;

/** A promise and the function that fulfils it. */
export function signal() {
  let fire = () => {};
  /** @type {Promise<void>} */
  const fired = new Promise((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}

/** @type {Set<Animation>} */
const moving = new Set();
let rush = signal();

/** The share of its full time that a movement takes: less while more steps wait to be shown. */
const pace = () => Math.min(paceNow().time, progress.queue.length > 1 ? 0.55 : 1);

/** Begins a new step, which earlier taps do not hurry. */
export function unhurry() {
  progress.steps += 1;
  rush = signal();
}

/** Ends the current step at once. */
export function hurry() {
  hush();
  rush.fire();
  for (const motion of moving) motion.finish();
}

/**
 * @param {number} ms
 * @param {number} [time] a factor: the pace of the table, unless given
 */
export const wait = (ms, time = pace()) =>
  Promise.race([new Promise((resolve) => setTimeout(resolve, ms * time)), rush.fired]);

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions & { duration: number }} options
 */
export async function animate(element, frames, options) {
  const motion = element.animate(frames, {
    fill: "both",
    ...options,
    duration: options.duration * pace(),
    delay: (options.delay || 0) * pace(),
  });
  moving.add(motion);
  await motion.finished.catch(() => {});
  moving.delete(motion);
}

/** @param {Element | null | undefined} element */
export function hop(element) {
  if (!element || isStill()) return;
  animate(
    element,
    [{ transform: "none" }, { transform: "translateY(-14px)", offset: 0.4 }, { transform: "none" }],
    { duration: 420, easing: "ease-out", fill: "none" },
  );
}
