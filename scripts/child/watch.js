// @ts-check
// No child is left at a dead table. Where a page waits for far longer than anything can take, it is
// loaded again, if the school answers: the page then shows the table as it is.

import { find, the } from "./dom.js";
import { progress } from "./progress.js";
import { reach } from "./reach.js";
import { asking, hasTable } from "./table.js";

const MOST = 40; // seconds that this page may wait

let seconds = 0;
let steps = 0;

/** Whether the child can only wait: something is being told, or a move is on its way. */
function isHeld() {
  if (!hasTable() || find("#rest")) return false;
  return asking() ? find("#question .is-busy") : progress.playing || find(".is-busy");
}

async function look() {
  seconds = isHeld() && !document.hidden && steps === progress.steps ? seconds + 1 : 0;
  steps = progress.steps;
  if (seconds < MOST) return;
  seconds = 0;
  const answer = await reach(the("#live").dataset.part ?? "").catch(() => null);
  if (answer && answer.status < 500 && answer.status !== 429) location.reload();
}

export function startWatch() {
  setInterval(look, 1000);
}
