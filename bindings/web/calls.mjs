// SPDX-License-Identifier: MIT
// The page's handles, and calls of the library's functions as messages.
import {Failures, atPage, siteNow} from './failures.mjs';
import {checkOrder} from './random_keys.mjs';
import {Recorder} from './recorder.mjs';
import {Scopes} from './scopes.mjs';
import {pixelsOf} from './sources.mjs';
import {Tensor, asValues, bind, encode} from './tensor.mjs';
import {leavesIn} from './trees.mjs';

/** What stands for a compiled function, a pullback or a kernel. Freed as tensors are. */
class FunctionHandle {
  disposed = false;
  body = null;
  constructor(id) { this.id = id; }
}

const handles = new WeakMap();  // of functions that the page calls

/** @internal */
export class Calls {
  #client;
  #post;
  #last = 0;
  #collected;
  #recorder = new Recorder();
  #failures = new Failures();
  #scopes = new Scopes((handle) => this.#free(handle), (value) => leavesIn(value, handleOf));
  #row = (row, given) => atPage(() => this.callRow(row, given));

  constructor(client, post) {
    this.#client = client;
    this.#post = post;
    if (typeof FinalizationRegistry !== 'undefined') {
      this.#collected = new FinalizationRegistry((id) => this.#dispose(id));
    }
  }

  get client() { return this.#client; }
  get row() { return this.#row; }
  get isRecording() { return this.#recorder.isOn; }

  // ---- Handles

  #register(handle, operands, isScoped) {
    this.#collected?.register(handle, handle.id, handle);
    if (isScoped) this.#scopes.add(handle, operands);
  }

  #tensor() {
    const tensor = new Tensor(this.#client, ++this.#last);
    bind(tensor, this.#row);
    return tensor;
  }

  #dispose(id) { this.#post({op: 'dispose', ids: [id]}); }

  #free(handle) {
    if (this.#recorder.isOn) return this.#recorder.later(() => this.#free(handle));
    this.#collected?.unregister(handle);
    this.#dispose(handle.id);
  }

  /** Frees what a handle stands for. */
  dispose(handle) {
    if (handle.body) return;  // it ends with its function
    if (this.#scopes.remove(handle)) this.#free(handle);
  }

  /** Ends a handle that a call has told the Worker to free. */
  end(handle) {
    if (this.#scopes.remove(handle)) this.#collected?.unregister(handle);
  }

  scope(fn) { return this.#scopes.run(fn); }

  // ---- Calls

  /**
   * Sends a call, or writes it down while a function is recorded.
   * @param {object} call {name, args}, or {function: number, args}; `dispose` has the numbers of
   *     handles that end with it
   * @param {object[]} operands The handles that it reads.
   * @param {number} tensors Those that it gives.
   * @param {{functions?: number, isScoped?: boolean, sites?: [number, string][]}} options Functions
   *     that it gives after them, whether a scope frees these, and where calls of its bodies were
   *     made.
   * @returns {object[]} handles
   */
  perform(call, operands, tensors, {functions = 0, isScoped = false, sites = []} = {}) {
    const out = Array.from({length: tensors}, () => this.#tensor());
    for (let k = 0; k < functions; ++k) out.push(new FunctionHandle(++this.#last));
    const all = out.length > 0 ? [...sites, [out[0].id, siteNow()]] : sites;
    if (this.#recorder.isOn) {
      this.#recorder.add(call, operands, out, all);
      return out;
    }
    out.forEach((one, k) => this.#register(one, operands, isScoped || k < tensors));
    this.#failures.add(all);
    this.#post({op: 'call', ...call, out: out.map(({id}) => id)});
    return out;
  }

  /** A call of a function of the table. */
  callRow(row, given) {
    if (row.js.startsWith('random.')) checkOrder(row, given);
    const {args, operands, count} = encode(row, given, this.#client);
    if (count === null) {  // the number of tensors is only known once they are computed
      this.refuse(row.js);
      return this.#client.request('call', {name: row.name, args}).then(
          ({handles: ids}) => ids.map((id) => this.adopt(id, operands)));
    }
    const out = this.perform({name: row.name, args}, operands, count);
    return row.count === 1 ? out[0] : out;
  }

  /** A tensor that the Worker has made under a negative number of its own. */
  adopt(id, operands) {
    const tensor = this.#tensor();
    this.#register(tensor, operands, true);
    this.#post({op: 'rename', from: id, to: tensor.id});
    return tensor;
  }

  /** A tensor of the page's values, also while a function is recorded. */
  tensor(values, shape, options) {
    const pixels = pixelsOf(values);
    const {bytes, dtype, sizes} = pixels ?
        asValues(pixels.data, shape ?? [pixels.height, pixels.width, 4], options.dtype) :
        asValues(values, shape, options.dtype);
    const tensor = this.#tensor();
    tensor.sizes = sizes;
    this.#register(tensor, [], true);
    this.#failures.add([[tensor.id, siteNow()]]);
    this.#post({op: 'tensor', out: tensor.id, dtype, shape: sizes, bytes}, [bytes.buffer]);
    return tensor;
  }

  // ---- Functions of functions

  /**
   * Runs `f` once, on a list of `count` tensors. It returns a list of handles or null.
   * @returns {{body: object, captures: object[], sites: [number, string][]}}
   */
  record(count, f) {
    return this.#recorder.record(Array.from({length: count}, () => this.#tensor()), f);
  }

  /** The operands of a call of a function's handle. */
  use(name, handle) {
    if (handle.disposed) {
      throw new TypeError(`trigon.${name}: the function was disposed of; make it again`);
    }
    if (handle.body?.ended) {
      throw new TypeError(`trigon.${name}: a function from inside a function that was traced; ` +
                          'make it outside');
    }
    return [handle];
  }

  /** A function of the page that stands for `handle`. */
  bind(handle, call) {
    handles.set(call, handle);
    call.dispose = () => this.dispose(handle);
    call[Symbol.dispose ?? Symbol.for('Symbol.dispose')] = call.dispose;
    return call;
  }

  /** Throws while a function is recorded: what it asks for is not known then. */
  refuse(name) {
    if (!this.#recorder.isOn) return;
    throw new TypeError(`trigon.${name}: values are asked for while a function is traced; it ` +
                        'runs once, without values. Ask before or after it, and compute with ' +
                        'tensors inside');
  }

  // ---- Failures

  /** The Worker tells that a call failed. */
  failed(error) { this.#failures.failed(error); }
  /** An error of the Worker, at the line of the call that failed, or of the request at `site`. */
  error(raw, site) { return this.#failures.error(raw, site); }
  close() { this.#failures.close(); }
}

/** The handle of a tensor or of a function that stands for one, or undefined. */
export function handleOf(one) { return one instanceof Tensor ? one : handles.get(one); }
