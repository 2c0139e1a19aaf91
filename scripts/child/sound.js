// @ts-check
// Sounds of wood, water and breath, made of a few tones and noise. Everything that is heard can
// also be seen.

import { audible } from "./audio.js";
import { hit, painted } from "./dom.js";

/**
 * One tone or breath that swells and dies.
 * @typedef {object} Tone
 * @property {number} from hertz
 * @property {number} [to] hertz at its end
 * @property {number} [time] seconds
 * @property {number} [loud]
 * @property {number} [at] seconds from now
 * @property {OscillatorType} [type]
 * @property {boolean} [noise] noise as of paper or water instead of a tone
 */

/** @param {Tone} shape */
function tone(shape) {
  const audio = audible();
  if (!audio) return;
  const { time = 0.3, loud = 0.2, at = 0 } = shape;
  const start = audio.currentTime + at;
  const level = audio.createGain();
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loud, start + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, start + time);
  level.connect(audio.destination);
  const source = (shape.noise ? breath : pitch)(audio, shape, start, time, level);
  source.start(start);
  source.stop(start + time + 0.02);
}

/**
 * @param {AudioContext} audio
 * @param {Tone} shape
 * @param {number} start
 * @param {number} time
 * @param {AudioNode} level
 * @returns {AudioScheduledSourceNode}
 */
function breath(audio, { from, to = from }, start, time, level) {
  const length = Math.ceil(audio.sampleRate * time);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.Q.value = 0.9;
  band.frequency.setValueAtTime(from, start);
  band.frequency.exponentialRampToValueAtTime(to, start + time);
  source.connect(band).connect(level);
  return source;
}

/** @type {typeof breath} */
function pitch(audio, { from, to = from, type = "sine" }, start, time, level) {
  const source = audio.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + time * 0.6);
  source.connect(level);
  return source;
}

/**
 * @param {number} from
 * @param {number} at
 */
function kalimba(from, at) {
  tone({ from, time: 0.9, loud: 0.22, at });
  tone({ from: from * 3.01, time: 0.18, loud: 0.05, at });
  tone({ from: 1800, time: 0.03, loud: 0.04, at, noise: true });
}

/** @param {number[]} notes for each note its hertz, then its seconds from now */
const melody = (...notes) => {
  for (let i = 0; i < notes.length; i += 2) kalimba(notes[i], notes[i + 1]);
};

const sounds = {
  tap() {
    tone({ from: 420, to: 210, time: 0.07, loud: 0.2, type: "triangle" });
    tone({ from: 1400, time: 0.025, loud: 0.08, noise: true });
  },
  slide: () => tone({ from: 1500, to: 3800, time: 0.22, loud: 0.09, noise: true }),
  drop() {
    tone({ from: 340, to: 900, time: 0.16, loud: 0.16 });
    tone({ from: 700, to: 1250, time: 0.1, loud: 0.08, at: 0.09 });
  },
  gofish: () => melody(330, 0, 330, 0.22),
  catch: () => melody(392, 0, 523, 0.14),
  book: () => melody(392, 0, 494, 0.16, 587, 0.32),
  wish: () => melody(523, 0, 659, 0.13, 784, 0.26, 1047, 0.42),
  turn: () => melody(523, 0),
};

/** @param {keyof typeof sounds} name */
export const sound = (name) => painted().then(sounds[name]);

export function startSounds() {
  document.addEventListener("pointerdown", (event) => {
    if (hit(event, "button,a.btn,a.tile,a.animal")) sound("tap");
  });
}
