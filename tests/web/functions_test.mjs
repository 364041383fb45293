// SPDX-License-Identifier: MIT
// Functions of functions and kernels of the JavaScript module in Chromium, on WebGL 2 and WebGL 1.
// usage: node tests/web/functions_test.mjs FOLDER, which bindings/web/build prints. The last line
// is: passed failed skipped.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium} from './chromium.mjs';
import {compare, counter, finishPage, openModule, runAll} from './module.mjs';

const folder = process.argv[2];
const examples = new URL('../../bindings/web/examples/', import.meta.url);

// What README.md prints for the same program in C++.
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const printed = (first) => readme.split('```\n').find((one) => one.startsWith(first)).trimEnd()
    .split('\n');

const both = `
  const thrown = (f) => message((async () => f())());
  const cost = async (f) => {
    const from = await t.counters();
    await f();
    const to = await t.counters();
    return Object.fromEntries(Object.keys(to).map((key) => [key, to[key] - from[key]]));
  };`;

const tests = {
  'gradients of one and of several trees': [`
    const square = t.grad((x) => x.multiply(x).sum())(t.tensor([1, 2, 3]));
    const [dx, dp] = t.grad((x, {w}) => x.multiply(w).sum())(t.tensor([1, 2]),
                                                             {w: t.tensor([3, 4]), name: 'w'});
    const {value, gradients, aux} = t.value_and_grad(
        (x) => [x.sum(), {twice: x.multiply(2), n: 3}], {has_aux: true})(t.tensor([1, 2]));
    const second = t.grad(t.grad((x) => x.sin()))(t.tensor(0.5));
    const at = t.grad((x) => x.exp().sum(), t.tensor([0]));
    return [list(await square.data()), list(await dx.data()), list(await dp.w.data()), dp.name,
            await value.item(), list(await gradients.data()), list(await aux.twice.data()), aux.n,
            Math.abs(await second.item() + Math.sin(0.5)) < 1e-6, list(await at.data())];`,
    [[2, 4, 6], [3, 4], [1, 2], 'w', 3, [1, 1], [2, 4], 3, true, [1]]],
  'trees keep classes and Maps': [`
    class Net { constructor() { this.w = t.ones([2]); this.rate = 0.5; }
                out(x) { return this.w.multiply(x).sum(); } }
    const g = t.grad((n) => n.out(t.tensor([3, 4])))(new Net());
    const m = t.grad((m) => m.get('a').sum())(new Map([['a', t.ones([2])], ['b', 7]]));
    return [g instanceof Net, g.rate, list(await g.w.data()), list(await m.get('a').data()),
            m.get('b'), t.tree_leaves([g, m]).length];`,
    [true, 0.5, [3, 4], [1, 1], 7, 2]],
  'a pullback, which is freed': [`
    const {value, pullback} = t.vjp((x) => x.multiply(x), t.tensor([1, 2]));
    const found = [list(await value.data()), list(await pullback(t.tensor([1, 10])).data())];
    pullback.dispose();
    const inScope = t.scope(() => t.vjp((x) => x.sum(), t.ones([2])).pullback);
    return [...found, await thrown(() => pullback(value)),
            list(await inScope(t.tensor(3)).data())];`,
    [[1, 4], [2, 40], 'TypeError: trigon.vjp: the function was disposed of; make it again',
     [3, 3]]],
  'tangents, batches, recomputation, gradients of loops': [`
    const at = t.jvp(({a, b}) => [a.multiply(b), a.sum()],
                     {a: t.tensor([1, 2]), b: t.tensor([3, 5])},
                     {a: t.tensor([1, 0]), b: t.tensor([0, 10])});
    const each = t.vmap((w, x) => w.multiply(x).sum(), {in_axes: [null, 0]})(
        t.tensor([10, 1]), t.tensor([[1, 2], [3, 4], [5, 6]]));
    const columns = t.vmap((x) => ({s: x.sum(), x}), {in_axes: 1, out_axes: [0, 1]})(
        t.tensor([[1, 2, 3], [4, 5, 6]]));
    const f = t.checkpoint((x) => x.multiply(x).multiply(x));
    const cube = (checkpoint) => t.grad((x) => t.fori_loop(0, 3, (i, y) => y.multiply(x),
        t.ones([2]), {checkpoint}).sum())(t.tensor([1, 2]));
    const scanned = t.grad((xs) => t.scan((s, x) => [s.multiply(x), s], t.tensor(1), xs).state)(
        t.tensor([2, 3, 4]));
    const all = [...at.value, ...at.tangent, each, columns.s, columns.x.reshape([-1]),
                 t.grad((x) => f(x).sum())(t.tensor([1, 2])), cube(0), cube(2), scanned];
    return [(await Promise.all(all.map((one) => one.data()))).map(list),
            await thrown(() => t.jvp((x) => x, t.ones([2]), [t.ones([2])])),
            await thrown(() => t.vmap((x, y) => x, {in_axes: [0]})(each, each)),
            await message(t.vmap((x) => x)(t.tensor(1)).data())];`,
    [[[3, 10], 3, [3, 20], 1, [12, 34, 56], [5, 7, 9], [1, 2, 3, 4, 5, 6], [3, 12], [3, 12],
      [3, 12], [12, 8, 6]].map((one) => [one].flat()),
     'TypeError: trigon.jvp: the direction dx is another tree than x: it is ',
     'TypeError: trigon.vmap: in_axes must be a number, or a list of 2 numbers or null',
     'Error: trigon::vmap: leaf 0 of the arguments has shape (): there is no axis to map; ']],
  'a gradient of its own': [`
    const clipped = t.custom_vjp((x) => x, (dy, x) => dy.clip(-1, 1));
    const two = t.custom_vjp(({a, b}) => ({s: a.add(b), d: a.subtract(b)}),
                             ({s, d}, {a, b}, y) => ({a: s.add(d).multiply(10), b: null}));
    const g = t.grad((p) => { const {s, d} = two(p); return s.add(d).sum(); })(
        {a: t.ones([2]), b: t.ones([2])});
    return [list(await t.grad((x) => clipped(x).square().sum())(t.tensor([3, 0.25])).data()),
            list(await g.a.data()), list(await g.b.data())];`, [[1, 0.5], [20, 20], [0, 0]]],
  'loops and branches': [`
    const counted = t.fori_loop(0, 10, (i, x) => x.add(i), t.tensor([0, 1]));
    const bounded = t.fori_loop(0, t.scalar(5, {dtype: 'int32'}), (i, x) => x.add(1), t.tensor(0));
    const {state, outputs} = t.scan((s, x) => { s = s.add(x); return [s, {s}]; }, t.tensor(0),
                                    t.tensor([1, 2, 3]));
    const [odd, halvings] = t.while_loop(
        ([n]) => n.remainder(2).equal(0), ([n, c]) => [n.floor_divide(2), c.add(1)],
        [t.tensor(new Int32Array([8, 3, 12])), t.zeros([3], {dtype: 'int32'})]);
    const most = t.while_loop((x) => x.less(100), (x) => x.add(1), t.tensor(0),
                              {max_iterations: 7});
    const root = t.cond(t.tensor(false), (x) => x.sqrt(), (x) => x.negative(), t.tensor([4]));
    const nested = t.fori_loop(0, 3, (i, x) => t.fori_loop(0, 2, (j, y) => y.add(i), x),
                               t.tensor(0));
    return [list(await counted.data()), await bounded.item(), await state.item(),
            list(await outputs.s.data()), list(await odd.data()), list(await halvings.data()),
            await most.item(), list(await root.data()), await nested.item()];`,
    [[45, 46], 5, 6, [1, 3, 6], [1, 3, 3], [3, 0, 2], 7, [-4], 6]],
  'compiled functions keep their arguments, except donated ones': [`
    const f = t.compile((x, y) => x.add(y)), a = t.tensor([1, 2]), b = a.multiply(3);
    const sum = f(a, b), again = f(a, b);
    const given = t.compile((x) => x.multiply(2), {donate: [0]});
    const c = await t.ones([2]).eval(), twice = given(c);
    return [list(await sum.data()), list(await again.data()), list(await a.data()),
            list(await b.data()), list(await twice.data()), c.disposed];`,
    [[4, 8], [4, 8], [1, 2], [3, 6], [2, 2], true]],
  'a compiled function is traced once for each kind of arguments': [`
    let traces = 0;
    const f = t.compile((x, k) => { ++traces; return x.multiply(k); });
    const results = [];
    for (const x of [t.ones([2]), t.ones([3]), t.ones([2]), t.ones([4, 2])]) {
      results.push(list(await f(x, 2).data()));
    }
    const plain = traces;
    await f(t.ones([2]), 3).data();
    const other = traces;
    for (const v of [4, 5]) results.push(await f(t.tensor(1), t.scalar(v)).item());
    const inner = t.grad((x) => f(x, 2).sum())(t.ones([1]));
    return [results, plain, other, traces, list(await inner.data())];`,
    [[[2, 2], [2, 2, 2], [2, 2], Array(8).fill(2), 4, 5], 1, 2, 4, [2]]],
  'a training step costs what it costs in C++': [`
    const sent = [], {postMessage} = Worker.prototype;
    const x = await t.linspace(-3, 3, 64).reshape([64, 1]).eval(), y = await x.sin().eval();
    const step = t.compile((p, rate) => {
      const {gradients} = t.value_and_grad(({w1, b1, w2, b2}) => t.nn.linear(
          t.nn.linear(x, w1, b1).tanh(), w2, b2).subtract(y).square().mean())(p);
      return t.tree_map((w, g) => w.subtract(g.multiply(rate)), p, gradients);
    }, {donate: [0]});
    let p = {w1: t.ones([16, 1]), b1: t.linspace(-3, 3, 16), w2: t.zeros([1, 16]),
             b2: t.zeros([1])};
    for (let k = 0; k < 3; ++k) p = step(p, t.scalar(0.02));
    Worker.prototype.postMessage = function(...args) {
      sent.push(args[0]);
      postMessage.apply(this, args);
    };
    const old = Object.values(p);
    const last = await cost(async () => { p = step(p, t.scalar(0.02)); });
    Worker.prototype.postMessage = postMessage;
    // The collector may free other tensors meanwhile.
    const mine = sent.filter(({op, ids}) => op === 'call' || old.some(({id}) => ids?.includes(id)));
    const gone = await Promise.all(old.map(({id}) => message(t.request('data', {in: [id]}))));
    return [last.plans_made, last.textures_created, last.programs_compiled,
            mine.map(({op}) => op), old.every(({disposed}) => disposed), gone,
            last.draws - (t.profile === 'webgl2' ? 7 : 8)];`,
    [0, 0, 0, ['call'], true, Array(4).fill('Error: trigon: there is no tensor '), 0]],
  'a number that changes is one plan more, not one each': [`
    const x = await t.ones([7]).eval();
    const {plans_made} = await cost(async () => {
      for (let k = 0; k < 30; ++k) await x.multiply(k / 30).data();
    });
    return plans_made;`, 2],
  'so it is for each elementwise function, on each side': [`
    const x = await t.linspace(0.5, 2, 7).eval(), mask = await x.less(1).eval(), wrong = [];
    for (const [name, f] of Object.entries({
      add: (v) => x.add(v), subtract: (v) => t.subtract(v, x), divide: (v) => t.divide(v, x),
      power: (v) => x.power(v), base: (v) => t.power(v, x), remainder: (v) => x.remainder(v),
      maximum: (v) => x.maximum(v), less: (v) => x.less(v), equal: (v) => t.equal(v, x),
      arctan2: (v) => t.arctan2(v, x), clip: (v) => x.clip(v, 1.75),
      where: (v) => t.where(mask, x, v), floor_divide: (v) => x.floor_divide(v)})) {
      const found = [], tensors = [];
      const {plans_made} = await cost(async () => {
        for (let k = 1; k < 9; ++k) found.push(list(await f(k / 9).data()));
      });
      if (plans_made > 2) wrong.push(name + ': ' + plans_made + ' plans');
      // A tensor's values are not known to its plan.
      for (let k = 1; k < 9; ++k) {
        tensors.push(list(await f(await t.tensor(k / 9).eval()).data()));
      }
      const off = found.flat().some((v, k) => !(Math.abs(v - tensors.flat()[k]) <= 2e-6));
      if (off) wrong.push(name + ': ' + found + ' and ' + tensors);
    }
    const whole = await cost(async () => {
      for (let k = 1; k < 5; ++k) await x.power(k).data();
    });
    return [wrong, whole.plans_made];`, [[], 4]],
  'functions are called while they are traced only': [`
    let leak;
    t.grad((x) => { leak = x; return x.sum(); })(t.ones([2]));
    const asks = [];
    for (const name of ['data', 'item', 'shape', 'dtype', 'print', 'eval', 'explain']) {
      asks.push(await thrown(() => t.grad((x) => x[name]())(t.ones([1]))));
    }
    return [asks.every((one, k) => one.startsWith('TypeError: trigon.') &&
                one.includes('values are asked for while a function is traced')), asks.length,
            await thrown(() => leak.add(1)), await thrown(() => leak.data()),
            await thrown(() => t.grad((x) => t.nonzero(x)[0])(t.ones([1])))];`,
    [true, 7, 'TypeError: trigon.add: a tensor from inside a function that was traced; ',
     'TypeError: trigon.data: a tensor from inside a function that was traced; ',
     'TypeError: trigon.nonzero: values are asked for while a function is traced; ']],
  'wrong functions and trees': [`
    const x = t.ones([2]), loop = [x];
    loop.push(loop);
    return [await thrown(() => t.grad(3)), await thrown(() => t.grad(async (x) => x)(x)),
            await thrown(() => t.grad((x) => 3)(x)), await thrown(() => t.grad((x) => x)(3)),
            await thrown(() => t.fori_loop(0, 3, (i, s) => [s], x)),
            await thrown(() => t.fori_loop(0, 3, (i, s) => s, 3)),
            await thrown(() => t.cond(t.tensor(true), (x) => [x], (x) => x, x)),
            await thrown(() => t.while_loop((s) => true, (s) => s, x)),
            await thrown(() => t.scan((s, x) => s, x, x)),
            await thrown(() => t.tree_leaves(loop)),
            await thrown(() => t.compile((x) => x, {donate: [1]})(x)),
            await thrown(() => t.custom_vjp((x) => x, (dy) => [dy])(x)),
            await thrown(() => t.custom_vjp(({w}) => w, (dy) => ({weight: dy}))({w: x})),
            await message(t.fori_loop(0, 3, (i, s) => s.astype('int32'), x).data()),
            await message(t.grad((x) => x.multiply(2))(x).data())];`,
    ['TypeError: trigon.grad: the function is number; must be a function of tensors, ',
     'TypeError: trigon.grad: a promise stands where a tensor is meant; await it before the ' +
       'call. Functions of tensors are not async',
     'TypeError: trigon.grad: the function returns 3; must return a tensor; ',
     'TypeError: trigon.grad: there is no tensor to differentiate with respect to; write ' +
       't.tensor(2) for a number',
     'TypeError: trigon.fori_loop: the body returns another tree than the state: it is ' +
       '[tensor]; must be tensor',
     'TypeError: trigon.fori_loop: the state is 3, which no iteration can change; ',
     'TypeError: trigon.cond: the functions return different trees: the second: it is tensor; ' +
       'must be [tensor]',
     'TypeError: trigon.while_loop: the condition returns true; must return a tensor of bool',
     'TypeError: trigon.scan: the body must return [state, output]',
     'TypeError: trigon.tree_leaves: a tree contains itself',
     'RangeError: trigon.compile: donate names argument 1; there are 1',
     'TypeError: trigon.custom_vjp: the rule must return a gradient like each argument, or null ' +
       'for none; it returns [tensor] for a tensor',
     'TypeError: trigon.custom_vjp: the rule must return a gradient like each argument, or null ' +
       'for none; it returns {weight: tensor} for {w: tensor}',
     'Error: trigon::fori_loop: the body changes the dtype of a carry: ',
     'Error: trigon::grad: ']],
  'a gradient names the argument by its place in the call': [`
    const w = t.ones([2]), y = t.tensor(new Int32Array([1, 2]));
    const f = (a, b, c, d) => a.add(b).add(c).multiply(d).sum();
    const g = ({a, b: [c, d]}) => a.add(c).multiply(d).sum();
    return [await message(t.value_and_grad(f)(w, w, w, y).value.data()),
            await message(t.grad(f)(w, y, w, w)[0].data()),
            await message(t.vjp(g, {a: w, b: [w, y]}).value.data()),
            await message(t.grad((x, p) => g(p).add(x.sum()))(w, {a: w, b: [y, w]})[0].data())];`,
    ['Error: trigon::value_and_grad: argument 3 is not float32: it is int32; cast it with ' +
       'astype, or let the function capture it',
     'Error: trigon::grad: argument 1 is not float32: it is int32; ',
     'Error: trigon::vjp: argument 0 is not float32: its leaf 2 is int32; ',
     'Error: trigon::grad: argument 1 is not float32: its leaf 1 is int32; ']],
  'numbers in lists get no gradient, and are refused': [`
    const w = t.ones([2]), f = (x) => w.sum(), net = {w, rate: 0.5, sizes: [2, 2], id: [[7]]};
    const g = t.grad((p) => p.w.multiply(p.rate).sum())(net);
    const said = [];
    for (const args of [[w, 2], [[w, 0.5]], [[w, [[1, 2], [3, 4]]]], [w, new Float32Array(2)],
                        [w, t.scalar(3)], [w, [{w}, [{w}, 1n]]]]) {
      said.push(await thrown(() => t.grad(f)(...args)));
    }
    return [...said, await thrown(() => t.value_and_grad(f)(w, 2)),
            await thrown(() => t.vjp(f, w, 2)), await thrown(() => t.grad(f)([[1, 2], [3, 4]])),
            list(await g.w.data()), g.rate, g.sizes, g.id];`,
    ['TypeError: trigon.grad: argument 1 holds the number 2, which gets no gradient; write ' +
       't.tensor(2), or let the function capture it',
     'TypeError: trigon.grad: argument 0 holds the number 0.5, which gets no gradient; ',
     'TypeError: trigon.grad: argument 0 holds a list of numbers, which gets no gradient; write ' +
       't.tensor(list), or let the function capture it',
     'TypeError: trigon.grad: argument 1 holds a list of numbers, ',
     'TypeError: trigon.grad: argument 1 holds the number 3, ',
     'TypeError: trigon.grad: argument 1 holds the number 1, ',
     'TypeError: trigon.value_and_grad: argument 1 holds the number 2, ',
     'TypeError: trigon.vjp: argument 1 holds the number 2, ',
     'TypeError: trigon.grad: there is no tensor to differentiate with respect to; ',
     [0.5, 0.5], 0.5, [2, 2], [[7]]]],
  'arguments of loops and branches in another order': [`
    const x = t.ones([3]), f = (x) => x, g = (i, x) => x.add(i), orders = {
      fori_loop: [[g, 0, 3, x], [0, 3, x, g], [x, 0, 3, g], [0, g, 3, x], [0, x, g, 3], [0, 3, g],
                  [f, 3, g, x], [0, [3], g, x]],
      while_loop: [[x, f, f], [f, x, f], [f, f], [f, f, 3]],
      scan: [[x, g, x], [x, x, g], [g, 0, x], [g]],
      cond: [[f, f, true, x], [true, x, f, f], [f, true, f, x], [x, f], [[true], f, f, x]],
    };
    const wrong = [];
    for (const [name, calls] of Object.entries(orders)) {
      for (const args of calls) {
        const said = await thrown(() => t[name](...args));
        if (!said.includes('write t.' + name + '(')) wrong.push(said);
      }
    }
    const body = (x) => x.add(1), less = (x) => x.less(9), one = t.tensor(0);
    return [wrong, await thrown(() => t.fori_loop(0, 3, x, g)),
            await thrown(() => t.cond(f, f, true, x)),
            await message(t.while_loop(body, less, one).data()),
            await message(t.scan((s, x) => [s.add(x), s], x, one).outputs.data())];`,
    [[], 'TypeError: trigon.fori_loop: the body is a tensor; write t.fori_loop(lower, upper, ' +
       '(i, state) => state.add(i), state)',
     'TypeError: trigon.cond: the predicate is function; write t.cond(predicate, ' +
       '(x) => x.sqrt(), (x) => x.negative(), x)',
     'Error: trigon::while_loop: the condition is not bool: it is () float32; must be the result ' +
       'of a comparison, or cast with astype\n  hint: while_loop(condition, body, init)',
     'Error: trigon::scan: xs has a scalar: leaf 0 is (); must have an axis, that of the ' +
       'iterations\n  hint: scan(f, init, xs)']],
  'errors have no words of C++': [`
    const x = t.ones([2, 3]), wrong = [], odd = [
      [], [x], [x, x], [[x, x]], [x, 'a'], [x, {}], [1.5], ['a'], [null], [x, [x]], [x, 2, 'b'],
      [x, [9, 9, 9]], [2, 3, 4], [x.astype('int32'), -1], [x, true, [[1, 'c']]]];
    const words = /std::|json|DType|Tensor&|\\{\\.|KernelOptions|C\\+\\+|nullopt|operator|vector</;
    for (const [where, names] of NAMES) {
      const home = t[where.replace('Functions', '')] ?? t;
      for (const name of names) {
        for (const args of where === 'Methods' || name === 'nonzero' ? [] : odd) {
          const text = await thrown(() => [home[name](...args)].flat()[0]?.dtype?.());
          if (words.test(text)) wrong.push(text);
        }
      }
    }
    const k = t.ElementwiseKernel('T x', 'T y', 'y = x', 'k');
    return [wrong, await message(t.grad((x) => k(x).sum())(x).data()),
            await message(t.grad((x) => t.while_loop((s) => s.less(9), (s) => s.add(1), x)
                                            .sum())(x).data()),
            await message(x.matmul(2).data()),
            await message(t.power(t.tensor(new Int32Array(2)), -1).data())];`,
    [[], "Error: trigon::grad: no gradient: k is not differentiable; set the kernel's gradient, ",
     'Error: trigon::grad: no gradient: nothing bounds the iterations of while_loop before it ' +
       'runs; pass max_iterations, ',
     'Error: trigon::matmul: an operand is a scalar: a is (2, 3), b is (); both must have an ' +
       'axis\n  hint: multiply takes scalars',
     'Error: trigon::power: integers to negative integer powers are not allowed: a is int32, b ' +
       'is -1; cast a to float32 with astype']],
  'errors are at the line of the call, also inside a function': [`
    const line = async (promise) => {
      try { await promise; } catch (error) { return error.stack.split('\\n')[1].trim(); }
    };
    const wrong = () => t.ones([2]).matmul(t.ones([3]));
    const places = [await line(wrong().exp().data()),
                    await line(t.grad((x) => x.add(wrong()).sum())(t.ones([2])).data()),
                    await line(t.compile((a) => t.grad((x) => x.add(wrong()).sum())(a))(
                        t.ones([2])).data())];
    // A compiled function fails at each of its shapes.
    const f = t.compile((x) => x.matmul(t.ones([3])));
    const texts = [await message(f(t.ones([2])).data()), await message(f(t.ones([4])).data())];
    return [...places.map((one) => /^at wrong /.test(one)), ...texts];`,
    [true, true, true, 'Error: trigon::matmul: inner sizes differ: a is (2,), b is (3,); ',
     'Error: trigon::matmul: inner sizes differ: a is (4,), b is (3,); ']],
  'each error is at the line of the page': [`
    const one = t.ones([1]), gone = t.ones([1]), huge = t.zeros([2 ** 15, 2 ** 15]);
    const kernel = t.Kernel({name: 'k', inputs: ['x'], uniforms: {by: 2},
                             body: 'out = x(i) * by;'});
    gone.dispose();
    const cases = {
      argument: function page() { one.add(); },
      promise: function page() { one.add(one.data()); },
      values: function page() { return t.tensor([[1], [2, 3]]); },
      scalar: function page() { return t.grad((x) => 3)(one); },
      tree: function page() { return t.fori_loop(0, 3, (i, x) => [x], one); },
      kernel: async function page() {
        await t.ElementwiseKernel('broken', 'float32 x', 'float32 y', 'y = ;')(one).data();
      },
      read: function page() { return t.grad(function page(x) { x.data(); return x; })(one); },
      disposed: function page() { return gone.data(); },
      disposedList: function page() { return t.data([gone]); },
      noCanvas: function page() { return one.draw(null); },
      large: async function page() { return (await t.data([huge]))[0]; },
      several: function page() { return t.ones([2]).item(); },
      missing: function page() { return t.load_npy('/nothing.npy'); },
      hostile: function page() { return t.load_safetensors(new Uint8Array(3)); },
      unknown: async function page() { return (await t.ones([2]).matmul(t.ones([3])).nonzero()); },
      explained: function page() { return t.ones([2]).matmul(t.ones([3])).explain(); },
      simulation: function page() { return t.gallery('nothing'); },
      profile: function page() { return Trigon.open({profile: 'webgl3'}); },
      option: function page() { return t.tensor([1], {dtyp: 'int32'}); },
      openOption: function page() { return Trigon.open({x: 1}); },
      notScalar: function page() { return t.scalar('1'); },
      notSize: function page() { return t.gallery('life', {size: NaN}); },
      notKey: function page() { return t.random.split('x'); },
      otherName: function page() { return one.mul(2); },
      operator: function page() { return one + 1; },
      sizes: function page() { return one.shape[0]; },
      uniform: function page() { return kernel.with({z: 1}); },
      oneOfTwo: function page() { return t.ElementwiseKernel('T x', 'T y, T z', 'y = z = x',
                                                             'two')(one); },
      tracedFile: function page() {
        let loading;
        t.grad(function page(x) { loading = t.load_npy('/x.npy'); return x; })(one);
        return loading;
      },
      model: function page() { return t.gpt2(3); },
    };
    const elsewhere = [];
    for (const [name, wrong] of Object.entries(cases)) {
      try {
        await wrong();
        elsewhere.push(name + ': no error');
      } catch (error) {
        const first = error.stack.split('\\n').find((line) => /^ +at /.test(line)) ?? error.stack;
        if (!/^ +at (async )?(Object\\.)?page /.test(first)) elsewhere.push(name + first);
      }
    }
    return elsewhere;`, []],
  'tensors of another Trigon are refused by functions of functions, too': [`
    const u = await Trigon.open({profile: t.profile}), x = t.ones([2]), other = u.ones([2]);
    const wrong = [
      () => t.grad((y) => y.sum())(other), () => t.grad((y) => y.multiply(other).sum())(x),
      () => t.compile((y) => y)(other), () => t.fori_loop(0, 2, (i, y) => y, other),
      () => t.scan((s, y) => [s, y], x, other), () => t.cond(other, (y) => y, (y) => y, x),
      () => t.vjp((y) => y.sum(), x).pullback(other), () => t.data([x, other]),
      () => t.ElementwiseKernel('T x', 'T y', 'y = x', 'same')(other)];
    const said = [];
    for (const f of wrong) said.push(/belongs to another Trigon/.test(await thrown(f)));
    u.close();
    return said;`, Array(9).fill(true)],
  'a kernel fails where it is called, not where it is made or read': [`
    const x = t.tensor([1, 2, 3]), place = async (y) => {
      try { await y.data(); } catch (error) {
        return error.stack.split('\\n').find((line) => /^ +at /.test(line)).trim().split(' ')[1];
      }
    };
    const one = t.ElementwiseKernel('T x', 'T y', 'y = sine(x)', 'w');
    const sum = t.ReductionKernel('T x', 'T y', 'x', 'a + b', 'y = a', '0', 's');
    const own = t.Kernel({name: 'k', inputs: ['x'], uniforms: {by: 2}, body: 'out = x(i) * by;'});
    const calls = {
      body: function call() { return one(x); }, count: function call() { return one(x, x); },
      axis: function call() { return sum(x, 3); },
      list: function call() { return one.call([x.matmul(t.ones([2]))])[0]; },
      uniform: function call() { return own.with({by: 1.5}).with({by: 2})(x); },
    };
    const found = [];
    for (const f of Object.values(calls)) found.push(await place(f()));
    return found.map((one) => /(^|\\.)call$/.test(one));`, Array(5).fill(true)],
  'an error that nobody reads is told once': [`
    const said = [], {error} = console;
    console.error = (one) => said.push(one.message);
    const read = t.ones([2]).matmul(t.ones([3]));
    t.ones([2]).matmul(t.ones([4])).exp();
    const why = await message(read.data());
    await new Promise((resolve) => setTimeout(resolve, 1500));
    console.error = error;
    return [why, said];`,
    ['Error: trigon::matmul: ', ['trigon::matmul: inner sizes differ: a is (2,), b is (4,); ']]],
  'operators throw, and texts name what is known': [`
    const x = t.ones([2]), y = t.tensor([1, 2]), said = [];
    const z = x.exp();
    await z.shape();
    const {log} = console;
    console.log = (text) => said.push(text);
    await t.arange(4).reshape([2, 2]).print();
    console.log = log;
    return [await thrown(() => x + 1), await thrown(() => x < y), String(x), String(y), String(z),
            /0.* 1/.test(said[0]), list(await t.tensor([[1, 2]]).T.data())];`,
    ['TypeError: trigon: an operator of JavaScript meets a tensor, ',
     'TypeError: trigon: an operator of JavaScript meets a tensor, ', 'Tensor', 'Tensor(2,)',
     'Tensor(2,)', true, [1, 2]]],
  'what other libraries call otherwise is named': [`
    const x = t.ones([2]), lr = t.scalar(0.5);
    return [await thrown(() => lr * 2), String(lr), await thrown(() => x.mul(2)),
            await thrown(() => x.dataSync()), await thrown(() => x.add(x.length)),
            await thrown(() => x.add()), await thrown(() => new Trigon()),
            await thrown(() => t.cat([x, x])), await thrown(() => t.randn(2)),
            await thrown(() => x.to('int32')), await thrown(() => x.transpose(1, 0)),
            await thrown(() => t.reshape(x, 2, 1)), await thrown(() => x.exp(1)), 'cat' in t,
            await thrown(() => t.softmax(x)),
            'sort' in x, x.multiply(lr) instanceof x.constructor];`,
    ['TypeError: trigon: an operator of JavaScript meets a scalar, ', 'Scalar(0.5)',
     'TypeError: trigon: a tensor has no "mul"; write x.multiply(y)',
     'TypeError: trigon: a tensor has no "dataSync"; write await x.data()',
     'TypeError: trigon.add: the argument "b" is undefined',
     'TypeError: trigon.add: the argument "b" is missing',
     'TypeError: trigon: write await Trigon.open()',
     'TypeError: trigon: there is no "cat"; write t.concatenate([a, b], axis)',
     'TypeError: trigon: there is no "randn"; write t.random.normal(7, shape)',
     'TypeError: trigon: a tensor has no "to"; write x.astype(\'float32\')',
     'TypeError: trigon.transpose: 2 arguments; there is 1: axes; write x.transpose([1, 0])',
     'TypeError: trigon.reshape: 3 arguments; there are 2: x, shape; write t.reshape(x, [2, 1])',
     'TypeError: trigon.exp: 1 arguments; there are none', true,
     'TypeError: trigon: there is no "softmax"; write t.nn.softmax(x)', false, true]],
  'several tensors are computed together': [`
    const x = t.ones([64]), shared = x.exp(), a = shared.add(1), b = shared.sum();
    const {draws} = await cost(() => t.eval([a, b]));
    const [one, two] = await t.data([a, x]);
    return [draws <= 2, one.length, list(two).slice(0, 2), await message(t.eval(a)),
            await message(t.data([3]))];`,
    [true, 64, [1, 1], 'TypeError: trigon.eval: object is given; must be a list of tensors',
     'TypeError: trigon.data: number is given; must be a tensor']],
  'what is no number makes another trace': [`
    const f = t.compile((x, g) => g instanceof Date ? x.add(+g) : g(x)), x = t.zeros([1]);
    const at = async (...args) => list(await f(...args).data())[0];
    const keys = t.compile((p) => p[Object.keys(p)[0]]);
    const first = await keys({a: t.ones([1]), b: 2}).item();
    const odd = Object.keys(t.tree_map((y) => y, {'a: 1, b': x, __proto: 1}))[0];
    const hostile = t.tree_map((y) => y, JSON.parse('{"__proto__": {"q": 1}, "a": 2}'));
    return [await at(x, (y) => y.cos()), await at(x, (y) => y.exp().add(1)),
            await at(x, new Date(5)), await at(x, new Date(6)), first, odd, hostile.q ?? null,
            Object.keys(hostile).length, await thrown(() => f(new Set([x]), (y) => y))];`,
    [1, 2, 5, 6, 1, 'a: 1, b', null, 2,
     'TypeError: trigon.compile: a Set holds tensors; put them into an array']],
  'numbers that change inside compiled functions': [`
    const f = t.compile((x, i, r) => x.at({start: i, size: 2}).get().multiply(r));
    const x = t.arange(6), results = [];
    for (const k of [0, 1, 3]) {
      results.push(list(await f(x, t.scalar(k, {dtype: 'int32'}), t.scalar(k / 2)).data()));
    }
    const inner = t.grad((y) => t.compile((a, r) => a.multiply(r).sum())(y, t.scalar(3)))(
        t.ones([2]));
    const bad = t.fori_loop(0, 2, (i, s) => s.add(x.at(i).get()), t.tensor(0));
    return [results, list(await inner.data()), await message(bad.data()),
            await thrown(() => t.grad((y) => y.sum(), {argnums: 1})),
            await thrown(() => t.compile((y) => y, {donat: [0]})),
            await thrown(() => t.scalar(1, {type: 'int32'})),
            await thrown(() => t.tensor([1.5], 'int32')),
            await message(x.draw(null)), await message(x.draw('#c')),
            list(await t.grad((y) => y.multiply(t.stop_gradient(y)).sum())(t.tensor([3])).data()),
            await t.ones([2, 2]).trace().item()];`,
    [[[0, 0], [0.5, 1], [4.5, 6]], [3, 3],
     'Error: trigon::index: bad argument: entries is a tensor; must be a number, or a Scalar ',
     'TypeError: trigon.grad: no option "argnums"; there is: has_aux',
     'TypeError: trigon.compile: no option "donat"; there is: donate',
     'TypeError: trigon.scalar: no option "type"; there is: dtype',
     'TypeError: trigon.tensor: the options are int32; must be an object with shape, dtype',
     'TypeError: trigon.draw: the canvas is null; ',
     'TypeError: trigon.draw: the canvas is String; ', [3], 2]],
  'all functions of the types are there': [`
    const missing = [];
    for (const [where, names] of NAMES) {
      const home = {Functions: t, Methods: t.ones([1])}[where] ?? t[where.replace('Functions', '')];
      missing.push(...names.filter((name) => typeof home[name] !== 'function'));
    }
    return missing;`, []],
  'pictures become tensors': [`
    const a = canvas();
    a.width = 3; a.height = 2;
    const context = a.getContext('2d');
    context.fillStyle = 'rgb(10, 20, 30)';
    context.fillRect(0, 0, 3, 2);
    const found = [];
    for (const one of [a, context.getImageData(0, 0, 3, 2), await createImageBitmap(a)]) {
      const x = t.tensor(one);
      found.push([await x.shape(), await x.dtype(), list(await x.data()).slice(0, 4)]);
    }
    const half = t.tensor(a, {dtype: 'float32'}).divide(255).mean([0, 1]);
    return [found, list(await half.data()).map((v) => Math.round(v * 255)),
            await thrown(() => t.tensor(new Image()))];`,
    [Array(3).fill([[2, 3, 4], 'uint8', [10, 20, 30, 255]]), [10, 20, 30, 255],
     'RangeError: trigon.tensor: the HTMLImageElement is 0 x 0 pixels; ']],
  'files of NumPy and of safetensors': [`
    const text = (one) => Array.from(one, (c) => c.charCodeAt(0));
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }".padEnd(117) + '\\n';
    const npy = new Uint8Array([0x93, ...text('NUMPY'), 1, 0, header.length, 0, ...text(header),
                                ...new Uint8Array(new Float32Array([1.5, -2]).buffer)]);
    const entries = JSON.stringify({a: {dtype: 'F32', shape: [1], data_offsets: [0, 4]},
                                    __proto__x: {dtype: 'U8', shape: [2], data_offsets: [4, 6]}});
    const st = new Uint8Array([entries.length, 0, 0, 0, 0, 0, 0, 0, ...text(entries),
                               ...new Uint8Array(new Float32Array([7]).buffer), 3, 4]);
    const x = await t.load_npy(npy), again = await t.load_npy(new Blob([npy]));
    const all = await t.load_safetensors(st.buffer);
    const errors = [await message(t.load_npy(npy.slice(0, 100))), await message(t.load_npy(3)),
                    await message(t.load_safetensors(st.slice(0, -1))),
                    await message(t.load_npy('/nothing.npy')),
                    await message(t.load_npy({}))];
    return [list(await x.data()), list(await again.data()), npy.length, [...all.keys()],
            await all.get('a').item(), list(await all.get('__proto__x').data()), errors];`,
    [[1.5, -2], [1.5, -2], 136, ['a', '__proto__x'], 7, [3, 4],
     ['Error: trigon::load_npy: ', 'TypeError: trigon.load_npy: number is given; ',
      'Error: trigon::SafeTensors::from_memory: ',
      'Error: trigon.load_npy: /nothing.npy is answered with status 404; ',
      'TypeError: trigon.load_npy: object is given; ']]],
  'reads past the memory are refused, and nothing is lost': [`
    const x = t.ones([4]);
    const large = t.zeros([2 ** 15, 2 ** 15]), larger = t.zeros([2 ** 15, 2 ** 16]);
    const much = new Uint8Array(2 ** 31);  // nothing touches its memory
    const blob = new Blob([]), {fetch} = globalThis;
    Object.defineProperty(blob, 'size', {value: 2 ** 32});
    globalThis.fetch = async () => new Response('', {headers: {'Content-Length': 2 ** 31}});
    const files = [await message(t.load_npy(blob)), await message(t.load_safetensors('/large'))];
    globalThis.fetch = fetch;
    return [await message(large.data()), await message(larger.data()),
            await message(t.data([x, t.zeros([2 ** 13, 2 ** 16])])), await thrown(() =>
              t.tensor(much)), ...files, list(await x.data()), await large.shape()];`,
    ['Error: trigon::data: 4294967296 bytes are asked for; must be at most 2147483647, ',
     'Error: trigon::data: 8589934592 bytes are asked for; ',
     'Error: trigon::data: 2147483664 bytes are asked for; ',
     'RangeError: trigon.tensor: the tensor has 2147483648 bytes; must be at most 2147483647: ',
     'RangeError: trigon.load_npy: the file has 4294967296 bytes; ',
     'RangeError: trigon.load_safetensors: the file has 2147483648 bytes; ',
     [1, 1, 1, 1], [32768, 32768]]],
  'functions keep what they captured': [`
    const w = t.tensor([2, 3]), x = t.tensor([1, 10]);
    const f = t.compile((y) => y.multiply(w));
    const {pullback} = t.vjp((y) => y.multiply(w), x);
    const k = t.ElementwiseKernel('T x', 'T y', 'y = 2.0 * x', 'twice',
                                  {gradient: ([dy]) => [dy.multiply(w)]});
    const first = list(await f(x).data());
    w.dispose();
    return [first, list(await f(x).data()), list(await f(t.tensor([[1, 1], [2, 2]])).data()),
            list(await pullback(t.ones([2])).data()),
            list(await t.grad((y) => k(y).sum())(x).data())];`,
    [[2, 30], [2, 30], [2, 3, 4, 6], [2, 3], [2, 3]]],
  'random keys': [`
    const [a, b] = t.random.split(t.random.key(7)), c = t.random.fold_in(7, 1);
    const draw = async (key) => list(await t.random.uniform(key, [3]).data());
    const y = t.fori_loop(0, 2, (i, x) => x.add(t.random.uniform(t.random.fold_in(7, i), [3])),
                          t.zeros([3]));
    const [first, second, third, sum] = [await draw(a), await draw(b), await draw(c),
                                         list(await y.data())];
    return [first[0] !== second[0], second[0] === third[0],
            sum.every((one, k) => Math.abs(one - first[k] - second[k]) < 1e-6),
            await thrown(() => t.random.split(7, -1)), await thrown(() => t.random.key('a'))];`,
    [true, true, true, 'RangeError: trigon.random.split: n is -1; must be from 0 to 1048576',
     'TypeError: trigon.random.key: a key is a; ']],
  'the key of random numbers comes first': [`
    const r = t.random, x = t.ones([3]), wrong = [], right = [
      r.normal(7, [2]), r.normal([7, 3], [2]), r.uniform(7, {shape: [2]}), r.normal(7, 2),
      r.uniform(7, [2], {low: -1}), r.normal({key: 7, shape: [2]}), r.bernoulli([7, 1]),
      r.categorical(7, x), r.integers(7, [2], 9), r.truncated_normal([7, 1], -1, 1, [2]),
      r.normal(t.tensor(7, {dtype: 'int32'}), [2]), r.bits(t.scalar(7, {dtype: 'int32'}), [2])];
    const first = /^TypeError: trigon\\.random\\.\\w+: the key comes first: t\\./;
    for (const [name, ...args] of [
      ['normal', [200, 2], 7], ['normal', [200, 2]], ['uniform', 0, 1, [5]], ['uniform', [3], 0, 1],
      ['exponential', 0.5, [2]], ['gumbel', 'a'], ['integers', 0, 10, [5]], ['bits', [2], 7],
      ['normal', null, [2]], ['bernoulli', 0.5, [2]], ['categorical', x, 7],
      ['truncated_normal', [2], -1, 1, 7]]) {
      const said = await thrown(() => r[name](...args));
      if (!first.test(said)) wrong.push(said);
    }
    return [(await Promise.all(right.map((one) => message(one.dtype())))).join(), wrong,
            await thrown(() => r.normal([200, 2], 7)),
            await thrown(() => r.truncated_normal([2], -1, 1, 7)),
            await thrown(() => r.categorical(x, 7))];`,
    [Array(12).fill('no error').join(), [],
     'TypeError: trigon.random.normal: the key comes first: t.random.normal(key, shape, mean, ' +
       'stddev); write t.random.normal(7, [2, 3])',
     'TypeError: trigon.random.truncated_normal: the key comes first: t.random.truncated_normal(' +
       'key, lower, upper, shape); write t.random.truncated_normal(7, lower, upper, [2, 3])',
     'TypeError: trigon.random.categorical: the key comes first: t.random.categorical(key, ' +
       'logits, axis, shape); write t.random.categorical(7, logits)']],
  'integers take no fractions': [`
    const x = t.zeros([3], 'int32'), i = t.tensor(new Int32Array([0, 2]));
    const v = t.tensor([0.5, 0.75]);
    return [await message(x.scatter_add(i, v, 0).data()), await message(x.at(0).add(0.5).data()),
            await message(x.at('1:').add(v).data()), await message(x.at(0).set(1.5).data()),
            list(await x.scatter_add(i, 2, 0).data()), list(await x.at(0).add(2).data())];`,
    ['Error: trigon::scatter_add: v is not an integer: x is int32, v is float32; cast x or v ' +
       'with astype',
     'Error: trigon::add: v is not an integer: x is int32, v is 0.5; ',
     'Error: trigon::add: v is not an integer: x is int32, v is float32; ', 'no error',
     [2, 0, 2], [2, 0, 0]]],
  'a kernel names what it does not know, and whole uniforms': [`
    const x = t.tensor([1, 2]);
    const scale = t.Kernel({name: 'scale', inputs: ['float x'], uniforms: {k: 2},
                            body: 'out = x * k;'});
    const text = await message(scale(x).data());
    return [await message(t.ElementwiseKernel('T x', 'T y', 'y = xx * 2.0', 'k')(x).data()),
            await thrown(() => t.Kernel({name: 'k', inputs: ['x'], uniforms: {rate: 0.5},
                                         body: 'out = x(i) * rat;'})(x).data()),
            await message(t.ReductionKernel('T x', 'T y', 'x', 'a + bb', 'y = a', '0', 'k')(x)
                .data()),
            text.split('\\n').map((one) => one.replace(/line 1: .*; k/, 'line 1: ...; k')),
            await message(scale.with({k: 2.5})(x).data()),
            list(await t.Kernel({name: 'k', inputs: ['float x'], uniforms: {k: 2},
                                 body: 'out = x * float(k);'})(x).data())];`,
    ['Error: trigon::k: unknown name: xx in line 1 of the body; must be declared there, or be ' +
       'one of x, y',
     'Error: trigon::k: unknown name: rat in line 1 of the body; must be declared there, or be ' +
       'one of x, rate, out',
     'Error: trigon::k: unknown name: bb in line 1 of the reduce expression; ',
     ['Error: trigon::scale: body does not compile: line 1: ...; k is an int, as its value is ' +
        'whole: write float(k)', '     1 | out = x * k;'],
     'Error: trigon::scale: uniform is a float: k; the kernel was made with a whole one, an int',
     [2, 4]]],
  'kernels': [`
    const square = t.ElementwiseKernel('T x', 'T y', 'y = x * x', 'square',
                                       {gradient: ([g], [x], [y]) => [g.multiply(x).multiply(2)]});
    const dx = t.grad((x) => square(x).sum())(t.tensor([1, 5]));
    const norm = new t.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0.0', 'n');
    const blur = t.Kernel({name: 'shift', inputs: ['x'], uniforms: {by: 1},
                           body: 'out = x(_out_0 + by);'});
    const x = t.tensor([1, 2, 3, 4]);
    const scaled = t.Kernel({name: 'scaled', inputs: ['rawnd float x'], outputs: ['float y'],
                             uniforms: {scale: 2.5, gain: 3.5},
                             body: 'y = x(_y_0) * scale + gain;',
                             gradient: ([g], [x, scale, gain]) => [g.multiply(scale), null, null]});
    const other = scaled.with({gain: 0.5});
    const ds = t.grad((x) => scaled(x).sum())(t.tensor([1, 5]));
    return [list(await ds.data()), list(await other(t.tensor([2])).data()),
            other.dispose === undefined,
            list(await dx.data()), list(await norm(t.tensor([[3, 4]]), 1).data()),
            list(await norm(t.tensor([[3, 4]]), {keepdims: true}).data()),
            list(await blur(x).data()), list(await blur.with({by: 2})(x).data()),
            await thrown(() => blur.with({to: 2})), await thrown(() => t.Kernel({name: 'k'})),
            await message(t.ElementwiseKernel('T x', 'T y', 'y = x + z', 'wrong')(x).data())];`,
    [[2.5, 2.5], [5.5], true, [2, 10], [5], [5], [2, 3, 4, 4], [3, 4, 4, 4],
     'TypeError: trigon.Kernel: no uniform "to"; there are: by',
     'TypeError: trigon.Kernel: body is undefined; must be a text',
     'Error: trigon::wrong: body does not compile: line 1: ']],
  'nothing is left when functions end': [`
    const u = await Trigon.open({profile: t.profile});  // without what the collector may free
    u.scope(() => {
      const {pullback} = u.vjp((x) => x.multiply(u.tensor([1, 2])), u.ones([2]));
      u.grad((x) => u.scope(() => x.multiply(u.tensor([3, 4])).sum()))(u.ones([2]));
      u.fori_loop(0, 2, (i, x) => x.add(1), pullback(u.ones([2])));
    });
    const f = u.compile((x) => x.add(1)), x = u.ones([2]);
    f(x).dispose();
    f.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    const {tensors} = await u.counters();
    x.dispose();
    u.close();
    return tensors;`, 1],
};

// The examples, which print what README.md shows for the same programs in C++.
const programs = {
  'training.mjs': printed('0: 0.515\n'),
  // A browser's driver words its messages otherwise.
  'kernels.mjs': printed('8 2 2 128 2 50\n').slice(0, 4).concat(
      'trigon::wrong: body does not compile: line 2: ', '     2 | y = s * rate;'),
  'pendulum.mjs': printed('the mean energy is '),
};

// The functions that the types declare, by interface.
const types = readFileSync(new URL('../../bindings/web/trigon.d.mts', import.meta.url), 'utf8');
const interfaces = /^export interface (\w*(?:Functions|Methods|Transforms)) {\n(.*?)^}/gms;
const declared = [...types.matchAll(interfaces)].map(
    ([, name, body]) => [name === 'Transforms' ? 'Functions' : name,
                         [...body.matchAll(/^  (\w+)[(<]/gm)].map(([, one]) => one)]);

const checks = counter(), {check} = checks;
const server = await listen(async (path, request, response) => sendFile(
    path.startsWith('/examples/') ? new URL(`.${path.slice(9)}`, examples).pathname :
                                    join(folder, path), request, response));
const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
const page = await openModule(browser, server.address('model/merges.txt'));
for (const profile of ['webgl2', 'webgl1']) {
  await page.evaluate(`Trigon.open({profile: '${profile}'}).then((t) => { globalThis.t = t; })`);
  await runAll(check, page, profile, tests,
               {before: both, names: {NAMES: declared}});
  for (const [name, lines] of Object.entries(programs)) {
    await check(`${profile}: ${name} prints what C++ prints`, async () => {
      assert.ok(readFileSync(new URL(name, examples), 'utf8').split('\n').length <= 31);
      compare(await page.evaluate(`(async () => {
        const said = [], {run} = await import('/examples/${name}');
        await run(t, (text) => said.push(...text.split('\\n')));
        return said;
      })()`), lines);
    });
  }
  await page.evaluate('t.close()');
}
await finishPage(checks, browser, page, server);
