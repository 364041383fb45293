// SPDX-License-Identifier: MIT
// Tensors of a page, and the calls of the library's functions as messages.
import {errorHere, placed, siteNow} from './failures.mjs';
import {checkSize} from './sources.mjs';

// The typed array for values of a dtype.
const arrays = {
  float32: Float32Array, float16: Float32Array, int32: Int32Array, uint32: Uint32Array,
  uint8: Uint8Array, bool: Uint8Array,
};

// The dtype of the values of a typed array, by its name; others are converted.
const dtypes = {
  Float32Array: 'float32', Float64Array: 'float32', Float16Array: 'float16', Int8Array: 'int32',
  Int16Array: 'int32', Int32Array: 'int32', Uint16Array: 'int32', Uint32Array: 'uint32',
  Uint8Array: 'uint8', Uint8ClampedArray: 'uint8',
};

const shapeText = (sizes) => `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`;

/** A tensor in the Worker. Its value is computed when `data`, `draw` or `eval` ask for it. */
export class Tensor {
  #client;
  /** @internal */
  constructor(client, id) {
    this.#client = client;
    /** @internal */
    this.id = id;
    /** @internal Of the function that was recorded when it was made, or null. */
    this.body = null;
    /** @internal Its sizes, if the page knows them. */
    this.sizes = null;
    /** Whether dispose() was called, or its scope has ended. */
    this.disposed = false;
  }

  /** @internal The reason why a Trigon cannot compute with it, or null. */
  wrongFor(client) {
    if (this.#client !== client) {
      return 'a tensor that belongs to another Trigon; make it with this one';
    }
    if (this.body?.ended) {
      return 'a tensor from inside a function that was traced; it has no value outside: return ' +
          'it from the function';
    }
    return this.disposed ? 'a tensor that was disposed of; make it again' : null;
  }

  // Throws at once where a function is recorded, or for a tensor of one.
  #ask(name, op, fields) {
    this.#client.refuse(name);
    const wrong = this.wrongFor(this.#client);
    if (!wrong) return this.#client.request(op, fields);
    const error = placed(new TypeError(`trigon.${name}: ${wrong}`), siteNow());
    if (this.body) throw error;
    return Promise.reject(error);
  }

  async #read(asked) {
    const [{dtype, shape, values}] = await valuesOf(asked);
    this.sizes = shape;
    return {dtype, shape, values};
  }

  /** Its elements in C order, in the typed array of its dtype; bool: 0 and 1 in a Uint8Array. */
  data() {
    return this.#read(this.#ask('data', 'data', {in: [this.id]})).then(({values}) => values);
  }

  /** Its one element, a number or a boolean. */
  item() {
    const site = siteNow();
    return this.#read(this.#ask('item', 'data', {in: [this.id]})).then(({dtype, shape, values}) => {
      if (values.length !== 1) {
        throw placed(
            new RangeError(`trigon.item: the tensor has ${values.length} elements: its shape is ` +
                           `${shapeText(shape)}; there must be one`), site);
      }
      return dtype === 'bool' ? values[0] !== 0 : values[0];
    });
  }

  /** Its sizes. @returns {Promise<number[]>} */
  shape() {
    return this.#ask('shape', 'info', {in: this.id}).then(({shape}) => {
      this.sizes = shape;
      return shape;
    });
  }

  /** 'float32', 'float16', 'int32', 'uint32', 'uint8' or 'bool'. @returns {Promise<string>} */
  dtype() { return this.#ask('dtype', 'info', {in: this.id}).then(({dtype}) => dtype); }

  /** Computes and keeps the value. Without it, each of several readers computes the value again. */
  eval() { return this.#ask('eval', 'eval', {in: [this.id]}).then(() => this); }

  /** The graph, the draws and the GLSL that compute its value. @returns {Promise<string>} */
  explain() { return this.#ask('explain', 'explain', {in: this.id}); }

  /** Writes its values to the console, as NumPy prints them. */
  print() { return this.#ask('print', 'print', {in: this.id}).then((text) => console.log(text)); }

  /** The axes in reverse order, as NumPy's `T`. */
  get T() { return this.transpose(); }

  /** With the shape, if the page knows it: from `t.tensor` or an earlier answer. */
  toString() { return this.sizes ? `Tensor${shapeText(this.sizes)}` : 'Tensor'; }

  [Symbol.toPrimitive](hint) {
    if (hint === 'string') return this.toString();
    throw errorHere(TypeError, 'trigon: an operator of JavaScript meets a tensor, as x + y or ' +
                               'x < y; write x.add(y), x.subtract(y), x.multiply(y), ' +
                               'x.divide(y), x.less(y) or x.equal(y), and await x.item() for a ' +
                               'number');
  }

  /**
   * Draws it to a canvas, which gets its size: one pixel per element, the first row at the top. It
   * is (height, width) or (height, width, 1, 3 or 4), floats from 0 to 1 or uint8. The values stay
   * on the device. Floats below 0 are drawn as 0, those above 1 as 1, and NaN as 0; the console
   * tells once if a canvas's first picture has such. Write x.divide(255) for floats from 0 to 255.
   */
  draw(canvas) { return this.#client.draw([{tensor: this, canvas}]); }

  /** A part: x.at('1:3', 0).get(), .set(v), .add(v). Entries as in the function `index`. */
  at(...entries) {
    return {
      get: () => this.index(entries),
      set: (value) => this.set_at(entries, value),
      add: (value) => this.add_at(entries, value),
    };
  }

  /** Frees it. Tensors computed from it stay. */
  dispose() { this.#client.dispose(this); }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.dispose(); }
}

// x.shape[0] and [n, m] = x.shape, as in NumPy, would be undefined.
for (const place of [0, 1, 2, 3, 4, 5, 6, 7, 'length', Symbol.iterator]) {
  Object.defineProperty(Tensor.prototype.shape, place, {
    get() {
      throw errorHere(TypeError, 'trigon: shape is a function, whose answer comes later; write ' +
                                 'const [n] = await x.shape()');
    },
  });
}

/** A number that may change from call to call without a new plan. Made by `t.scalar(v)`. */
export class ScalarNumber {
  /** @internal */
  constructor(value, dtype) {
    if (typeof value !== 'number') {
      throw errorHere(TypeError, `trigon.scalar: ${typeof value} is given; must be a number`);
    }
    if (dtype !== 'float32' && dtype !== 'int32') {
      throw errorHere(TypeError, `trigon.scalar: the dtype is ${String(dtype)}; must be float32 ` +
                                 'or int32');
    }
    if (dtype === 'int32' && value !== (value | 0)) {
      throw errorHere(RangeError, `trigon.scalar: ${value} is no int32`);
    }
    this.value = value;
    this.dtype = dtype;
    Object.freeze(this);
  }
  /** @internal As an argument of a call. */
  encode() {
    const scalar = numberText(this.value);
    return this.dtype === 'int32' ? {scalar, integer: true} : {scalar};
  }
  toString() { return `Scalar(${this.value})`; }
  [Symbol.toPrimitive](hint) {
    if (hint === 'string') return this.toString();
    throw errorHere(TypeError, 'trigon: an operator of JavaScript meets a scalar, as lr * 2; ' +
                               'write t.scalar(lr.value * 2)');
  }
}

/**
 * The values of an answer to `data`, one for each tensor.
 * @internal
 */
export async function valuesOf(answer) {
  const {tensors, bytes} = await answer;
  let at = 0;
  return tensors.map(({dtype, shape}) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const size = count * arrays[dtype].BYTES_PER_ELEMENT;
    // The only one takes over the memory; others are copies, since they may be transferred.
    const own = tensors.length === 1 ? bytes ?? new ArrayBuffer(0) : bytes.slice(at, at + size);
    at += size;
    return {dtype, shape, values: new arrays[dtype](own)};
  });
}

// ---- Calls

// Numbers that JSON cannot hold are passed as text.
const numberText = (value) => {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
};

const isPlain = (value) => value !== null && typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype;

// An index entry or a window is a plain object as well: only these names make it named arguments.
const isNamed = (row, value) => {
  if (!isPlain(value)) return false;
  const names = Object.keys(value);
  return !names.some((name) => ['start', 'stop', 'step', 'size'].includes(name) &&
                               !row.parameters.some((one) => one.name === name));
};

function fail(row, what) { throw new TypeError(`trigon.${row.js}: ${what}`); }

// An argument as JSON; tensors go to `operands`, too.
function plain(row, value, client, operands) {
  if (value instanceof Tensor) {
    const wrong = value.wrongFor(client);
    if (wrong) fail(row, wrong);
    operands.push(value);
    return {tensor: value.id};
  }
  if (typeof value === 'number') return numberText(value);
  if (value instanceof ScalarNumber) return value.encode();
  if (typeof value === 'bigint') return Number(value);
  if (typeof value?.then === 'function') {
    value.then(undefined, () => {});  // this call reports the fault
    fail(row, 'an argument is a promise; await it first');
  }
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (Array.isArray(value)) return value.map((one) => plain(row, one, client, operands));
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(
        ([name, one]) => [name, plain(row, one, client, operands)]));
  }
  if (typeof value === 'function' || typeof value === 'symbol') {
    fail(row, `an argument is a ${typeof value}; must be a tensor, a number, a text or a list`);
  }
  return value;
}

const mostTensors = 65536;  // of a call

function countOf(row, args) {
  if (typeof row.count !== 'string') return row.count;
  const value = args[row.parameters.findIndex(({name}) => name === row.count)];
  // A list of n tensors gives n; a list of n positions gives n + 1 pieces.
  if (Array.isArray(value)) return value.length + (isPlain(value[0]) ? 0 : 1);
  return Number.isInteger(value) && value > 0 ? value : 1;
}

// Sizes or axes that stand side by side, as in PyTorch, are a list here.
function tooMany(row, given) {
  const names = row.parameters.map(({name}) => name);
  const own = row.isMethod ? 1 : 0;  // a method's tensor is not counted
  const last = row.parameters.at(-1), rest = given.slice(names.length - 1);
  const isList = last.type.includes('number[]') && rest.every(Number.isFinite);
  const before = names.slice(own, -1).map((name) => `${name}, `).join('');
  const call = `${row.isMethod ? 'x' : 't'}.${row.isMethod ? row.js.split('.').at(-1) : row.js}`;
  const most = names.length - own;
  fail(row, `${given.length - own} arguments; there ${most === 1 ? 'is' : 'are'} ` +
            (most === 0 ? 'none' : `${most}: ${names.slice(own).join(', ')}`) +
            (isList ? `; write ${call}(${before}[${rest.join(', ')}])` : ''));
}

/**
 * The arguments of a call, positional ones and then an object of named ones, by the parameters of
 * its row of the table.
 * @internal
 */
export function encode(row, given, client) {
  const names = row.parameters.map(({name}) => name);
  const positional = [...given];
  const named = isNamed(row, positional.at(-1)) ? positional.pop() : {};
  if (positional.length > names.length) tooMany(row, positional);
  for (const name of Object.keys(named)) {
    if (!names.includes(name)) fail(row, `no argument "${name}"; there are: ${names.join(', ')}`);
    if (names.indexOf(name) < positional.length) fail(row, `"${name}" is given twice`);
  }
  const operands = [];
  const args = row.parameters.map((parameter, k) => {
    const value = k < positional.length ? positional[k] : named[parameter.name];
    if (value !== undefined) return plain(row, value, client, operands);
    if (parameter.default === undefined) {
      const isGiven = k < positional.length || Object.hasOwn(named, parameter.name);
      fail(row, `the argument "${parameter.name}" is ${isGiven ? 'undefined' : 'missing'}`);
    }
    return parameter.default;
  });
  const count = countOf(row, args);
  if (count > mostTensors) fail(row, `${count} tensors; a call gives at most ${mostTensors}`);
  return {args, operands, count};
}

/**
 * A tensor, a number or a list of them as an argument of the function `name`.
 * @internal
 */
export function encodeOne(name, value, client, operands) {
  return plain({js: name}, value, client, operands);
}

/**
 * The rows of the Worker's table.
 * @internal
 */
export function rowsOf(table) {
  return JSON.parse(table).map(([name, count, parameters]) => ({
    name, js: name.replace('::', '.'), count,
    parameters: parameters.map(([own, type, ...given]) =>
        given.length > 0 ? {name: own, type, default: given[0]} : {name: own, type}),
  }));
}

/**
 * The functions of the table by their names, those of a namespace in an object.
 * @internal
 */
export function functionsOf(rows, call) {
  const functions = {};
  for (const row of rows) {
    const [name, space] = row.js.split('.').reverse();
    const home = space ? (functions[space] ??= {}) : functions;
    home[name] = (...args) => call(row, args);
  }
  return functions;
}

// The Trigon to which a method belongs, since a page may have several.
const calls = new WeakMap();

/** @internal */
export function bind(tensor, call) { calls.set(tensor, call); }

/**
 * Makes each function whose first argument is a tensor a method.
 * @internal
 */
export function addMethods(rows) {
  for (const row of rows) {
    const name = row.js.split('.').at(-1);
    if (row.parameters[0]?.type !== 'Tensor' || name in Tensor.prototype) continue;
    const method = {...row, isMethod: true};
    Object.defineProperty(Tensor.prototype, name, {
      value(...args) { return calls.get(this)(method, [this, ...args]); },
      configurable: true, writable: true,
    });
  }
  for (const [name, own] of Object.entries(foreign)) {
    if (name in Tensor.prototype) continue;
    Object.defineProperty(Tensor.prototype, name, {
      value() { throw errorHere(TypeError, `trigon: a tensor has no "${name}"; write ${own}`); },
      configurable: true, writable: true,
    });
  }
}

/**
 * Methods of NumPy, PyTorch and TensorFlow.js that have another name or form here.
 * @internal
 */
export const foreign = {
  mul: 'x.multiply(y)', sub: 'x.subtract(y)', div: 'x.divide(y)', neg: 'x.negative()',
  pow: 'x.power(y)', mod: 'x.remainder(y)', matMul: 'x.matmul(y)', mm: 'x.matmul(y)',
  std: 'x.stddev()', clamp: 'x.clip(low, high)', clipByValue: 'x.clip(low, high)',
  amax: 'x.max(axis)', amin: 'x.min(axis)', argMax: 'x.argmax(axis)', argMin: 'x.argmin(axis)',
  view: 'x.reshape(shape)', permute: 'x.transpose(axes)', unsqueeze: 'x.expand_dims(axis)',
  flatten: 'x.ravel()', cast: "x.astype('int32')", slice: "x.at('1:3').get()",
  gather: 'x.take(i, axis)', dataSync: 'await x.data()', arraySync: 'await x.data()',
  to: "x.astype('float32')",
  array: 'await x.data()', tolist: 'await x.data()', numpy: 'await x.data()',
  isNaN: 'x.isnan()', backward: 't.grad(f)(x)', detach: 't.stop_gradient(x)',
};

/**
 * Functions of NumPy, PyTorch, TensorFlow.js and JAX that have another name or form here.
 * @internal
 */
export const foreignFunctions = {
  cat: 't.concatenate([a, b], axis)', concat: 't.concatenate([a, b], axis)',
  array: 't.tensor(values)', from_numpy: 't.tensor(values)', asarray: 't.tensor(values)',
  tensor1d: 't.tensor(values)', tensor2d: 't.tensor(values)', variable: 't.tensor(values)',
  rand: 't.random.uniform(7, shape)', randn: 't.random.normal(7, shape)',
  randomNormal: 't.random.normal(7, shape)', randomUniform: 't.random.uniform(7, shape)',
  one_hot: 't.nn.one_hot(ids, count)', oneHot: 't.nn.one_hot(ids, count)',
  softmax: 't.nn.softmax(x)', gelu: 't.nn.gelu(x)', std: 't.stddev(x)', mul: 't.multiply(a, b)',
  sub: 't.subtract(a, b)', div: 't.divide(a, b)', neg: 't.negative(x)', pow: 't.power(a, b)',
  mod: 't.remainder(a, b)', matMul: 't.matmul(a, b)', mm: 't.matmul(a, b)',
  clamp: 't.clip(x, low, high)', clipByValue: 't.clip(x, low, high)', tidy: 't.scope(() => ...)',
  unsqueeze: 't.expand_dims(x, axis)', permute: 't.transpose(x, axes)',
  gather: 't.take(x, i, axis)',
  jit: 't.compile(f)', valueAndGrad: 't.value_and_grad(f)', no_grad: 't.stop_gradient(x)',
  memory: 'await t.counters()',
};

/** Makes each of them say its name here. @internal */
export function addForeign(prototype) {
  for (const [name, own] of Object.entries(foreignFunctions)) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      value() { throw errorHere(TypeError, `trigon: there is no "${name}"; write ${own}`); },
      configurable: true, writable: true,
    });
  }
}

// ---- Values

// The sizes of nested arrays, and their numbers in `flat`.
function flatten(values, flat) {
  const shape = [];
  for (let one = values; Array.isArray(one); one = one[0]) shape.push(one.length);
  const walk = (one, axis) => {
    if (!Array.isArray(one) || axis === shape.length) {
      if (Array.isArray(one) || axis !== shape.length) ragged();
      return flat.push(one);
    }
    if (one.length !== shape[axis]) ragged();
    for (const inner of one) walk(inner, axis + 1);
  };
  const ragged = () => {
    throw new TypeError('trigon.tensor: rows of different lengths; all parts of an axis must ' +
                        'have the same shape');
  };
  walk(values, 0);
  return shape;
}

function checkNumbers(values) {
  for (const value of values) {
    if (typeof value === 'number' || typeof value === 'boolean') continue;
    throw new TypeError(`trigon.tensor: ${String(value)} is not a number; values are numbers or ` +
                        'booleans in arrays, or a typed array');
  }
}

const ranges = {int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1], uint8: [0, 255]};

// Whole parts that the dtype cannot hold would wrap around.
function checkRange(values, dtype) {
  if (!ranges[dtype]) return;
  const [low, high] = ranges[dtype];
  for (const value of values) {
    const whole = Math.trunc(value);
    if (whole >= low && whole <= high) continue;
    throw new RangeError(`trigon.tensor: ${value} is no ${dtype}; must be from ${low} to ${high}`);
  }
}

/**
 * The content of tensor()'s message: a copy of the bytes, their dtype and the sizes.
 * @internal
 */
export function asValues(values, shape, wanted) {
  let flat = values;
  let sizes = shape;
  let dtype = wanted;
  if (ArrayBuffer.isView(values) && !(values instanceof DataView)) {
    dtype ??= dtypes[values.constructor.name];
    if (!dtype) {
      throw new TypeError(`trigon.tensor: ${values.constructor.name} holds no dtype of a tensor; ` +
                          'convert it to Float32Array or Int32Array');
    }
    sizes ??= [values.length];
  } else {
    flat = [];
    const found = flatten(values, flat);
    checkNumbers(flat);
    sizes ??= found;
    dtype ??= flat.length > 0 && flat.every((one) => typeof one === 'boolean') ? 'bool' : 'float32';
  }
  if (!arrays[dtype]) {
    throw new TypeError(`trigon.tensor: no dtype ${JSON.stringify(dtype)}; must be one of ` +
                        Object.keys(arrays).join(', '));
  }
  checkSize('tensor', 'the tensor', flat.length * arrays[dtype].BYTES_PER_ELEMENT);
  if (dtype !== dtypes[values?.constructor?.name]) checkRange(flat, dtype);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count !== flat.length) {
    throw new RangeError(`trigon.tensor: ${flat.length} values do not fill the shape ` +
                         `(${sizes.join(', ')}); it must hold as many elements`);
  }
  // A copy, since the Worker takes over the memory.
  const isBool = dtype === 'bool' && !(flat instanceof Uint8Array);
  const copy = new arrays[dtype](isBool ? Array.from(flat, Boolean) : flat);
  return {bytes: new Uint8Array(copy.buffer), dtype, sizes: Array.from(sizes)};
}
