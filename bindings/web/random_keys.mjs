// SPDX-License-Identifier: MIT
// Random keys as JAX has them. A page writes a key as an integer, or as a list: [7, 3] is
// fold_in(7, 3).
import {errorHere} from './failures.mjs';
import {ScalarNumber, Tensor} from './tensor.mjs';

const mostKeys = 2 ** 20;

function check(name, key) {
  const isPart = (one) => one instanceof Tensor || one instanceof ScalarNumber ||
      Number.isSafeInteger(one);
  if (Array.isArray(key) ? key.length > 0 && key.every(isPart) : isPart(key)) return key;
  throw errorHere(TypeError, `trigon.random.${name}: a key is ${String(key)}; must be a whole ` +
                             'number, an integer tensor of shape (), or a list of them');
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
