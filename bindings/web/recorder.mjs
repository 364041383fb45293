// SPDX-License-Identifier: MIT
// Functions that the Worker replays: a function runs once, on handles, and its calls are written
// down instead of sent.
import {Tensor} from './tensor.mjs';
import {flatten} from './trees.mjs';

/** The calls of a function that is running. */
class Body {
  ended = false;
  calls = [];
  sites = [];            // [number, where the page made the call]
  captures = new Map();  // handles from outside, by number
  #own = new Set();      // numbers of parameters and results

  own(handle) {
    handle.body = this;
    this.#own.add(handle.id);
  }

  use(handles) {
    for (const one of handles) if (!this.#own.has(one.id)) this.captures.set(one.id, one);
  }
}

/** @internal */
export class Recorder {
  #bodies = [];   // of functions that are running, the innermost last
  #waiting = [];  // what to do when the outermost is sent

  get isOn() { return this.#bodies.length > 0; }

  /** Adds a call to the innermost function. */
  add(call, operands, out, sites) {
    const body = this.#bodies.at(-1);
    body.sites.push(...sites);
    body.use(operands);
    for (const one of out) body.own(one);
    body.calls.push({...call, out: out.map(({id}) => id)});
  }

  /** Does something after the running functions are sent: they may capture what it frees. */
  later(work) {
    if (this.#waiting.length === 0) {
      queueMicrotask(() => {
        for (const one of this.#waiting.splice(0)) one();
      });
    }
    this.#waiting.push(work);
  }

  /**
   * Runs `f(parameters)`, which returns a handle or null for each result.
   * @returns {{body: object, captures: object[], sites: [number, string][]}}
   */
  record(parameters, f) {
    const body = new Body();
    for (const one of parameters) body.own(one);
    this.#bodies.push(body);
    let results;
    try {
      results = f(parameters);
    } finally {
      this.#bodies.pop();
      body.ended = true;
    }
    body.use(results.filter((one) => one !== null));
    return {
      body: {body: {parameters: parameters.map(({id}) => id), captures: [...body.captures.keys()],
                    calls: body.calls, results: results.map((one) => one?.id ?? null)}},
      captures: [...body.captures.values()], sites: body.sites,
    };
  }
}

// The parts of a branch by key; null for anything else.
function partsOf(value) {
  if (value === null || typeof value !== 'object' || value instanceof Tensor) return null;
  return value instanceof Map ? value : new Map(Object.entries(value));
}

/** The gradients in `given`, one for each leaf of `like`, or null. */
export function gradientsLike(like, given, leafOf, name) {
  const found = [];
  const wrong = (what) => {
    throw new TypeError(`trigon.${name}: the rule must return a gradient like each argument, ` +
                        `or null for none; ${what}`);
  };
  const walk = (part, gradient) => {
    if (leafOf(part) !== '') {
      if (gradient !== null && leafOf(gradient) !== 'tensor') {
        wrong(`it returns ${flatten(gradient, leafOf, name).form} for a tensor`);
      }
      return found.push(gradient);
    }
    if (part === null || typeof part !== 'object') return;
    const {leaves, form} = flatten(part, leafOf, name);
    if (gradient === null) return leaves.forEach(() => found.push(null));
    const inner = partsOf(part), gradients = partsOf(gradient);
    const isLike = gradients && gradients.size === inner.size &&
        [...inner.keys()].every((key) => gradients.has(key));
    if (!isLike) wrong(`it returns ${flatten(gradient, leafOf, name).form} for ${form}`);
    for (const [key, one] of inner) walk(one, gradients.get(key));
  };
  walk(like, given);
  return found;
}
