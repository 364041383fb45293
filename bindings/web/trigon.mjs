// SPDX-License-Identifier: MIT
// Trigon in a page: tensors computed by WebGL in a Worker. bindings/web/README.md describes it.
import {Gallery} from './gallery.mjs';
import {Gpt2} from './gpt2.mjs';
import {checkNumbers} from './numbers.mjs';
import {Scopes} from './scopes.mjs';
import {startWorker} from './start.mjs';
import {Tensor, addMethods, asValues, bind, encode, functionsOf} from './tensor.mjs';

export {Gallery, Gpt2, Tensor};

/** Errors of the library. `name` is 'DeviceError' if the device cannot do the work. */
function errorOf({name, message}) {
  const error = new Error(message);
  if (name) error.name = name;
  return error;
}

/**
 * The library, in a Worker of its own. Made by `Trigon.open()`.
 *
 * The functions of tensors are added to it, and to its tensors as methods, when it opens:
 * `t.concatenate([a, b], {axis: 1})`, `t.nn.softmax(x)`, `x.sum({axis: 0, keepdims: true})`.
 */
export class Trigon {
  #worker;
  #answers = new Map();  // by number of the request: how to settle its promise
  #requests = 0;
  #handles = 0;
  #scopes = new Scopes((handle) => this.#free(handle));
  #collected;
  #bound = (row, args) => this.#call(row, args);
  #end = null;           // the error that ended the Worker, or that says it was closed
  #lose;

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
  static async open({profile = 'auto'} = {}) {
    const t = new Trigon();
    try {
      await t.#start(profile);
    } catch (error) {
      t.close();
      throw error;
    }
    return t;
  }

  async #start(profile) {
    this.#worker = startWorker((data) => this.#hear(data), (error) => this.#finish(error));
    if (typeof FinalizationRegistry !== 'undefined') {
      this.#collected = new FinalizationRegistry((id) => this.#post({op: 'dispose', ids: [id]}));
    }
    const {renderer, profile: opened, functions} = await this.request('open', {profile});
    this.renderer = renderer;
    this.profile = opened;
    Object.assign(this, functionsOf(functions, this.#bound));
    addMethods(functions);
  }

  #hear({id, result, error, event, ...rest}) {
    if (event === 'lost') return this.#lose(errorOf(error));
    const answer = this.#answers.get(id);
    if (!answer) return;
    if (event === 'progress') return answer.onProgress?.(rest);
    this.#answers.delete(id);
    if (error) answer.reject(errorOf(error));
    else answer.resolve(result);
  }

  // Nothing comes from the Worker any more.
  #finish(error) {
    if (this.#end) return;
    this.#end = error;
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
   * @param {Transferable[]} transfer
   * @param {(progress: object) => void} onProgress
   */
  request(op, fields = {}, transfer = [], onProgress = undefined) {
    if (this.#end) return Promise.reject(this.#end);
    const id = ++this.#requests;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, {resolve, reject, onProgress});
      try {
        this.#worker.postMessage({op, id, ...fields}, transfer);
      } catch (error) {  // a field that cannot be sent
        this.#answers.delete(id);
        reject(error);
      }
    });
  }

  // A handle of a tensor that the Worker will know by this number.
  #handle(operands = []) {
    const tensor = new Tensor(this, ++this.#handles);
    bind(tensor, this.#bound);
    this.#collected?.register(tensor, tensor.id, tensor);
    this.#scopes.add(tensor, operands);
    return tensor;
  }

  #free(tensor) {
    this.#collected?.unregister(tensor);
    this.#post({op: 'dispose', ids: [tensor.id]});
  }

  #call(row, given) {
    const {args, operands, count} = encode(row, given, this);
    if (count === null) {  // the number of tensors is only known once they are computed
      return this.request('call', {name: row.name, args}).then(
          ({handles}) => handles.map((id) => this.#adopt(id, operands)));
    }
    const out = Array.from({length: count}, () => this.#handle(operands));
    this.#post({op: 'call', name: row.name, args, out: out.map((one) => one.id)});
    return row.count === 1 ? out[0] : out;
  }

  // A tensor that the Worker has made under a negative number of its own.
  #adopt(id, operands) {
    const tensor = this.#handle(operands);
    this.#post({op: 'rename', from: id, to: tensor.id});
    return tensor;
  }

  /**
   * A tensor of values in C order.
   * @param values A number, nested arrays, or a typed array, whose type gives the dtype. Numbers of
   *     arrays are float32, booleans are bool.
   * @param {number[]} [shape] By default that of the nested arrays, or one axis.
   * @param {{dtype?: string}} [options] 'float32', 'float16', 'int32', 'uint32', 'uint8', 'bool'.
   * @returns {Tensor}
   */
  tensor(values, shape = undefined, options = {}) {
    if (shape !== undefined && !Array.isArray(shape)) [shape, options] = [options.shape, shape];
    const {bytes, dtype, sizes} = asValues(values, shape, options.dtype);
    const tensor = this.#handle();
    this.#post({op: 'tensor', out: tensor.id, dtype, shape: sizes, bytes}, [bytes.buffer]);
    return tensor;
  }

  /**
   * Draws tensors to canvases, all from one picture of the device. Each is drawn as Tensor.draw
   * does.
   * @param {{tensor: Tensor, canvas: HTMLCanvasElement}[]} pictures
   */
  async draw(pictures) {
    for (const {tensor} of pictures) {
      const wrong = tensor instanceof Tensor ? tensor.wrongFor(this) :
                                               `${typeof tensor} is given; must be a tensor`;
      if (wrong) throw new TypeError(`trigon.draw: ${wrong}`);
    }
    const answer = await this.request('draw', {ids: pictures.map(({tensor}) => tensor.id)});
    return show(answer, pictures.map(({canvas}) => canvas));
  }

  /**
   * Runs `fn(this)` and frees the tensors that it made, except those that it returns: a tensor, or
   * arrays and plain objects of tensors. With an async `fn`, tensors made after its first await are
   * freed if they are computed from such tensors.
   */
  scope(fn) { return this.#scopes.run(() => fn(this)); }

  /** @internal */
  dispose(tensor) {
    if (this.#scopes.remove(tensor)) this.#free(tensor);
  }

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
    return Gpt2.load(this, source, onProgress, signal);
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
  async gallery(name, {size, seed} = {}) {
    checkNumbers('gallery', {size, seed});
    const options = {name, size: size ?? undefined, seed: seed ?? undefined};
    return new Gallery(this, await this.request('gallery.open', options));
  }

  /** Takes the device away, as a browser may: for tests of pages. */
  async loseContext() { await this.request('lose'); }

  /** Ends the Worker and frees its memory. Pending promises reject. */
  close() { this.#finish(new Error('trigon: closed: close() was called')); }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.close(); }
}

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
