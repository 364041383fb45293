// SPDX-License-Identifier: MIT
// The inputs of rows: shapes, and values that each run makes equally.

const size = (shape) => shape.reduce((product, one) => product * one, 1);

// From 0 to 1, as float32 has it; each generator is xorshift32.
function generator(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) / 0x1000000;
  };
}

/** An input of this shape, of value(random, index) for each element. */
export const make = (...shape) => (value, Kind = Float32Array) => ({shape, value, Kind});

/** From -1 to 1. */
export const floats = (...shape) => make(...shape)((random) => 2 * random() - 1);

/** Integers from 0 to below `most`. */
export const integers = (most, ...shape) =>
    make(...shape)((random) => Math.floor(most * random()), Int32Array);

/** The values of a row's inputs: [{shape, values}]. */
export function valuesOf({inputs}) {
  return inputs.map(({shape, value, Kind}, k) => {
    const random = generator(0x9e3779b9 ^ (k + 1));
    return {shape, values: Kind.from({length: size(shape)}, (_, index) => value(random, index))};
  });
}
