// @ts-check
// Small things on pages without a table: greetings, names that are said, scenes.

import { audible, wake } from "./audio.js";
import { all, find, pause } from "./dom.js";
import { focusOn, usesKeys } from "./focus.js";
import { sayOf } from "./voice.js";

/** Says once what the page is about; browsers keep a page silent before the first touch. */
export function greet() {
  const first = find("[data-greet]");
  if (!first) return;
  if (document.referrer.startsWith(location.origin)) wake();
  setTimeout(() => {
    if ("read" in first.dataset) return;
    first.dataset.read = "";
    sayOf(first);
  }, 400);
}

/** Before a form starts a game, the game's name is said, if sound is on. */
export function startNamed() {
  /** @type {HTMLFormElement[]} */
  const forms = all("form[data-then-go]");
  for (const form of forms) {
    form.addEventListener("submit", async (event) => {
      if (!audible()) return;
      event.preventDefault();
      if (form.matches(".is-busy")) return;
      form.classList.add("is-busy");
      await Promise.race([sayOf(find("[data-say]", form)), pause(2500)]);
      form.submit();
    });
  }
}

/** The pictures that show how a game is played: the words of each are said when it appears. */
export function startScenes() {
  if (!find(".scenes")) return;
  addEventListener("hashchange", () => {
    const scene = find(".scene:target") || find(".scene");
    if (!scene) return;
    sayOf(find(".scene__words", scene));
    if (usesKeys()) focusOn(find(".scene__next", scene));
  });
}
