import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Part, heard, settled, shows } from "./page.js";

mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
const { wake } = await import("../child/audio.js");
const nudges = await import("../child/nudges.js");
const { progress } = await import("../child/progress.js");
await wake();
nudges.startNudges();

const table = new Part({ data: { next: "class", nudge: "0", v: "3" } });
shows("#table", table);
shows("#words", new Part({ data: { say: "tap-card" } }));

/** How often something was said during this many seconds without a touch. */
async function said(seconds) {
  const before = heard.sounds;
  for (let i = 0; i < seconds; i += 1) {
    mock.timers.tick(1000);
    await settled();
  }
  return heard.sounds - before;
}

test("the thing to do is said again twice, and then no more", async () => {
  nudges.settled();
  assert.equal(await said(8), 0);
  assert.equal(await said(2), 1);
  assert.equal(await said(9), 1);
  assert.equal(await said(100), 0);
});

test("a touch starts the time again", async () => {
  nudges.settled();
  await said(8);
  nudges.touched();
  assert.equal(await said(8), 0);
  assert.equal(await said(2), 1);
});

test("nothing is said while something is told, or on a hidden page", async () => {
  nudges.settled();
  progress.playing = true;
  assert.equal(await said(30), 0);
  progress.playing = false;
  document.hidden = true;
  assert.equal(await said(30), 0);
  document.hidden = false;
});

test("the turn is called out once, after the seconds that the teacher chose", async () => {
  nudges.settled();
  table.dataset.nudge = "5";
  table.dataset.v = "4";
  nudges.pictureShown();
  assert.equal(await said(4), 0);
  assert.ok((await said(2)) >= 1);
  assert.equal(await said(2), 0);
  assert.ok(table.classList.contains("is-nudged"));
  await said(6);
  assert.ok(!table.classList.contains("is-nudged"));
  await said(60);
  assert.ok(!table.classList.contains("is-nudged"));
});
