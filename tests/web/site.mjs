// SPDX-License-Identifier: MIT
// Serves the page's folder like several kinds of hosts, and weights like faulty servers. The first
// part of a path chooses:
//
//   /some/where/...   the folder, below a path
//   /no-webgl/...     the same, where WebGL is missing in the Worker; and so on, `missing` below
//   /no-worker/...    the same, with a policy that forbids Workers
//   /weights/HOW/...  the model's files: HOW is redirect, truncated, missing,
//                     html, huge or slow
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';

// A feature that a browser lacks: a script that removes it, and the module before which it runs.
const noExtension = (pattern) => `
  for (const kind of [globalThis.WebGL2RenderingContext, globalThis.WebGLRenderingContext]) {
    const {getExtension, getSupportedExtensions} = kind.prototype;
    kind.prototype.getExtension = function(name) {
      return ${pattern}.test(name) ? null : getExtension.call(this, name);
    };
    kind.prototype.getSupportedExtensions = function() {
      return getSupportedExtensions.call(this)?.filter((name) => !${pattern}.test(name));
    };
  }`;
export const missing = {
  'no-webgl': {file: 'worker.mjs', script: 'OffscreenCanvas.prototype.getContext = () => null;'},
  'no-float': {file: 'worker.mjs', script: noExtension('/color_buffer|texture_float/')},
  'no-highp': {file: 'worker.mjs', script: `
    for (const kind of [WebGL2RenderingContext, WebGLRenderingContext]) {
      const {getShaderPrecisionFormat: ask} = kind.prototype;
      kind.prototype.getShaderPrecisionFormat = function(stage, kind) {
        const isHigh = stage === this.FRAGMENT_SHADER && kind === this.HIGH_FLOAT;
        return isHigh ? {rangeMin: 0, rangeMax: 0, precision: 0} : ask.call(this, stage, kind);
      };
    }`},
  'no-offscreen': {file: 'page.mjs', script: 'delete globalThis.OffscreenCanvas;'},
  'no-wasm': {file: 'page.mjs', script: 'delete globalThis.WebAssembly;'},
};

// The bytes of a file; only the first `most` are sent.
const truncated = (most) => (file, {start, end}) => Readable.from((async function*() {
  if (start < most) yield* createReadStream(file, {start, end: Math.min(end, most - 1)});
  if (end >= most) throw new Error('the connection breaks');
})());

// A page in place of the requested file.
function sendPage(response) {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><p>Please log in.</p>'.repeat(100));
}

async function sendWeights(folder, how, name, request, response) {
  const isModel = name === 'model.safetensors';
  const send = (read) => sendFile(join(folder, 'model', name), request, response, read);
  if (how === 'redirect') {
    return response.writeHead(302, {Location: `/some/where/model/${name}`}).end();
  }
  if (how === 'missing' && isModel) return sendFile(undefined, request, response);
  if (how === 'truncated' && isModel) return send(truncated(1_000_000));
  if (how === 'html' && isModel) return sendPage(response);
  if (how === 'slow' && isModel) await sleep(200);  // for each tensor
  if (how === 'huge' && name === 'config.json') {
    return response.end(JSON.stringify({
      model_type: 'gpt2', vocab_size: 50257, n_positions: 1024, n_embd: 65536, n_layer: 48,
      n_head: 64, layer_norm_epsilon: 1e-5}));
  }
  return send();
}

async function answer(folder, path, request, response) {
  const [, first, second, ...rest] = path.split('/');
  if (first === 'weights') return sendWeights(folder, second, rest.join('/'), request, response);
  const isCase = Object.hasOwn(missing, first) || first === 'no-worker';
  const name = (isCase ? [second, ...rest] : rest).join('/') || 'index.html';
  const file = join(folder, name);
  if (first === 'no-worker') response.setHeader('Content-Security-Policy', "worker-src 'none'");
  const {file: changed, script} = missing[first] ?? {};
  if (name !== 'missing.mjs' && name !== changed) return sendFile(file, request, response);
  response.setHeader('Content-Type', 'text/javascript');
  response.end(name === changed ? "import './missing.mjs';\n" + await readFile(file) : script);
}

/** Serves the folder; `close()` of the result ends it. */
export async function serve(folder) {
  // localhost may have other addresses; `elsewhere` uses this one, too.
  const asked = [];
  const server = await listen((path, ...request) => {
    asked.push(path);
    return answer(folder, path, ...request);
  }, 0, '127.0.0.1');
  return {
    ...server,
    asked,  // the paths so far
    // The same files from another origin, which does not allow other pages to read them.
    elsewhere: (path) => `http://127.0.0.1:${server.port}/${path}`,
  };
}
