// @ts-check
// Fetching, with a time limit.

export const PATIENCE = 8000; // ms; a network that is gone reports no error

/**
 * Fetches, and waits for the answer no longer than a move does.
 * @param {string} address
 * @param {RequestInit} [how]
 */
export function reach(address, how) {
  const late = new AbortController();
  setTimeout(() => late.abort(), PATIENCE);
  return fetch(address, { ...how, signal: late.signal });
}
