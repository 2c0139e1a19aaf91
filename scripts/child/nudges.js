// @ts-check
// Reminds a child that does nothing, kindly and not often.

import { boardIsOpen } from "./board.js";
import { find } from "./dom.js";
import { hop } from "./motion.js";
import { progress } from "./progress.js";
import { sound } from "./sound.js";
import { asking, hasTable, question, table } from "./table.js";
import { say, sayAgain } from "./voice.js";

const IDLE_FOR_WORDS = 9000; // ms without a touch
const IDLE_FOR_HELP = 12000;

let prompts = 0; // how many times the thing to do was said again
let idleSince = Date.now();
/** What there is to do, and since when. */
let todo = { next: "", v: "", at: Date.now(), nudged: false };

/** Notes that something was touched. */
export function touched() {
  idleSince = Date.now();
  find("#fish")?.classList.remove("is-waving");
}

/** Notes that a new picture is shown. */
export function pictureShown() {
  const { next = "", v = "" } = table().dataset;
  if (next !== todo.next || v !== todo.v) todo = { next, v, at: Date.now(), nudged: false };
}

/** Notes that the child has something to do from now on. */
export function settled() {
  touched();
  prompts = 0;
}

/** After the seconds that the teacher set, the page shows and says once that it is my turn. */
function nudgeTurn() {
  if (!hasTable()) return;
  const { nudge, next } = table().dataset;
  const after = Number(nudge) * 1000;
  if (!after || !next || next === "over") return;
  if (progress.playing || document.hidden || find("#rest")) return;
  if (todo.nudged || Date.now() - todo.at < after) return;
  todo.nudged = true;
  table().classList.add("is-nudged");
  sound("turn");
  const words = find("#words");
  say("your-turn " + (words?.dataset.say || ""), words?.textContent ?? "");
  hop(find("#me .pad"));
  setTimeout(() => find("#table")?.classList.remove("is-nudged"), 5000);
}

/**
 * After a while without a touch the thing to do is said again, twice at most, and the fish waves
 * calmly until something is touched, to offer help. The fish never speaks unasked.
 */
function prompt() {
  if (!somethingToDo() || document.hidden || boardIsOpen()) return;
  const idle = Date.now() - idleSince;
  if (!asking()) find("#fish")?.classList.toggle("is-waving", idle >= IDLE_FOR_HELP);
  if (prompts > 1 || idle < IDLE_FOR_WORDS * (prompts + 1)) return;
  prompts += 1;
  sayAgain();
  if (asking()) hop(find(".q__fish"));
}

function somethingToDo() {
  if (asking()) return !("found" in (question()?.dataset ?? {}));
  return hasTable() && table().dataset.next && !progress.playing;
}

export function startNudges() {
  setInterval(prompt, 1000);
  setInterval(nudgeTurn, 1000);
}
