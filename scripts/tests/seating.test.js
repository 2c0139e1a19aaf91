import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Part, happens, shows } from "./page.js";

const { startSeating } = await import("../adult/seating.js");
startSeating();

const form = new Part();
form.fields = { child: new Part(), table: new Part(), seat: new Part() };
const seat = new Part({ data: { table: "4", seat: "2" } });
seat.within = [[".seatplace", seat]];
const child = new Part({ data: { child: "7" } });
const face = new Part();
child.matches = () => child.names.has("is-held");
face.within = [[".seatkid .pad", face]];
face.within.push([".seatkid", child]);
const at = { pointerType: "touch", pageX: 10, pageY: 20, clientX: 300, clientY: 300 };

/** A finger takes the child by its face. */
const taken = () => happens("pointerdown", { ...at, target: face });

beforeEach(() => {
  shows("#drop", form);
  shows("under", seat);
  form.sent = 0;
});

test("a child is put where the finger lets it go", () => {
  taken();
  happens("pointermove", { ...at, target: face });
  happens("pointerup", { ...at, target: face });
  assert.equal(form.sent, 1);
  const values = Object.values(form.fields).map((field) => field.value);
  assert.deepEqual(values, ["7", "4", "2"]);
  assert.ok(!child.names.has("is-held"));
});

test("a touch that the browser cancels puts nobody anywhere", () => {
  taken();
  happens("pointermove", { ...at, target: face });
  happens("pointercancel", { ...at, target: face });
  assert.equal(form.sent, 0);
  assert.ok(!child.names.has("is-held"));
});

test("a tap without a move, and a mouse, put nobody anywhere", () => {
  taken();
  happens("pointerup", { ...at, target: face });
  happens("pointerdown", { ...at, pointerType: "mouse", target: face });
  happens("pointermove", { ...at, target: face });
  happens("pointerup", { ...at, target: face });
  assert.equal(form.sent, 0);
});

test("a child that is let go beside a seat stays", () => {
  shows("under");
  taken();
  happens("pointermove", { ...at, target: face });
  happens("pointerup", { ...at, target: face });
  assert.equal(form.sent, 0);
});
