// Sound: wood, water, breath, made here by a few oscillators; and the voice, pieces of speech from
// static/voice, put together and loaded when they are needed. Everything heard is also seen.

const find = (query, root = document) => root.querySelector(query);
const all = (query, root = document) => [...root.querySelectorAll(query)];
const page = document.body.dataset;

let audio = null; // made at the first touch: browsers keep a page silent before that
let quiet = /(^|; )quiet=1/.test(document.cookie);
let talk = null; // what is being said: {stop, done}
const pieces = new Map(); // name -> promise of a sound, or null where there is none

function wake() {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  } catch { audio = null; }
  window.speechSynthesis?.getVoices(); // some browsers look for them only when asked
}

const awake = () => !quiet && audio?.state === "running";

/** One tone or breath that swells and dies: `from` and `to` in hertz, `noise` for paper and water. */
function tone({ from, to = from, time = .3, loud = .2, at = 0, type = "sine", noise = false }) {
  if (!awake()) return;
  const start = audio.currentTime + at, level = audio.createGain();
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loud, start + .008);
  level.gain.exponentialRampToValueAtTime(.0001, start + time);
  level.connect(audio.destination);
  let source;
  if (noise) {
    const length = Math.ceil(audio.sampleRate * time);
    const buffer = audio.createBuffer(1, length, audio.sampleRate), data = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) data[i] = Math.random() * 2 - 1;
    source = audio.createBufferSource();
    source.buffer = buffer;
    const band = audio.createBiquadFilter();
    band.type = "bandpass";
    band.Q.value = .9;
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, start + time);
    source.connect(band).connect(level);
  } else {
    source = audio.createOscillator();
    source.type = type;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + time * .6);
    source.connect(level);
  }
  source.start(start);
  source.stop(start + time + .02);
}

const kalimba = (pitch, at) => {
  tone({ from: pitch, time: .9, loud: .22, at });
  tone({ from: pitch * 3.01, time: .18, loud: .05, at });
  tone({ from: 1800, time: .03, loud: .04, at, noise: true });
};

const sounds = {
  tap: () => { tone({ from: 420, to: 210, time: .07, loud: .2, type: "triangle" }); tone({ from: 1400, time: .025, loud: .08, noise: true }); },
  slide: () => tone({ from: 1500, to: 3800, time: .22, loud: .09, noise: true }),
  drop: () => { tone({ from: 340, to: 900, time: .16, loud: .16 }); tone({ from: 700, to: 1250, time: .1, loud: .08, at: .09 }); },
  gofish: () => { kalimba(330, 0); kalimba(330, .22); },
  catch: () => { kalimba(392, 0); kalimba(523, .14); },
  book: () => { kalimba(392, 0); kalimba(494, .16); kalimba(587, .32); },
  wish: () => { kalimba(523, 0); kalimba(659, .13); kalimba(784, .26); kalimba(1047, .42); },
  turn: () => kalimba(523, 0),
};
const sound = (name) => sounds[name]();

function piece(name) {
  if (!pieces.has(name)) {
    pieces.set(name, fetch(page.voice + name + ".mp3")
      .then((answer) => (answer.ok ? answer.arrayBuffer() : null))
      .then((bytes) => bytes && audio.decodeAudioData(bytes))
      .catch(() => null));
  }
  return pieces.get(name);
}

/** Says the pieces one after the other; `words` is the same in words, for a page without pieces.
    `own`: a name of the class that stands for the first piece, where the browser has a voice.
    Ends at once when sound is off. */
function say(names, words = "", own = "") {
  hush();
  const list = (names || "").split(" ").filter(Boolean), named = own && voice();
  if (named) list.shift();
  if (!awake() || !(named || list.length)) return Promise.resolve();
  let end, over = false;
  const sources = [];
  const done = new Promise((resolve) => { end = () => { over = true; resolve(); }; });
  talk = { done, stop() { sources.forEach((source) => source.stop()); window.speechSynthesis?.cancel(); end(); } };
  const play = (found) => {
    if (over) return;
    const ready = found.filter(Boolean);
    if (!ready.length) { if (named) end(); else speak(words, end); return; }
    let at = audio.currentTime + .02;
    for (const buffer of ready) {
      const source = audio.createBufferSource();
      source.buffer = buffer;
      source.connect(audio.destination);
      source.start(at);
      sources.push(source);
      at += buffer.duration + .03;
    }
    sources.at(-1).onended = end;
  };
  const found = Promise.all(list.map(piece));
  if (named) speak(own, () => found.then(play));
  else found.then(play);
  return done;
}

/** The browser's own voice, only where it lives on this device. */
const voice = () => window.speechSynthesis?.getVoices().find((one) => one.localService && one.lang.startsWith("en"));

function speak(words, end) {
  const found = voice();
  if (!found || !words) { end(); return; }
  const line = new SpeechSynthesisUtterance(words);
  Object.assign(line, { voice: found, rate: .9, pitch: 1.15, onend: end, onerror: end });
  speechSynthesis.speak(line);
}

function hush() {
  talk?.stop();
  talk = null;
}

/** Says what an element carries in data-say. */
const sayOf = (element) => (element ? say(element.dataset.say, element.textContent, element.dataset.spoken) : Promise.resolve());

function paintSound() {
  find("#sound")?.setAttribute("aria-pressed", String(!quiet));
}

function toggleSound() {
  quiet = !quiet;
  // a choice of this browser for this sitting, nothing about anybody
  document.cookie = `quiet=${quiet ? 1 : 0}; path=${page.root || "/"}; SameSite=Lax`;
  paintSound();
  if (quiet) hush();
  else { wake(); sayAgain(); }
}

/** What the page has to say now. */
const sayAgain = () => sayOf(find("#q-words") || find("#words") || find("#made") || find("main [data-say]"));

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { capture: true });
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("button,a.btn,a.tile,a.animal")) sound("tap");
});
