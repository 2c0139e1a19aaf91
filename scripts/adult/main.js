// @ts-check
// The script of the pages for adults. Everything works without it; it adds keys, dragging and
// printing, and keeps the current move of a replay in sight.

import { startKeys } from "./keys.js";
import { startPasskeys } from "./passkeys.js";
import { startSeating } from "./seating.js";

function show() {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-print], [data-show]");
  for (const button of buttons) button.hidden = false;
  const list = document.querySelector("[data-keep]");
  /** @type {HTMLElement | null | undefined} */
  const now = list?.querySelector("[aria-current]");
  if (list && now) list.scrollTop = now.offsetTop - (list.clientHeight - now.offsetHeight) / 2;
}

/**
 * @param {HTMLElement} button
 * @param {boolean} open
 */
function showPassword(button, open) {
  const field = document.getElementById(button.dataset.show ?? "");
  if (field instanceof HTMLInputElement) field.type = open ? "text" : "password";
  button.ariaPressed = String(open);
}

startKeys();
startPasskeys();
startSeating();
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest("[data-print]")) window.print();
  /** @type {HTMLElement | null} */
  const shows = event.target.closest("[data-show]");
  if (shows) showPassword(shows, shows.ariaPressed !== "true");
});
// A browser that finds plain text in the field would offer it again to the next person.
document.addEventListener("submit", () => {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-show]");
  for (const button of buttons) showPassword(button, false);
});
document.addEventListener("htmx-after-swap", show);
show();
