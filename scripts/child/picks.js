// @ts-check
// Choosing a card and a player, in either order. The choice stays in the page until Ask is pressed.
// Words and pictures all come from the markup. With a card, a child may ask for one thing (which
// the card then stands for), for two of its traits, or for one of several other cards.

import { all, field, find, listed, the } from "./dom.js";
import { copied } from "./flights.js";
import { focusOn } from "./focus.js";
import { hop } from "./motion.js";
import {
  allow,
  can,
  everybody,
  fanOf,
  fans,
  optionOf,
  optionsOf,
  point,
  seats,
  table,
} from "./table.js";
import { sayOf } from "./voice.js";

/** @typedef {"class" | "option" | "target" | "ask"} Next what to choose next; `ask`: all is chosen */

const chosen = {
  /** The key of the tapped card. */
  fan: "",
  /** What is asked for. */
  class: "",
  target: "",
  /** @type {number[]} */
  traits: [],
  /** The number of the last move at the time of the choice. */
  at: "",
};

function forget() {
  Object.assign(chosen, { fan: "", class: "", target: "", traits: [] });
}

/** @param {HTMLButtonElement[]} buttons */
const pressedOf = (buttons) =>
  buttons.find((button) => button.getAttribute("aria-pressed") === "true");

/** Reads the choice in the markup; keeps a choice made here while it may still be asked for. */
export function readPicks() {
  const { v = "" } = table().dataset;
  if (chosen.at !== v) {
    forget();
    chosen.at = v;
  }
  const fan = can(fanOf(chosen.fan)) ? fanOf(chosen.fan) : pressedOf(fans());
  if (fan?.dataset.fan !== chosen.fan) chosen.traits = [];
  chosen.fan = (can(fan) && fan?.dataset.fan) || "";
  readOption(optionsOf(fan));
  const seat = seats().find((one) => one.value === chosen.target);
  if (everybody()) {
    chosen.target = "all";
  } else if (!can(seat)) {
    const marked = pressedOf(seats());
    chosen.target = (can(marked) && marked?.value) || "";
  }
}

/** @param {string[]} options */
function readOption(options) {
  if (options.length === 1) [chosen.class] = options;
  else if (!options.includes(chosen.class))
    chosen.class = pressedOf(all("#opts .opt"))?.value || "";
  if (!options.includes(chosen.class)) chosen.class = "";
}

/** @returns {Next} */
export function nextPick() {
  if (!chosen.fan) return "class";
  if (!chosen.class) return "option";
  return chosen.target ? "ask" : "target";
}

/** Shows what is chosen: cards, players, the sentence, and what to choose next. */
export function paintPicks() {
  /** @type {HTMLFormElement | null} */
  const form = find("#ask");
  if (!form) return;
  const fan = fanOf(chosen.fan);
  const option = optionOf(chosen.class);
  const seat = everybody() || seats().find((one) => one.value === chosen.target);
  const next = nextPick();
  fillForm(form, fan);
  paintButtons(fan, seat);
  paintTraits(fan, next);
  paintOptions(fan, next);
  const wanted = next === "class" || (next === "option" && !find("#traits"));
  paintSlot(the(".ask__slot--class"), Boolean(option), wanted);
  if (option) paintWhat(option);
  const slot = the(".ask__slot--target");
  paintSlot(slot, Boolean(seat), next === "target");
  if (seat && !everybody()) point(the(".ask__face use", slot), "a-" + seat.dataset.animal);
  the("#hand").classList.toggle("is-next", next === "class");
  the("#ring").classList.toggle("is-next", next === "target");
  paintWords(next, option, seat);
  allow(the("#go"), next === "ask");
}

/**
 * Draws what is asked for, unless it is drawn already: these drawings are costly.
 * @param {HTMLElement} option
 */
function paintWhat(option) {
  const what = the("#what");
  if (what.dataset.drawn === option.id) return;
  what.dataset.drawn = option.id;
  what.replaceChildren(...[...option.children].map(copied));
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | undefined} fan
 */
function fillForm(form, fan) {
  const values = { class: chosen.class, target: chosen.target, bait: fan?.dataset.code || "" };
  for (const [name, value] of Object.entries(values)) {
    const input = field(form, name); // only some games ask with bait
    if (input) input.value = value;
  }
}

/**
 * @param {HTMLElement | undefined} fan
 * @param {HTMLElement | null | undefined} seat
 */
function paintButtons(fan, seat) {
  for (const one of fans()) one.setAttribute("aria-pressed", String(one === fan));
  for (const one of seats()) {
    one.setAttribute("aria-pressed", String(one === seat));
    one.classList.toggle("is-picked", one === seat);
    one.classList.toggle("is-pick", can(one) && one !== seat);
  }
}

/**
 * @param {HTMLElement} slot
 * @param {boolean} full
 * @param {boolean} next
 */
function paintSlot(slot, full, next) {
  slot.classList.toggle("is-full", full);
  slot.classList.toggle("is-next", next);
}

/**
 * The sentence below the pond, in words and in pieces of the voice. Each thing to ask for has its
 * own sentences.
 * @param {Next} next
 * @param {HTMLElement | null} option
 * @param {HTMLElement | null | undefined} seat
 */
function paintWords(next, option, seat) {
  const text = the("#words");
  const line = next === "class" && seat && !everybody() ? "only" : next;
  const said = { ...text.dataset, ...option?.dataset };
  text.textContent = fill(said[line], seat?.dataset.name);
  text.dataset.say = fill(said[line + "Say"], seat?.dataset.say?.replace("=", ""));
}

/**
 * @param {string | undefined} line
 * @param {string | undefined} name
 */
const fill = (line, name) => (line ?? "").replaceAll("{name}", name ?? "");

/**
 * The three traits of the chosen card, each on a copy of it; the child asks for two of them.
 * @param {HTMLElement | undefined} fan
 * @param {Next} next
 */
function paintTraits(fan, next) {
  const row = find("#traits");
  if (!row) return;
  row.classList.toggle("is-next", next === "option");
  row.classList.toggle("is-bare", !fan);
  const signs = listed(fan?.dataset.signs);
  all(".trait", row).forEach((button, i) => {
    button.setAttribute("aria-pressed", String(chosen.traits.includes(i)));
    allow(button, Boolean(fan));
    if (!fan) return;
    the(".trait__card", button).replaceChildren(the(".card", fan).cloneNode(true));
    point(the(".trait__p use", button), signs[i]);
  });
}

/**
 * The cards that the chosen card may ask for, if there are several.
 * @param {HTMLElement | undefined} fan
 * @param {Next} next
 */
function paintOptions(fan, next) {
  const list = find("#opts");
  if (!list || find("#traits")) return;
  const options = optionsOf(fan);
  const open = options.length > 1;
  list.classList.toggle("opts--open", open && next === "option");
  for (const one of /** @type {HTMLButtonElement[]} */ ([...list.children])) {
    one.hidden = !open || !options.includes(one.value);
    one.setAttribute("aria-pressed", String(one.value === chosen.class));
  }
}

/** What can be tapped to choose. */
export const PICKS = ".fan,.trait,.opt,.ring .seat";

/**
 * A card, one of its traits, another card or a player was tapped: take it, or let it go again.
 * @param {HTMLElement} element one of PICKS
 * @param {boolean} byKey
 */
export function pick(element, byKey) {
  const button = /** @type {HTMLButtonElement} */ (element);
  if (!can(button)) return;
  const [, take] = taking.find(([look]) => button.classList.contains(look)) ?? taking[0];
  const taken = take(button);
  paintPicks();
  sayOf(the("#words"));
  if (byKey && taken) focusOn(offered());
}

/** The element that gets the focus next. */
function offered() {
  const next = nextPick();
  if (next === "ask") return find("#go");
  if (next === "option") return all(".trait,.opt:not([hidden])").find(can);
  return (next === "class" ? fans() : seats()).find(can);
}

/**
 * For each class of button, the function that takes what the button stands for, or lets it go, and
 * returns what is taken afterwards.
 * @type {[string, (button: HTMLButtonElement) => string][]}
 */
const taking = [
  ["fan", takeFan],
  ["seat", takeSeat],
  ["trait", takeTrait],
  ["opt", takeOption],
];

/** @param {HTMLButtonElement} button */
function takeFan(button) {
  const { fan = "" } = button.dataset;
  const options = optionsOf(button);
  chosen.fan = chosen.fan === fan ? "" : fan;
  chosen.class = chosen.fan && options.length === 1 ? options[0] : "";
  chosen.traits = [];
  return chosen.fan;
}

/** @param {HTMLButtonElement} button */
function takeTrait(button) {
  const i = all("#traits .trait").indexOf(button);
  chosen.traits = chosen.traits.includes(i)
    ? chosen.traits.filter((one) => one !== i)
    : [...chosen.traits, i].slice(-2);
  const signs = [...chosen.fan].map((sign, at) => (chosen.traits.includes(at) ? sign : "."));
  const key = signs.join("");
  const complete = chosen.traits.length === 2 && optionsOf(fanOf(chosen.fan)).includes(key);
  chosen.class = complete ? key : "";
  return chosen.class;
}

/** @param {HTMLButtonElement} button */
function takeOption(button) {
  chosen.class = chosen.class === button.value ? "" : button.value;
  return chosen.class;
}

/** @param {HTMLButtonElement} button */
function takeSeat(button) {
  const again = chosen.target === button.value && seats().filter(can).length > 1;
  chosen.target = again ? "" : button.value;
  return chosen.target;
}

/** A button was pressed before it was ready: show where to tap. */
export function nudge() {
  const next = nextPick();
  /** @type {HTMLElement[]} */
  let there = [];
  if (next === "class") there = fans();
  if (next === "option") there = all("#traits .trait,#opts .opt:not([hidden])");
  if (next === "target") there = seats();
  for (const one of there) if (can(one)) hop(one);
  sayOf(find("#words"));
}
