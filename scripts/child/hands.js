// @ts-check
// A tablet that lies between children. Hold your animal and your cards rise; let go and they sink.
// A short tap raises them too, and the next tap lets them sink. At most one hand is up, whatever
// the fingers do: the page has one place for a hand, and the server remembers only the last seat.

import { all, find, hit, pause, the } from "./dom.js";
import { animate, isStill } from "./motion.js";
import { hush, sayOf } from "./voice.js";

const SINKS_AFTER = 20000; // ms without a touch of the hand
const TAP = 350; // ms; a longer press is a hold
const SHOWN = 1100; // ms; the middle shows each step for at least this long

let upSeat = ""; // the seat whose hand is up, or about to be
let raises = 0; // counts raises: the answer to an earlier raise is thrown away
let sinks = 0; // the timer that sinks the hand
let telling = 0; // counts tellings: a new one ends the one before
/** @type {{ id: number, at: number } | null} */
let holding = null; // the pointer that holds an animal

const handPlace = () => find("#hand-up");
/** @param {string} seat */
const edgeOf = (seat) => find(`#edge-${seat}`);

/** Takes the cards off the page at once. The focus goes back to the animal. */
function sinkHand() {
  raises++;
  if (find("#raised :focus")) find(`#edge-${upSeat} .hold__b`)?.focus();
  upSeat = "";
  clearTimeout(sinks);
  handPlace()?.replaceChildren();
  paintEdges();
}

function paintEdges() {
  for (const one of all(".edge")) {
    const isUp = one.id === `edge-${upSeat}`;
    one.classList.toggle("is-up", isUp);
    find(".hold__b", one)?.setAttribute("aria-expanded", String(isUp));
  }
}

function stayUp() {
  clearTimeout(sinks);
  sinks = window.setTimeout(sinkHand, SINKS_AFTER);
}

/**
 * Asks for the cards of a seat; they are shown only if this is still the newest raise.
 * @param {HTMLFormElement} form
 * @param {boolean} byKey
 */
async function raiseHand(form, byKey) {
  sinkHand();
  const mine = raises;
  const body = new FormData(form);
  upSeat = String(body.get("seat"));
  paintEdges();
  const headers = { "HX-Request": "true" };
  const answer = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(/** @type {any} */ (body)),
    headers,
    cache: "no-store",
  }).catch(() => null);
  const text = await answer?.text();
  if (mine !== raises || text === undefined) return;
  if (answer?.status !== 200) {
    sinkHand();
    if (answer?.status === 409) await putInto("#tablet", "outerMorph", text);
    else location.reload();
    return;
  }
  await putInto("#hand-up", "innerHTML", text);
  if (mine !== raises) {
    handPlace()?.replaceChildren();
    return;
  }
  stayUp();
  if (byKey) find("#raised input:not([type=hidden])")?.focus();
}

/**
 * @param {string} query
 * @param {string} swap
 * @param {string} text
 */
const putInto = (query, swap, text) =>
  htmx.swap({ sourceElement: the("#live"), target: the(query), swap, text });

/** @param {Element} button */
const formOf = (button) => /** @type {HTMLFormElement} */ (button.closest("form"));

/** @param {PointerEvent} event */
function handPressed(event) {
  const button = hit(event, ".hold__b:not([disabled])");
  if (button) {
    event.preventDefault();
    const seat = find("[name=seat]", formOf(button))?.getAttribute("value");
    if (seat === upSeat) {
      holding = null;
      sinkHand();
      return;
    }
    holding = { id: event.pointerId, at: event.timeStamp };
    raiseHand(formOf(button), false);
  } else if (hit(event, "#raised")) {
    stayUp();
    if (holding && holding.id !== event.pointerId) secondFinger(event);
  }
}

/**
 * While one finger holds the animal, browsers send no clicks for another finger.
 * @param {PointerEvent} event
 */
function secondFinger(event) {
  const label = hit(event, "label");
  /** @type {HTMLInputElement | null} */
  const input = label && find("input", label);
  if (input?.type === "radio") input.checked = true;
  const button = hit(event, "#ask-now");
  if (button) formOf(button).requestSubmit();
}

/** @param {PointerEvent} event */
function letGo(event) {
  if (holding?.id !== event.pointerId) return;
  const wasTap = event.type === "pointerup" && event.timeStamp - holding.at < TAP;
  holding = null;
  if (!wasTap) sinkHand();
}

/**
 * Keys, switches and screen readers send a click without a pointer event before it.
 * @param {MouseEvent} event
 */
function handClicked(event) {
  const button = hit(event, ".hold__b");
  if (!button) return;
  event.preventDefault();
  if (event.detail !== 0) return;
  if (find("[name=seat]", formOf(button))?.getAttribute("value") === upSeat) sinkHand();
  else raiseHand(formOf(button), true);
}

/** @param {SubmitEvent} event */
function handAsks(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== "raised") return;
  if (form.matches(".is-busy")) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  form.classList.add("is-busy");
}

/** After a new picture of the table: lowers the hand that asked, and tells what happened. */
export function newTablet() {
  const asked = Number(find("#raised [name=seen]")?.getAttribute("value") ?? -1);
  const now = Number(the("#tablet").dataset.v);
  if (asked >= 0 && (asked < now || find("#lull, #notice"))) sinkHand();
  else paintEdges();
  tellAll();
}

/** Tells the new steps one by one: in the middle, turned to each child, and by one voice. */
async function tellAll() {
  const steps = all("#told > li").filter((step) => !("read" in step.dataset));
  if (!steps.length) return;
  const mine = ++telling;
  hush();
  for (const step of steps) {
    step.dataset.read = "";
    const words = find(".told", step);
    the("#heard").textContent = words?.textContent ?? "";
    const disc = find("#disc");
    if (disc) showInMiddle(step, disc);
    swim(step);
    await Promise.all([words ? sayOf(words) : null, pause(isStill() ? 0 : SHOWN)]);
    if (mine !== telling) return;
  }
  find("#disc")?.setAttribute("hidden", "");
  if (find(".recall")?.offsetWidth) sayOf(find(".recall__q"));
}

/**
 * @param {HTMLElement} step
 * @param {HTMLElement} disc
 */
function showInMiddle(step, disc) {
  disc.hidden = false;
  for (const side of all(".disc__b", disc)) {
    side.replaceChildren(...all(".told__bar > *", step).map((one) => one.cloneNode(true)));
  }
}

/**
 * The backs of cards swim from edge to edge, or out of the pond.
 * @param {HTMLElement} step
 */
function swim(step) {
  const { kind, seat = "", other = "", number } = step.dataset;
  if (isStill() || !["gave", "fished", "refilled"].includes(kind ?? "")) return;
  const from = kind === "gave" ? edgeOf(seat) : find(".pool");
  const to = edgeOf(kind === "gave" ? other : seat);
  if (!from || !to) return;
  for (let card = 0; card < Math.min(Number(number), 4); card++) {
    const back = document.createElement("span");
    back.className = "card card--back swims";
    the("#tablet").append(back);
    animate(back, [middleOf(from), middleOf(to)], {
      duration: 900,
      delay: card * 120,
      fill: "both",
    }).then(() => back.remove());
  }
}

/** @param {Element} element */
function middleOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { translate: `${left + width / 2}px ${top + height / 2}px` };
}

export function startHands() {
  if (!handPlace()) return;
  document.addEventListener("pointerdown", handPressed);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(/** @type {"pointerup"} */ (end), letGo);
  }
  document.addEventListener("click", handClicked, true);
  document.addEventListener("submit", handAsks, true);
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") sinkHand();
  });
  document.addEventListener("visibilitychange", sinkHand);
  addEventListener("pagehide", sinkHand);
  addEventListener("blur", sinkHand);
}
