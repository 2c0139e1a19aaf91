// @ts-check
// Lights the word of a caption that is being said. A caption has the same words as the pieces that
// say it (tests/web/test_voice.py), so a piece's first word is lit when the piece begins; longer
// words stay lit for longer. The page does not change: the browser paints a range of its text.

import { page } from "./dom.js";
import { reach } from "./reach.js";

/**
 * @typedef {object} Heard a piece that is heard
 * @property {string} name
 * @property {number} after ms until it begins
 * @property {number} lasts ms
 */

const WORD = /\S*[\p{L}\p{N}]\S*/gu;
const LIT = "said"; // the name of the highlight in look.css

/** @type {Record<string, number> | undefined} */
let counts; // how many words each piece has
/** @type {ReturnType<typeof setTimeout>[]} */
let waiting = [];

/** Whether words are lit: the browser can do it, and no adult switched it off. */
const lights = () => Boolean(globalThis.CSS?.highlights) && !("unlit" in page);

/** Loads the numbers of words of all pieces. If that fails, no word is lit. */
export async function learnWords() {
  if (counts || !lights()) return;
  try {
    const answer = await reach(`${page.voice}words.json`);
    if (answer.ok) counts = await answer.json();
  } catch {
    // without a network the words are said but not lit
  }
}

/**
 * Lights the words of a caption one after the other.
 * @param {HTMLElement} caption
 * @param {Heard[]} pieces
 * @param {Record<string, number>} [known] how many words each piece has
 */
export function lightWords(caption, pieces, known = counts) {
  dark();
  if (!known || !lights()) return;
  const words = ranges(caption);
  const many = pieces.map(({ name }) => known[name] ?? NaN);
  if (many.reduce((sum, one) => sum + one, 0) !== words.length) return;
  pieces.forEach(({ after, lasts }, at) => {
    const own = words.splice(0, many[at]);
    const letters = own.map((word) => `${word}`.length);
    const all = letters.reduce((sum, one) => sum + one, 0);
    let before = 0;
    own.forEach((word, nth) => {
      waiting.push(setTimeout(paint, after + (lasts * before) / all, word));
      before += letters[nth];
    });
    if (at === pieces.length - 1) waiting.push(setTimeout(dark, after + lasts));
  });
}

/** Ends the lighting of words. */
export function dark() {
  waiting.forEach(clearTimeout);
  waiting = [];
  globalThis.CSS?.highlights?.delete(LIT);
}

/** @param {Range} word */
function paint(word) {
  CSS.highlights.set(LIT, new Highlight(word));
}

/**
 * The words of a caption. A word may be spread over several elements.
 * @param {HTMLElement} caption
 */
function ranges(caption) {
  const walk = document.createTreeWalker(caption, NodeFilter.SHOW_TEXT);
  /** @type {[Text, number][]} */
  const letters = []; // for each letter of the text, its node and its place there
  let text = "";
  while (walk.nextNode()) {
    const node = /** @type {Text} */ (walk.currentNode);
    for (let at = 0; at < node.data.length; at += 1) letters.push([node, at]);
    text += node.data;
  }
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const range = new Range();
    range.setStart(...letters[index]);
    const [node, at] = letters[index + word.length - 1];
    range.setEnd(node, at + 1);
    return range;
  });
}
