// SPDX-License-Identifier: MIT
// Random keys as JAX has them. A page writes a key as an integer, or as a list: [7, 3] is
// fold_in(7, 3).
import {errorHere} from './failures.mjs';
import {ScalarNumber, Tensor} from './tensor.mjs';

const mostKeys = 2 ** 20;

const isPart = (one) => one instanceof Tensor || one instanceof ScalarNumber ||
    Number.isSafeInteger(one);
const isKey = (key) => Array.isArray(key) ? key.length > 0 && key.every(isPart) : isPart(key);

function check(name, key) {
  if (isKey(key)) return key;
  throw errorHere(TypeError, `trigon.random.${name}: a key is ${String(key)}; must be a whole ` +
                             'number, an integer tensor of shape (), or a list of them');
}

/**
 * Raises TypeError if the first argument of a function of `t.random` is no key. [200, 2] is one, so
 * it is taken for a shape if no list stands where the shape does.
 */
export function checkOrder({js, parameters}, given) {
  const names = parameters.map(({name}) => name), at = names.indexOf('shape');
  const last = given.at(-1);
  const isNamed = last === Object(last) && Object.getPrototypeOf(last) === Object.prototype;
  if (names.length < 2 || given.length === 0 || (isNamed && given.length === 1)) return;
  const [key] = given, shape = given[at];
  const isShape = (one) => Array.isArray(one) || ArrayBuffer.isView(one);
  const isMissing = at > 0 && shape === undefined && !isNamed && !('default' in parameters[at]);
  const others = given.filter((one, k) => k !== at && isShape(one));
  const isOther = (isMissing || typeof shape === 'number') && others.length > 0;
  const isLogits = names[1] === 'logits' && key instanceof Tensor && !isNamed &&
      !(given[1] instanceof Tensor);
  if (isKey(key) && !isOther && !isLogits) return;
  const values = {key: '7', shape: '[2, 3]'};
  const example = names.filter((one, k) => !('default' in parameters[k]))
      .map((one) => values[one] ?? one);
  throw new TypeError(`trigon.${js}: the key comes first: t.${js}(${names.join(', ')}); write ` +
                      `t.${js}(${example.join(', ')})`);
}

/** Functions of `t.random` that only arrange keys. @internal */
export const keys = {
  key: (seed) => check('key', seed),
  fold_in: (key, number) => [check('fold_in', key), check('fold_in', number)].flat(),
  split: (key, n = 2) => {
    check('split', key);
    if (!Number.isInteger(n) || n < 0 || n > mostKeys) {
      throw errorHere(RangeError,
                      `trigon.random.split: n is ${String(n)}; must be from 0 to ${mostKeys}`);
    }
    return Array.from({length: n}, (_, k) => [key, k].flat());
  },
};
