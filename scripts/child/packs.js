// @ts-check
// The voices that adults of the school recorded. The first voice that has all of a sentence says it
// whole; otherwise the voice of voice.js does. Only pages of a class with such a voice load this.

import { listed, page } from "./dom.js";
import { reach } from "./reach.js";

/** @typedef {Record<string, number>} Counts how many words each piece has */

/** @type {Map<string, Promise<Counts>>} */
const lists = new Map(); // by address; a list that did not arrive is empty

/** @param {string} address */
async function list(address) {
  try {
    const answer = await reach(`${address}pieces.json`);
    if (answer.ok) return /** @type {Promise<Counts>} */ (answer.json());
  } catch {
    lists.delete(address); // it will be fetched again
  }
  return {};
}

/**
 * The parts of what the device would say, as they are named (web/voice/pieces.py): after each "=" a
 * sentence, and after each "|" a part of it.
 * @param {string} said
 */
const named = (said) =>
  said
    .split(/=|\|/)
    .map((part) => (part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("-"))
    .filter(Boolean);

/**
 * A piece, or the parts of a frame that was not recorded as one; none if any is missing.
 * @param {string} name
 * @param {Counts} known
 * @returns {string[]}
 */
function inParts(name, known) {
  if (name in known) return [name];
  const at = name.lastIndexOf("+");
  if (at < 0) return [];
  const [first, last] = [inParts(name.slice(0, at), known), inParts(name.slice(at + 1), known)];
  return first.length && last.length ? [...first, ...last] : [];
}

/** @type {typeof globalThis.recorded} */
globalThis.recorded = async (said) => {
  const names = said.includes("=") ? named(said) : listed(said);
  for (const base of listed(page.packs)) {
    const asked = lists.get(base) ?? list(base);
    lists.set(base, asked);
    const counts = await asked;
    const found = names.map((name) => inParts(name, counts));
    if (found.length && found.every((parts) => parts.length))
      return { base, names: found.flat(), counts };
  }
  return null;
};
