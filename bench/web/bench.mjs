// SPDX-License-Identifier: MIT
// Prints the rows of bench/web: Trigon beside tfjs and jax-js, the time to a first number, GPT-2 in
// the browser beside native, and GPT-2 with pictures beside without.
// usage: node bench.mjs NATIVE SITE [--json] [--filter=TEXT]: the native program, and the folder
// that bindings/web/build writes
import {execFileSync} from 'node:child_process';
import {parseArgs} from 'node:util';

import {model, openPage, serve, withBrowser, withCache} from './browser.mjs';

const {values: options, positionals: [native, site]} = parseArgs({
  allowPositionals: true,
  options: {json: {type: 'boolean'}, filter: {type: 'string', default: ''}},
});
const startAim = 1.5, rateAim = 0.45, coldAim = 1.5, picturesAim = 1.3;
const startRuns = 7, blockRuns = 3, gpt2Runs = 5, tokens = 200;
const libraryNames = {trigon: 'Trigon', tfjs: 'tfjs', jax: 'jax-js'};
let measured = 0;

const print = (line, fields) => console.log(options.json ? JSON.stringify(fields) : line);
const tell = (text) => console.error(`bench/web: ${text}`);
const note = (holds) => holds ? '' : '  missed';

// ---- Statistics

const at = (list, share) => {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
};
const median = (list) => at(list, 0.5);
const spreadOf = (list) => ({median: median(list), quartiles: [at(list, 0.25), at(list, 0.75)],
                             count: list.length});

const digits = (ms) => ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
function shown(spread) {
  if (!spread) return '';
  const [low, high] = spread.quartiles;
  return spread.count < 2 ? `${digits(spread.median)} (once)` :
                            `${digits(spread.median)} (${digits(low)}-${digits(high)})`;
}
// The distance of the quartiles, as a share of the median.
const disturbance = (list) => (at(list, 0.75) - at(list, 0.25)) / median(list);

// ---- Beside tfjs and jax-js

const columns = (name, figure, trigon, tfjs, ratio, jax, last) =>
    `${name.padEnd(41)} ${figure.padEnd(10)} ${trigon.padStart(18)} ${tfjs.padStart(18)} ` +
    `${ratio.padStart(5)} ${jax.padStart(18)} ${last}`.trimEnd();

// A line for each figure, with the medians and quartiles of milliseconds.
function printRow({name, aim, loop, trigon, tfjs, jax}) {
  for (const figure of ['latency', 'throughput']) {
    const of = ({[figure]: times}) => times?.length > 0 ? spreadOf(times) : undefined;
    const [mine, other] = [of(trigon), of(tfjs)];
    if (!mine || !other) continue;  // one of them is too slow here
    const ratio = other.median / mine.median;
    const holds = ratio >= aim;
    const isFirst = figure === 'latency';
    const last = isFirst ?
        `${trigon.difference.toExponential(0)}, loop ${(100 * disturbance(loop)).toFixed(0)} %` :
        jax.reason ? `jax-js: ${jax.reason}` : '';
    print(columns(isFirst ? name : '', figure, shown(mine), shown(other), ratio.toFixed(2),
                  shown(of(jax)), last + (holds ? '' : `  missed: ${aim}`)),
          {name, figure, unit: 'ms', trigon: mine, tfjs: other, jax: of(jax) ?? null,
           jax_reason: jax.reason, jax_difference: jax.difference,
           difference: trigon.difference, ratio, aim, holds, loop_ms: spreadOf(loop)});
  }
}

async function measureRows(browser, address) {
  const {call, libraries, renderer} =
      await openPage(browser, address('page.html'), 'open', 'trigon', 'tfjs', 'jax');
  const names = (await call('names')).filter((name) => name.includes(options.filter));
  if (names.length === 0) return;
  print(`${libraries.map(({name}) => name).join(', ')}; ${renderer}`, {libraries});
  print(columns('row, milliseconds a call', '', 'Trigon', 'tfjs', 'ratio', 'jax-js',
                'difference from tfjs'), {columns: true});
  const loops = [];
  for (const name of names) {
    tell(`${++measured} of ${names.length}: ${name}`);
    const row = await call('measureRow', name);
    printRow(row);
    loops.push(...row.loop);
  }
  const {median: middle, quartiles: [low, high]} = spreadOf(loops);
  print(`a fixed loop of the processor took ${shown(spreadOf(loops))} ms, at most ` +
        `${digits(Math.max(...loops))}: disturbance ${(100 * (high - low) / middle).toFixed(0)} %`,
        {name: 'disturbance', loop_ms: spreadOf(loops), most: Math.max(...loops)});
}

// Each library in turn `runs` times, as `once(key)` measures it.
async function inTurns(runs, once) {
  const times = {trigon: [], tfjs: [], jax: []};
  for (let run = 0; run < runs; ++run) {
    for (const key of Object.keys(times)) times[key].push(await once(key));
  }
  return times;
}

function printTurns(name, times, {least, most}) {
  const spreads = Object.fromEntries(Object.entries(times).map(
      ([key, list]) => [key, spreadOf(list)]));
  const {trigon, tfjs} = spreads;
  const ratio = least ? tfjs.median / trigon.median : trigon.median / tfjs.median;
  const holds = ratio >= (least ?? 0) && ratio <= (most ?? Infinity);
  const parts = Object.entries(spreads).map(([key, one]) => `${libraryNames[key]} ${shown(one)}`);
  const rule = least ? `tfjs/Trigon ${ratio.toFixed(2)}, at least ${least}` :
                       `Trigon/tfjs ${ratio.toFixed(2)}, at most ${most}`;
  print(`${name}, ms: ${parts.join(', ')}; ${rule}${note(holds)}`,
        {name, unit: 'ms', ...spreads, ratio, aim: least ?? most, holds});
}

// The first run of a block in a new browser, with all compiling.
async function measureFirstBlock(name, address) {
  const block = 'GPT-2 small\'s block, T = 64';
  const once = (key) => withBrowser(async (browser) => {
    const {call} = await openPage(browser, address('page.html'), 'open', key);
    return await call('firstRun', key, block);
  });
  printTurns(name, await inTurns(blockRuns, once), {least: 3});
}

// In new pages of a browser that has opened each library before.
async function measureStart(name, isLoaded, address) {
  const times = await withBrowser((browser) => inTurns(startRuns + 1, async (key) => {
    const page = await browser.open(address('start.html'));
    const ms = await page.evaluate(`start('${key}', ${isLoaded})`);
    await page.send('Page.close');
    return ms;
  }));
  Object.values(times).forEach((list) => list.shift());
  printTurns(name, times, {most: startAim});
}

// ---- GPT-2

const runNative = () => withCache((env) =>
    JSON.parse(execFileSync(native, [model], {env, encoding: 'utf8'})));

// CPU seconds so far, by kind of process.
async function cpuTimes(browser) {
  const {processInfo} = await browser.send('SystemInfo.getProcessInfo');
  const times = {};
  for (const {type, cpuTime} of processInfo) times[type] = (times[type] ?? 0) + cpuTime;
  return times;
}

async function runBrowser(browser, address) {
  const {call} = await openPage(browser, address('page.html'), 'load');
  const cold = await call('watched', 'first');
  await call('tokens', tokens / 4);  // compiles
  const first = await call('first');
  const before = await cpuTimes(browser);
  const warm = await call('watched', 'tokens', tokens);
  const after = await cpuTimes(browser);
  const cpu = Object.fromEntries(Object.entries(after).map(
      ([type, time]) => [type, 1000 * (time - (before[type] ?? 0)) / tokens]));
  return {cold_ms: cold.value, first_ms: first, tokens_per_second: warm.value, cpu_ms: cpu,
          longest_frame_ms: Math.max(cold.longest, warm.longest),
          long_tasks: cold.long.length + warm.long.length, ids: await call('ids')};
}

function printCpu(there, here) {
  const cpu = {};
  for (const type of Object.keys(there[0].cpu_ms)) {
    cpu[type] = median(there.map((one) => one.cpu_ms[type] ?? 0));
  }
  const shares = Object.entries(cpu).map(([type, ms]) => `${type} ${ms.toFixed(1)}`).join(', ');
  const mine = median(here.map((one) => one.cpu_ms));
  print(`GPT-2: CPU ms a token: ${shares}; native ${mine.toFixed(1)}`,
        {name: 'GPT-2: CPU ms a token', browser: cpu, native: mine});
}

async function measureGpt2(_, address) {
  const there = [], here = [];
  for (let run = 0; run < gpt2Runs; ++run) {
    there.push(await withBrowser((browser) => runBrowser(browser, address)));
    here.push(await runNative());
    if (there[run].ids.join() !== here[run].ids.join()) {
      throw new Error('GPT-2: the ids differ from the native ones');
    }
  }
  const line = (what, name, {least, most}) => {
    const [web, local] = [there, here].map((list) => spreadOf(list.map((one) => one[name])));
    const ratio = web.median / local.median;
    const holds = ratio >= (least ?? 0) && ratio <= (most ?? Infinity);
    const wanted = least ? `, at least ${least}` : most ? `, at most ${most}` : '';
    print(`GPT-2: ${what}: ${shown(web)} in the browser, ${shown(local)} natively: ` +
          `${ratio.toFixed(2)}${wanted}${note(holds)}`,
          {name: `GPT-2: ${what}`, browser: web, native: local, ratio, aim: least ?? most, holds});
    return holds;
  };
  print(`GPT-2: medians of ${gpt2Runs} runs in turns, ${tokens} tokens, nothing cached`,
        {runs: gpt2Runs, tokens});
  const rateHolds = line('tokens/s', 'tokens_per_second', {least: rateAim});
  line('first token, cold, ms', 'cold_ms', {most: coldAim});
  line('first token, warm, ms', 'first_ms', {});
  if (!rateHolds || options.json) printCpu(there, here);
  const frame = Math.max(...there.map((one) => one.longest_frame_ms));
  const tasks = Math.max(...there.map((one) => one.long_tasks));
  print(`GPT-2: longest time between frames ${frame.toFixed(0)} ms, ` +
        `tasks over 50 ms on the page's thread: ${tasks}${note(frame <= 500 && tasks === 0)}`,
        {name: 'GPT-2: frames', longest_ms: frame, long_tasks: tasks});
}

// Texts with and without pictures take turns in one page. If the text is not shown, the page only
// changes with pictures: these times then include the browser's work for its frames.
const measurePictures = (hasText) => (name, address) => withBrowser(async (browser) => {
  const {call} = await openPage(browser, address('pictures.html'), 'open');
  const one = await call('measure', hasText);
  const [without, withThem] = [median(one.without_ms), median(one.with_ms)];
  const ratio = withThem / without;
  const holds = ratio <= picturesAim;
  print(`${name}: ${withThem.toFixed(1)} ms a token with those of attention and blocks, ` +
        `${without.toFixed(1)} without: ${ratio.toFixed(2)}, at most ${picturesAim}; ` +
        `${(100 * median(one.drawn)).toFixed(0)} % of the tokens drawn, those of every other ` +
        `frame${note(holds)}`,
        {name, ...one, ratio, aim: picturesAim, holds});
});

// ---- All

const others = {
  'first block: GPT-2 small\'s, T = 64, cold': measureFirstBlock,
  'start: from loaded scripts to one sum': (name, address) => measureStart(name, true, address),
  'start: from nothing to one sum': (name, address) => measureStart(name, false, address),
  'GPT-2: tokens': measureGpt2,
  'GPT-2: pictures beside the text': measurePictures(true),
  'GPT-2: pictures alone': measurePictures(false),
};

const {address, close} = await serve(site);
try {
  await withBrowser((browser) => measureRows(browser, address));
  for (const [name, measure] of Object.entries(others)) {
    if (!name.includes(options.filter)) continue;
    ++measured;
    tell(name);
    await measure(name, address);
  }
  if (measured === 0) throw new Error(`no row has "${options.filter}" in its name`);
} catch (error) {
  tell(error.message);
  process.exitCode = 1;
}
close();
