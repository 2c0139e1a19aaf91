// @ts-check
// Short names for finding elements.

/**
 * The first element that matches, or null.
 * @template {Element} [T=HTMLElement]
 * @param {string} query
 * @param {ParentNode} [root]
 * @returns {T | null}
 */
export const find = (query, root = document) => root.querySelector(query);

/**
 * The first element that matches, on pages that always have one.
 * @template {Element} [T=HTMLElement]
 * @param {string} query
 * @param {ParentNode} [root]
 * @returns {T}
 */
export const the = (query, root = document) => /** @type {T} */ (root.querySelector(query));

/**
 * All elements that match, as an array.
 * @template {Element} [T=HTMLElement]
 * @param {string} query
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export const all = (query, root = document) => [
  .../** @type {NodeListOf<T>} */ (root.querySelectorAll(query)),
];

/**
 * The nearest element that matches: the element that an event hit, or one that contains it.
 * @param {Event} event
 * @param {string} query
 * @returns {HTMLElement | null}
 */
export const hit = (event, query) =>
  event.target instanceof Element ? event.target.closest(query) : null;

/**
 * A field of a form by its name.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement | null}
 */
export const field = (form, name) =>
  /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));

/**
 * Replaces an element that htmx has filled with an empty one.
 * @param {string} id
 */
export function empty(id) {
  const element = document.createElement("div");
  element.id = id;
  the("#" + id).replaceWith(element);
}

/**
 * The words of a list that is written in an attribute.
 * @param {string | undefined} text
 */
export const listed = (text) => (text || "").split(" ").filter(Boolean);

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until the change that a tap made is painted, before other work. It does not ask for a
 * frame, because the page would have to draw one while something else moves.
 */
export const painted = () => pause(34);

export const page = document.body.dataset;
