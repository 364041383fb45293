// SPDX-License-Identifier: MIT
// Trigon in a page: tensors computed by WebGL in a Worker. bindings/web/README.md describes it.
import {Calls} from './calls.mjs';
import {atPage, errorOf, placed, siteNow} from './failures.mjs';
import {Kernels} from './kernels.mjs';
import {checkCanvas, checkNumbers, checkOptions} from './options.mjs';
import {keys} from './random_keys.mjs';
import {bytesOf} from './sources.mjs';
import {startWorker} from './start.mjs';
import {
  ScalarNumber, Tensor, addForeign, addMethods, functionsOf, rowsOf, valuesOf,
} from './tensor.mjs';
import {Transforms} from './transforms.mjs';

export {ScalarNumber, Tensor};

const opening = Symbol('Trigon.open');
const grey = 1 / 255;  // a step of a picture

// A module of the package that not each page needs.
async function loaded(name, module, site) {
  try {
    return await module;
  } catch (error) {
    throw placed(new Error(`trigon.${name}: a file of the package does not load: ` +
                           error.message), site);
  }
}

/**
 * The library, in a Worker of its own. Made by `Trigon.open()`.
 *
 * The functions of tensors are added to it, and to its tensors as methods, when it opens:
 * `t.concatenate([a, b], {axis: 1})`, `t.nn.softmax(x)`, `x.sum({axis: 0, keepdims: true})`.
 */
export class Trigon {
  /** @internal */
  constructor(from) {
    if (from !== opening) throw new TypeError('trigon: write await Trigon.open()');
  }

  #worker;
  #answers = new Map();  // by number of the request: how to settle its promise
  #requests = 0;
  #calls = new Calls(this, (message, transfer) => this.#post(message, transfer));
  #end = null;           // the error that ended the Worker, or that says it was closed
  #lose;
  #drawn = new WeakSet();  // canvases
  #isTold = false;         // of a picture's range

  /** The driver's name. */
  renderer = '';
  /** 'webgl2' or 'webgl1'. */
  profile = '';
  /** Resolves with the error when the browser takes the device away or the Worker ends. */
  lost = new Promise((resolve) => { this.#lose = resolve; });

  /**
   * Starts a Worker with a device.
   * @param {{profile?: 'auto' | 'webgl2' | 'webgl1'}} options 'auto': webgl2, or webgl1 without it.
   * @returns {Promise<Trigon>} rejects if there is no Worker, or no device for it.
   */
  static async open(options = {}) {
    const {profile = 'auto'} = checkOptions('open', options, ['profile']);
    const site = siteNow();
    const t = new Trigon(opening);
    try {
      await t.#start(profile);
    } catch (error) {
      t.close();
      throw placed(error, site);
    }
    return t;
  }

  async #start(profile) {
    this.#worker = startWorker((data) => this.#hear(data), (error) => this.#finish(error));
    const {renderer, profile: opened, table} = await this.request('open', {profile});
    const functions = rowsOf(table);
    this.renderer = renderer;
    this.profile = opened;
    Object.assign(this, functionsOf(functions, this.#calls.row));
    Object.assign(this.random, keys);
    for (const Functions of [Transforms, Kernels]) {
      const made = new Functions(this.#calls);
      for (const name of Object.getOwnPropertyNames(Functions.prototype)) {
        // No arrow functions: a person may write new t.Kernel(...), too.
        if (name === 'constructor') continue;
        this[name] = function(...args) { return atPage(() => made[name](...args)); };
      }
    }
    addMethods(functions);
  }

  #hear({id, result, error, event, ...rest}) {
    if (event === 'lost') return this.#lose(errorOf(error));
    if (event === 'failed') return this.#calls.failed(error);
    const answer = this.#answers.get(id);
    if (!answer) return;
    if (event === 'progress') return answer.onProgress?.(rest);
    this.#answers.delete(id);
    if (error) answer.reject(this.#calls.error(error, answer.site));
    else answer.resolve(result);
  }

  // Nothing comes from the Worker any more.
  #finish(error) {
    if (this.#end) return;
    this.#end = error;
    this.#calls.close();
    this.#worker?.terminate();
    for (const {reject} of this.#answers.values()) reject(error);
    this.#answers.clear();
    this.#lose(error);
  }

  #post(message, transfer = []) {
    if (!this.#end) this.#worker.postMessage(message, transfer);
  }

  /**
   * Sends a request of the protocol (README.md) and resolves with its answer.
   * @param {string} op
   * @param {object} fields
   * @param {{transfer?: Transferable[], onProgress?: (progress: object) => void, site?: string}}
   *     options `site`: where the page asks, for an error.
   */
  request(op, fields = {}, {transfer = [], onProgress, site = siteNow()} = {}) {
    if (this.#end) return Promise.reject(this.#end);
    const id = ++this.#requests;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, {resolve, reject, onProgress, site});
      try {
        this.#worker.postMessage({op, id, ...fields}, transfer);
      } catch (error) {  // a field that cannot be sent
        this.#answers.delete(id);
        reject(error);
      }
    });
  }

  /**
   * A tensor of values in C order.
   * @param values A number, nested arrays, or a typed array, whose type gives the dtype. Numbers of
   *     arrays are float32, booleans are bool. A picture, such as an ImageData, a canvas or a
   *     video, gives its pixels: (height, width, 4) of uint8.
   * @param {number[]} [shape] By default that of the nested arrays, or one axis.
   * @param {{dtype?: string}} [options] 'float32', 'float16', 'int32', 'uint32', 'uint8', 'bool'.
   * @returns {Tensor}
   */
  tensor(values, shape = undefined, options = {}) {
    if (shape !== undefined && !Array.isArray(shape)) [shape, options] = [undefined, shape];
    const given = checkOptions('tensor', options, ['shape', 'dtype']);
    shape ??= given.shape;
    return atPage(() => this.#calls.tensor(values, shape, options));
  }

  /**
   * A number that may change from call to call without a new plan: a rate, a position.
   * @param {number} value
   * @param {{dtype?: 'float32' | 'int32'}} [options]
   */
  scalar(value, options = {}) {
    const {dtype = 'float32'} = checkOptions('scalar', options, ['dtype']);
    return new ScalarNumber(value, dtype);
  }

  /**
   * The array of a NumPy file, as load_npy in C++.
   * @param {string | URL | Blob | ArrayBuffer | ArrayBufferView} source Its address or content.
   * @returns {Promise<Tensor>}
   */
  async load_npy(source) {
    const {tensors: [[, tensor]]} = await this.#load('load_npy', source);
    return tensor;
  }

  /**
   * The tensors of a safetensors file by name.
   * @param {string | URL | Blob | ArrayBuffer | ArrayBufferView} source As for load_npy.
   * @returns {Promise<Map<string, Tensor>>}
   */
  async load_safetensors(source) {
    return new Map((await this.#load('load_safetensors', source)).tensors);
  }

  async #load(op, source) {
    atPage(() => this.refuse(op));
    const site = siteNow();
    const {bytes, file} =
        await bytesOf(op, source).catch((error) => { throw placed(error, site); });
    const {names, handles} =
        await this.request(op, {file, bytes}, {transfer: [bytes.buffer], site});
    return {tensors: names.map((name, k) => [name, this.#calls.adopt(handles[k], [])])};
  }

  /** The values of several tensors, computed together: what they share is computed once. */
  async data(tensors) {
    return (await valuesOf(this.#together('data', tensors))).map(({values}) => values);
  }

  /** Computes and keeps the values of several tensors together. */
  async eval(tensors) { await this.#together('eval', tensors); }

  #together(name, tensors) {
    atPage(() => {
      this.refuse(name);
      if (!Array.isArray(tensors)) {
        throw new TypeError(`trigon.${name}: ${typeof tensors} is given; must be a list of ` +
                            'tensors');
      }
      this.#check(name, tensors);
    });
    return this.request(name, {in: tensors.map(({id}) => id)});
  }

  // Throws unless all are tensors of this Trigon.
  #check(name, tensors) {
    for (const one of tensors) {
      const wrong = one instanceof Tensor ? one.wrongFor(this) :
                                            `${typeof one} is given; must be a tensor`;
      if (wrong) throw new TypeError(`trigon.${name}: ${wrong}`);
    }
  }

  #checkPictures(pictures) {
    this.refuse('draw');
    if (!Array.isArray(pictures)) {
      throw new TypeError('trigon.draw: must be a list of {tensor, canvas}');
    }
    this.#check('draw', pictures.map(({tensor}) => tensor));
    for (const {canvas} of pictures) checkCanvas('draw', canvas);
  }

  /** @internal Throws while a function is traced. */
  refuse(name) { this.#calls.refuse(name); }

  /**
   * Draws tensors to canvases, all from one picture of the device. Each is drawn as Tensor.draw
   * does.
   * @param {{tensor: Tensor, canvas: HTMLCanvasElement}[]} pictures
   */
  async draw(pictures) {
    atPage(() => this.#checkPictures(pictures));
    const site = siteNow();
    const asked = this.request('draw', {ids: pictures.map(({tensor}) => tensor.id)}, {site});
    for (const {tensor, canvas} of this.#isTold ? [] : pictures) {
      if (this.#drawn.has(canvas)) continue;
      this.#drawn.add(canvas);
      this.#tellOfRange(tensor, site);
    }
    return show(await asked, pictures.map(({canvas}) => canvas));
  }

  // Floats beyond black and white are clamped. The console tells so once. It is asked at once, as
  // the page may free the tensor, and of a canvas's first picture only, as two numbers are read.
  async #tellOfRange(tensor, site) {
    try {
      const [{dtype, values: [least]}, {values: [most]}] = await valuesOf(this.scope(() => {
        const x = this.where(tensor.isnan(), 0, tensor);
        return this.request('data', {in: [x.min().id, x.max().id]});
      }));
      const isShown = !dtype.startsWith('float') || (least >= -grey && most <= 1 + grey);
      if (this.#isTold || isShown) return;
      this.#isTold = true;
      console.warn(placed(new RangeError(
          `trigon.draw: the picture has floats from ${least} to ${most}; 0 is black and 1 is ` +
          'white, and others are drawn as the nearest of these: write x.divide(255) for values ' +
          'to 255'), site));
    } catch {
      // The picture's own error says why.
    }
  }

  /**
   * Runs `fn(this)` and frees the tensors that it made, except those that its result holds,
   * however deep. With an async `fn`, tensors made after its first await are
   * freed if they are computed from such tensors.
   */
  scope(fn) { return this.#calls.scope(() => fn(this)); }

  /** @internal */
  dispose(tensor) { this.#calls.dispose(tensor); }

  /** The device's counters so far: draws, programs_compiled, bytes_uploaded, ... */
  counters() { return this.request('counters'); }

  /**
   * Loads GPT-2.
   * @param {string | URL | FileList | File[]} source A folder's address, the name of a repository
   *     of Hugging Face ('openai-community/gpt2'; a folder of that form is './models/small'), or a
   *     folder's files. These are config.json, vocab.json, merges.txt, and model.safetensors or its
   *     index and shards.
   * @param {{onProgress?: (progress: {loaded: number, total: number}) => void,
   *     signal?: AbortSignal}} options Bytes of weights.
   * @returns {Promise<Gpt2>}
   */
  async gpt2(source, {onProgress, signal} = {}) {
    const site = siteNow();
    const isAddress = typeof source === 'string' || source instanceof URL;
    if (!isAddress && typeof source?.[Symbol.iterator] !== 'function') {
      throw placed(new TypeError(`trigon.gpt2: ${source === null ? 'null' : typeof source} is ` +
                                 'given; must be an address or a list of files'), site);
    }
    const files = isAddress ? source : [...source];  // a page may empty its list meanwhile
    const {Gpt2} = await loaded('gpt2', import('./gpt2.mjs'), site);
    return Gpt2.load(this, files, {onProgress, signal, site});
  }

  /**
   * The simulations that gallery() starts.
   * @returns {Promise<{name: string, about: string, pointer: string, unit: string, size: number,
   *     steps: number}[]>}
   */
  galleryItems() { return this.request('gallery.items'); }

  /**
   * Starts a simulation that is drawn frame by frame and reacts to a pointer.
   * @param {'mandelbrot' | 'gray_scott' | 'fluid' | 'life' | 'n_body'} name
   * @param {{size?: number, seed?: number}} [options] size: bodies, or points along a side.
   * @returns {Promise<Gallery>}
   */
  async gallery(name, options = {}) {
    const {size, seed} = checkOptions('gallery', options, ['size', 'seed']);
    checkNumbers('gallery', {size, seed});
    const wanted = {name, size: size ?? undefined, seed: seed ?? undefined};
    const site = siteNow();
    const {Gallery} = await loaded('gallery', import('./gallery.mjs'), site);
    return new Gallery(this, await this.request('gallery.open', wanted, {site}));
  }

  /** Takes the device away, as a browser may: for tests of pages. */
  async loseContext() { await this.request('lose'); }

  /** Ends the Worker and frees its memory. Pending promises reject. */
  close() { this.#finish(new Error('trigon: closed: close() was called')); }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.close(); }
}

addForeign(Trigon.prototype);

/**
 * Shows the pieces of a picture in canvases.
 * @internal
 */
export async function show({bitmap, places}, canvases) {
  try {
    await showPieces(bitmap, places, canvases);
  } finally {
    bitmap.close();  // its memory, unless a canvas took it over
  }
}

async function showPieces(bitmap, places, canvases) {
  await Promise.all(canvases.map(async (canvas, k) => {
    const [x, y, w, h] = places[k];
    // A new size clears the canvas, so it comes first.
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    // A canvas keeps the kind of its first context. A 2D context draws a part of a bitmap directly.
    const isWhole = bitmap.width === w && bitmap.height === h;
    const flat = isWhole ? null : canvas.getContext('2d');
    if (flat) return flat.drawImage(bitmap, x, y, w, h, 0, 0, w, h);
    const target = canvas.getContext('bitmaprenderer');
    if (target) {
      const piece = isWhole ? bitmap : await createImageBitmap(bitmap, x, y, w, h);
      return target.transferFromImageBitmap(piece);
    }
    const other = canvas.getContext('2d');
    if (other) return other.drawImage(bitmap, x, y, w, h, 0, 0, w, h);
    throw new TypeError('trigon.draw: the canvas has a context of another kind; it must have ' +
                        'none, a 2d one or a bitmaprenderer');
  }));
}
