// @ts-check
// What a tap does on a table's page, and when a form may be sent.

import { boardIsOpen, shutBoard } from "./board.js";
import { find, hit } from "./dom.js";
import { earTapped } from "./ear.js";
import { guess } from "./guess.js";
import { hurry } from "./motion.js";
import { stays } from "./network.js";
import { touched } from "./nudges.js";
import { PICKS, nextPick, nudge, pick } from "./picks.js";
import { progress } from "./progress.js";
import { shutSheets, takeCard } from "./sheets.js";
import { asking, hasTable } from "./table.js";
import { hush, sayOf } from "./voice.js";
import { wasWaking } from "./waking.js";

const TAPPED = "button,a,summary,.ask__slot,.pond,.veil";

/** @param {MouseEvent} event */
function tapped(event) {
  if (wasWaking()) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const button = hit(event, TAPPED);
  if (button?.matches("a[href]:not([href^='#'],#shut)") && stays(event)) return;
  if (button?.id === "sound") {
    earTapped();
  } else if (mayHurry(button)) {
    event.preventDefault();
    event.stopPropagation();
    guess(event);
    hurry();
  } else if (button) {
    press(button, event);
  }
}

/**
 * While moves are shown, a tap hurries them, unless it goes home, to the ear or to the hand that
 * calls the teacher.
 * @param {HTMLElement | null} button
 */
const mayHurry = (button) =>
  progress.playing && !asking() && !button?.matches("a,#sound,#raise") && !boardIsOpen();

/**
 * @param {HTMLElement} button
 * @param {MouseEvent} event
 */
function press(button, event) {
  const itself = event.target === button; // not something that lies on it
  if (button.id === "shut" && hasTable()) {
    event.preventDefault();
    shutBoard();
  } else if (button.matches(".sheet__shut,.veil--sheet")) {
    if (!button.matches("a") && !itself) return;
    event.preventDefault();
    shutSheets();
  } else if (button.matches(".veil") && itself) {
    shutBoard();
  } else if (button.matches(".single")) {
    event.preventDefault();
    takeCard(button);
  } else if (button.matches(PICKS)) {
    event.preventDefault();
    pick(button, event.detail === 0);
  } else if (button.matches("[aria-disabled=true]")) {
    event.preventDefault();
  } else if (button.matches(".ask__slot")) {
    nudge();
  }
}

/** @param {SubmitEvent} event */
function submitted(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const byHtmx = form.hasAttribute("data-hx-post");
  if (!byHtmx && stays(event)) return;
  if (byHtmx) htmx.process(form); // a tap on a new panel may come before htmx does
  if (!("move" in form.dataset)) return;
  const unready = form.id === "ask" && nextPick() !== "ask";
  if ((progress.playing && !asking()) || unready || form.matches(".is-busy")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!progress.playing && unready) nudge();
    return;
  }
  hush();
  form.classList.add("is-busy");
}

/** @param {Event} event */
function opened(event) {
  const shown = hit(event, "details");
  if (!shown?.matches(".sheet[open],.recall[open]")) return;
  touched();
  sayOf(find(".sheet__words,.recall__a", shown));
}

export function startTaps() {
  document.addEventListener("click", tapped, true);
  document.addEventListener("submit", submitted, true);
  document.addEventListener("toggle", opened, true);
  document.addEventListener("pointerdown", touched);
}
