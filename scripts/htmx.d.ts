// The parts of htmx 4 (vendor/htmx.min.js) that our scripts use.

/** A request, or an answer that is put into the page. */
interface HtmxContext {
  sourceElement?: Element;
  target?: Element;
  submitter?: HTMLElement;
  text: string;
  request: { timeout: number; headers: Record<string, string> };
  response?: { status: number };
  /** Ours: the picture was held back until its steps had been shown. */
  played?: boolean;
  /** Ours: the round is over, and its books are counted next. */
  over?: boolean;
}

interface HtmxExtension {
  htmx_before_swap?(
    source: Element | null,
    detail: { ctx: HtmxContext; tasks: { target?: Element; fragment: DocumentFragment }[] },
  ): boolean | void;
  htmx_before_morph_node?(old: HTMLElement, detail: { newNode: HTMLElement }): boolean | void;
}

declare const htmx: {
  swap(how: {
    sourceElement: Element;
    target: Element;
    swap: string;
    text: string;
    played?: boolean;
    over?: boolean;
  }): Promise<void>;
  process(element: Element): void;
  registerExtension(name: string, extension: HtmxExtension): void;
};

interface DocumentEventMap {
  "htmx-after-swap": CustomEvent<{ ctx: HtmxContext }>;
  "htmx-config-request": CustomEvent<{ ctx: HtmxContext }>;
  "htmx-after-request": CustomEvent<{ ctx: HtmxContext }>;
  "htmx-finally-request": CustomEvent<{ ctx: HtmxContext }>;
}

/** The pieces of an adult's voice that say a sentence: scripts/child/packs.js. */
interface Recorded {
  base: string;
  names: string[];
  counts: Record<string, number>;
}

/** Finds the voice that has all of a sentence; defined only if a voice was recorded. */
declare var recorded: ((said: string) => Promise<Recorded | null>) | undefined;

// What is missing from TypeScript's types of the browser.
declare class AudioWorkletProcessor {
  port: MessagePort;
}
declare function registerProcessor(name: string, made: new () => AudioWorkletProcessor): void;
