const { imul } = Math;

/**
 * A set of states that keeps 64 bits of hash for each: at three million states the chance that any two collide is
 * about one in four million. Numbers states in the order of their arrival.
 */
export class Visited {
  #capacity = 1 << 20;
  #mask = this.#capacity - 1;
  #high = new Int32Array(this.#capacity);
  #low = new Int32Array(this.#capacity);
  #number = new Int32Array(this.#capacity);
  size = 0;
  /** Returns whether the last state looked up was new. */
  isNew = false;

  /** The number of the state, a fresh one when it was never seen. */
  assignNumber(words: Int32Array, length: number): number {
    let high = 0x811c9dc5 | 0;
    let low = 0x1b873593 | 0;
    for (let at = 0; at < length; at += 1) {
      const word = words[at]!;
      high = imul(high ^ word, 0x01000193);
      high = (high ^ (high >>> 15)) | 0;
      low = imul(low ^ (word + at), 0x85ebca6b);
      low = (low << 13) | (low >>> 19) | 0;
    }
    high = mix(high ^ length);
    low = mix(low);
    return this.#place(high, low);
  }

  #place(high: number, low: number): number {
    let at = (high ^ imul(low, 0x9e3779b1)) & this.#mask;
    while (this.#number[at] !== 0) {
      if (this.#high[at] === high && this.#low[at] === low) {
        this.isNew = false;
        return this.#number[at]! - 1;
      }
      at = (at + 1) & this.#mask;
    }
    this.#high[at] = high;
    this.#low[at] = low;
    this.size += 1;
    this.#number[at] = this.size;
    if (this.size * 2 > this.#capacity) this.#grow();
    this.isNew = true;
    return this.size - 1;
  }

  #grow(): void {
    const [highs, lows, numbers] = [this.#high, this.#low, this.#number];
    this.#capacity *= 2;
    this.#mask = this.#capacity - 1;
    this.#high = new Int32Array(this.#capacity);
    this.#low = new Int32Array(this.#capacity);
    this.#number = new Int32Array(this.#capacity);
    for (let from = 0; from < numbers.length; from += 1) {
      if (numbers[from] === 0) continue;
      let at = (highs[from]! ^ imul(lows[from]!, 0x9e3779b1)) & this.#mask;
      while (this.#number[at] !== 0) at = (at + 1) & this.#mask;
      this.#high[at] = highs[from]!;
      this.#low[at] = lows[from]!;
      this.#number[at] = numbers[from]!;
    }
  }
}

function mix(value: number): number {
  let x = value | 0;
  x = imul(x ^ (x >>> 16), 0x7feb352d);
  x = imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) | 0;
}
