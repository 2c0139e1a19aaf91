import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Part, shows } from "./page.js";

const { startQueue } = await import("../child/queue.js");
const { progress } = await import("../child/progress.js");
const table = new Part({ data: { v: "5", w: "3" } });
shows("#table", table);
startQueue();

beforeEach(() => Object.assign(progress, { newest: 5, changes: 3, told: 5, queue: [] }));

/** Whether this picture of the table, which brings no steps, would be shown. */
function shown(v, w) {
  const picture = new Part({ data: { v: String(v), w: String(w) } });
  const fragment = new Part({ within: [["#table", picture]] });
  const tasks = [{ target: { id: "table" }, fragment }];
  const ctx = { text: "", played: false };
  return extensions.newest.htmx_before_swap(new Part(), { ctx, tasks }) !== false;
}

test("the same picture and newer ones are shown", () => {
  assert.ok(shown(5, 3));
  assert.ok(shown(5, 4));
  assert.ok(shown(6, 4));
  assert.deepEqual([progress.newest, progress.changes], [6, 4]);
});

test("an older picture is dropped, by its moves or by what else has changed", () => {
  assert.ok(!shown(4, 3));
  assert.ok(!shown(5, 2));
  assert.ok(!shown(6, 2));
  assert.deepEqual([progress.newest, progress.changes, progress.queue.length], [5, 3, 0]);
});

test("what the queue has played itself is not held back", () => {
  const tasks = [{ target: { id: "table" }, fragment: new Part() }];
  const ctx = { text: "", played: true };
  assert.equal(extensions.newest.htmx_before_swap(new Part(), { ctx, tasks }), undefined);
});

test("no older table is put into a newer one", () => {
  const old = new Part({ data: { v: "5" } });
  old.id = "table";
  const morph = (v) =>
    extensions.newest.htmx_before_morph_node(old, { newNode: new Part({ data: { v } }) });
  assert.equal(morph("4"), false);
  assert.notEqual(morph("5"), false);
});
