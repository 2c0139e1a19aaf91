// @ts-check
// Where the focus is, and whether the child uses keys: only then do scripts move the focus.

let byKeys = false;
let last = ""; // the id that had the focus last

export const usesKeys = () => byKeys;

/** @param {Element | null | undefined} element */
export function focusOn(element) {
  if (element instanceof HTMLElement) element.focus({ preventScroll: false });
}

/** @param {unknown} element no control: the page, or the table while there is nothing to do */
const isPlace = (element) => element instanceof Element && element.matches("body, main");

/**
 * Moves the focus back to where it was, if that element can still be used.
 * @param {() => Element | null | undefined} otherwise
 */
export function keepFocus(otherwise) {
  if (!byKeys || !isPlace(document.activeElement)) return;
  const kept = document.getElementById(last);
  focusOn(!kept || kept.getAttribute("aria-disabled") === "true" ? otherwise() : kept);
}

export function startFocus() {
  document.addEventListener("keydown", () => {
    byKeys = true;
  });
  document.addEventListener("pointerdown", () => {
    byKeys = false;
  });
  document.addEventListener("focusin", (event) => {
    const { target } = event;
    if (target instanceof Element && target.id && !isPlace(target)) last = target.id;
  });
}

/**
 * The element that an arrow key leads to. After the last one comes the first.
 * @template {Element} T
 * @param {T[]} row
 * @param {T} here
 * @param {number} step
 */
export const neighbour = (row, here, step) =>
  row[(row.indexOf(here) + step + row.length) % row.length];
