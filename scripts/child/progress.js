// @ts-check
// How far this page has got in telling what happened at its table. Two numbers say how new a
// picture of the table is: moves, and changes other than moves.

/**
 * A picture of the table that waits to be shown.
 * @typedef {object} Picture
 * @property {HTMLElement[]} steps what happened before it, to be played first
 * @property {string} text
 * @property {boolean} pauses whether the class is paused in it
 */

export const progress = {
  /** The number of the newest picture that has arrived; -1 before the first. */
  newest: -1,
  /** How many changes besides moves the newest picture has; -1 before the first. */
  changes: -1,
  /** The number of the last move whose steps were taken into the queue. */
  told: -1,
  /** How many steps, and other parts of what is shown, this page has begun. */
  steps: 0,
  /** Whether steps are being shown, or the counting at the end. */
  playing: false,
  /** The page was hidden, or its child away, since the last picture: that time is not replayed. */
  away: false,
  /** `changes` when a touch woke the seat that a friend played for; else -1. */
  wokeAt: -1,
  /** @type {Picture[]} */
  queue: [],
};
