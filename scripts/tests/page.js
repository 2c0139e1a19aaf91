// A small page for scripts that run without a browser: a test says which element each query finds.
// Import it before any script of the pages.

/** @type {Map<string, any>} */
const found = new Map();
/** How often a sound was begun, and which pieces were fetched. */
export const heard = {
  sounds: 0,
  /** @type {string[]} */ fetched: [],
  /** @type {string[]} */ sentences: [], // what the device's own voice said
};
/** What the next requests get: a status, or null where there is no network. */
export const network = { /** @type {number | null} */ status: 200 };

export class Part extends EventTarget {
  constructor({ data = {}, within = [], is = [] } = {}) {
    super();
    this.dataset = data;
    this.style = {};
    this.children = [];
    this.textContent = "";
    this.sent = 0;
    this.fields = {};
    this.names = new Set();
    this.within = within; // what `closest` finds
    this.is = is; // what `matches` says yes to
    this.elements = { namedItem: (name) => this.fields[name] ?? null };
    this.classList = {
      add: (name) => this.names.add(name),
      remove: (name) => this.names.delete(name),
      contains: (name) => this.names.has(name),
      toggle: (name, on = !this.names.has(name)) => this.names[on ? "add" : "delete"](name),
    };
  }
  matches(query) {
    return this.is.includes(query) || query.split(",").some((one) => this.names.has(one.slice(1)));
  }
  closest(query) {
    return this.within.find(([one]) => one === query)?.[1] ?? null;
  }
  querySelector(query) {
    return this.within.find(([one]) => one === query)?.[1] ?? null;
  }
  querySelectorAll() {
    return [];
  }
  requestSubmit() {
    this.sent += 1;
  }
  cloneNode() {
    return this;
  }
}

/**
 * From now on this query finds that element; without one it finds nothing.
 * @param {string} query
 * @param {Part | null} [part]
 */
export const shows = (query, part = null) => found.set(query, part);

/** Lets promises that wait for nothing else go on. */
export async function settled() {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** @param {string} kind @param {object} [more] */
export function happens(kind, more = {}) {
  const event = new Event(kind, { cancelable: true });
  for (const [name, value] of Object.entries(more)) {
    Object.defineProperty(event, name, { value });
  }
  document.dispatchEvent(event);
}

/** A part of the audio that makes no sound: it can be asked for anything. */
const silence = () =>
  new Proxy(() => {}, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => 0 : silence()),
    set: () => true,
    apply: () => silence(),
  });

const recorded = () => ({
  duration: 0.1,
  length: 2400,
  numberOfChannels: 1,
  sampleRate: 24000,
  getChannelData: () => new Float32Array(2400),
  copyToChannel() {},
});

class Sound {
  state = "running";
  currentTime = 0;
  destination = {};
  sampleRate = 24000;
  async resume() {}
  async decodeAudioData() {
    return recorded();
  }
  createBuffer = recorded;
  createGain = silence;
  createOscillator = silence;
  createBiquadFilter = silence;
  createBufferSource() {
    const source = {
      connect: silence,
      stop() {},
      start() {
        heard.sounds += 1;
        queueMicrotask(() => source.onended?.());
      },
      onended: null,
    };
    return source;
  }
}

const page = new Part();
Object.assign(page, {
  body: new Part({ data: { voice: "/voice/" } }),
  documentElement: { lang: "en-GB" },
  cookie: "",
  hidden: false,
  querySelector: (query) => found.get(query) ?? null,
  querySelectorAll: (query) => found.get(query) ?? [],
  getElementById: (id) => found.get("#" + id) ?? null,
  elementFromPoint: () => found.get("under") ?? null,
});
Object.assign(globalThis, {
  document: page,
  window: globalThis,
  location: { origin: "", reload() {}, assign() {} },
  matchMedia: () => ({ matches: true, addEventListener() {} }),
  AudioContext: Sound,
  SpeechSynthesisUtterance: class {
    constructor(text) {
      this.text = text;
    }
  },
  speechSynthesis: {
    getVoices: () => [{ lang: "es-MX", localService: true }],
    cancel() {},
    speak(line) {
      heard.sentences.push(line.text);
      queueMicrotask(line.onend);
    },
  },
  Element: Part,
  HTMLElement: Part,
  HTMLFormElement: Part,
  HTMLInputElement: Part,
  KeyboardEvent: class extends Event {},
  innerHeight: 768,
  scrollBy() {},
  extensions: {},
  htmx: {
    registerExtension: (name, methods) => (globalThis.extensions[name] = methods),
    process() {},
    swap: async () => {},
  },
  fetch: async (address) => {
    heard.fetched.push(address);
    if (network.status === null) throw new TypeError("no network");
    const { status } = network;
    return { ok: status === 200, status, arrayBuffer: async () => new ArrayBuffer(8) };
  },
});
