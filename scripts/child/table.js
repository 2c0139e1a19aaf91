// @ts-check
// The parts of a table's page, and what its markup says about them.

import { all, find, listed, the } from "./dom.js";

export const hasTable = () => Boolean(find("#table"));
export const table = () => the("#table");
/** @returns {HTMLButtonElement[]} */
export const fans = () => all("#hand .fan");
/** @returns {HTMLButtonElement[]} */
export const seats = () => all("#ring .seat");
export const everybody = () => find("#all");

export const question = () => find("#question");
export const asking = () => Boolean(find("#question > *"));

/**
 * Whether this button may be pressed now.
 * @param {HTMLElement | null | undefined} button
 */
export const can = (button) => Boolean(button && button.getAttribute("aria-disabled") !== "true");

/**
 * @param {HTMLElement} button
 * @param {boolean} now
 */
export function allow(button, now) {
  if (now) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

/** @param {HTMLElement | null | undefined} fan */
export const optionsOf = (fan) => listed(fan?.dataset.options);
/** @param {string | undefined} key */
export const fanOf = (key) => fans().find((fan) => fan.dataset.fan === key);
/** @param {string} key */
export const optionOf = (key) => (key ? document.getElementById("opt-" + key) : null);

/** What is going on: `turn` (the child's), `waiting` or `over`. */
export function moment() {
  const { next } = table().dataset;
  if (!next) return "waiting";
  return next === "over" ? "over" : "turn";
}

/**
 * Makes a <use> show another drawing of the same sheet.
 * @param {Element} use
 * @param {string} symbol
 */
export function point(use, symbol) {
  use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, "#" + symbol));
}
