// @ts-check
// A sheet of cards, from which the child takes four that are alike.

import { all, find, listed, the } from "./dom.js";
import { focusOn } from "./focus.js";
import { allow, can } from "./table.js";

/**
 * Takes the tapped card of a sheet, or puts it back. Only cards that can still make a four can be
 * taken.
 * @param {HTMLElement} element
 */
export function takeCard(element) {
  const button = /** @type {HTMLButtonElement} */ (element);
  /** @type {HTMLElement | null} */
  const sheet = button.closest(".sheet");
  if (!sheet || !can(button)) return;
  /** @type {HTMLButtonElement[]} */
  const down = all('.single[aria-pressed="true"]', sheet);
  const taken = down.map((one) => one.value);
  const back = taken.includes(button.value);
  const now = back ? taken.filter((one) => one !== button.value) : [...taken, button.value];
  paintSheet(sheet, now);
}

/**
 * @param {HTMLElement} sheet
 * @param {string[]} taken
 */
function paintSheet(sheet, taken) {
  const ready = taken.length === 4;
  const fours = foursOf(sheet).filter((four) => taken.every((card) => four.includes(card)));
  const open = new Set(fours.flat());
  /** @type {HTMLButtonElement[]} */
  const singles = all(".single", sheet);
  for (const one of singles) {
    const mine = taken.includes(one.value);
    one.setAttribute("aria-pressed", String(mine));
    one.classList.toggle("single--up", mine);
    allow(one, mine || (!ready && open.has(one.value)));
  }
  the(".sheet__stays b", sheet).textContent = String(singles.length - taken.length);
  /** @type {HTMLInputElement} */
  const cards = the('[name="cards"]', sheet);
  cards.value = ready ? taken.join(" ") : "";
  allow(the(".btn--go:not(.sheet__shut)", sheet), ready);
  sheet.classList.toggle("is-ready", ready);
}

/** @param {HTMLElement} sheet */
const foursOf = (sheet) => listed(sheet.dataset.fours).map((four) => four.split("."));

/** Shuts every open sheet. Returns whether there was one. */
export function shutSheets() {
  /** @type {HTMLDetailsElement[]} */
  const open = all("details.sheet[open]");
  for (const sheet of open) {
    sheet.open = false;
    focusOn(find("summary", sheet));
  }
  return open.length > 0;
}
