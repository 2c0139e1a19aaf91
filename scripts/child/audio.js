// @ts-check
// The browser's audio. It is silent before the first touch, and while the child has switched sound
// off. A slow tablet needs a tenth of a second to make it, so it is made before the touch, while
// the page is idle.

import { page } from "./dom.js";

/** @type {AudioContext | null} */
let context = null; // suspended until the first touch: browsers keep a page silent before that
/** Whether adults chose that this child's pages are silent until the ear is tapped. */
export const isSilent = "silent" in page;
let quiet = isSilent || /(^|; )quiet=1/.test(document.cookie);

/** The rate of the recordings, so that none has to be converted. */
const RATE = 24000;
const IDLE_AFTER = 1500; // ms, for browsers that do not say when they are idle

const make = () => (context ??= new AudioContext({ sampleRate: RATE }));

function prepare() {
  try {
    make();
  } catch {
    // the touch tries again
  }
}

/** Lets the page make sounds from now on, where a touch or a key allows it. */
export async function wake() {
  window.speechSynthesis?.getVoices(); // some browsers load voices only when asked
  try {
    const audio = make();
    if (audio.state === "suspended") await audio.resume();
  } catch {
    context = null;
  }
}

/** The audio to play on, or null while nothing can be heard. */
export const audible = () => (!quiet && context?.state === "running" ? context : null);

export const isQuiet = () => quiet;

/** @param {boolean} now */
export function setQuiet(now) {
  quiet = now;
  if (isSilent) return;
  // the choice lasts until the browser is closed, and says nothing about anybody
  document.cookie = `quiet=${quiet ? 1 : 0}; path=${page.root || "/"}; SameSite=Lax`;
}

export function startAudio() {
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, wake, { capture: true });
  }
  addEventListener("load", () => {
    if (quiet) return;
    if ("requestIdleCallback" in window) requestIdleCallback(prepare, { timeout: 2 * IDLE_AFTER });
    else setTimeout(prepare, IDLE_AFTER);
  });
}
