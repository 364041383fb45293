// SPDX-License-Identifier: MIT
// Runs in the page: a random program through trigon.mjs, and the same in C++.
import {Maker} from './generate.mjs';
import {floatOf} from './random.mjs';
import {numberText, programText, textToPaste} from './text.mjs';

const AsyncFunction = (async () => {}).constructor;

/** The rows of the table by name, of a Trigon whose module is that of these tests. */
export async function rowsOf(t) {
  return new Map((await t.request('program', {rows: true})).map((row) => [row.name, row]));
}

const wordsOf = (values) => Array.from(values instanceof Uint8Array ? values :
    new Uint32Array(values.buffer, values.byteOffset, values.length));

// What reading the tensors of a frame gives, in C++'s form.
async function read(t, tensors, isTogether) {
  const values = isTogether ? await t.data(tensors) : [];
  if (!isTogether) for (const one of tensors) values.push(await one.data());
  const results = [];
  for (const [k, one] of tensors.entries()) {
    results.push({dtype: await one.dtype(), shape: await one.shape(), words: wordsOf(values[k])});
  }
  return {results};
}

async function runJavaScript(t, program, rows) {
  const code = `${programText(program, rows)}return frame;`;
  const found = [];
  const frame = await new AsyncFunction('t', code)(t);
  for (const k of program.frames) {
    try {
      found.push(await read(t, await frame(k), program.is_together));
    } catch (error) {
      found.push({error: error.message});
    }
  }
  return found;
}

const isFloat = (dtype) => dtype === 'float32' || dtype === 'float16';

/** Compares the frames of two runs: the first difference as a text, or null. */
export function compare(first, second) {
  for (const [frame, {error, results}] of first.entries()) {
    const other = second[frame];
    if (error !== undefined || other.error !== undefined) {
      if (error === other.error) continue;
      return `frame ${frame}: JavaScript: ${error ?? 'no error'}\n` +
          `  C++: ${other.error ?? 'no error'}`;
    }
    for (const [k, {dtype, shape, words}] of results.entries()) {
      const of = other.results[k], where = `frame ${frame}, result ${k}`;
      if (dtype !== of.dtype || `${shape}` !== `${of.shape}` || words.length !== of.words.length) {
        return `${where}: JavaScript: ${dtype} (${shape}), C++: ${of.dtype} (${of.shape})`;
      }
      for (const [n, word] of words.entries()) {
        if (word === of.words[n]) continue;
        const shown = (one) => isFloat(dtype) ? `${numberText(floatOf(one))} (0x${
            one.toString(16)})` : one;
        return `${where}, element ${n}: JavaScript: ${shown(word)}, C++: ${shown(of.words[n])}`;
      }
    }
  }
  return null;
}

function stepsOf(steps) {
  return steps.flatMap((step) => [step, ...['body', 'rule', 'condition', 'yes', 'no'].flatMap(
      (key) => step[key] ? stepsOf(step[key].steps) : [])]);
}

/**
 * Makes the program of a seed and runs it twice.
 * @param {(program: object) => void} [change] Changes what C++ runs, to prove that it is noticed.
 * @returns the difference or null, and what the program holds
 */
export async function check(t, rows, seed, change = () => {}) {
  const ask = (program) => t.request('program', {program});
  const program = await new Maker(seed, rows, ask, t.profile).make();
  const changed = structuredClone(program);
  change(changed);
  // The one that comes first makes the plans.
  const runs = [() => runJavaScript(t, program, rows), async () => (await ask(changed)).frames];
  const found = [];
  for (const k of seed % 2 === 0 ? [0, 1] : [1, 0]) found[k] = await runs[k]();
  const difference = compare(found[0], found[1]);
  const all = stepsOf([...program.steps, ...program.functions.flatMap(({body}) => body.steps)]);
  return {
    difference, calls: all.length,
    rows: all.flatMap(({name}) => name ?? []),
    functions: all.flatMap(({op}) => op === 'call' ? [] : op),
    frames: program.frames.length, isError: found[1].some(({error}) => error !== undefined),
    elements: found[1].flatMap(({results}) => results ?? []).reduce(
        (sum, {words}) => sum + words.length, 0),
    text: difference ? textToPaste(program, rows) : null,
  };
}
