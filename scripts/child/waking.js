// @ts-check
// A touch wakes a seat that a friend plays for. From then on nothing covers the table, and what the
// friend did meanwhile is not told: the child waits neither for the school's answer nor for old
// news.

import { find, hit } from "./dom.js";
import { hurry } from "./motion.js";
import { waits } from "./network.js";
import { shield } from "./overlay.js";
import { progress } from "./progress.js";

let waking = false; // a touch is waking the seat, and is no tap on what lies below

/** @param {PointerEvent | KeyboardEvent} event */
function wakeUp(event) {
  waking = false;
  /** @type {HTMLFormElement | null} */
  const form = find("#wake");
  if (!form || "sent" in form.dataset || hit(event, "a,#sound")) return;
  if (event instanceof KeyboardEvent) {
    event.stopImmediatePropagation();
    if (event.key === "Enter" || event.key === " ") event.preventDefault();
  } else {
    waking = true;
  }
  progress.wokeAt = progress.changes;
  document.body.classList.add("is-back");
  comeBack(form);
  progress.away = true;
  hurry();
  shield();
}

/** @param {HTMLFormElement} form */
function comeBack(form) {
  form.dataset.sent = "";
  form.requestSubmit();
}

/** Whether this click is the end of the touch that woke the seat. */
export function wasWaking() {
  const was = waking;
  waking = false;
  return was;
}

/**
 * A touch that did not arrive is sent again; if the school refuses it, the next touch tries again.
 * @param {HtmxContext} ctx
 */
function answered({ sourceElement: form, response }) {
  const status = response?.status || 0;
  if (!(form instanceof HTMLElement) || form.id !== "wake" || (status > 0 && status < 400)) return;
  if (status >= 400 && status < 500) {
    delete form.dataset.sent;
    progress.wokeAt = -1;
    shield();
    return;
  }
  waits(true);
  setTimeout(() => {
    /** @type {HTMLFormElement | null} */
    const asleep = find(".is-back #wake");
    if (asleep) comeBack(asleep);
  }, 1500);
}

export function startWaking() {
  document.addEventListener("pointerdown", wakeUp, true);
  document.addEventListener("keydown", wakeUp, true);
  document.addEventListener("htmx-finally-request", ({ detail }) => answered(detail.ctx));
}
