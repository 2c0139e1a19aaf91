import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Part, happens, shows } from "./page.js";

const { startWaking, wasWaking } = await import("../child/waking.js");
const { progress } = await import("../child/progress.js");
startWaking();

const ear = new Part();
ear.within = [["a,#sound", ear]];
let form = new Part();

beforeEach(() => {
  form = new Part();
  form.id = "wake";
  shows("#wake", form);
  shows("#table", new Part());
  Object.assign(progress, { changes: 2, wokeAt: -1, away: false });
});

const touch = (target = new Part()) => happens("pointerdown", { target });

test("a touch wakes the seat once, and is no tap", () => {
  touch();
  touch();
  assert.equal(form.sent, 1);
  assert.ok(progress.away);
  assert.equal(progress.wokeAt, 2);
});

test("the ear and a link are used without waking the seat", () => {
  touch(ear);
  assert.equal(form.sent, 0);
  assert.ok(!wasWaking());
});

test("where nobody is asleep a touch is a tap", () => {
  shows("#wake");
  touch();
  assert.equal(form.sent, 0);
  assert.ok(!wasWaking());
});

test("the touch that woke the seat is no tap on what lies below", () => {
  touch();
  assert.ok(wasWaking());
  assert.ok(!wasWaking());
});

test("after a no of the school the next touch tries again", () => {
  touch();
  happens("htmx-finally-request", {
    detail: { ctx: { sourceElement: form, response: { status: 409 } } },
  });
  assert.equal(progress.wokeAt, -1);
  touch();
  assert.equal(form.sent, 2);
});
