// @ts-check
// Pages of adults: everything works without this; it adds keys, dragging and printing, and keeps
// the current move of a replay in sight.

import { startKeys } from "./keys.js";
import { startPasskeys } from "./passkeys.js";
import { startSeating } from "./seating.js";

function show() {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-print]");
  for (const button of buttons) button.hidden = false;
  const list = document.querySelector("[data-keep]");
  /** @type {HTMLElement | null | undefined} */
  const now = list?.querySelector("[aria-current]");
  if (list && now) list.scrollTop = now.offsetTop - (list.clientHeight - now.offsetHeight) / 2;
}

startKeys();
startPasskeys();
startSeating();
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});
document.addEventListener("htmx-after-swap", show);
show();
