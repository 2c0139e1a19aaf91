// @ts-check
// When the network fails, a child's page stays, shows that it waits, and sends a move again.

import { find } from "./dom.js";
import { PATIENCE } from "./reach.js";
import { sayOf } from "./voice.js";

/**
 * Shows and says whether this page waits for the school; only children's pages have a sign for it.
 * @param {boolean} now
 */
export function waits(now) {
  const sign = find("#lost");
  if (!sign || sign.hidden === !now) return;
  sign.hidden = !now;
  if (now) sayOf(sign);
}

/**
 * Stops a child from leaving the page while there is no network. Returns whether it did.
 * @param {Event} event
 */
export function stays(event) {
  if (navigator.onLine || !find("#lost")) return false;
  event.preventDefault();
  event.stopImmediatePropagation();
  waits(true);
  return true;
}

/**
 * A move that did not arrive is sent again with the same key, so it is made only once.
 * @param {HtmxContext} ctx
 */
function sendAgain({ sourceElement: form, submitter: button, response }) {
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-move].is-busy")) return;
  const status = response?.status || 0;
  if (status > 0 && status < 500) return;
  waits(true);
  setTimeout(() => {
    if (!form.isConnected) return;
    form.classList.remove("is-busy");
    const same = button instanceof HTMLButtonElement && button.form === form;
    form.requestSubmit(same ? button : undefined);
  }, 1500);
}

export function startNetwork() {
  document.addEventListener("htmx-config-request", ({ detail: { ctx } }) => {
    if (!ctx.sourceElement?.matches?.("[data-move],#wake")) return;
    ctx.request.timeout = PATIENCE;
    ctx.request.headers["HX-Told"] = "1"; // news is enough, the page keeps its last picture
  });
  document.addEventListener("htmx-finally-request", ({ detail }) => sendAgain(detail.ctx));
  document.addEventListener("htmx-after-request", ({ detail: { ctx } }) => {
    if (ctx.response && ctx.response.status < 500) waits(false);
  });
}
