// @ts-check
// Sends what was read, one piece after the other, while the reader goes on. Where the school does
// not answer, a piece is kept and sent again.

const AGAIN = 3000; // ms

/** @typedef {{ to: string, wave: ArrayBuffer, done: (answer: Answer) => void }} Waiting */
/** @typedef {{ problem?: string, version?: number }} Answer */

/** @type {Waiting[]} */
const waiting = [];
let busy = false;

/**
 * @param {Waiting} piece
 * @param {string} token
 * @param {(waits: number) => void} late called with the number of pieces that have to wait
 */
export function send(piece, token, late) {
  waiting.push(piece);
  if (!busy) next(token, late);
}

/** How many pieces have not arrived. */
export const unsent = () => waiting.length;

/**
 * @param {string} token
 * @param {(waits: number) => void} late
 */
async function next(token, late) {
  busy = true;
  while (waiting.length) {
    const [{ to, wave, done }] = waiting;
    try {
      const headers = { "X-Token": token, "Content-Type": "audio/wav" };
      const answer = await fetch(to, { method: "POST", headers, body: wave });
      if (answer.status !== 200 && answer.status !== 422) throw new Error(String(answer.status));
      done(await answer.json());
      waiting.shift();
      late(0);
    } catch {
      late(waiting.length);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
  busy = false;
}
