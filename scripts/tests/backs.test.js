import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Part, happens, settled, shows } from "./page.js";

mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
document.body.dataset.switch = "slow";
document.createElement = () => new Part();
const { hurry } = await import("../child/motion.js");
const { tapBack } = await import("../child/telling.js");

const bar = new Part();
bar.replaceChildren = () => {};
for (const place of ["#tell", "#heard", "#pond"])
  shows(place, place === "#tell" ? bar : new Part());
const hooks = new Part();
hooks.content = new Part({ within: [[".ask__hook", new Part()]] });
shows("#hooks", hooks);

/** Four backs side by side, each 60 px wide. */
const four = () =>
  [100, 160, 220, 280].map((left) => {
    const back = new Part();
    back.getBoundingClientRect = () => ({ left, right: left + 60, top: 300, bottom: 390 });
    return back;
  });

test("a switch takes the back that is lit, and has the time for each", async () => {
  const backs = four();
  const picked = tapBack(backs);
  mock.timers.tick(19_000);
  await settled();
  assert.ok(backs.every((back) => back.matches(".backs")));
  happens("click", { target: backs[3], clientX: 0, clientY: 0 });
  hurry();
  assert.equal(await picked, backs[3]);
  assert.ok(!backs.some((back) => back.matches(".backs")));
});

test("a finger takes the back that it touches", async () => {
  const backs = four();
  const picked = tapBack(backs);
  happens("pointerdown", { target: bar, clientX: 170, clientY: 350 });
  hurry();
  assert.equal(await picked, backs[1]);
});

test("who takes none gets the middle one after a while", async () => {
  const backs = four();
  const picked = tapBack(backs);
  mock.timers.tick(21_000);
  assert.equal(await picked, backs[2]);
});
