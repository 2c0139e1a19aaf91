// @ts-check
// How fast the table tells what happens: as an adult chose, or as suits the child's age.

import { find } from "./dom.js";

/** @typedef {{ time: number, voice: number, brief: boolean }} Pace */

/**
 * What each data-pace of the table means. `time`: how long waits and movements last; `voice`: how
 * fast the voice speaks; `brief`: what the picture shows by itself is not said as well, and fishing
 * begins while "Go fish!" is still heard.
 * @type {Record<string, Pace>}
 */
const PACES = {
  calm: { time: 0.75, voice: 1.05, brief: false },
  usual: { time: 0.6, voice: 1.18, brief: false },
  quick: { time: 0.36, voice: 1.45, brief: true },
};

/** The pace of this page; pages without a table are calm. */
export const paceNow = () => PACES[find("#table")?.dataset.pace ?? "calm"] ?? PACES.calm;
