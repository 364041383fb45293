// SPDX-License-Identifier: MIT
// A program of someone who has installed the package. package_test.mjs compiles it, bundles it and
// runs it in Chromium.
import {Gallery, Gpt2, Tensor, Trigon} from 'trigon';
import type {DType, Operand, Values} from 'trigon';

const kept: Tensor[] = [];

// @ts-expect-error A text is not a tensor, so the types are not any.
const wrong: Operand = 'x';
void wrong;

async function twice(t: Trigon, x: Operand): Promise<Values> {
  using y = t.add(x, x);
  const held: Disposable = y;
  if (!(held instanceof Tensor) || held instanceof Gallery || held instanceof Gpt2) {
    throw new Error('y is a Tensor');
  }
  kept.push(held);
  return await y.data();
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
               await y.sum({axis: 0, keepdims: true}).shape(), y.disposed, kept[0]?.disposed);
  }
  found.push(await messageOf(ended.counters()));
  return found;
}

Object.assign(globalThis, {answer: results()});
