// @ts-check
// Passes the microphone's samples on, a fiftieth of a second at a time.

const BLOCK = 480;

class Level extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Float32Array(BLOCK);
    this.at = 0;
  }

  /** @param {Float32Array[][]} inputs */
  process([[samples]]) {
    for (const sample of samples ?? []) {
      this.block[this.at++] = sample;
      if (this.at < BLOCK) continue;
      this.port.postMessage(this.block, [this.block.buffer]);
      this.block = new Float32Array(BLOCK);
      this.at = 0;
    }
    return true;
  }
}

registerProcessor("level", Level);
