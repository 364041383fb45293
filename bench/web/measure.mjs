// SPDX-License-Identifier: MIT
// Compares and times the rows of rows.mjs, in the page.
import {valuesOf} from './inputs.mjs';
import {openings} from './libraries.mjs';
import {rows} from './rows.mjs';

const rounds = 7;
const latencyMs = 40, batchMs = 120;  // of a library in a round
const mostReads = 5, mostCalls = 200;
// A library whose call takes longer takes part in every third round, or is timed once.
const slowMs = 300, verySlowMs = 1500;

const libraries = {};

async function time(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

// A fixed piece of work, whose time tells how much the machine was disturbed.
let spun = 1;
function spin() {
  const begin = performance.now();
  let x = spun;
  for (let k = 0; k < 1e7; ++k) x = Math.imul(x, 1664525) + 1013904223 | 0;
  spun = x;  // otherwise an engine may leave the loop out
  return performance.now() - begin;
}

// The largest difference relative to the largest element.
function difference(found, wanted) {
  let most = 0;
  wanted.forEach((b, one) => {
    const a = found[one];
    if (a.length !== b.length) return most = Infinity;
    let far = 0, largest = 0;
    for (let k = 0; k < a.length; ++k) {
      if (!Number.isFinite(a[k]) || !Number.isFinite(b[k])) return most = Infinity;
      far = Math.max(far, Math.abs(a[k] - b[k]));
      largest = Math.max(largest, Math.abs(b[k]));
    }
    most = Math.max(most, far && far / largest);
  });
  return most;
}

/** One library's side of a row. */
class Side {
  latency = [];
  throughput = [];
  constructor(row, key, given) {
    this.library = libraries[key];
    this.inputs = given.map((one) => this.library.input(one));
    this.f = this.library.prepare(row);
  }

  async values() {
    const result = this.library.run(this.f, this.inputs);
    const values = await this.library.values(result);
    this.library.dispose(result);
    return values;
  }

  async #read() {
    const result = this.library.run(this.f, this.inputs);
    await this.library.first(result);
    this.library.dispose(result);
  }
  #queue(count) { return this.library.queue(this.f, this.inputs, count); }

  // How many calls fill a round. The first one compiles what is left.
  async prepare() {
    const first = await time(() => this.#read());
    this.isOver = first > verySlowMs;
    if (this.isOver) return this.latency.push(first);
    const latency = await time(() => this.#read());
    this.every = latency > slowMs ? 3 : 1;
    this.reads = Math.min(mostReads, Math.max(1, Math.floor(latencyMs / latency)));
    const warm = Math.max(1, Math.min(8, Math.floor(batchMs / latency)));
    const call = await time(() => this.#queue(warm)) / warm;
    this.calls = Math.min(mostCalls, Math.max(1, Math.ceil(batchMs / call)));
  }

  async round(number) {
    if (this.isOver || number % this.every > 0) return;
    for (let k = 0; k < this.reads; ++k) this.latency.push(await time(() => this.#read()));
    this.throughput.push(await time(() => this.#queue(this.calls)) / this.calls);
  }

  dispose() {
    this.f?.dispose?.();
    this.library.dispose(this.inputs);
  }
}

// A library that cannot do a row is left out of it, with the reason.
async function sideOf(row, key, given, wanted) {
  if (typeof row[key] === 'string') return {reason: row[key]};
  let side;
  try {
    side = new Side(row, key, given);
    const values = await side.values();
    const far = wanted ? difference(values, wanted) : 0;
    if (!(far <= (row.tolerance ?? 1e-4))) {
      throw new Error(`its result differs by ${far.toExponential(1)} of the largest element`);
    }
    return {side, values, far};
  } catch (error) {
    side?.dispose();
    if (key !== 'jax') throw new Error(`${row.name}: ${libraries[key].name}: ${error.message}`);
    return {reason: error.message.split('\n')[0]};
  }
}

async function measure(row) {
  const given = valuesOf(row);
  const tfjs = await sideOf(row, 'tfjs', given);
  const trigon = await sideOf(row, 'trigon', given, tfjs.values);
  const jax = await sideOf(row, 'jax', given, tfjs.values);
  const sides = [trigon, tfjs, jax].filter(({side}) => side).map(({side}) => side);
  for (const side of sides) await side.prepare();
  const loop = [];
  for (let round = 0; round < rounds; ++round) {
    loop.push(spin());
    for (const side of sides) await side.round(round);
    sides.push(sides.shift());
  }
  sides.forEach((side) => side.dispose());
  const timesOf = ({side, reason, far}) => reason ? {reason} :
      {latency: side.latency, throughput: side.throughput, difference: far};
  return {name: row.name, aim: row.aim ?? 3, loop, trigon: timesOf(trigon), tfjs: timesOf(tfjs),
          jax: timesOf(jax)};
}

/** Opens libraries; their names and renderers. */
export async function open(...keys) {
  for (const key of keys) libraries[key] ??= await openings[key]();
  return Object.values(libraries).map(({name, renderer}) => ({name, renderer}));
}

export const names = () => rows.map(({name}) => name);
export const measureRow = (name) => measure(rows.find((row) => row.name === name));

/** The milliseconds of a row's first run in this page, with all compiling. */
export async function firstRun(key, name) {
  const row = rows.find((one) => one.name === name);
  const side = new Side(row, key, valuesOf(row));
  await Promise.all(side.inputs.map((one) => libraries[key].first(one)));  // they are uploaded
  return await time(() => side.values());
}
