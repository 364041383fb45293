// SPDX-License-Identifier: MIT
// Conversion of a page's calls and values. usage: node --test tests/web/arguments_test.mjs
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Scopes} from '../../bindings/web/scopes.mjs';
import {Tensor, asValues, encode} from '../../bindings/web/tensor.mjs';
import {flatten, leavesIn} from '../../bindings/web/trees.mjs';

const sum = {
  name: 'sum', js: 'sum', count: 1,
  parameters: [{name: 'x', type: 'Tensor'}, {name: 'axis', type: 'number', default: null},
               {name: 'keepdims', type: 'boolean', default: false}],
};
const split = {
  name: 'split', js: 'split', count: 'where',
  parameters: [{name: 'x', type: 'Tensor'}, {name: 'where', type: 'number'}],
};
const x = new Tensor(null, 3);
const args = (...given) => encode(sum, given, null).args;

test('arguments are positional, then named', () => {
  assert.deepEqual(args(x), [{tensor: 3}, null, false]);
  assert.deepEqual(args(x, 1), [{tensor: 3}, 1, false]);
  assert.deepEqual(args(x, {keepdims: true}), [{tensor: 3}, null, true]);
  assert.deepEqual(args(x, [0, 1], {keepdims: true}), [{tensor: 3}, [0, 1], true]);
  assert.throws(() => args(x, {axes: 1}),
                {message: 'trigon.sum: no argument "axes"; there are: x, axis, keepdims'});
  assert.throws(() => args(x, 1, {axis: 1}), {message: 'trigon.sum: "axis" is given twice'});
  assert.throws(() => args(), {message: 'trigon.sum: the argument "x" is missing'});
  assert.throws(() => args(x, 1, true, 2), /4 arguments; there are 3/);
});

test('numbers that JSON does not know are texts', () => {
  assert.deepEqual(args(NaN, Infinity)[0], 'NaN');
  assert.deepEqual(args(-Infinity)[0], '-Infinity');
  assert.deepEqual(args(-0)[0], '-0');
});

test('a call knows how many tensors it gives', () => {
  const count = (where) => encode(split, [x, where], null).count;
  assert.equal(count(3), 3);
  assert.equal(count([1, 2]), 3);
  assert.equal(count([x, x].map((one) => one)), 2);
  assert.equal(count(65536), 65536);
  assert.throws(() => count(65537),
                {message: 'trigon.split: 65537 tensors; a call gives at most 65536'});
});

test('a tensor that was disposed of is refused', () => {
  const gone = new Tensor(null, 4);
  gone.disposed = true;
  assert.throws(() => args(gone), /disposed of; make it again/);
});

test('a tensor of another Trigon is refused', () => {
  const [mine, other] = [{}, {}];
  const theirs = new Tensor(other, 3);
  const message = 'trigon.sum: a tensor that belongs to another Trigon; make it with this one';
  assert.throws(() => encode(sum, [theirs], mine), {name: 'TypeError', message});
  assert.throws(() => encode(split, [new Tensor(mine, 3), [theirs]], mine), /another Trigon/);
  assert.deepEqual(encode(sum, [theirs], other).args, [{tensor: 3}, null, false]);
});

test('a promise is no argument', () => {
  assert.throws(() => args(Promise.reject(new Error('wrong'))),
                {message: 'trigon.sum: an argument is a promise; await it first'});
});

test('values give their dtype and shape', () => {
  const of = (...given) => {
    const {dtype, sizes, bytes} = asValues(...given);
    return [dtype, sizes, bytes.length];
  };
  assert.deepEqual(of([[1, 2, 3], [4, 5, 6]]), ['float32', [2, 3], 24]);
  assert.deepEqual(of(2), ['float32', [], 4]);
  assert.deepEqual(of([true, false]), ['bool', [2], 2]);
  assert.deepEqual(of(new Int32Array(4), [2, 2]), ['int32', [2, 2], 16]);
  assert.deepEqual(of(new Uint8ClampedArray(4)), ['uint8', [4], 4]);
  assert.deepEqual(of(new Int16Array([-1])), ['int32', [1], 4]);
  assert.deepEqual(of([1, 0, 3], undefined, 'bool'), ['bool', [3], 3]);
  assert.deepEqual(Array.from(asValues([0, 2], undefined, 'bool').bytes), [0, 1]);
  assert.deepEqual(of([]), ['float32', [0], 0]);
  assert.throws(() => of([[1, 2], [3]]), /rows of different lengths/);
  assert.throws(() => of([[1], 2]), /rows of different lengths/);
  assert.throws(() => of([1, 2], [3]), /2 values do not fill the shape \(3\)/);
  assert.throws(() => of(['1']), /1 is not a number/);
  assert.throws(() => of([1], [1], 'int64'), /no dtype "int64"/);
});

test('plain numbers do not wrap around', () => {
  const of = (values, dtype) => {
    const {bytes} = asValues(values, undefined, dtype);
    return Array.from(dtype === 'uint8' ? bytes : new Int32Array(bytes.buffer));
  };
  assert.deepEqual(of([[255, 0], [-0.5, true]], 'uint8'), [255, 0, 0, 1]);
  assert.deepEqual(of([-(2 ** 31), 2 ** 31 - 1, -1.9], 'int32'), [-(2 ** 31), 2 ** 31 - 1, -1]);
  assert.throws(() => of([256], 'uint8'), {
    name: 'RangeError', message: 'trigon.tensor: 256 is no uint8; must be from 0 to 255'});
  assert.throws(() => of([2 ** 31], 'int32'), /2147483648 is no int32/);
  assert.throws(() => of([[1], [NaN]], 'int32'), /NaN is no int32/);
  assert.throws(() => of(new Float32Array([1, 256]), 'uint8'), /256 is no uint8/);
  assert.deepEqual(of(new Float32Array([1, 255]), 'uint8'), [1, 255]);
  assert.throws(() => of([-1], 'uint32'), /-1 is no uint32; must be from 0 to 4294967295/);
});

test('a shape is not read as if it were a list', () => {
  const x = new Tensor({}, 1);
  const wrong = {message: /shape is a function, .* await x\.shape\(\)/};
  assert.throws(() => x.shape[0], wrong);
  assert.throws(() => x.shape.length, wrong);
  assert.throws(() => { const [n] = x.shape; return n; }, wrong);
});

test('values are copied: the array stays the caller\'s', () => {
  const values = new Float32Array([1, 2]);
  assert.notEqual(asValues(values).bytes.buffer, values.buffer);
});

// ---- Trees

const leafOf = (value) => value instanceof Tensor ? 'tensor' : '';

test('trees come apart and together', () => {
  class Net {
    constructor() { this.w = new Tensor(null, 5); this.rate = 0.5; }
  }
  const tree = [x, {a: new Net(), b: 'text'}, new Map([[1, x], ['two', null]]), undefined];
  const {leaves, form, build} = flatten(tree, leafOf, 'grad');
  assert.deepEqual(leaves.map(({id}) => id), [3, 5, 3]);
  assert.match(form, /^\[tensor, {a: Net#\d+ {w: tensor, rate: 0.5}, b: "text"}, Map {1: tensor, /);
  const copy = build([1, 2, 3]);
  assert.ok(copy[1].a instanceof Net);
  assert.deepEqual([copy[0], copy[1].a.w, copy[1].a.rate, copy[2].get(1)], [1, 2, 0.5, 3]);
  assert.equal(tree[1].a.w.id, 5, 'the tree stays');
});

test('trees of equal numbers have one form', () => {
  const form = (tree) => flatten(tree, leafOf, 'compile').form;
  assert.equal(form({a: x, k: 2}), form({a: new Tensor(null, 9), k: 2}));
  for (const other of [{a: x, k: 3}, {a: x, k: '2'}, {b: x, k: 2}, [x, 2], {a: [x], k: 2}]) {
    assert.notEqual(form({a: x, k: 2}), form(other));
  }
  assert.notEqual(form(0), form(-0));
});

test('leaves are found however deep', () => {
  const deep = {m: new Map([['k', [new Set([x])]]]), f: Object.assign(() => 0, {y: x}), n: null};
  deep.self = deep;
  assert.deepEqual([...leavesIn(deep, (one) => one instanceof Tensor && one)], [x]);
});

// ---- Scopes

function scopesOf() {
  const freed = [];
  const scopes = new Scopes((tensor) => freed.push(tensor.id),
                            (value) => leavesIn(value, (one) => one instanceof Tensor && one));
  const make = (id, ...operands) => {
    const tensor = new Tensor(null, id);
    scopes.add(tensor, operands);
    return tensor;
  };
  return {scopes, freed, make};
}

test('a scope frees what it does not return', () => {
  const {scopes, freed, make} = scopesOf();
  const outer = make(1);
  const result = scopes.run(() => {
    const a = make(2, outer), b = make(3), c = make(4), d = make(5);
    return {kept: [a], deep: {also: c}, b: b.id + d.id};
  });
  assert.deepEqual(freed, [3, 5]);
  assert.equal(result.kept[0].disposed, false);
});

test('a scope within another gives its results to it', () => {
  const {scopes, freed, make} = scopesOf();
  scopes.run(() => {
    scopes.run(() => make(1));
    return null;
  });
  assert.deepEqual(freed, [1]);
});

test('an async scope frees what comes from its tensors, and nothing of others', async () => {
  const {scopes, freed, make} = scopesOf();
  const outer = make(1);
  const running = scopes.run(async () => {
    const a = make(2);
    await null;
    return make(3, make(4, a));
  });
  const beside = make(5, outer);
  await running;
  assert.deepEqual(freed.sort(), [2, 4]);
  assert.equal(beside.disposed, false);
});

test('a scope that throws frees all', async () => {
  const {scopes, freed, make} = scopesOf();
  assert.throws(() => scopes.run(() => {
    make(1);
    throw new Error('no');
  }), {message: 'no'});
  await assert.rejects(scopes.run(async () => {
    make(2);
    throw new Error('no');
  }), {message: 'no'});
  assert.deepEqual(freed, [1, 2]);
});

// ---- What the pages about functions say

test('the words that an argument may be stand in the text of its function', () => {
  const file = new URL('../../bindings/web/functions.json', import.meta.url);
  const {chapters} = JSON.parse(readFileSync(file, 'utf8'));
  const wrong = [], read = [];
  for (const {js, text, refused} of chapters.flatMap(({functions}) => functions)) {
    for (const {error} of refused ?? []) {
      const words = error.match(/^\S+ unknown \w+: .*; must be (.*)$/)?.[1].match(/\w+/g) ?? [];
      read.push(...words);
      wrong.push(...words.filter((one) => one !== 'or' && !text.includes(`"${one}"`))
          .map((one) => `${js}: ${one}`));
    }
  }
  assert.ok(read.includes('symmetric'));
  assert.deepEqual(wrong, []);
});
