// @ts-check
// Now and then, after the child's own catch or book, the voice asks the child how it knew. Nothing
// waits for an answer: the next tap removes the balloon, and the next words are said as usual.

import { audible } from "./audio.js";
import { find, pause, the } from "./dom.js";
import { isStill } from "./motion.js";
import { air } from "./places.js";
import { progress } from "./progress.js";
import { asking, table } from "./table.js";
import { bubble } from "./telling.js";
import { sayOf } from "./voice.js";

const SEEN = 2500; // ms that the balloon stays after the words
const FRESH = 400; // ms; a tap this soon was meant to hurry what was told

/** Asks the question in the new picture, if any, unless sound is off or motion is reduced. */
export async function talk() {
  const stem = find("#talk");
  const busy = document.hidden || progress.playing || asking() || find("#rest,#notice");
  if (!stem || busy || "read" in stem.dataset || !audible() || isStill()) return;
  if (find('#hand .fan[aria-pressed="true"]')) return; // the next move has begun
  stem.dataset.read = "";
  const { me } = table().dataset;
  bubble(stem, me);
  the("#heard").textContent = stem.textContent;
  const balloon = find(".say--talk", air());
  const gone = () => balloon?.remove();
  setTimeout(() => addEventListener("pointerdown", gone, { once: true }), FRESH);
  await sayOf(stem);
  await pause(SEEN);
  gone();
}
