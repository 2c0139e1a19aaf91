// @ts-check
// Pictures of the table arrive in an answer, by the stream or by polling. The steps that come with
// one are played over the old picture, and then the new one replaces it: what is shown in the end
// is always the server's picture.

import { all, find, painted, the } from "./dom.js";
import { clearAir } from "./places.js";
import { askTable } from "./news.js";
import { cover, resumed } from "./overlay.js";
import { drawn, keep } from "./parts.js";
import { progress } from "./progress.js";
import { wonder } from "./question.js";
import { refresh } from "./refresh.js";
import { canShow, show } from "./steps.js";
import { asking, hasTable, moment, table } from "./table.js";
import { tally } from "./tally.js";
import { talk } from "./talk.js";
import { sayAgain } from "./voice.js";

/** @typedef {import("./progress.js").Picture} Picture */

/**
 * Whether a picture may be shown now. If not, it waits until the steps before it have been played,
 * or it is older than what is shown and is dropped.
 * @param {HTMLElement} picture
 * @param {string} text
 */
function arrive(picture, text) {
  const v = Number(picture.dataset.v);
  const w = Number(picture.dataset.w);
  if (v < progress.newest || w < progress.changes) return false;
  keep(picture);
  const steps = newSteps(picture);
  progress.changes = w;
  progress.newest = v;
  progress.told = Math.max(progress.told, v);
  if (!progress.playing && !asking() && (!steps.length || document.hidden)) return true;
  cover(picture);
  progress.queue.push({ steps, text, pauses: Boolean(find(".rest--now", picture)) });
  play();
  return false;
}

/**
 * The steps that have not been told yet; if the page was away, only those of the last move.
 * @param {HTMLElement} picture
 */
function newSteps(picture) {
  const steps = all("#steps > li", picture).filter(
    (step) => Number(step.dataset.seq) > progress.told && canShow(step),
  );
  if (!progress.away || document.hidden) return steps;
  progress.away = false;
  const last = steps.at(-1)?.dataset.seq;
  return steps.filter((step) => step.dataset.seq === last);
}

async function play() {
  if (progress.playing || asking() || !progress.queue.length) return;
  progress.playing = true;
  let over = false;
  for (let picture = progress.queue.shift(); picture; picture = progress.queue.shift()) {
    await showSteps(picture.steps);
    over ||= picture.steps.some((step) => step.dataset.kind === "over");
    await resumed();
    await painted(); // the end of the last step, or the tap that hurried it
    clearAir();
    if (picture.pauses && progress.queue.length) continue; // the class went on meanwhile
    await replace(picture.text, over);
    const more = progress.queue.length > 0;
    if (more && !over && moment() === "waiting") await wonder(); // after the last one: see below
    if (progress.queue.length) table().classList.add("is-playing");
  }
  progress.playing = false;
  if (over) {
    await wonder(); // before the books are counted aloud
    await tally();
  }
  refresh();
  if (!(await wonder())) talk();
}

/** @param {HTMLElement[]} steps */
async function showSteps(steps) {
  for (const [i, step] of steps.entries()) {
    await resumed();
    if (document.hidden || progress.away || !table().classList.contains("table")) return;
    table().classList.add("is-playing");
    await show(step, steps[i + 1]);
  }
}

/**
 * @param {string} text
 * @param {boolean} [over] whether the books are counted next
 */
const replace = (text, over) =>
  htmx.swap({
    sourceElement: the("#live"),
    target: table(),
    swap: "outerMorph",
    text,
    played: true,
    over,
  });

/** What happened while a question was open is played once it is gone. */
export function questionGone() {
  if (progress.playing) return;
  refresh();
  if (progress.queue.length) play();
  else sayAgain();
}

/**
 * Shows news as the picture that it makes, or asks for the whole table if it makes none.
 * @param {HTMLElement} told
 */
function hear(told) {
  if (Number(told.dataset.v) <= progress.newest) return;
  const picture = drawn(told);
  if (!picture) askTable();
  else if (arrive(picture, picture.outerHTML)) replace(picture.outerHTML);
}

/** Holds pictures back until they have been told; must be called before htmx begins. */
export function startQueue() {
  if (hasTable()) keep(table());
  htmx.registerExtension("newest", {
    htmx_before_swap(source, { ctx, tasks }) {
      const task = tasks.find((one) => one.target?.id === "table");
      if (!task) return;
      // hides the books until they are counted, since a question may come first
      if (ctx.over) find("#tally", task.fragment)?.classList.add("is-counting");
      if (ctx.played) return;
      const told = find("#told", task.fragment);
      if (told) {
        hear(told);
        return false;
      }
      const next = find("#table", task.fragment);
      if (!next) return;
      // This picture overtook the answer to a move, so it does not tell that move.
      if (Number(next.dataset.since) > progress.newest) {
        askTable();
        return false;
      }
      const { v, w } = table().dataset;
      // the stream begins with the picture that is there already: keep open what was opened
      if (source?.id === "live" && next.dataset.v === v && next.dataset.w === w) return false;
      if (!arrive(next, ctx.text)) return false;
    },
    htmx_before_morph_node(old, { newNode }) {
      if (old.id === "table" && Number(newNode.dataset?.v) < Number(old.dataset.v)) return false;
    },
  });
}
