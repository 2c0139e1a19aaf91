import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./page.js";

/** A text in one node: a range of it becomes the word. */
globalThis.NodeFilter = { SHOW_TEXT: 4 };
globalThis.Range = class {
  setStart(node, at) {
    Object.assign(this, { node, from: at });
  }
  setEnd(_node, at) {
    this.to = at;
  }
  toString() {
    return this.node.data.slice(this.from, this.to);
  }
};
globalThis.Highlight = class {
  constructor(word) {
    this.word = `${word}`;
  }
};
const lit = [];
globalThis.CSS = { highlights: { set: (_name, { word }) => lit.push(word), delete: () => {} } };
document.createTreeWalker = ({ data }) => {
  const nodes = [{ data }];
  return {
    currentNode: null,
    nextNode() {
      return (this.currentNode = nodes.shift() ?? null);
    },
  };
};
const { dark, lightWords } = await import("../child/lit.js");
mock.timers.enable({ apis: ["setTimeout"] });

/** The words that are lit while these pieces say a caption, each for 100 ms. */
function litIn(caption, pieces, known) {
  lit.length = 0;
  const heard = pieces.map((name, nth) => ({ name, after: 100 * nth, lasts: 100 }));
  lightWords({ data: caption }, heard, known);
  mock.timers.tick(100 * pieces.length);
  dark();
  return lit.join(" ");
}

const known = { "go-fish": 2, "take-a-card": 3 };

test("the words of a caption are lit one after the other", () => {
  assert.equal(
    litIn("Go fish! Take a card.", ["go-fish", "take-a-card"], known),
    "Go fish! Take a card.",
  );
});

test("no word is lit where the caption has other words than what is said", () => {
  assert.equal(litIn("Go fish! Take one.", ["go-fish", "take-a-card"], known), "");
  assert.equal(litIn("Go fish!", ["go-fish", "unknown"], known), "");
});
