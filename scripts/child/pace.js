// @ts-check
// How fast the game says what happens: as an adult chose, or to suit the child's age.

import { find, page } from "./dom.js";

/** @typedef {{ time: number, voice: number, brief: boolean, heard: number }} Pace */

/**
 * What each data-pace of the table means. `time`: how long waits and movements last; `voice`: how
 * fast the voice speaks; `brief`: the voice does not say what the picture already shows, and
 * fishing begins while "Go fish!" is still heard; `heard`: the answer begins after this many ms,
 * even if the ask is still being said (if `brief`).
 * @type {Record<string, Pace>}
 */
const PACES = {
  calm: { time: 0.75, voice: 1.05, brief: false, heard: 0 },
  usual: { time: 0.6, voice: 1.18, brief: false, heard: 0 },
  quick: { time: 0.36, voice: 1.45, brief: true, heard: 2400 },
};

/**
 * For a child that plays with one switch, how many ms each thing is lit, as an adult chose.
 * @type {Record<string, number>}
 */
export const LIT_FOR = { slow: 4000, usual: 2500, quick: 1500 };

/** @param {number} things how many things the light of a switch goes over, if there is one */
export const untilLit = (things) => (things + 1) * (LIT_FOR[page.switch ?? ""] ?? 0);

/** The pace of asks between computer friends, which no child has to answer. */
const ASIDE = { time: 0.3, voice: 1.18, brief: true, heard: 1200 };
/** The same once others have asked so often in a row that the child waits long for its turn. */
const LONG_ASIDE = { time: 0.2, voice: 1.45, brief: true, heard: 700 };
const OFTEN = 3;
/** @type {Pace | null} */
let faster = null;

/**
 * Speeds up what is told from now on, or goes back to the usual pace.
 * @param {boolean} plain whether it is an ask or its answer, and does not score
 * @param {boolean} aside whether it is between computer friends
 * @param {number} asks how many asks of others in a row have been told
 */
export function hasten(plain, aside, asks) {
  const long = asks > OFTEN;
  faster = null;
  if (plain && aside) faster = long ? LONG_ASIDE : ASIDE;
  else if (plain && long) faster = PACES.quick;
}

/** The pace of this page; pages without a table are calm. */
export const paceNow = () => {
  const pace = PACES[find("#table")?.dataset.pace ?? "calm"] ?? PACES.calm;
  return faster && !pace.brief ? faster : pace;
};
