// @ts-check
// Questions over the pond. When the page has shown what happened, it asks the server for one: after
// each move of the child's turn (a catch may raise a question), once in each wait (against the
// pond, also after each book that is laid in it), and at the end. While a question is open the
// table stands still; what happens there meanwhile is played later.

import { all, empty, field, find, pause, the, hit } from "./dom.js";
import { fit } from "./fit.js";
import { focusOn, neighbour, usesKeys } from "./focus.js";
import { hop, signal } from "./motion.js";
import { shield } from "./overlay.js";
import { reach } from "./reach.js";
import { sound } from "./sound.js";
import { allow, asking, moment, question, table } from "./table.js";
import { say, sayOf } from "./voice.js";

const NOTICED = 400; // milliseconds until a child can have seen that a question has come
let askedAt = ""; // the moment at which the server was asked last
let shownAt = 0; // when the question could first be seen
/** @type {ReturnType<typeof signal> | null} */
let shut = null; // fired when the question is gone
/** What the page does once a question is gone. */
let afterwards = () => {};

/**
 * Asks the server for a question at this moment and, if one comes, waits until it is gone; returns
 * whether one came.
 */
export async function wonder() {
  /** @type {HTMLFormElement | null} */
  const form = find("#wonder");
  if (asking()) {
    await openQuestion();
    return true;
  }
  const made = find("#shell .shell__n")?.textContent ?? "";
  const here = moment() + (moment() === "turn" ? table().dataset.v : made);
  if (!form || document.hidden || find("#rest") || here === askedAt) return false;
  askedAt = here;
  const text = await fetched(form);
  const target = question();
  if (!text || !target) return false;
  await htmx.swap({ sourceElement: form, target, swap: "outerHTML", text });
  await openQuestion();
  return true;
}

/**
 * The question as HTML, or null if there is none.
 * @param {HTMLFormElement} form
 */
async function fetched(form) {
  const seen = field(form, "seen");
  if (seen) seen.value = table().dataset.v ?? "";
  try {
    const headers = { "HX-Request": "true" };
    const answer = await reach(form.action, { method: "POST", body: new FormData(form), headers });
    return answer.status === 200 ? await answer.text() : null;
  } catch {
    return null; // it does no harm if no question comes
  }
}

/**
 * Says the question that has come, and waits until it is answered or left.
 * @returns {Promise<void>}
 */
function openQuestion() {
  if (shut) return shut.fired;
  if (!asking()) return Promise.resolve();
  shut = signal();
  shownAt = Date.now();
  shield();
  sayQuestion();
  return shut.fired;
}

/** Says the words of the panel, shows a brief picture for two seconds, and counts aloud. */
async function sayQuestion() {
  const panel = the("#q");
  const brief = find(".q__one--brief", panel);
  const first = find(".pick:not(:disabled),.take input:not(:disabled)", panel);
  focusOn((usesKeys() && first) || panel);
  paintGiving();
  brief?.classList.add("is-shut");
  await sayOf(find("#q-words"));
  if (brief?.isConnected) {
    brief.classList.remove("is-shut");
    await pause(2000);
    brief.classList.add("is-shut");
  }
  for (const nth of all(".q__nth", panel)) {
    if (!nth.isConnected) return;
    hop(nth.parentElement);
    sound("tap");
    await Promise.all([say("n-" + nth.textContent), pause(450)]);
  }
}

/** A new panel has come: a further step of the question, the reward at its end, or an empty one. */
export async function questionChanged() {
  if (!shut) return;
  if (!asking()) {
    shutQuestion();
    return;
  }
  if (!find("#question[data-found]")) {
    sayQuestion();
    return;
  }
  if (usesKeys()) focusOn(find("#q-on"));
  sound("book");
  hop(find(".q__fish"));
  hop(find(".pick.is-right"));
  const panel = the("#q");
  await Promise.all([sayOf(find("#q-words")), pause(1500)]);
  if (panel.isConnected) shutQuestion();
}

function shutQuestion() {
  empty("question");
  shield();
  const over = shut;
  shut = null;
  over?.fire();
  afterwards();
}

/** Shows the shells taken in the basket; they can be given once there is at least one. */
function paintGiving() {
  const go = find("#q-give");
  if (!go) return;
  const taken = all(".take input:checked").length;
  allow(go, taken > 0);
  all(".basket i").forEach((cell, i) => cell.classList.toggle("is-in", i < taken));
}

/** @param {KeyboardEvent} event */
function keyInQuestion(event) {
  if (!asking()) return;
  if (event.key === "Escape") {
    // it was meant to hurry what was shown before the question came
    if (Date.now() - shownAt >= NOTICED) find("#q-on")?.click();
    event.stopPropagation();
  }
  const here = hit(event, ".pick,.take");
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!here || !step) return;
  const takes = here.matches(".take");
  const row = takes ? all(".take input") : all(".pick:not(:disabled)");
  focusOn(neighbour(row, takes ? the("input", here) : here, step));
  event.preventDefault();
}

/** @param {() => void} then called once a question is gone */
export function startQuestions(then) {
  afterwards = then;
  fit();
  addEventListener("resize", fit);
  document.fonts.addEventListener("loadingdone", fit);
  // htmx gives a new panel the classes of the old one, and a moment later its own
  document.addEventListener("htmx-before-settle", fit);
  document.addEventListener("htmx-after-settle", fit);
  document.addEventListener(
    "click",
    (event) => {
      if (!hit(event, "#question[data-found] #q-on")) return;
      event.preventDefault();
      shutQuestion();
    },
    true,
  );
  document.addEventListener("change", (event) => {
    if (!hit(event, ".take input")) return;
    sound("slide");
    paintGiving();
    const taken = all(".basket .is-in").length;
    if (taken && find("#q.is-helped")) say("n-" + taken); // without help the child must count
  });
  document.addEventListener(
    "submit",
    (event) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      const took = field(event.target, "took");
      if (took) took.value = String(Math.max(0, Date.now() - shownAt));
    },
    true,
  );
  document.addEventListener("keydown", keyInQuestion);
}
