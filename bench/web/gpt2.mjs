// SPDX-License-Identifier: MIT
// GPT-2 in the page, as native.cpp runs it natively.
import {Trigon} from './site/trigon.mjs';

let model, prompt;
let ids = [];

// Milliseconds to the first id, and ids a second after it.
async function write(count) {
  ids = [];
  const begin = performance.now();
  let first;
  for await (const {id} of model.generate(prompt, {tokens: count, greedy: true, top: 0})) {
    ids.push(id);
    first ??= performance.now();
  }
  return {first: first - begin, rate: 1000 * (count - 1) / (performance.now() - first)};
}

const works = {
  first: async () => (await write(1)).first,
  tokens: async (count) => (await write(count + 1)).rate,
};

export const gpt2 = {
  async load() {
    const t = await Trigon.open({profile: 'webgl2'});
    model = await t.gpt2('site/model/');
    [{prompt}] = await (await fetch('model/golden.json')).json();
    return [{name: 'Trigon', renderer: t.renderer}];
  },
  ...works,
  ids: () => ids,

  // Also the longest time between two frames, and the tasks of more than 50 ms, meanwhile.
  async watched(name, ...given) {
    let last = performance.now(), longest = 0, going = true;
    const long = [];
    const observer = new PerformanceObserver((list) => {
      for (const {duration} of list.getEntries()) long.push(duration);
    });
    observer.observe({type: 'longtask'});
    const frame = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      if (going) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const value = await works[name](...given);
    going = false;
    longest = Math.max(longest, performance.now() - last);
    observer.disconnect();
    return {value, longest, long};
  },
};
