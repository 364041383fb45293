// SPDX-License-Identifier: MIT
// Options of calls. JSON has no NaN or Infinity, and the library takes whole numbers.
import {errorHere} from './failures.mjs';

const whole = {
  holds: (value) => Number.isSafeInteger(value) && value >= 0,
  rule: `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
};
const needed = {...whole, isNeeded: true};
const integer = {holds: Number.isSafeInteger, rule: 'must be a whole number'};
const positive = {
  holds: (value) => Number.isSafeInteger(value) && value > 0,
  rule: `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
};
const finite = {holds: (value) => Number.isFinite(value), rule: 'must be a finite number'};
const numbers = {
  generate: {tokens: whole, temperature: finite, topK: whole, topP: finite, seed: whole,
             top: whole},
  attention: {layer: whole, head: whole, token: whole},
  drawAttention: {layer: whole, head: whole, token: whole},
  blocks: {token: needed},
  drawBlocks: {token: needed},
  lens: {token: needed, top: whole},
  gallery: {size: positive, seed: integer},
  frame: {steps: whole},
  brightness: {fields: needed},
};

/** Raises TypeError unless it is a canvas. */
export function checkCanvas(name, canvas) {
  if (typeof canvas?.getContext === 'function') return;
  throw errorHere(TypeError, `trigon.${name}: the canvas is ${
    canvas === null ? 'null' : canvas?.constructor?.name ?? 'missing'}; must be a canvas ` +
                             'element, as document.querySelector finds it');
}

/** Raises RangeError if one of the options of `trigon.name` is not a number that it takes. */
export function checkNumbers(name, options = {}) {
  for (const [key, {holds, rule, isNeeded}] of Object.entries(numbers[name])) {
    const value = options[key];
    if (holds(value) || (!isNeeded && (value ?? null) === null)) continue;
    throw errorHere(RangeError, `trigon.${name}: ${key} is ${String(value)}; ${rule}`);
  }
}

/** Raises TypeError unless `given` is an object with these options alone; returns it. */
export function checkOptions(name, given, known) {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw errorHere(TypeError, `trigon.${name}: the options are ${String(given)}; must be an ` +
                               `object with ${known.join(', ')}`);
  }
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    throw errorHere(TypeError, `trigon.${name}: no option "${key}"; ` +
                               (known.length > 0 ? `there is: ${known.join(', ')}` :
                                                   'there is none'));
  }
  return given;
}
