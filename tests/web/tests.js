// SPDX-License-Identifier: MIT
// Runs a program of GoogleTest in a page or a Worker. The address gives its name, its filter and
// environment variables.
'use strict';

const given = Object.fromEntries(new URLSearchParams(location.search));

// The files that the programs read, by program.
const files = {
  gl_tests: [],
  gpt2_tests: ['model/config.json', 'model/model.safetensors', 'model/golden.json'],
  long_tests: ['data/numpy/cases.json', 'data/numpy/tensors.safetensors',
               'data/torch/autograd.json', 'data/torch/autograd.safetensors',
               'data/torch/bert_like.safetensors', 'data/torch/gpt2_char.json',
               'data/torch/gpt2_char.safetensors', 'data/torch/optimizers.safetensors',
               'data/torch/resnet18_cifar.json', 'data/torch/resnet18_cifar.safetensors'],
};

// The tests block the thread, so their output is sent synchronously.
function say(kind, text) {
  const request = new XMLHttpRequest();
  request.open('POST', `/${kind}${location.search}`, false);
  request.send(text);
}

// The wrong call proves that browse.mjs hears the console.
function sayRenderer() {
  const canvas = new OffscreenCanvas(1, 1);
  const gl = canvas.getContext(given.TRIGON_PROFILE === 'webgl1' ? 'webgl' : 'webgl2');
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  say('renderer', gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
  gl.activeTexture(1);
  gl.getExtension('WEBGL_lose_context').loseContext();
}

async function load(name) {
  if (typeof importScripts === 'function') return importScripts(name);
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, {src: name, onload: resolve, onerror: reject});
    document.head.append(script);
  });
}

async function fetchBytes(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Pending reads that tests have left: values only arrive between two tasks.
async function awaitFutures(tests) {
  for (;;) {
    const left = tests._trigon_await_futures?.() ?? 0;
    if (left === 0) return;
    if (left < 0) throw new Error('a future gave other values than its tensor had');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function main() {
  sayRenderer();
  await load('calls.js');
  await load(`${given.PROGRAM}.js`);
  const names = files[given.PROGRAM];
  const contents = await Promise.all(names.map(fetchBytes));
  const print = (line) => say('line', line);
  const tests = await createTests({
    print, printErr: print,
    preRun: [(module) => {
      Object.assign(module.ENV, given);
      names.forEach((name, k) => {
        module.FS.mkdirTree('/' + name.slice(0, name.lastIndexOf('/')));
        module.FS.writeFile('/' + name, contents[k]);
      });
    }],
  });
  tests.callMain([`--gtest_filter=${given.FILTER}`, '--gtest_output=json:/results.json']);
  await awaitFutures(tests);
  say('results', tests.FS.readFile('/results.json', {encoding: 'utf8'}));
}

main().catch((error) => say('crash', String(error && error.stack || error)));
