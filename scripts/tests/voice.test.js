import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { heard, network, settled } from "./page.js";

mock.timers.enable({ apis: ["setTimeout"] });
const { wake } = await import("../child/audio.js");
const { say } = await import("../child/voice.js");
await wake();

/** Says these pieces, after the time that a page needs to paint a tap. */
function spoken(names) {
  const ended = say(names);
  mock.timers.tick(50);
  return ended;
}

/** What was fetched, and how many sounds were begun, while these pieces were said. */
async function said(names, status) {
  network.status = status;
  const [fetched, sounds] = [heard.fetched.length, heard.sounds];
  await spoken(names);
  await settled();
  return [heard.fetched.length - fetched, heard.sounds - sounds];
}

test("a piece is loaded once", async () => {
  assert.deepEqual(await said("hello", 200), [1, 1]);
  assert.deepEqual(await said("hello", 200), [0, 1]);
});

for (const [why, status] of [
  ["there was no network", null],
  ["the school was busy", 503],
]) {
  test(`a piece that did not load because ${why} is tried again`, async () => {
    const piece = `wait-${status}`;
    assert.deepEqual(await said(piece, status), [1, 0]);
    assert.deepEqual(await said(piece, 200), [1, 1]);
    assert.deepEqual(await said(piece, null), [0, 1]);
  });
}

test("a piece that does not exist is not asked for again", async () => {
  assert.deepEqual(await said("nobody", 404), [1, 0]);
  assert.deepEqual(await said("nobody", 200), [0, 0]);
});

test("the parts of a frame are said where it is missing, and each is tried again", async () => {
  network.status = 404;
  await spoken("bear-asks+fox");
  await settled();
  const before = heard.fetched.length;
  assert.deepEqual(await said("bear-asks+fox", 200), [0, 0]);
  assert.equal(heard.fetched.length, before);
  assert.deepEqual(await said("cat-asks+owl", null), [3, 0]);
  assert.deepEqual(await said("cat-asks+owl", 200), [1, 1]);
});

test("in another language than that of the pieces the device says sentences whole", async () => {
  document.documentElement.lang = "es";
  assert.deepEqual(await said("hello", 200), [0, 0]);
  heard.sentences.length = 0;
  for (const [names, words] of [
    ["=¡A pescar!", "¡A pescar!"],
    ["=Toca el número cinco.", "Toca el número que oyes."],
    ["your-turn =Toca una carta.", "Toca una carta."],
    ["=¡Sí! =Recibes una.", ""],
    ["wait-little", "Esperando a la escuela."],
    ["n-7", ""],
    ["minus n-2", ""],
    ["", "Esto no se dice."],
  ]) {
    await say(names, words);
  }
  assert.deepEqual(heard.sentences, [
    "¡A pescar!",
    "Toca el número cinco.",
    "Toca una carta.",
    "¡Sí! Recibes una.",
    "Esperando a la escuela.",
    "7",
    "-2",
  ]);
  document.documentElement.lang = "en-GB";
});
