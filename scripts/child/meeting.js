// @ts-check
// At the start of a friends' table each friend is shown and named once: during play the voice calls
// players by their animals, and their names are only written.

import { all, find, the } from "./dom.js";
import { wake } from "./audio.js";
import { copied } from "./flights.js";
import { unhurry, wait } from "./motion.js";
import { progress } from "./progress.js";
import { table } from "./table.js";
import { light } from "./telling.js";
import { sayOf } from "./voice.js";

/** Names the friends, if this table begins now; returns whether it named them. A tap skips one. */
export async function introduce() {
  const friends = all("#meeting > li");
  if (!friends.length || find("#rest")) return false;
  wake();
  progress.playing = true;
  table().classList.add("is-playing");
  const bar = the("#tell");
  for (const friend of friends) {
    unhurry();
    light(friend.dataset.seat, "is-picked");
    bar.replaceChildren(...[...friend.children].map(copied));
    bar.hidden = false;
    the("#heard").textContent = friend.textContent;
    await Promise.all([sayOf(find(".told", friend)), wait(1600)]);
  }
  light([], "is-picked");
  bar.hidden = true;
  table().classList.remove("is-playing");
  progress.playing = false;
  return true;
}
