// @ts-check
// Sets up every new picture: its choices, what is said, and the focus.

import { all, find, listed } from "./dom.js";
import { paintEar } from "./ear.js";
import { keepFocus } from "./focus.js";
import { pictureShown, settled } from "./nudges.js";
import { shield } from "./overlay.js";
import { paintPicks, readPicks } from "./picks.js";
import { progress } from "./progress.js";
import { can, fans, hasTable, table } from "./table.js";
import { sayOf } from "./voice.js";

/** @type {string | undefined} */
let going; // the address in data-go when the page was loaded
let heard = ""; // what a page without a table said last

export function refresh() {
  paintEar();
  follow();
  if (!hasTable()) {
    sayPage();
    return;
  }
  if (progress.newest < 0) {
    const { v, w } = table().dataset;
    progress.newest = progress.told = Number(v);
    progress.changes = Number(w);
  }
  if (progress.playing) return;
  readPicks();
  paintPicks();
  showHint();
  shield();
  pictureShown();
  sayNotice();
  focusCards();
  settled();
}

/** Moves a lost focus back to where it was, or to the first card that can be asked for. */
export const focusCards = () => keepFocus(() => fans().find(can) || find("#again") || table());

/** Takes the child to a round that has begun elsewhere since this page was loaded. */
function follow() {
  const go = find("[data-go]")?.dataset.go;
  if (go === undefined) return;
  going ??= go;
  if (go && go !== going) location.assign(go);
}

/** On the page where friends meet: says what to do next, whenever that changes. */
function sayPage() {
  const words = find("#friends [data-say]");
  if (words && heard && words.dataset.say !== heard) sayOf(words);
  heard = words?.dataset.say || heard;
}

/** Says once why the last tap did nothing, and removes the notice after a while. */
function sayNotice() {
  const notice = find("#notice");
  if (!notice || "read" in notice.dataset) return;
  notice.dataset.read = "";
  sayOf(notice);
  setTimeout(() => notice.remove(), 5000);
}

/** Lights up what a hint points at. */
function showHint() {
  for (const one of all(".is-hinted")) one.classList.remove("is-hinted");
  const hint = find("#hint [data-lit]");
  for (const id of listed(hint?.dataset.lit))
    document.getElementById(id)?.classList.add("is-hinted");
  find("#hand")?.classList.toggle("has-hint", Boolean(find("#hand .is-hinted")));
  if (!hint || "read" in hint.dataset) return;
  hint.dataset.read = "";
  sayOf(find(".told", hint));
}
