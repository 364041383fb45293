// SPDX-License-Identifier: MIT
// The rows that bench/web measures. Each has the same inputs and the same results in each library.
//
//   inputs     shapes, dtypes and values
//   trigon     (t, ...inputs): a tensor, or a list of them
//   tfjs       (tf, ...inputs)
//   jax        ({numpy, nn, lax, ...}, ...inputs); a text: why not. A function takes over its
//              arguments, so one that is used again is passed as x.ref
//   isCompiled whether t.compile and jit make one call of it; they do unless told
//   isJitted   whether jit does, where it differs
//   tolerance  of the largest element; 1e-4 unless told. 0: all elements are equal
//   aim        how many times as fast as tfjs; 3 unless told
import {block, blockInputs, decode, decodeInputs} from './gpt2_block.mjs';
import {floats, integers, make} from './inputs.mjs';
import {workloads} from './workloads.mjs';

const matmul = {
  trigon: (t, a, b) => a.matmul(b),
  tfjs: (tf, a, b) => tf.matMul(a, b),
  jax: ({numpy: np}, a, b) => np.matmul(a, b),
};
const square = (n) => [floats(n, n), floats(n, n)];
const many = 2048;  // squared: 4 M

const core = [
  {name: 'matmul 256', inputs: square(256), ...matmul},
  {name: 'matmul 512', inputs: square(512), ...matmul},
  {name: 'matmul 1024', inputs: square(1024), ...matmul},
  {name: 'matrix-vector 2048', inputs: [floats(many, many), floats(many, 1)], ...matmul},
  {
    name: 'six elementwise ops on 4 M', inputs: square(many),
    trigon: (t, a, b) => a.multiply(b).add(0.5).abs().subtract(b).maximum(a).multiply(2),
    tfjs: (tf, a, b) =>
        tf.mul(tf.maximum(tf.sub(tf.abs(tf.add(tf.mul(a, b), 0.5)), b), a), 2),
    jax: ({numpy: np}, a, b) =>
        np.maximum(np.abs(a.ref.mul(b.ref).add(0.5)).sub(b), a).mul(2),
  },
  {
    name: 'sum of 4 M', inputs: [make(many, many)((random) => random())],
    trigon: (t, x) => x.sum(),
    tfjs: (tf, x) => tf.sum(x),
    jax: ({numpy: np}, x) => np.sum(x),
  },
  {
    name: 'sums of 2048 columns', inputs: [make(many, many)((random) => random())],
    trigon: (t, x) => x.sum(0),
    tfjs: (tf, x) => tf.sum(x, 0),
    jax: ({numpy: np}, x) => np.sum(x, 0),
  },
  {
    name: 'sums of 2048 rows', inputs: [make(many, many)((random) => random())],
    trigon: (t, x) => x.sum(1),
    tfjs: (tf, x) => tf.sum(x, 1),
    jax: ({numpy: np}, x) => np.sum(x, 1),
  },
  {
    name: 'softmax of 1024 x 1024', inputs: [floats(1024, 1024)],
    trigon: (t, x) => t.nn.softmax(x, -1),
    tfjs: (tf, x) => tf.softmax(x),
    jax: ({nn}, x) => nn.softmax(x, -1),
  },
  {
    name: 'layer norm of 1024 x 768', inputs: [floats(1024, 768), floats(768), floats(768)],
    trigon: (t, x, weight, bias) => t.nn.layer_norm(x, weight, bias),
    tfjs(tf, x, weight, bias) {
      const {mean, variance} = tf.moments(x, -1, true);
      return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), weight),
                    bias);
    },
    jax: ({nn}, x, weight, bias) => nn.standardize(x).mul(weight).add(bias),
  },
  {
    name: 'argmax of 1024 rows', inputs: [floats(1024, 1024)], tolerance: 0,
    trigon: (t, x) => x.argmax(1),
    tfjs: (tf, x) => tf.argMax(x, 1),
    jax: ({numpy: np}, x) => np.argmax(x, 1),
  },
  {
    name: 'gather of 4096 rows', aim: 1.3, tolerance: 0,
    inputs: [floats(8192, 256), integers(8192, 4096)],
    trigon: (t, table, ids) => table.take(ids, 0),
    tfjs: (tf, table, ids) => tf.gather(table, ids),
    jax: ({numpy: np}, table, ids) => np.take(table, ids, 0),
  },
  {
    name: 'scatter-add of 4096 rows', inputs: [floats(4096, 64), integers(1024, 4096)],
    trigon: (t, rows, ids) => t.zeros([1024, 64]).scatter_add(ids, rows, 0),
    // unsortedSegmentSum takes six times as long.
    tfjs: (tf, rows, ids) => tf.scatterND(tf.reshape(ids, [4096, 1]), rows, [1024, 64]),
    jax: 'it has no scatter',
  },
  {name: 'GPT-2 small\'s block, T = 64', inputs: blockInputs, ...block},
  {name: 'the same block, plain calls', inputs: blockInputs, isCompiled: false, ...block},
  {name: 'GPT-2 small\'s block, one token after 256', inputs: decodeInputs, ...decode},
];

export const rows = [...core, ...workloads];
