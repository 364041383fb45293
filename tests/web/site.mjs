// SPDX-License-Identifier: MIT
// Serves the page's folder as several hosts do, and weights as they come from servers that do not
// behave. The first part of a path says how:
//
//   /some/where/...   the folder, below a path
//   /no-webgl/...     the same, where WebGL is missing in the Worker; and so on, `missing` below
//   /no-worker/...    the same, with a policy that forbids Workers
//   /weights/HOW/...  the model's files: HOW is redirect, truncated, missing, html or huge
import {createReadStream, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {join, normalize} from 'node:path';

const types = {html: 'text/html', css: 'text/css', mjs: 'text/javascript', js: 'text/javascript',
               json: 'application/json', svg: 'image/svg+xml', wasm: 'application/wasm'};

// What a browser lacks, as a script that takes it away, and the module in front of which it runs.
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

class Site {
  constructor(folder) {
    this.folder = folder;
    this.server = createServer((request, response) => this.#answer(request, response));
  }

  get port() { return this.server.address().port; }

  #answer(request, response) {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const [, first, second, ...rest] = path.split('/');
    if (first === 'weights') return this.#weights(second, rest.join('/'), request, response);
    const isCase = Object.hasOwn(missing, first) || first === 'no-worker';
    let file = (isCase ? [second, ...rest] : rest).join('/');
    if (file === '') file = 'index.html';
    if (first === 'no-worker') {
      response.setHeader('Content-Security-Policy', "worker-src 'none'");
    }
    if (file === 'missing.mjs') {
      response.setHeader('Content-Type', types.mjs);
      return response.end(missing[first]?.script ?? '');
    }
    const before = missing[first]?.file === file ? "import './missing.mjs';\n" : '';
    this.#send(file, request, response, {before});
  }

  // A file, or the range of it that was asked for; only its first `most` bytes are sent.
  #send(name, request, response, {before = '', most = Infinity} = {}) {
    const path = join(this.folder, name);
    const size = statSync(path, {throwIfNoEntry: false})?.size;
    if (size === undefined) {
      response.statusCode = 404;
      return response.end('not found');
    }
    response.setHeader('Content-Type', types[name.split('.').pop()] ?? 'application/octet-stream');
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(to ? Number(to) : size - 1, size - 1);
    if (from !== undefined) {
      response.statusCode = 206;
      response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
    }
    response.setHeader('Content-Length', before.length + end - start + 1);
    response.write(before);
    if (end < most) return createReadStream(path, {start, end}).pipe(response);
    if (start >= most) return response.destroy();
    createReadStream(path, {start, end: most - 1}).on('end', () => response.destroy())
        .pipe(response, {end: false});
  }

  #weights(how, name, request, response) {
    const isModel = name === 'model.safetensors';
    const file = `model/${name}`;
    switch (how) {
      case 'redirect':
        response.statusCode = 302;
        response.setHeader('Location', `/some/where/${file}`);
        return response.end();
      case 'missing':
        if (!isModel) return this.#send(file, request, response);
        response.statusCode = 404;
        return response.end('not found');
      case 'truncated':
        return this.#send(file, request, response, isModel ? {most: 1_000_000} : {});
      case 'html':
        if (!isModel) return this.#send(file, request, response);
        response.setHeader('Content-Type', 'text/html');
        return response.end('<!doctype html><p>Please log in.</p>'.repeat(100));
      case 'huge':
        if (name !== 'config.json') return this.#send(file, request, response);
        return response.end(JSON.stringify({
          model_type: 'gpt2', vocab_size: 50257, n_positions: 1024, n_embd: 65536, n_layer: 48,
          n_head: 64, layer_norm_epsilon: 1e-5}));
      default:
        return this.#send(file, request, response);
    }
  }
}

/** Serves the folder; `close()` of the result ends it. */
export async function serve(folder) {
  const site = new Site(folder);
  // Of all that localhost may be, the one that `elsewhere` asks, too.
  await new Promise((resolve) => site.server.listen(0, '127.0.0.1', resolve));
  return {
    address: (path) => `http://localhost:${site.port}/${path}`,
    // The same files from another origin, which does not allow other pages to read them.
    elsewhere: (path) => `http://127.0.0.1:${site.port}/${path}`,
    close: () => { site.server.close(); site.server.closeAllConnections(); },
  };
}
