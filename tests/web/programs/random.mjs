// SPDX-License-Identifier: MIT
// Random numbers of a seed, and values and shapes made of them.

const words = new Uint32Array(1), floats = new Float32Array(words.buffer);

/** The bits of a number as float32. */
export function bitsOf(value) {
  floats[0] = value;
  return words[0];
}

/** The number with these bits as float32. */
export function floatOf(bits) {
  words[0] = bits;
  return floats[0];
}

export const product = (sizes) => sizes.reduce((count, size) => count * size, 1);

/** The shape of a broadcast, or null. */
export function broadcast(a, b) {
  const rank = Math.max(a.length, b.length), shape = [];
  for (let k = 1; k <= rank; ++k) {
    const x = a.at(-k) ?? 1, y = b.at(-k) ?? 1;
    if (x !== y && x !== 1 && y !== 1) return null;
    shape.unshift(x === 1 ? y : x);
  }
  return shape;
}

export class Random {
  #state;
  constructor(seed) { this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0; }

  /** From 0 to 1: mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  }
  /** A whole number from `low` to `high`. */
  whole(low, high) { return low + Math.floor(this.next() * (high - low + 1)); }
  chance(probability) { return this.next() < probability; }
  pick(list) { return list[this.whole(0, list.length - 1)]; }
  /** One of {name: weight}. */
  weighted(weights) {
    const all = Object.entries(weights);
    let at = this.next() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of all) {
      if ((at -= weight) < 0) return name;
    }
    return all.at(-1)[0];
  }
  shuffled(list) {
    const all = [...list];
    for (let k = all.length - 1; k > 0; --k) {
      const other = this.whole(0, k);
      [all[k], all[other]] = [all[other], all[k]];
    }
    return all;
  }

  /** A number of few digits, or rarely one at the edges. */
  number() {
    if (this.chance(0.04)) return this.pick([NaN, Infinity, -Infinity, -0, 1e30, 1e-40]);
    if (this.chance(0.4)) return this.whole(-3, 5);
    return Math.round((this.next() * 6 - 3) * 100) / 100;
  }
  /** The sizes of few elements: mostly of up to 4 axes, at most of 8. */
  shape(axes = this.chance(0.06) ? this.whole(5, 8) : this.whole(0, 4)) {
    const most = axes > 4 ? 2 : axes > 3 ? 4 : 6;
    const shape = Array.from({length: axes}, () => this.whole(1, most));
    if (axes > 0 && this.chance(0.04)) shape[this.whole(0, axes - 1)] = 0;
    return shape;
  }
  dtype() {
    return this.weighted({float32: 60, int32: 14, float16: 9, uint32: 6, uint8: 5, bool: 6});
  }

  /**
   * The words of a leaf: bits of float32, also for float16, and otherwise values. `isExact`: all
   * integers of 32 bits may occur, not only those of 24.
   */
  words(dtype, count, isExact) {
    const large = isExact ? {int32: [0x7fffffff, 0x80000000, 2 ** 24 + 1], uint32: [0xffffffff]} :
                            {int32: [2 ** 24], uint32: [2 ** 24]};
    const isOdd = this.chance(0.2);
    const one = () => {
      switch (dtype) {
        case 'float32':
        case 'float16':
          if (isOdd && this.chance(0.2)) {
            return bitsOf(this.pick([NaN, Infinity, -Infinity, -0, 65504, 3e38, 1e-40, 2 ** 24]));
          }
          return bitsOf(this.chance(0.3) ? this.whole(-4, 4) : this.next() * 4 - 2);
        case 'int32':
          return isOdd && this.chance(0.1) ? this.pick(large.int32) : this.whole(-5, 9) >>> 0;
        case 'uint32':
          return isOdd && this.chance(0.1) ? this.pick(large.uint32) : this.whole(0, 9);
        case 'uint8': return this.whole(0, isOdd ? 255 : 9);
        default: return this.whole(0, 1);
      }
    };
    return Array.from({length: count}, one);
  }
}
