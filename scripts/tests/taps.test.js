import assert from "node:assert/strict";
import { test } from "node:test";
import { Part, happens, shows } from "./page.js";

const { startTaps } = await import("../child/taps.js");
startTaps();
shows("#table", new Part());

/** Whether the browser may send this form now. */
function sends(form) {
  let kept = false;
  happens("submit", { target: form, preventDefault: () => (kept = true) });
  return !kept;
}

test("a move that is on its way is not sent a second time", () => {
  const form = new Part({ data: { move: "" } });
  form.hasAttribute = () => true;
  assert.ok(sends(form));
  assert.ok(!sends(form));
});
