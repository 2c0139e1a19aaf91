// @ts-check
// The ear, on every page. A tap makes the page say again what there is to do. Holding it down, by
// finger or key, switches the voice and the sounds off; the next tap switches them on again. Where
// adults chose silence, a tap lets the page speak once.

import { isQuiet, isSilent, setQuiet, wake } from "./audio.js";
import { find, hit } from "./dom.js";
import { hush, sayAgain } from "./voice.js";

const HOLD = 900; // ms

let timer = 0;
let taps = 0;
let held = false; // the ear was held down: the click that follows is no tap

/** @param {PointerEvent | KeyboardEvent} event */
function pressed(event) {
  const ear = hit(event, "#sound");
  if (!ear) return;
  if (event instanceof KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (event.repeat) {
      event.preventDefault();
      return;
    }
  }
  released();
  held = false;
  if (isQuiet()) return;
  ear.classList.add("is-held");
  timer = setTimeout(() => {
    held = true;
    hush();
    setQuiet(true);
    paintEar();
  }, HOLD);
}

function released() {
  clearTimeout(timer);
  find("#sound")?.classList.remove("is-held");
}

/** Handles a tap on the ear. The first tap on a page has to wake the audio. */
export async function earTapped() {
  if (held) {
    held = false;
    return;
  }
  const nth = ++taps;
  setQuiet(false);
  paintEar();
  await wake();
  await sayAgain();
  if (!isSilent || nth !== taps) return;
  setQuiet(true);
  paintEar();
}

/** Shows whether the sound is off. */
export function paintEar() {
  const ear = find("#sound");
  if (!ear) return;
  ear.classList.toggle("is-quiet", isQuiet());
  ear.setAttribute("aria-label", (isQuiet() ? ear.dataset.off : ear.dataset.on) ?? "");
}

export function startEar() {
  document.addEventListener("pointerdown", pressed);
  document.addEventListener("keydown", pressed, true);
  for (const kind of ["pointerup", "pointercancel", "keyup"]) {
    document.addEventListener(kind, released);
  }
  document.addEventListener("contextmenu", (event) => {
    if (hit(event, "#sound")) event.preventDefault();
  });
}
