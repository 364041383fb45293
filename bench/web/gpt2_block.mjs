// SPDX-License-Identifier: MIT
// A transformer block of GPT-2 small, whose weights are (in, out) as in its checkpoint, with random
// values. Inputs: x (T, C), then a weight and a bias of ln_1, qkv, proj, ln_2, fc and proj; then
// what the libraries need besides.
import {floats, make} from './inputs.mjs';

const width = 768, heads = 12, depth = width / heads;
const length = 64, past = 256;

const weight = (...shape) => make(...shape)((random) => 0.1 * random() - 0.05);
const weights = [
  floats(width), weight(width),
  weight(width, 3 * width), weight(3 * width), weight(width, width), weight(width),
  floats(width), weight(width),
  weight(width, 4 * width), weight(4 * width), weight(4 * width, width), weight(width),
];
// Added to scores.
const mask = make(length, length)((_, k) => k % length > Math.floor(k / length) ? -1e9 : 0);

export const blockInputs = [floats(length, width), ...weights, mask];
/** The keys and values of earlier tokens follow. */
export const decodeInputs =
    [floats(1, width), ...weights, floats(heads, past, depth), floats(heads, past, depth)];

// ---- Trigon

function trigonBlock(t, given, attention) {
  const [x, g1, b1, wqkv, bqkv, wo, bo, g2, b2, wfc, bfc, wout, bout] = given;
  const qkv = t.nn.layer_norm(x, g1, b1).matmul(wqkv).add(bqkv);
  const [q, k, v] = qkv.split(3, 1).map(
      (one) => one.reshape([-1, heads, depth]).transpose([1, 0, 2]));  // (H, T, C / H)
  const joined = attention(q, k, v).transpose([1, 0, 2]).reshape([-1, width]);
  const y = x.add(joined.matmul(wo).add(bo));
  const inner = t.nn.gelu(t.nn.layer_norm(y, g2, b2).matmul(wfc).add(bfc), 'tanh');
  return y.add(inner.matmul(wout).add(bout));
}

// ---- tfjs

function tfjsNorm(tf, x, weight, bias) {
  const {mean, variance} = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), weight), bias);
}

function tfjsGelu(tf, x) {
  const cube = tf.mul(x, tf.mul(x, x));
  const inner = tf.mul(tf.add(x, tf.mul(cube, 0.044715)), Math.sqrt(2 / Math.PI));
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

function tfjsBlock(tf, given, attention) {
  const [x, g1, b1, wqkv, bqkv, wo, bo, g2, b2, wfc, bfc, wout, bout] = given;
  const linear = (a, b, bias) => tf.fused.matMul({a, b, bias});
  const [q, k, v] = tf.split(linear(tfjsNorm(tf, x, g1, b1), wqkv, bqkv), 3, 1).map(
      (one) => tf.transpose(tf.reshape(one, [-1, heads, depth]), [1, 0, 2]));
  const joined = tf.reshape(tf.transpose(attention(q, k, v), [1, 0, 2]), [-1, width]);
  const y = tf.add(x, linear(joined, wo, bo));
  const inner = tfjsGelu(tf, linear(tfjsNorm(tf, y, g2, b2), wfc, bfc));
  return tf.add(y, linear(inner, wout, bout));
}

const tfjsScores = (tf, q, k) => tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(depth));

// ---- jax-js, whose attention takes (T, H, C / H)

function jaxBlock({numpy: np, nn}, given, attention) {
  const [x, g1, b1, wqkv, bqkv, wo, bo, g2, b2, wfc, bfc, wout, bout] = given;
  const linear = (a, b, bias) => np.matmul(a, b).add(bias);
  const norm = (a, weight, bias) => nn.standardize(a).mul(weight).add(bias);
  const [q, k, v] = np.split(linear(norm(x.ref, g1, b1), wqkv, bqkv), 3, 1).map(
      (one) => one.reshape([-1, heads, depth]));
  const joined = attention(q, k, v).reshape([-1, width]);
  const y = x.add(linear(joined, wo, bo));
  return y.ref.add(linear(nn.gelu(linear(norm(y, g2, b2), wfc, bfc)), wout, bout));
}

// ---- A block over 64 tokens, and over one token after 256

export const block = {
  trigon: (t, ...given) => trigonBlock(t, given, (q, k, v) =>
      t.nn.scaled_dot_product_attention(q, k, v, {is_causal: true})),
  tfjs: (tf, ...given) => tfjsBlock(tf, given, (q, k, v) =>
      tf.matMul(tf.softmax(tf.add(tfjsScores(tf, q, k), given.at(-1))), v)),
  jax(jax, ...given) {
    given.pop().dispose();  // the mask
    return jaxBlock(jax, given, (q, k, v) =>
        jax.nn.dotProductAttention(q, k, v, {isCausal: true}));
  },
};

export const decode = {
  trigon: (t, ...given) => trigonBlock(t, given, (q, k, v) =>
      t.nn.scaled_dot_product_attention(q, t.concatenate([given.at(-2), k], 1),
                                        t.concatenate([given.at(-1), v], 1))),
  tfjs: (tf, ...given) => tfjsBlock(tf, given, (q, k, v) =>
      tf.matMul(tf.softmax(tfjsScores(tf, q, tf.concat([given.at(-2), k], 1))),
                tf.concat([given.at(-1), v], 1))),
  jax(jax, ...given) {
    const {numpy: np} = jax;
    const turned = (cache) => np.transpose(cache, [1, 0, 2]);
    return jaxBlock(jax, given, (q, k, v) => jax.nn.dotProductAttention(
        q, np.concatenate([turned(given.at(-2)), k], 0),
        np.concatenate([turned(given.at(-1)), v], 0)));
  },
};
