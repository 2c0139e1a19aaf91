// @ts-check
// The door of a class: its code is typed on the keys of the page, and each digit shows in a shell.

import { all, field, find, page, the } from "./dom.js";

export function startDoor() {
  /** @type {HTMLFormElement | null} */
  const form = find("#door");
  const code = form && field(form, "code");
  if (!form || !code) return;
  code.type = "hidden"; // from here on, digits are typed on the page's own keys
  form.classList.add("is-ready");
  const door = { form, code, pads: the(".pads", form) };
  door.pads.addEventListener("click", (event) => clicked(event, door));
  document.addEventListener("keydown", (event) => typed(event, door));
  paintDoor(door);
}

/** @typedef {{ form: HTMLFormElement, code: HTMLInputElement, pads: HTMLElement }} Door */

/**
 * How many digits this code will have: a code that the class keeps has more, and its first digit
 * tells.
 * @param {Door} door
 */
function lengthOf({ form, code }) {
  const { fresh, kept, keptFirst = "" } = form.dataset;
  return Number(code.value.startsWith(keptFirst) ? kept : fresh);
}

/** @param {Door} door */
const isFull = (door) => door.code.value.length >= lengthOf(door);

/** @param {Door} door */
function paintDoor(door) {
  const shells = all(".door__shell", door.form);
  const { value } = door.code;
  const length = lengthOf(door);
  door.form.classList.toggle("is-long", length === shells.length);
  the(".door__go", door.form).hidden = !isFull(door);
  shells.forEach((shell, i) => {
    shell.hidden = i >= length;
    shell.textContent = value[i] || "";
    shell.classList.toggle("is-set", i < value.length);
    shell.classList.toggle("is-next", i === value.length);
  });
}

/**
 * @param {string} sign
 * @param {Door} door
 */
function add(sign, door) {
  if (isFull(door)) return;
  door.code.value += sign;
  paintDoor(door);
  if (isFull(door)) setTimeout(() => door.form.requestSubmit(), 350);
}

/** @param {Door} door */
function takeBack(door) {
  door.code.value = door.code.value.slice(0, -1);
  paintDoor(door);
}

/**
 * @param {MouseEvent} event
 * @param {Door} door
 */
function clicked(event, door) {
  const key = event.target instanceof Element && event.target.closest("button");
  if (!key) return;
  event.preventDefault();
  if (key.value) add(key.value, door);
  else takeBack(door);
}

/**
 * @param {KeyboardEvent} event
 * @param {Door} door
 */
function typed(event, door) {
  if (event.target === door.code || event.ctrlKey || event.metaKey || event.altKey) return;
  const sign = event.key.toUpperCase();
  if (event.key === "Backspace") takeBack(door);
  else if (sign.length === 1 && isKey(sign, door)) add(sign, door);
}

/**
 * @param {string} sign
 * @param {Door} door
 */
const isKey = (sign, { pads }) =>
  page.signs?.includes(sign) || Boolean(find(`.key[value="${CSS.escape(sign)}"]`, pads));
