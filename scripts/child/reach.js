// @ts-check
// Fetching, with an end to the waiting.

export const PATIENCE = 8000; // ms; a network that is gone reports no error

/**
 * Fetches, but waits no longer for the answer than for that of a move.
 * @param {string} address
 * @param {RequestInit} [how]
 */
export function reach(address, how) {
  const late = new AbortController();
  setTimeout(() => late.abort(), PATIENCE);
  return fetch(address, { ...how, signal: late.signal });
}
