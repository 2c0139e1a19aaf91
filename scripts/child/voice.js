// @ts-check
// The voice: pieces of speech from static/voice, loaded when they are needed, and joined. A name
// such as "bear-asks+fox" is a frame: several pieces recorded as one. Where a frame is missing, its
// pieces are joined. The pieces are English: in another language the device's own voice says each
// sentence whole. Voices that adults recorded come first (packs.js).

import { audible } from "./audio.js";
import { find, listed, page, painted } from "./dom.js";
import { dark, learnWords, lightWords } from "./lit.js";
import { reach } from "./reach.js";
import { paceNow } from "./pace.js";
import { hastened } from "./stretch.js";

const GAP = 0.12; // seconds of silence between two pieces

/** @type {(() => void) | null} */
let stop = null; // ends what is being said
/** @type {Map<string, Promise<AudioBuffer | null>>} */
const pieces = new Map(); // by address and speed, the last said at the end; null: missing
const KEPT = 120; // pieces; a tablet has little memory

/**
 * A piece at the speed of the voice. Null for a piece that is missing or did not arrive; the latter
 * is fetched again when it is next said.
 * @param {string} name
 * @param {AudioContext} audio
 * @param {number} speed
 */
async function load(name, audio, speed) {
  try {
    const answer = await reach(`${name}.mp3`);
    if (answer.ok) {
      const recorded = await audio.decodeAudioData(await answer.arrayBuffer());
      return hastened(audio, recorded, speed);
    }
    if (answer.status !== 404) pieces.delete(`${name} ${speed}`);
  } catch {
    pieces.delete(`${name} ${speed}`);
  }
  return null;
}

/**
 * @param {string} name
 * @param {AudioContext} audio
 */
function piece(name, audio) {
  const { voice: speed } = paceNow();
  const key = `${name} ${speed}`;
  const found = pieces.get(key) ?? load(name, audio, speed);
  pieces.delete(key);
  pieces.set(key, found);
  if (pieces.size > KEPT) pieces.delete([...pieces.keys()][0]);
  return found;
}

/** @typedef {{ name: string, buffer: AudioBuffer }} Sound a piece that was loaded */

/**
 * A piece or, if a frame is missing, the longest of its parts that exist.
 * @param {string} name
 * @param {AudioContext} audio
 * @param {string} [base] the folder of the voice
 * @returns {Promise<Sound[]>}
 */
async function parts(name, audio, base = page.voice) {
  const buffer = await piece(base + encodeURIComponent(name).replaceAll("%2B", "+"), audio);
  if (buffer) return [{ name, buffer }];
  const at = name.lastIndexOf("+");
  if (at < 0) return [];
  return [...(await parts(name.slice(0, at), audio)), ...(await parts(name.slice(at + 1), audio))];
}

/**
 * Says the pieces one after the other, once the change that a tap made is painted; ends at once
 * when sound is off. The words for a lost network are loaded now, as they cannot be loaded then.
 * @param {string | undefined} names
 * @param {string} [words] the same in words, for the browser's voice if no piece was found
 * @param {string} [own] a name that was typed in; the browser's voice, if there is one, says it in
 *   place of the first piece
 * @param {HTMLElement} [caption] the element whose words are lit as they are said
 * @returns {Promise<void>}
 */
export function say(names, words = "", own = "", caption = undefined) {
  hush();
  const recorded = !own && names ? globalThis.recorded : undefined;
  if (!recorded && !inEnglish()) return sayWhole(names, words);
  return new Promise((resolve) => {
    let over = false;
    stop = () => {
      over = true;
      resolve();
    };
    painted()
      .then(() => (audible() ? recorded?.(names ?? "") : null)) // the first touch wakes the audio
      .then((found) => {
        if (over) return;
        const said = found
          ? utter(found.names, "", "", caption, found)
          : inEnglish()
            ? begin(names, words, own, caption)
            : sayWhole(names, words);
        said.then(resolve);
      });
  });
}

const inEnglish = () => document.documentElement.lang.startsWith("en");

/**
 * @param {string | undefined} names
 * @param {string} words
 * @param {string} own
 * @param {HTMLElement | undefined} caption
 * @returns {Promise<void>}
 */
function begin(names, words, own, caption) {
  const named = Boolean(own && localVoice());
  return utter(named ? unnamed(listed(names)) : listed(names), words, named ? own : "", caption);
}

/**
 * @param {string[]} list
 * @param {string} words
 * @param {string} own
 * @param {HTMLElement} [caption]
 * @param {Recorded} [from] the voice that has these pieces
 * @returns {Promise<void>}
 */
function utter(list, words, own, caption, from) {
  const named = Boolean(own);
  const audio = audible();
  if (!audio || !(named || list.length)) return Promise.resolve();
  let over = false;
  /** @type {AudioBufferSourceNode[]} */
  const sources = [];
  return new Promise((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    stop = () => {
      for (const source of sources) source.stop();
      dark();
      window.speechSynthesis?.cancel();
      end();
    };
    const found = Promise.all(list.map((name) => parts(name, audio, from?.base)));
    const known = caption && !named && !from ? learnWords() : undefined;
    found.then(() => listed(find("#lost")?.dataset.say).forEach((name) => parts(name, audio)));
    const play = async () => {
      const ready = (await found).flat();
      await known;
      if (over) return;
      const shown = named ? undefined : caption;
      if (ready.length) sources.push(...join(audio, ready, end, shown, from?.counts));
      else if (named) end();
      else speak(words, end);
    };
    if (named) speak(own, play);
    else play();
  });
}

/**
 * Says what follows "=" in the names of pieces or, if nothing does, the words or the number of a
 * piece.
 * @param {string | undefined} names
 * @param {string} words
 * @returns {Promise<void>}
 */
function sayWhole(names, words) {
  if (!names || !audible()) return Promise.resolve();
  const [, ...whole] = ` ${names}`.split(" =");
  const number = names.replace("minus n-", "-").replace("n-", "");
  return new Promise((resolve) => {
    stop = () => {
      window.speechSynthesis?.cancel();
      resolve();
    };
    speak(whole.join(" ").replaceAll("|", "") || words || number, resolve);
  });
}

/**
 * These pieces without the first, which is a name, or begins a frame with one.
 * @param {string[]} list
 */
const unnamed = ([first, ...others]) => [...first.split("+").slice(1), ...others];

/**
 * Plays sounds one after the other, and lights the words of their caption.
 * @param {AudioContext} audio
 * @param {Sound[]} sounds
 * @param {() => void} end
 * @param {HTMLElement | undefined} caption
 * @param {Record<string, number>} [counts] how many words each piece has
 */
function join(audio, sounds, end, caption, counts) {
  const now = audio.currentTime;
  let at = now + 0.02;
  /** @type {import("./lit.js").Heard[]} */
  const heard = [];
  const sources = sounds.map(({ name, buffer }) => {
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(audio.destination);
    source.start(at);
    const { duration } = buffer;
    heard.push({ name, after: (at - now) * 1000, lasts: duration * 1000 });
    at += duration + GAP / paceNow().voice;
    return source;
  });
  if (caption) lightWords(caption, heard, counts);
  sources[sources.length - 1].onended = end;
  // when a call or a pulled-out headset stops the audio, no `ended` event comes
  setTimeout(end, (at - audio.currentTime + 1) * 1000);
  return sources;
}

/** The browser's own voice for the page's language, if it runs on this device. */
function localVoice() {
  const spoken = document.documentElement.lang.slice(0, 2);
  const voices = window.speechSynthesis?.getVoices();
  return voices?.find((voice) => voice.localService && voice.lang.startsWith(spoken));
}

/**
 * @param {string} words
 * @param {() => void} end
 */
function speak(words, end) {
  const voice = localVoice();
  if (!voice || !words) {
    end();
    return;
  }
  const line = new SpeechSynthesisUtterance(words);
  new Promise((ended) => {
    Object.assign(line, {
      voice,
      rate: 0.8 * paceNow().voice,
      pitch: 1.15,
      onend: ended,
      onerror: ended,
    });
    setTimeout(ended, 2000 + 150 * words.length); // not every browser says that it has ended
  }).then(end);
  speechSynthesis.speak(line);
}

export function hush() {
  stop?.();
  stop = null;
}

/**
 * Says the data-say of an element.
 * @param {HTMLElement | null | undefined} element
 */
export const sayOf = (element) =>
  element
    ? say(element.dataset.say, element.textContent ?? "", element.dataset.spoken, element)
    : Promise.resolve();

const TO_SAY = [
  "body:not(.is-back) #resting",
  "#q-words",
  "#tell:not([hidden]) .told[data-say]",
  "#words",
  "#made",
  ".scene:target .scene__words",
  "[data-greet]",
  "main [data-say]",
];

/** Says what is being told, or what there is to do on this page now. */
export const sayAgain = () => sayOf(TO_SAY.map((query) => find(query)).find(Boolean));
