// @ts-check
// Playing with one switch: a light goes from thing to thing, and a key (space or Enter) or a tap
// anywhere takes what is lit. Many things are lit in groups first. On the pages before the sign-in,
// where no child's choice is known yet, a key switches the light on if nothing has the focus, and a
// touch switches it off again.

import { boardIsOpen } from "./board.js";
import { all, find, page } from "./dom.js";
import { hurry } from "./motion.js";
import { touched } from "./nudges.js";
import { LIT_FOR } from "./pace.js";
import { progress } from "./progress.js";
import { asking, can, hasTable, moment } from "./table.js";

/** @typedef {HTMLElement[]} Group what is lit at once */
/** @typedef {{ groups: Group[], at: number, times: number }} Way what the light goes round */

const BEAT = 100; // ms between two looks at what can be taken
const BOUNCE = 500; // ms; a second press this soon comes from a trembling hand
const BETWEEN = 4000; // ms; the longest time between moves of computer friends
const FEW = 5; // up to this many things are lit one by one
const TWICE = 2; // the light leaves a group after going through it this often

const isDoor = document.body.matches(".child:not([data-switch])");
const TAKEABLE = "a[href],button,summary,.take__in";
/** The groups, in the order in which they are lit; a thing belongs to the first that it matches. */
const GROUPS = [
  "#go,.sheet.is-ready .sheet__form *",
  ".single[aria-pressed=false]",
  ".single",
  "#q .pick,.take__in:not(:checked)",
  "#q-give",
  ".take__in",
  "#traits.is-next [aria-pressed=false],#opts.opts--open *",
  "#ring.is-next *",
  "#hand.is-next *",
  "#act *",
  "#extras *",
  "#hand *",
  "#traits *,#opts *",
  "#ring *",
  "#help *",
  ".home .game--big .tile",
  ".home .tile",
  ".home *",
  ":not(header *)",
  "*",
];

let litFor = LIT_FOR[page.switch ?? ""] ?? 0; // 0: there is no light
let until = 0; // when the light moves on
let pressedAt = 0; // when the last press was made, or would have been too early
let toldAt = 0; // when something was last told
let isPress = false; // the present touch is a press of the switch
/** @type {HTMLElement[]} what can be taken now */
let there = [];
/** @type {Way[]} the ways of the light, the innermost last */
let ways = [];
const lamp = document.createElement("div");

/** @param {HTMLElement} thing */
const shape = (thing) => thing.closest("label") ?? thing;

/** What can be taken while something is told: backs of cards, a guess at an answer, or the pond. */
const TOLD = [".backs", ".is-guessing:not(:has(.is-guess)) :is(.is-picked,#pond)"];

/**
 * What can be taken now: nothing between the moves of others, because a press that came late would
 * leave the table.
 */
function takeable() {
  if (find("#wake,.is-busy")) return [];
  if (progress.playing && !asking() && !boardIsOpen()) {
    toldAt = Date.now();
    return TOLD.map((look) => all(look)).find((found) => found.length) ?? all("#pond.is-now");
  }
  const waits = hasTable() && moment() === "waiting" && !asking();
  if (waits && Date.now() - toldAt < BETWEEN) return [];
  const sheet = find("details.sheet[open] .veil");
  const shells = all(".take__in:checked");
  const [shell] = all(".take__in:not(:checked)");
  return all(TAKEABLE, sheet ?? document).filter((thing) => {
    // shells are alike: the next one is taken, or the last one put back
    if (thing.matches(".take__in") && thing !== shell && thing !== shells.at(-1)) return false;
    if (thing.matches(":disabled") || thing.closest("[inert]") || !can(thing)) return false;
    return shape(thing).checkVisibility({ visibilityProperty: true, opacityProperty: true });
  });
}

/** @param {HTMLElement[]} things */
function grouped(things) {
  const place = (/** @type {HTMLElement} */ one) => GROUPS.findIndex((look) => one.matches(look));
  const groups = GROUPS.map((_, i) => things.filter((one) => place(one) === i));
  return groups.filter((group) => group.length);
}

/**
 * A group, divided for the light into single things, the rows they stand in, or equal shares.
 * @param {Group} group
 */
function parted(group) {
  if (group.length <= FEW) return group.map((thing) => [thing]);
  /** @type {Group[]} */
  const rows = [];
  let bottom = -Infinity;
  for (const thing of group) {
    const box = shape(thing).getBoundingClientRect();
    if (box.top + box.height / 2 > bottom) rows.push([]);
    rows[rows.length - 1].push(thing);
    bottom = box.bottom;
  }
  if (rows.length > 1 && rows.length < group.length) return rows;
  const share = Math.ceil(group.length / Math.ceil(group.length / FEW));
  return group.flatMap((_, i) => (i % share ? [] : [group.slice(i, i + share)]));
}

/** @returns {Group} */
function lit() {
  const way = ways.at(-1);
  return way?.groups[way.at] ?? [];
}

/** Keeps the light where it is for a while, and scrolls to it. */
function stay(longer = 1) {
  until = Date.now() + longer * litFor;
  lit()[0]?.scrollIntoView({ block: "nearest" });
}

/** Begins the light again, inside the group of things that are needed first. */
function beginLight() {
  const groups = grouped(there);
  ways = groups.length > 1 ? [{ groups, at: 0, times: 0 }] : [];
  if (groups.length) intoGroup(groups[0]);
  stay(1.5);
  pressedAt = Date.now(); // a press before the light is seen was meant for something else
}

/** @param {Group} group */
function intoGroup(group) {
  if (group.length > 1 || !ways.length) ways.push({ groups: parted(group), at: 0, times: 0 });
  stay();
}

function lightOn() {
  const way = ways.at(-1);
  if (!way) return;
  way.at = (way.at + 1) % way.groups.length;
  if (!way.at) way.times += 1;
  if (way.times === TWICE && ways.length > 1) {
    ways.pop();
    lightOn();
  }
  stay();
}

/** Checks whether what can be taken has changed; called so often that no delay is noticed. */
function lookAround() {
  if (document.hidden) return;
  const now = litFor ? takeable() : [];
  if (now.length !== there.length || now.some((thing, i) => thing !== there[i])) {
    there = now;
    beginLight();
  } else if (Date.now() >= until) {
    lightOn();
  }
  paintLights();
}

/** Draws a frame around each thing that is lit. */
function paintLights() {
  const group = lit();
  const frames = /** @type {HTMLElement[]} */ ([...lamp.children]);
  lamp.classList.toggle("lights--many", group.length > 1);
  for (const frame of frames.slice(group.length)) frame.remove();
  group.forEach((thing, i) => {
    const box = shape(thing).getBoundingClientRect();
    const { style } = frames[i] ?? lamp.appendChild(document.createElement("i"));
    style.translate = `${box.left}px ${box.top}px`;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
  });
}

function pressSwitch() {
  if (Date.now() - pressedAt < BOUNCE) return;
  pressedAt = Date.now();
  touched();
  const group = lit();
  if (group.length > 1) {
    intoGroup(group);
  } else if (group.length) {
    there = ways = []; // the light begins again
    group[0].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  } else if (progress.playing) {
    hurry();
  }
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  const isSwitch = event.key === " " || event.key === "Enter";
  if (!isSwitch || event.ctrlKey || event.metaKey || event.altKey || find("#wake")) return;
  if (!litFor && (!isDoor || document.activeElement !== document.body)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.type === "keyup" || event.repeat) return;
  if (litFor) pressSwitch();
  else litFor = LIT_FOR.slow;
}

/** @param {PointerEvent} event */
function touchedDown(event) {
  isPress = litFor > 0 && !isDoor && !find("#wake");
  if (isDoor) litFor = 0;
  if (!isPress) return;
  event.stopImmediatePropagation();
  pressSwitch();
}

/** @param {Event} event one that follows from a press, and hits whatever the finger is on */
function follows(event) {
  if (!isPress || !event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function startSwitch() {
  if (!litFor && !isDoor) return;
  lamp.className = "lights";
  lamp.ariaHidden = "true";
  document.body.append(lamp);
  document.addEventListener("keydown", keyed, true);
  document.addEventListener("keyup", keyed, true);
  document.addEventListener("pointerdown", touchedDown, true);
  document.addEventListener("click", follows, true);
  document.addEventListener("contextmenu", follows, true);
  setInterval(lookAround, BEAT);
}
