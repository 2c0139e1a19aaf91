// @ts-check
// The size of a question.

/**
 * Makes a question as large as its window allows: --fit is the length of a pixel of its drawing. It
 * is set on the parent, because htmx copies the style of an element with an id from one panel to
 * the next.
 */
export function fit() {
  /** @type {HTMLElement | null} */
  const panel = document.querySelector("#q");
  if (!panel) return;
  const fits = (/** @type {number} */ u) => {
    panel.parentElement?.style.setProperty("--fit", u + "px");
    return panel.offsetTop + panel.offsetHeight + 8 <= innerHeight;
  };
  let [small, large] = [0.3, 1];
  if (fits(large)) return;
  while (large - small > 0.02) {
    const u = (small + large) / 2;
    if (fits(u)) small = u;
    else large = u;
  }
  fits(small);
}
