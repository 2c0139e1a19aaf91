// @ts-check
// The steps that happen in most games: how each kind is shown. A step is an <li> of #steps; its
// kinds are listed in classroom/web/child/steps.py.

import { showFeelings } from "./faces.js";
import { all, find, pause } from "./dom.js";
import { cast, fly, makeBack, passLily, rise, turnOver, wish } from "./flights.js";
import { guessed, mayGuess } from "./guess.js";
import { animate, hop, isStill, unhurry, wait } from "./motion.js";
import { stepForward } from "./path.js";
import { hasten, paceNow, untilLit } from "./pace.js";
import {
  air,
  boatOf,
  cardsOf,
  clearAir,
  clearCards,
  isMe,
  middle,
  myFan,
  padOf,
  placed,
  pondAt,
  put,
  seatOf,
  shelfOf,
} from "./places.js";
import { progress } from "./progress.js";
import { rareSteps, showBait } from "./rare_steps.js";
import { sound } from "./sound.js";
import { seats, table } from "./table.js";
import { bubble, cards, count, light, tapPond, tell } from "./telling.js";

/**
 * A step, the seat it belongs to, and the step after it.
 * @typedef {object} Shown
 * @property {HTMLElement} step
 * @property {HTMLElement | undefined} next
 * @property {string | undefined} seat
 * @property {string | undefined} other the seat it happened to
 * @property {DOMStringMap} about
 */
/** @typedef {(shown: Shown) => Promise<void>} Show */

const LOOK = 600; // ms for which an ask of others stays, however often the screen is tapped
const ANSWERS = ["bait", "gofish", "gave", "howmany"];
const PLAIN = [...ANSWERS, "asked", "named", "fished"]; // others are told in full: they may score

/** The ask that is being said, or was said last. */
let saying = Promise.resolve();
let isSaid = true;

/** Whether the last ask was from one computer friend to another. */
let between = false;
/** How many asks of others were told since mine. */
let inRow = 0;
/** @param {string | undefined} seat */
const isFriend = (seat) => seat !== undefined && seatOf(seat).dataset.friend !== undefined;

/** @type {Show} */
async function asked({ seat, other, step, next }) {
  await saying;
  air().replaceChildren();
  light(other ?? seats().map((one) => one.value), "is-picked");
  const mine = isMe(seat);
  bubble(step, seat);
  hop(find(".pad", seatOf(seat)));
  if (!mine && other) mayGuess(other);
  isSaid = false;
  saying = tell(step, !mine).then(() => {
    isSaid = true;
  });
  const { kind = "" } = next?.dataset ?? {};
  const { brief, heard } = paceNow();
  const overlaps = brief && ANSWERS.includes(kind);
  // a tap may hurry this, but the ask is seen for a moment, and stays till the end
  await Promise.all([
    next && kind === "bait" ? showBait(next) : null,
    overlaps ? Promise.race([saying, pause(heard)]) : saying,
    wait(mine ? 800 : 1500),
    mine || !other || progress.queue.length ? null : wait(untilLit(2), 1), // guess by switch
    pause(mine ? 0 : LOOK),
  ]);
}

/** @type {Show} */
async function gave({ seat, other, step, about }) {
  bubble(step, seat);
  sound("catch");
  guessed(true);
  const { brief } = paceNow();
  const talking = tell(step, !brief || isMe(other));
  const from = cardsOf(seat, about);
  const to = boatOf(other) || cardsOf(other, about);
  const end = isMe(other) ? 1.2 : 0.6;
  await wait(500);
  if (isMe(seat)) myFan(about)?.classList.add("is-gone");
  await Promise.all(
    cards(step).map((card, i) =>
      fly(card, from, { x: to.x + i * 14, y: to.y }, { delay: i * 150, turn: i * 5, end }),
    ),
  );
  count(step);
  hop(find(".pad", seatOf(other)));
  // unsaid cards are seen for longer, unless their number was said before
  const counted = step.previousElementSibling?.matches("[data-kind=named]");
  await Promise.all([talking, wait(brief && !counted ? 1500 : 600)]);
  clearCards();
}

/** @type {Show} */
async function gofish({ seat, step, next }) {
  bubble(step, seat);
  guessed(false);
  if (next?.dataset.kind === "gofish") return wait(500); // the voice says it once for all of them
  sound("gofish");
  const talking = tell(step, isSaid);
  const { brief } = paceNow();
  await Promise.all([brief ? null : talking, wait(brief ? 1000 : 1200)]);
}

/** @type {Show} */
async function fished({ seat, step, next, about }) {
  const mine = isMe(seat);
  const lucky = next?.dataset.kind === "lucky"; // that step turns the card over
  clearCards();
  if (mine) await tapPond();
  const talking = mine ? null : tell(step, !paceNow().brief);
  await cast(seat);
  const face = cards(step).find((card) => !card.classList.contains("card--back"));
  const card = await rise(makeBack(), lucky ? null : face);
  count(step);
  if (lucky) {
    card.dataset.held = "";
    return;
  }
  if (mine) await Promise.all([tell(step), wait(900)]);
  const to = cardsOf(seat, about);
  card.classList.remove("card--glow");
  const from = { ...pondAt(), y: pondAt().y - 10 };
  await fly(card, from, to, { end: mine ? 1.2 : 0.55, size: 1.2, there: true });
  await talking;
  clearCards();
}

/** @type {Show} */
async function lucky({ seat, step, about }) {
  const held = find("[data-held]", air());
  const face = cards(step)[0];
  const at = pondAt();
  sound("catch");
  const shown = held && !isStill() ? await turnOver(held, face, at) : put(face, at);
  clearAir(shown);
  if (find(".pot", table())) await wish(at);
  await Promise.all([tell(step), wait(1300)]);
  for (const star of all(".wish", air())) star.remove();
  const how = { end: isMe(seat) ? 1.2 : 0.6, size: 1.2, there: true };
  await fly(shown, { ...at, y: at.y - 10 }, cardsOf(seat, about), how);
  clearAir();
}

/** @type {Show} */
async function book({ seat, step, about }) {
  clearAir();
  const talking = tell(step);
  const from = cardsOf(seat, about);
  const at = pondAt();
  const laid = cards(step);
  myFan(about)?.classList.toggle("is-gone", isMe(seat));
  await Promise.all(
    laid.map((card, i) => {
      const off = i - (laid.length - 1) / 2;
      const there = { x: at.x + off * 62, y: at.y - 10 + Math.abs(off) * 8 };
      return fly(card, from, there, { delay: i * 120, turn: off * 9, end: 1.2 });
    }),
  );
  sound("book");
  for (const card of laid) card.classList.add("card--glow");
  hop(find(".pad", seatOf(seat)));
  await Promise.all([talking, wait(1100)]);
  const shelf = shelfOf(seat);
  const away = { duration: 520, easing: "ease-in" };
  const flights = isStill()
    ? []
    : laid.map((card) =>
        animate(card, [{}, { transform: placed(card, shelf, 0, 0.3), opacity: 0.2 }], away),
      );
  await Promise.all([stepForward(step), ...flights]);
  count(step);
  clearAir();
}

/** @type {Show} */
async function refilled({ seat, step }) {
  const talking = tell(step);
  const mine = isMe(seat);
  const to = cardsOf(seat);
  await Promise.all(
    cards(step).map((card, i) => {
      const there = { x: to.x + (mine ? i * 60 - 120 : 0), y: to.y };
      return fly(card, pondAt(), there, { delay: i * 150, end: mine ? 1.1 : 0.55 });
    }),
  );
  count(step);
  await Promise.all([talking, wait(400)]);
  clearAir();
}

/** @type {Show} */
async function turn({ seat, other, step }) {
  clearAir();
  /** @type {SVGElement | null} */
  const lily = find(".pad__lily", seatOf(seat));
  const from = lily && middle(lily); // it is hidden as soon as it is another seat's turn
  const to = padOf(other);
  light(other, "is-turn");
  if (isMe(other)) sound("turn");
  if (lily && from && !isStill()) await passLily(lily, from, to);
  if (isMe(other)) await Promise.all([tell(step), wait(700)]);
}

/** @type {Show} */
async function over({ step }) {
  clearAir();
  await Promise.all([tell(step), wait(1400)]);
}

/** @type {Record<string, Show>} */
const shows = {
  asked,
  gave,
  gofish,
  fished,
  lucky,
  book,
  claimed: book,
  refilled,
  turn,
  over,
  ...rareSteps,
};

/**
 * Whether this page knows how to show the step.
 * @param {HTMLElement} step
 */
export const canShow = (step) => (step.dataset.kind ?? "") in shows;

/**
 * Shows one step to its end.
 * @param {HTMLElement} step
 * @param {HTMLElement | undefined} next
 */
export async function show(step, next) {
  unhurry();
  const { kind = "", seat, other } = step.dataset;
  if (kind === "asked") {
    between = isFriend(seat) && isFriend(other);
    inRow = isMe(seat) ? 0 : inRow + 1;
  }
  hasten(PLAIN.includes(kind), between, inRow);
  try {
    showFeelings(step.dataset);
    await shows[kind]({ step, next, seat, other, about: step.dataset });
  } catch (error) {
    console.error(error); // a step that cannot be shown is skipped: the picture comes anyway
    clearAir();
  }
}
