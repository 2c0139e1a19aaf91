import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const read = { "/new/": { yes: 1, "go-fish": 2 }, "/old/": { yes: 1, hello: 1 } };
let isCut = true;
globalThis.fetch = async (address) => {
  if (isCut) throw new TypeError("no network");
  return { ok: true, json: async () => read[address.replace("pieces.json", "")] };
};
document.body.dataset.packs = "/new/ /old/";
await import("../child/packs.js");

/** Says whose voice says these pieces; none if it is the voice that comes with the program. */
const voice = async (pieces) => (await recorded(pieces))?.base;

test("a voice that could not be loaded is asked for again", async () => {
  assert.equal(await voice("yes"), undefined);
  isCut = false;
  assert.equal(await voice("yes"), "/new/");
});

test("the first voice that has every piece says the whole sentence", async () => {
  assert.equal(await voice("yes go-fish"), "/new/");
  assert.equal(await voice("yes hello"), "/old/");
  assert.equal(await voice("hello go-fish"), undefined);
});
