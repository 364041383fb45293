// SPDX-License-Identifier: MIT
// Runs the rows of rows.cpp and the same in tfjs, in turns, in one Worker. Each library has its own
// WebGL 2 context on the same renderer.
'use strict';

importScripts('tf.min.js', 'rows.js');

const wantedMs = 300;   // a batch
const rounds = 7;
const tolerance = 1e-4; // of the largest element

// ---- tfjs

function heads(x, width, count) {
  return tf.transpose(tf.reshape(x, [x.shape[0], count, width / count]), [1, 0, 2]);
}

function layerNorm(x, weight, bias) {
  const {mean, variance} = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), weight), bias);
}

function gelu(x) {
  const cube = tf.mul(x, tf.mul(x, x));
  const inner = tf.mul(tf.add(x, tf.mul(cube, 0.044715)), Math.sqrt(2 / Math.PI));
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

function block(given) {
  const [x, norm1, bias1, qkvWeight, qkvBias, projWeight, projBias, norm2, bias2, fcWeight, fcBias,
         outWeight, outBias, mask] = given;
  const [length, width] = x.shape;
  const qkv = tf.add(tf.matMul(layerNorm(x, norm1, bias1), qkvWeight), qkvBias);
  const [q, k, v] = tf.split(qkv, 3, 1).map((one) => heads(one, width, 6));
  const scores = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(width / 6));
  const attended = tf.matMul(tf.softmax(tf.add(scores, mask)), v);
  const joined = tf.reshape(tf.transpose(attended, [1, 0, 2]), [length, width]);
  const y = tf.add(x, tf.add(tf.matMul(joined, projWeight), projBias));
  const inner = gelu(tf.add(tf.matMul(layerNorm(y, norm2, bias2), fcWeight), fcBias));
  return tf.add(y, tf.add(tf.matMul(inner, outWeight), outBias));
}

// tfjs keeps weights as (in, out), so those of the block are transposed once, and its mask is made
// once.
function prepareBlock(given) {
  const turned = given.map((one, k) => k > 0 && one.rank === 2 ? tf.transpose(one) : one);
  const length = given[0].shape[0];
  const mask = new Float32Array(length * length);
  mask.forEach((_, k) => { mask[k] = k % length > Math.floor(k / length) ? -1e9 : 0; });
  return [...turned, tf.tensor(mask, [length, length])];
}

const matmul = {compute: ([a, b]) => tf.matMul(a, b)};
const tfjs = {
  'matmul 512': matmul,
  'matmul 1024': matmul,
  'six elementwise ops on 4 M': {
    compute: ([a, b]) =>
        tf.mul(tf.maximum(tf.sub(tf.abs(tf.add(tf.mul(a, b), 0.5)), b), a), 2),
  },
  'softmax of 1024 x 1024': {compute: ([x]) => tf.softmax(x)},
  'GPT-2\'s block': {prepare: prepareBlock, compute: block},
};

// Waits for all draws, as trigon::synchronize() does: reads a texel of the last result.
function waitFor(result) {
  const {gpgpu, texData} = tf.backend();
  const gl = gpgpu.gl;
  const {texture} = texData.get(result.dataId);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D,
                          texture.texture ?? texture, 0);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array(4));
  const error = gl.getError();
  gl.deleteFramebuffer(framebuffer);
  gpgpu.outputTexture = null;  // tfjs binds its framebuffer again
  gl.bindFramebuffer(gl.FRAMEBUFFER, gpgpu.framebuffer);
  if (error !== gl.NO_ERROR) throw new Error(`tfjs's texture cannot be read: ${error}`);
}

// A result lives until the next one is there, as on Trigon's side. Otherwise tfjs would draw the
// next one to its texture, and llvmpipe drops draws that a later one to the same target covers.
function runTfjs({compute}, inputs, count) {
  let last;
  for (let k = 0; k < count; ++k) {
    const next = tf.tidy(() => compute(inputs));
    last?.dispose();
    last = next;
  }
  waitFor(last);
  return last;
}

// ---- both

let rows;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function time(work) {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function floats(pointer, count) { return rows.HEAPF32.slice(pointer >> 2, (pointer >> 2) + count); }

// The largest difference relative to the largest element.
function difference(a, b) {
  if (a.length !== b.length) return Infinity;
  let most = 0, largest = 0;
  for (let k = 0; k < a.length; ++k) {
    if (!Number.isFinite(a[k]) || !Number.isFinite(b[k])) return Infinity;
    most = Math.max(most, Math.abs(a[k] - b[k]));
    largest = Math.max(largest, Math.abs(b[k]));
  }
  return most / largest;
}

function measure(row) {
  const name = rows.UTF8ToString(rows._row_name(row));
  const shapes = JSON.parse(rows.UTF8ToString(rows._prepare(row)));
  const other = tfjs[name];
  let inputs = shapes.map((shape, k) => {
    const size = shape.reduce((product, one) => product * one, 1);
    return tf.tensor(floats(rows._input_values(k), size), shape);
  });
  if (other.prepare) inputs = other.prepare(inputs);
  const works = [(count) => rows._run_row(row, count),
                 (count) => runTfjs(other, inputs, count).dispose()];
  works[0](1);
  const result = runTfjs(other, inputs, 1);
  const want = result.dataSync();
  result.dispose();
  const pointer = rows._result_values();
  const wrong = difference(floats(pointer, rows._result_size()), want);
  if (!(wrong < tolerance)) throw new Error(`${name}: the results differ by ${wrong}`);
  // As many as fill a batch; the batches take turns.
  const counts = works.map((work) => {
    work(2);
    return Math.max(1, Math.ceil(wantedMs / (time(() => work(3)) / 3)));
  });
  const times = [[], []];
  for (let round = 0; round < rounds; ++round) {
    works.forEach((work, k) => times[k].push(time(() => work(counts[k])) / counts[k]));
  }
  inputs.forEach((one) => one.dispose());
  return {name, difference: wrong, counts, trigon_ms: median(times[0]), tfjs_ms: median(times[1])};
}

const calls = {
  async open() {
    rows = await createRows();
    return rows.UTF8ToString(rows._device_name());
  },
  async openTfjs() {
    await tf.setBackend('webgl');
    tf.env().set('WEBGL_CPU_FORWARD', false);
    const {gl} = tf.backend().gpgpu;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    return {version: tf.version_core, renderer: gl.getParameter(info.UNMASKED_RENDERER_WEBGL),
            webgl: tf.env().get('WEBGL_VERSION')};
  },
  rowCount: () => rows._row_count(),
  rowName: (row) => rows.UTF8ToString(rows._row_name(row)),
  measure,
  async loadModel() {
    rows.FS.mkdir('/model');
    for (const name of ['config.json', 'model.safetensors', 'golden.json']) {
      const bytes = await (await fetch(`model/${name}`)).arrayBuffer();
      rows.FS.writeFile(`/model/${name}`, new Uint8Array(bytes));
    }
    rows._gpt2_load();
  },
  first: () => rows._gpt2_first_ms(),
  tokens: (count) => rows._gpt2_tokens_per_second(count),
  ids: () => JSON.parse(rows.UTF8ToString(rows._gpt2_ids())),
};

onmessage = async ({data: {id, name, given}}) => {
  try {
    postMessage({id, value: await calls[name](...given)});
  } catch (error) {
    postMessage({id, error: String(error && error.stack || error)});
  }
};
