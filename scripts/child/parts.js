// @ts-check
// The last picture of the table as the school drew it. News brings only the parts that changed:
// each replaces the part with the same id, to give the picture that the school would draw now.

import { all, find } from "./dom.js";
import { copied } from "./flights.js";

/** @type {HTMLElement | undefined} */
let newest;

/** @param {HTMLElement} picture */
export function keep(picture) {
  newest = copied(picture);
}

/**
 * The picture after the news; null if the news is about another picture than the last one.
 * @param {HTMLElement} told
 */
export function drawn(told) {
  const { v = "", since = "", same, line, next } = told.dataset; // next: the news draws a turn too
  const before = newest?.dataset;
  if (!newest || before?.same !== same || Number(before?.v) < Number(since)) return null;
  if (before?.next && next === undefined) return null;
  const picture = copied(newest);
  Object.assign(picture.dataset, { v, since, next: next ?? "" });
  for (const one of all("#notice,#talk,#meeting,#extras", picture)) one.remove();
  for (const one of [picture, ...all(".is-new,.is-next", picture)]) {
    one.classList.remove("is-new", "is-next", "is-mine");
  }
  if (next) picture.classList.add("is-mine");
  if (next === "target") find("#ring", picture)?.classList.add("is-next");
  for (const one of all("[name=seen]", picture)) one.setAttribute("value", v);
  const tags = find(".line__tags", picture);
  for (const part of [...told.children].reverse()) {
    const old = find("#" + part.id, picture);
    if (old) old.replaceWith(part);
    else tags?.prepend(part);
  }
  while (tags && tags.children.length > Number(line)) tags.lastElementChild?.remove();
  tags?.firstElementChild?.classList.add("is-new");
  return picture;
}
