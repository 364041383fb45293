// SPDX-License-Identifier: MIT
// Makes the random program of a seed. C++ tells the shapes of each call, and whether it fails.
import {Arguments, argumentsOf} from './arguments.mjs';
import {Transforms} from './functions.mjs';
import {Random, product} from './random.mjs';

const mostElements = 1024;  // of a tensor
const tries = 8;
const triesOfOwn = 60;  // of the functions that a program is for
// They fail on WebGL 1, once they are evaluated.
const ofIntegers = /^bitwise_|_shift$|^random::(bits|key_data)$/;

/** The values and the calls of a program, or of a function inside it. */
export class Scope {
  values = [];
  steps = [];
  /** @param {{isFixed?: boolean}} options Whether a frame's number may not occur, as in a function
   *     that is compiled once. */
  constructor(maker, outer = null, {isFixed = false} = {}) {
    this.maker = maker;
    this.outer = outer;
    this.isFixed = isFixed || Boolean(outer?.isFixed);
    this.step = outer?.step ?? null;
    this.depth = outer ? outer.depth + 1 : 0;
  }

  get mayUseFrame() { return this.maker.hasFrames && !this.isFixed; }
  /** Values from outside first. */
  get all() { return [...(this.outer?.all ?? this.maker.leaves), ...this.values]; }

  /** One of the values that pass a test, mostly one of the latest. */
  pick(test) {
    const {random} = this.maker;
    const good = (one) => !one.isGone && test(one);
    const own = this.values.slice(-4).filter(good);
    if (own.length > 0 && random.chance(0.7)) return random.pick(own);
    const all = this.all.filter(good);
    return all.length > 0 ? random.pick(all) : null;
  }

  /** A parameter like a value. */
  parameter({dtype, shape}) {
    const one = {id: this.maker.newId(), dtype, shape};
    this.values.push(one);
    return one;
  }
  /** The steps that make all values here, with zeros for parameters. */
  get flat() {
    const made = new Set(this.steps.flatMap(({out}) => out));
    const zeros = this.values.filter(({id}) => !made.has(id)).map(({id, dtype, shape}) => (
        {op: 'call', name: 'zeros', args: [shape, dtype], named: {}, out: [id]}));
    return [...(this.outer?.flat ?? []), ...zeros, ...this.steps];
  }
}

/** Makes one program. */
export class Maker {
  leaves = [];
  functions = [];
  #ids = 0;
  #own = [];  // values of the functions that this program is for

  /**
   * @param {number} seed
   * @param {Map<string, object>} rows The table's, by name.
   * @param {(program: object) => Promise<object>} ask What C++ says of a program.
   * @param {'webgl2' | 'webgl1'} profile
   */
  constructor(seed, rows, ask, profile) {
    this.seed = seed;
    this.rows = rows;
    this.ask = ask;
    this.isExact = profile === 'webgl2';
    this.random = new Random(seed);
    this.hasFrames = this.random.chance(0.25);
    const first = this.random.chance(0.7) ? 0.25 : 2;
    this.frames = this.hasFrames ? [first, first + 1, first * 3] : [0];
    this.top = new Scope(this);
  }

  newId() { return this.#ids++; }

  leaf(dtype, shape) {
    const one = {id: this.newId(), dtype, shape,
                 words: this.random.words(dtype, product(shape), this.isExact),
                 isNested: product(shape) > 0 && shape.length <= 2 && this.random.chance(0.4)};
    this.leaves.push(one);
    return one;
  }
  setWords(id, make) {
    const leaf = this.leaves.find((one) => one.id === id);
    leaf.words = leaf.words.map(make);
  }

  // ---- Steps

  /** What C++ says of a step in a scope: {made} or {error}. */
  async describe(step, scope) {
    return this.ask({
      leaves: this.leaves, functions: this.functions, steps: [...scope.flat, {...step, out: []}],
      frames: [], results: [], number: this.frames[0], is_together: true});
  }

  /** Adds a step and returns its values, or null if C++ refuses it or it is large. */
  async add(step, scope) {
    const {made} = await this.describe(step, scope);
    if (!made || made.some(({shape}) => product(shape) > mostElements)) return null;
    const values = made.map((one) => ({...one, id: this.newId()}));
    scope.steps.push({...step, out: values.map(({id}) => id)});
    scope.values.push(...values);
    return values;
  }
  /** The value of a call with positional arguments, or null. */
  async call(name, args, scope) {
    const style = this.random.pick(['method', 'method', 'short', 'function']);
    return (await this.add({op: 'call', name, args, named: {}, style}, scope))?.[0] ?? null;
  }
  async shapeOf(name, args, scope) {
    return (await this.describe({op: 'call', name, args, named: {}}, scope)).made?.[0] ?? null;
  }

  async randomCall(scope, names = null) {
    const row = this.rows.get(this.random.pick(names ?? [...this.rows.keys()]));
    if (!this.isExact && ofIntegers.test(row.name) && this.random.chance(0.95)) {
      return this.randomCall(scope, names);
    }
    const {args, named} = await argumentsOf(row, new Arguments(this, scope));
    const style = this.random.pick(['method', 'method', 'short', 'function']);
    return {op: 'call', name: row.name, args, named, style};
  }
  /** Adds a random call, in a function of one that needs no values. Returns its values or null. */
  async addCall(scope, names = null, most = tries) {
    for (let k = 0; k < most; ++k) {
      const step = await this.randomCall(scope, names);
      if (scope.depth > 0 && this.rows.get(step.name).count === null) continue;
      const values = await this.add(step, scope);
      if (values) return values;
    }
    return null;
  }
  // Calls two functions of the table, so that programs of consecutive seeds call all of them.
  async #addOwn() {
    const names = [...this.rows.keys()];
    for (let k = 0; k < 2; ++k) {
      const name = names[(2 * this.seed + k) % names.length];
      if (!this.isExact && ofIntegers.test(name)) continue;
      this.#own.push(...await this.addCall(this.top, [name], triesOfOwn) ?? []);
    }
  }

  // A call that C++ refuses, in the program or in a function that is differentiated.
  async addWrongCall(scope) {
    for (let k = 0; k < 60; ++k) {
      const step = await this.randomCall(scope);
      if (this.rows.get(step.name).count !== 1) continue;
      this.#spoil(step);
      const {error} = await this.describe(step, scope);
      if (!error) continue;
      const value = {id: this.newId(), dtype: 'float32', shape: []};
      scope.steps.push({...step, out: [value.id]});
      scope.values.push(value);
      return value;
    }
    return null;
  }
  #spoil(step) {
    const {random} = this;
    const places = step.args.map((_, k) => k).filter((k) => k > 0 || random.chance(0.4));
    if (places.length === 0) return;
    const k = random.pick(places), old = step.args[k];
    if (typeof old === 'number') step.args[k] = random.pick([9, -9, 0.5, 2 ** 40]);
    else if (old?.tensor !== undefined) step.args[k] = {tensor: random.pick(this.leaves).id};
    else if (Array.isArray(old)) step.args[k] = random.chance(0.5) ? [7, ...old] : [...old, -3];
    else if (typeof old === 'string') step.args[k] = 'other';
  }

  // ---- The program

  async make() {
    const {random, top} = this;
    const base = random.shape();
    this.leaf('float32', base);
    this.leaf('float32', random.chance(0.5) ? base : base.slice(random.whole(0, base.length)));
    for (let k = random.whole(1, 2); k > 0; --k) {
      this.leaf(random.dtype(), random.chance(0.5) ? base : random.shape());
    }
    await this.#addOwn();
    const transforms = new Transforms(this);
    const special = random.chance(0.5) ? random.whole(1, 2) : 0;
    const count = random.whole(3, 14);
    const at = random.shuffled(Array.from({length: count}, (_, k) => k)).slice(0, special);
    for (let k = 0; k < count; ++k) {
      if (at.includes(k)) await transforms.add(top);
      else await this.addCall(top);
      if (random.chance(0.06)) this.#evaluate();
    }
    const wrong = random.chance(0.1) ? await this.#addFailure(transforms) : null;
    return this.#finish(wrong);
  }
  // Keeps a value, as a person does whose code reads it several times.
  #evaluate() {
    const one = this.top.pick(() => true);
    if (one) this.top.steps.push({op: 'eval', args: [{tensor: one.id}], out: []});
  }
  #addFailure(transforms) {
    return this.random.chance(0.3) ? transforms.addWrong(this.top) : this.addWrongCall(this.top);
  }

  async #finish(wrong) {
    const {random, top} = this;
    while (top.values.length === 0) await this.addCall(top);
    const values = top.values.filter(({isGone}) => !isGone);
    const last = wrong ?? values.at(-1);
    // Its own functions' values, then those that nothing reads come first.
    const read = new Set(idsIn(top.steps)), own = new Set(this.#own.slice(0, 6));
    const rank = (one) => own.has(one) ? -1 : Number(read.has(one.id));
    const others = random.shuffled(values.filter((one) => one !== last))
        .sort((a, b) => rank(a) - rank(b)).slice(0, random.whole(Math.max(own.size, 1), 6));
    const program = {
      seed: this.seed, leaves: this.leaves, functions: this.functions, steps: top.steps,
      frames: this.frames, results: [...others, last].map(({id}) => ({tensor: id})),
      is_together: random.chance(0.6), is_scoped: random.chance(0.3)};
    const used = new Set(idsIn([program.functions, program.steps]));
    program.leaves = program.leaves.filter(({id}) => used.has(id));
    return program;
  }
}

function idsIn(json) {
  if (json === null || typeof json !== 'object') return [];
  return [...'tensor' in json ? [json.tensor] : [], ...Object.values(json).flatMap(idsIn)];
}
