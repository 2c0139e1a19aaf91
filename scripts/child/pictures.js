// @ts-check
// A child's four pictures: tapped one after the other, sent together.

import { all, find, hit, the } from "./dom.js";
import { sayAgain } from "./voice.js";

export function startPictures() {
  /** @type {HTMLFormElement | null} */
  const form = find("#pics");
  if (!form) return;
  /** @type {string[]} */
  const taken = [];
  for (const old of all("input[name^=p]", form)) old.remove(); // here all four are sent together
  form.addEventListener("click", (event) => {
    const picture = /** @type {HTMLButtonElement | null} */ (hit(event, ".pic"));
    if (!picture) return;
    event.preventDefault();
    if (form.matches(".is-still") || taken.length >= pearls().length) return;
    taken.push(picture.value);
    paintPearls(taken.length);
    if (taken.length === pearls().length) send(form, taken);
  });
  the("#undo").addEventListener("click", (event) => {
    event.preventDefault();
    taken.pop();
    paintPearls(taken.length);
  });
  paintPearls(0);
}

const pearls = () => all("#pearls .pearl");

/** @param {number} taken */
function paintPearls(taken) {
  pearls().forEach((pearl, i) => {
    pearl.classList.toggle("is-set", i < taken);
    pearl.classList.toggle("is-next", i === taken);
  });
  the("#pearls").setAttribute("aria-label", `${taken} of ${pearls().length} pictures`);
}

/**
 * @param {HTMLFormElement} form
 * @param {string[]} taken
 */
function send(form, taken) {
  taken.forEach((value, i) => {
    const input = document.createElement("input");
    form.append(Object.assign(input, { type: "hidden", name: `p${i + 1}`, value }));
  });
  setTimeout(() => form.submit(), 450);
}

/** After wrong pictures: a shell fills with water; when it is full the pictures can be tapped. */
export function startFill() {
  const fill = find("#fill");
  if (!fill) return;
  const form = find("#pics");
  const ms = Number(fill.dataset.seconds) * 1000;
  form?.classList.add("is-still");
  const full = the(".fill__full", fill);
  const [rising, water] = ["100%", "-100%"].map((from) => [
    { transform: `translateY(${from})` },
    { transform: "none" },
  ]);
  full.animate(rising, { duration: ms, fill: "both" });
  the("svg", full).animate(water, { duration: ms, fill: "both" });
  setTimeout(() => {
    fill.closest(".again-card")?.remove();
    form?.classList.remove("is-still");
    sayAgain();
  }, ms);
}
