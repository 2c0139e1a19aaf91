// @ts-check
// Cuts a stream of samples into takes: speaking begins one, and silence ends it. Nothing here knows
// the page or the microphone.

export const RATE = 24000; // samples a second
const BLOCKS = 50; // a second
const BEFORE = 12; // blocks to keep before the first loud one, for soft beginnings
const SILENCE = 30; // blocks of silence that end a take
const LONGEST = 9 * BLOCKS;
const SOFTEST = 0.004; // of full scale; anything softer is not speech
const CLIPPED = 0.998;

/** @param {Float32Array} block */
const loudness = (block) =>
  Math.sqrt(block.reduce((sum, one) => sum + one * one, 0) / block.length);

/**
 * @typedef {object} Take
 * @property {Float32Array} samples
 * @property {number} ms how long the speech in it is
 * @property {boolean} clipped
 * @property {number} clear how many times as loud as the room it is
 */

export class Takes {
  constructor() {
    this.room = 0;
    /** @type {number[]} */
    this.heard = []; // how loud the blocks of the room were
    /** @type {Float32Array[]} */
    this.blocks = [];
    this.loud = 0; // blocks of speech, up to the last one
    this.most = 0;
    this.since = 0; // blocks since the last loud one
  }

  /** Forgets what was heard of a take. */
  clear() {
    this.blocks = [];
    this.loud = this.most = this.since = 0;
  }

  /**
   * Listens to the silent room.
   * @param {Float32Array} block
   */
  listen(block) {
    this.heard.push(loudness(block));
    const sorted = [...this.heard].sort((a, b) => a - b);
    this.room = sorted[Math.floor(sorted.length * 0.8)];
  }

  /** A block that is at least this loud counts as speech. */
  get least() {
    return Math.max(SOFTEST, 3.5 * this.room);
  }

  /**
   * Listens to a block; returns the take that it ends, if any.
   * @param {Float32Array} block
   * @returns {Take | null}
   */
  hear(block) {
    const level = loudness(block);
    this.blocks.push(block);
    if (level > this.least) {
      this.loud = this.blocks.length;
      this.since = 0;
    } else {
      this.since += 1;
    }
    this.most = Math.max(this.most, level);
    if (!this.loud && this.blocks.length > BEFORE) this.blocks.shift();
    if (!this.loud) return null;
    if (this.since < SILENCE && this.blocks.length < LONGEST) return null;
    const take = this.whole();
    this.clear();
    return take;
  }

  /** @returns {Take} */
  whole() {
    const size = this.blocks[0].length;
    const samples = new Float32Array(this.blocks.length * size);
    this.blocks.forEach((block, at) => samples.set(block, at * size));
    const clipped = this.blocks.some((block) => block.some((one) => Math.abs(one) > CLIPPED));
    const first = this.blocks.findIndex((block) => loudness(block) > this.least);
    const ms = ((this.loud - first) * 1000) / BLOCKS;
    return { samples, ms, clipped, clear: this.most / Math.max(this.room, 1e-5) };
  }
}

/**
 * Why a take cannot be used, or "". `usual`: how long these words take, in ms.
 * @param {Take} take
 * @param {number} usual
 */
export function trouble({ ms, clipped, clear }, usual) {
  if (clipped) return "softer";
  if (clear < 6) return "louder";
  if (ms > 2.5 * usual + 600) return "shorter";
  return ms < usual / 3 ? "longer" : "";
}

/**
 * A wave file: 16 bits, mono.
 * @param {Float32Array} samples
 */
export function waveOf(samples) {
  const file = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (/** @type {number} */ at, /** @type {string} */ word) =>
    [...word].forEach((one, nth) => file.setUint8(at + nth, one.charCodeAt(0)));
  text(0, "RIFF");
  file.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true); // plain samples
  file.setUint16(22, 1, true); // mono
  file.setUint32(24, RATE, true);
  file.setUint32(28, 2 * RATE, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  text(36, "data");
  file.setUint32(40, 2 * samples.length, true);
  samples.forEach((one, at) =>
    file.setInt16(44 + 2 * at, Math.round(Math.max(-1, Math.min(1, one)) * 32767), true),
  );
  return file.buffer;
}
