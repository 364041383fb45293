// SPDX-License-Identifier: MIT
// Kernels that a page writes in GLSL, with CuPy's names: see trigon/kernel.hpp.
import {fromPage} from './failures.mjs';
import {checkOptions} from './options.mjs';
import {Tensor, encodeOne} from './tensor.mjs';

const textsOf = (list) => list.split(',').map((one) => one.trim()).filter(Boolean);

/** The constructors of kernels of a Trigon. @internal */
export class Kernels {
  #calls;
  constructor(calls) { this.#calls = calls; }

  #encode(name, value, operands) { return encodeOne(name, value, this.#calls.client, operands); }

  #checkTexts(name, texts) {
    for (const [what, text] of Object.entries(texts)) {
      if (typeof text === 'string') continue;
      throw new TypeError(`trigon.${name}: ${what} is ${String(text)}; must be a text`);
    }
  }

  // The body of a gradient: a function of lists of the results' gradients, inputs and results.
  #gradient(name, rule, inputs, outputs) {
    if ((rule ?? null) === null) return {body: null, captures: [], sites: []};
    if (typeof rule !== 'function') {
      throw new TypeError(`trigon.${name}: the gradient is ${typeof rule}; must be a function of ` +
                          'lists: ([g], [x], [y]) => [g.multiply(y)]');
    }
    return this.#calls.record(2 * outputs + inputs, (all) => {
      const given = rule(all.slice(0, outputs), all.slice(outputs, outputs + inputs),
                         all.slice(outputs + inputs));
      const isList = Array.isArray(given) && given.length === inputs &&
          given.every((one) => one === null || one instanceof Tensor);
      for (const one of isList ? given : []) {
        const wrong = one?.wrongFor(this.#calls.client);
        if (wrong) throw new TypeError(`trigon.${name}: ${wrong}`);
      }
      if (isList) return given;
      throw new TypeError(`trigon.${name}: the gradient must return a list with a tensor or null ` +
                          `for each of ${inputs} inputs` +
                          (name === 'Kernel' ? ' and uniforms' : ''));
    });
  }

  // A function of inputs that runs the kernel, with the method `call` for all results.
  #make(name, args, gradient, outputs, encodeRest) {
    const [handle] = this.#calls.perform({name, args: [...args, gradient.body]}, gradient.captures,
                                         0, {functions: 1, sites: gradient.sites});
    const call = fromPage((inputs, options = {}) => {
      if (!Array.isArray(inputs)) {
        throw new TypeError(`trigon.${name}: call() takes a list of inputs: call([x, y])`);
      }
      const operands = this.#calls.use(name, handle);
      const given = inputs.map((one) => this.#encode(name, one, operands));
      return this.#calls.perform({function: handle.id,
                                  args: [given, ...encodeRest(options, operands)]},
                                 operands, outputs, {sites: gradient.sites});
    });
    return {handle, call};
  }

  #single(name, outputs, found) {
    if (outputs === 1) return found[0];
    throw new TypeError(`trigon.${name}: the kernel has ${outputs} results; write call([...])`);
  }

  ElementwiseKernel(inputs, outputs, body, name, options = {}) {
    const own = 'ElementwiseKernel';
    const {preamble = '', gradient = null} = checkOptions(own, options, ['preamble', 'gradient']);
    this.#checkTexts(own, {inputs, outputs, body, name, preamble});
    const count = textsOf(outputs).length;
    const {handle, call} = this.#make(
        own, [inputs, outputs, body, name, preamble],
        this.#gradient(own, gradient, textsOf(inputs).length, count), count,
        (given) => [checkOptions(own, given, ['shape']).shape ?? null]);
    const kernel = fromPage((...given) => this.#single(own, count, call(given)));
    kernel.call = call;
    return this.#calls.bind(handle, kernel);
  }

  ReductionKernel(inputs, outputs, map, reduce, post_map, identity, name, options = {}) {
    const own = 'ReductionKernel';
    const {preamble = '', reduce_type = '', gradient = null} = checkOptions(
        own, options, ['preamble', 'reduce_type', 'gradient']);
    this.#checkTexts(own, {inputs, outputs, map, reduce, post_map, identity, name, preamble,
                           reduce_type});
    const count = textsOf(outputs).length;
    const {handle, call} = this.#make(
        own, [inputs, outputs, map, reduce, post_map, identity, name, preamble, reduce_type],
        this.#gradient(own, gradient, textsOf(inputs).length, count), count,
        (given) => {
          const {axis = null, keepdims = false} = checkOptions(own, given, ['axis', 'keepdims']);
          return [axis, keepdims];
        });
    const kernel = fromPage((x, axis = null, keepdims = false) => {
      const isNamed = axis !== null && typeof axis === 'object' && !Array.isArray(axis);
      return this.#single(own, count, call([x], isNamed ? axis : {axis, keepdims}));
    });
    kernel.call = call;
    return this.#calls.bind(handle, kernel);
  }

  Kernel(description = {}) {
    const own = 'Kernel';
    const {name, inputs = [], outputs = ['out'], uniforms = {}, body, preamble = '',
           gradient = null} = checkOptions(own, description, [
      'name', 'inputs', 'outputs', 'uniforms', 'body', 'preamble', 'gradient']);
    this.#checkTexts(own, {name, body, preamble});
    if (!Array.isArray(inputs) || !Array.isArray(outputs)) {
      throw new TypeError('trigon.Kernel: inputs and outputs must be lists of texts');
    }
    const names = Object.keys(uniforms);
    const numbers = (values, operands) => names.map(
        (one) => [one, this.#encode(own, values[one], operands)]);
    const rule = this.#gradient(own, gradient, inputs.length + names.length, outputs.length);
    const {handle, call} = this.#make(
        own, [name, inputs, outputs, numbers(uniforms, []), body, preamble], rule,
        outputs.length, ({shape = null, values}, used) => [shape, numbers(values, used)]);
    const variant = (values) => {
      const kernel = fromPage(
          (...given) => this.#single(own, outputs.length, call(given, {values})));
      kernel.call = (given, options = {}) => call(given, {...options, values});
      kernel.with = fromPage((changed = {}) => {
        for (const one of Object.keys(changed)) {
          if (names.includes(one)) continue;
          throw new TypeError(`trigon.Kernel: no uniform "${one}"; there are: ` +
                              `${names.join(', ') || 'none'}`);
        }
        return variant({...values, ...changed});
      });
      return kernel;
    };
    return this.#calls.bind(handle, variant(uniforms));
  }
}
