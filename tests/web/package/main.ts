// SPDX-License-Identifier: MIT
// A program of someone who has installed the package. package_test.mjs compiles it, bundles it and
// runs it in Chromium.
import {Tensor, Trigon} from 'trigon';
import type {DType, Gallery, Gpt2, Operand, Values} from 'trigon';

const kept: Tensor[] = [];

// @ts-expect-error A text is not a tensor, so the types are not any.
const wrong: Operand = 'x';
void wrong;

async function twice(t: Trigon, x: Operand): Promise<Values> {
  using y = t.add(x, x);
  const held: Disposable = y;
  if (!(held instanceof Tensor)) throw new Error('y is a Tensor');
  kept.push(held);
  return await y.data();
}

// Types of what is loaded when it is asked for.
export async function plays(t: Trigon): Promise<[Gallery, Gpt2]> {
  const life = await t.gallery('life', {size: 64}), model = await t.gpt2('model/');
  life.set({});
  return [life, model];
}

// Types of functions of functions: the gradient of a tree is such a tree.
async function learns(t: Trigon): Promise<unknown> {
  type Line = {w: Tensor, b: Tensor};
  const x = t.tensor([1, 2]);
  const step = t.compile((p: Line, rate: Tensor): Line => {
    const {gradients} = t.value_and_grad((q: Line) => x.multiply(q.w).add(q.b).sum())(p);
    return t.tree_map((one, g) => one.subtract(g!.multiply(rate)), p, gradients);
  }, {donate: [0]});
  const {w} = step({w: t.ones([2]), b: t.zeros([2])}, t.scalar(0.5));
  const sum: Tensor = t.fori_loop(0, 3, (i, s) => s.add(i), t.tensor(0));
  const twice = new t.ElementwiseKernel('T x', 'T y', 'y = x + x', 'twice');
  const [dx, dy] = t.grad((a: Tensor, b: Tensor) => a.multiply(b).sum())(w, twice(w));
  // @ts-expect-error A number is no function.
  const never = () => t.grad(3);
  void never;
  return [await sum.item(), Array.from(await dx.data()), Array.from(await dy.data())];
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

async function results(): Promise<unknown[]> {
  let ended: Trigon;
  const found: unknown[] = [];
  {
    using t = await Trigon.open({profile: 'auto'});
    ended = t;
    const dtype: DType = 'float32';
    const y = t.tensor([1, 2, 3, 4], [2, 2], {dtype}).matmul(t.tensor([[1, 2], [3, 4]]));
    found.push(t instanceof Trigon, Array.from(await y.data()), Array.from(await twice(t, y)),
               await y.sum({axis: 0, keepdims: true}).shape(), y.disposed, kept[0]?.disposed,
               await learns(t));
  }
  found.push(await messageOf(ended.counters()));
  return found;
}

Object.assign(globalThis, {answer: results()});
