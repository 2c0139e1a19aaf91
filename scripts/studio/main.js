// @ts-check
// The studio: it listens to the room, asks for one piece after the other, and sends what was read.
// Speaking begins a take and silence ends it; an unusable take is asked for again at once.

import { send, unsent } from "./sending.js";
import { RATE, Takes, trouble, waveOf } from "./takes.js";

const ROOM = 100; // blocks of 20 ms for which it listens to the room
const WAITS = 400; // blocks without speech after which the page says that it hears nothing
const LIT = 0.25; // loudness at which the level is full

/** @typedef {"off" | "room" | "level" | "example" | "read"} State */

const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const studio = part("studio");
const texts = /** @type {Record<string, string>} */ (studio.dataset);
const takes = new Takes();
const pieces = /** @type {HTMLElement[]} */ ([...part("pieces").children]);
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (part(id));
const beginButton = button("begin");
const repeatButton = button("repeat");
const skipButton = button("skip");

let at = -1; // the piece that is asked for
let quiet = 0; // blocks in which nobody spoke
/** @type {State} */
let state = "off";
/** @type {AudioContext | undefined} */
let audio;
let usual = 0; // how long the words of this piece take, in ms
let example = new Audio();

const tell = (/** @type {string} */ words) => (part("say").textContent = words);
const isRead = (/** @type {HTMLElement} */ piece) => piece.classList.contains("is-read");

/** Shows how many pieces are read, and how many of them have not arrived. */
function count() {
  part("far").textContent = `${pieces.filter(isRead).length} / ${pieces.length}`;
  studio.toggleAttribute("data-waits", unsent() > 0);
}

async function begin() {
  if (!navigator.mediaDevices) return tell(texts.insecure);
  if (state !== "off") return pause();
  if (!audio) {
    try {
      const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: { channelCount: 1, ...plain },
      });
      audio = new AudioContext({ sampleRate: RATE });
      await audio.audioWorklet.addModule(texts.worklet);
      const level = new AudioWorkletNode(audio, "level", { numberOfOutputs: 0 });
      level.port.onmessage = ({ data }) => hear(data);
      audio.createMediaStreamSource(stream).connect(level);
    } catch {
      audio = undefined;
      return tell(texts.denied);
    }
  }
  press(true);
  quiet = 0;
  state = takes.room ? "read" : "room";
  if (state === "room") tell(texts.room);
  else show(at < 0 ? nextOne() : at);
}

function pause() {
  state = "off";
  example.pause();
  window.speechSynthesis?.cancel();
  press(false);
  tell(texts.paused);
}

/** @param {boolean} on */
function press(on) {
  const label = /** @type {HTMLElement} */ (beginButton.querySelector("span"));
  label.textContent = (on ? beginButton.dataset.on : beginButton.dataset.off) ?? "";
  repeatButton.disabled = skipButton.disabled = !on;
}

/** @param {Float32Array} block */
function hear(block) {
  if (state === "off" || state === "example") return;
  const peak = Math.max(...block.map(Math.abs));
  part("level").style.setProperty("--level", String(Math.min(1, peak / LIT)));
  if (state === "room") {
    takes.listen(block);
    quiet += 1;
    if (quiet < ROOM) return;
    state = "level";
    tell(texts.level);
    return;
  }
  const take = takes.hear(block);
  quiet = take || takes.loud ? 0 : quiet + 1;
  if (quiet % WAITS === WAITS - 1) tell(texts.louder);
  if (take && state === "level") tryOut(take);
  else if (take) keep(take);
}

/** @param {import("./takes.js").Take} take */
function tryOut(take) {
  const why = trouble(take, take.ms);
  if (why) return tell(texts[why]);
  show(nextOne());
}

/** @param {import("./takes.js").Take} take */
function keep(take) {
  const piece = pieces[at];
  const why = trouble(take, usual);
  if (why) return tell(texts[why]);
  mark(piece, true);
  const done = (/** @type {import("./sending.js").Answer} */ { problem }) => {
    if (problem) mark(piece, false, problem);
    count();
  };
  send({ to: piece.dataset.to ?? "", wave: waveOf(take.samples), done }, texts.token, (waits) => {
    if (waits) tell(texts.later);
    count();
  });
  tell(texts.heard);
  show(nextOne());
}

/**
 * @param {HTMLElement} piece
 * @param {boolean} read
 * @param {string} [problem]
 */
function mark(piece, read, problem = "") {
  piece.classList.toggle("is-read", read);
  piece.classList.toggle("is-wrong", Boolean(problem));
  piece.title = problem;
  if (problem) tell(`${words(piece)}: ${problem}`);
}

const words = (/** @type {HTMLElement} */ piece) =>
  piece.querySelector("button")?.textContent ?? "";

/** The next piece that is not read, after this one or from the beginning; -1: all are read. */
function nextOne() {
  const after = pieces.findIndex((piece, nth) => nth > at && !isRead(piece));
  return after < 0 ? pieces.findIndex((piece) => !isRead(piece)) : after;
}

/**
 * Asks for a piece, after an example of it if the reader wants one.
 * @param {number} nth
 */
async function show(nth) {
  at = nth;
  pieces.forEach((piece, one) => piece.toggleAttribute("aria-current", one === nth));
  if (nth < 0) {
    state = "off";
    press(false);
    return tell(texts.over);
  }
  const piece = pieces[nth];
  piece.scrollIntoView({ block: "nearest" });
  part("words").textContent = words(piece);
  const picture = document.querySelector(`[data-of="${piece.dataset.picture}"]`);
  part("picture").replaceChildren(...(picture?.cloneNode(true).childNodes ?? []));
  count();
  state = "example";
  usual = 250 + 60 * words(piece).length;
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById("examples"));
  if (texts.examples) await exampleOf(piece, Boolean(box?.checked));
  if (at !== nth || state !== "example") return;
  takes.clear();
  state = "read";
  tell(`${texts.read} ${words(piece)}`);
}

/**
 * Plays the shipped voice, or only finds out how long it takes.
 * @param {HTMLElement} piece
 * @param {boolean} aloud
 */
async function exampleOf(piece, aloud) {
  example.pause();
  example = new Audio(`${texts.examples}${encodeURIComponent(piece.dataset.name ?? "")}.mp3`);
  await new Promise((resolve) => {
    example.onerror = example.onended = example.onpause = resolve;
    example.onloadedmetadata = () => {
      usual = example.duration * 1000;
      if (aloud) example.play().catch(resolve);
      else resolve(undefined);
    };
    setTimeout(resolve, 5000);
  });
}

beginButton.addEventListener("click", begin);
repeatButton.addEventListener("click", () => show(at));
skipButton.addEventListener("click", () => show(nextOne()));
// Space begins the piece again, even on a button, which browsers press when Space is released.
for (const kind of ["keydown", "keyup"]) {
  document.addEventListener(kind, (event) => {
    const { key, target } = /** @type {KeyboardEvent} */ (event);
    if (key !== " " || target instanceof HTMLInputElement) return;
    event.preventDefault();
    if (kind === "keyup") return;
    if (state === "off") begin();
    else show(at);
  });
}
part("pieces").addEventListener("click", ({ target }) => {
  const tapped = target instanceof Element ? target.closest("button") : null;
  const piece = /** @type {HTMLElement | null} */ (tapped?.closest("li") ?? null);
  if (!tapped || !piece) return;
  if (tapped.dataset.hear) new Audio(tapped.dataset.hear).play();
  else if (state === "off") at = pieces.indexOf(piece);
  else show(pieces.indexOf(piece));
});
window.addEventListener("beforeunload", (event) => {
  if (unsent()) event.preventDefault();
});
count();
