// SPDX-License-Identifier: MIT
// Prints the rows of bench/web beside tfjs, GPT-2 in the browser beside native, and GPT-2 with
// pictures beside without.
// usage: node bench.mjs FOLDER NATIVE TFJS SITE [--json] [--filter=TEXT]: the folder of rows.js,
// the native program, tfjs's script and the folder that bindings/web/build writes
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium, drivers} from '../../tests/web/chromium.mjs';

const {values: options, positionals: [folder, native, tfjs, site]} = parseArgs({
  allowPositionals: true,
  options: {json: {type: 'boolean'}, filter: {type: 'string', default: ''}},
});
const here = dirname(fileURLToPath(import.meta.url));
const model = join(here, '../../samples/gpt2/model');
const aim = 2.5, rateAim = 0.45, coldAim = 1.5, picturesAim = 1.3;
const coldRuns = 5, tokens = 200;
let measured = 0, failed = false;

const print = (line, fields) => console.log(options.json ? JSON.stringify(fields) : line);
const note = (holds) => holds ? '' : '  missed';
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// ---- the browser

function fileOf(path) {
  const name = basename(path);
  if (path.startsWith('/site/')) return join(site, path.slice('/site/'.length));
  if (path.startsWith('/model/')) return join(model, name);
  if (name === 'tf.min.js') return tfjs;
  return join(name.startsWith('rows.') ? folder : here, name);
}

const server = await listen((path, ...request) => sendFile(fileOf(path), ...request));

// A browser with an empty shader cache, and its page.
async function withPage(name, work) {
  const cache = mkdtempSync(join(tmpdir(), 'trigon-shaders-'));
  const browser = await Chromium.start({environment: {MESA_SHADER_CACHE_DIR: cache}});
  try {
    const page = await browser.open(server.address(name));
    const call = (name, ...given) =>
        page.evaluate(`call(${[name, ...given].map((one) => JSON.stringify(one)).join()})`);
    const renderer = await call('open');
    if (!drivers.llvmpipe.renderer.test(renderer)) throw new Error(`the renderer is ${renderer}`);
    const value = await work({browser, page, call, renderer});
    const complaints = browser.complaints();
    if (complaints.length > 0) throw new Error(`the console shows: ${complaints[0].text}`);
    return value;
  } finally {
    await browser.close();
    rmSync(cache, {recursive: true, force: true});
  }
}

// CPU seconds so far, by kind of process.
async function cpuTimes(browser) {
  const {processInfo} = await browser.send('SystemInfo.getProcessInfo');
  const times = {};
  for (const {type, cpuTime} of processInfo) times[type] = (times[type] ?? 0) + cpuTime;
  return times;
}

// ---- beside tfjs

async function measureRows({call, renderer}) {
  const other = await call('openTfjs');
  if (other.renderer !== renderer || other.webgl !== 2) {
    throw new Error(`tfjs runs on ${other.renderer}, WebGL ${other.webgl}`);
  }
  print(`${renderer}; tfjs ${other.version}, same renderer`, {renderer, tfjs: other.version});
  print(`${'row'.padEnd(28)} ${'Trigon ms'.padStart(10)} ${'tfjs ms'.padStart(10)} ` +
        `${'ratio'.padStart(6)} ${'difference'.padStart(11)}`, {aim});
  for (let row = 0; row < await call('rowCount'); ++row) {
    const name = await call('rowName', row);
    if (!name.includes(options.filter)) continue;
    ++measured;
    const one = await call('measure', row);
    const ratio = one.tfjs_ms / one.trigon_ms;
    print(`${name.padEnd(28)} ${one.trigon_ms.toFixed(2).padStart(10)} ` +
          `${one.tfjs_ms.toFixed(2).padStart(10)} ${ratio.toFixed(2).padStart(6)} ` +
          `${one.difference.toExponential(1).padStart(11)}${note(ratio >= aim)}`,
          {...one, ratio, holds: ratio >= aim});
  }
}

// ---- GPT-2

function runNative() {
  const cache = mkdtempSync(join(tmpdir(), 'trigon-shaders-'));
  try {
    return JSON.parse(execFileSync(native, [model], {
      env: {...process.env, MESA_SHADER_CACHE_DIR: cache}, encoding: 'utf8',
    }));
  } finally {
    rmSync(cache, {recursive: true, force: true});
  }
}

async function runBrowser({browser, page, call}) {
  await call('loadModel');
  const cold = await page.evaluate(`watched('first')`);
  await call('tokens', tokens / 4);  // compiles
  const first = await call('first');
  const before = await cpuTimes(browser);
  const warm = await page.evaluate(`watched('tokens', ${tokens})`);
  const after = await cpuTimes(browser);
  const cpu = Object.fromEntries(Object.entries(after).map(
      ([type, time]) => [type, 1000 * (time - (before[type] ?? 0)) / tokens]));
  return {cold_ms: cold.value, first_ms: first, tokens_per_second: warm.value, cpu_ms: cpu,
          longest_frame_ms: Math.max(cold.longest, warm.longest),
          long_tasks: cold.long.length + warm.long.length, ids: await call('ids')};
}

async function measureGpt2() {
  const there = [], here = [];
  for (let run = 0; run < coldRuns; ++run) {
    there.push(await withPage('page.html', runBrowser));
    here.push(runNative());
    if (there[run].ids.join() !== here[run].ids.join()) {
      throw new Error('GPT-2: the ids differ from the native ones');
    }
  }
  const of = (list, name) => median(list.map((one) => one[name]));
  const line = (what, name, digits, {least, most}) => {
    const [web, local] = [of(there, name), of(here, name)];
    const ratio = web / local;
    const holds = ratio >= (least ?? 0) && ratio <= (most ?? Infinity);
    const wanted = least ? `, at least ${least}` : most ? `, at most ${most}` : '';
    print(`GPT-2: ${what}: ${web.toFixed(digits)} in the browser, ${local.toFixed(digits)} ` +
          `natively: ${ratio.toFixed(2)}${wanted}${note(holds)}`,
          {name: `GPT-2: ${what}`, browser: web, native: local, ratio, aim: least ?? most, holds});
    return holds;
  };
  print(`GPT-2: medians of ${coldRuns} runs in turns, ${tokens} tokens, nothing cached`,
        {runs: coldRuns, tokens});
  const rateHolds = line('tokens/s', 'tokens_per_second', 1, {least: rateAim});
  line('first token, cold, ms', 'cold_ms', 0, {most: coldAim});
  line('first token, warm, ms', 'first_ms', 1, {});
  if (!rateHolds || options.json) {
    const cpu = {};
    for (const type of Object.keys(there[0].cpu_ms)) {
      cpu[type] = median(there.map((one) => one.cpu_ms[type] ?? 0));
    }
    const shares = Object.entries(cpu).map(([type, ms]) => `${type} ${ms.toFixed(1)}`).join(', ');
    print(`GPT-2: CPU ms a token: ${shares}; native ${of(here, 'cpu_ms').toFixed(1)}`,
          {name: 'GPT-2: CPU ms a token', browser: cpu, native: of(here, 'cpu_ms')});
  }
  const frame = Math.max(...there.map((one) => one.longest_frame_ms));
  const tasks = Math.max(...there.map((one) => one.long_tasks));
  print(`GPT-2: longest time between frames ${frame.toFixed(0)} ms, ` +
        `tasks over 50 ms on the page's thread: ${tasks}${note(frame <= 500 && tasks === 0)}`,
        {name: 'GPT-2: frames', longest_ms: frame, long_tasks: tasks});
}

// Texts with and without pictures take turns in one page. If the text is not shown, the page only
// changes with pictures: these times then include the browser's work for its frames.
async function measurePictures(name, hasText, {call}) {
  const one = await call('measure', hasText);
  const [without, withThem] = [median(one.without_ms), median(one.with_ms)];
  const ratio = withThem / without;
  const holds = ratio <= picturesAim;
  print(`${name}: ${withThem.toFixed(1)} ms a token with those of attention and blocks, ` +
        `${without.toFixed(1)} without: ${ratio.toFixed(2)}, at most ${picturesAim}; ` +
        `${(100 * median(one.drawn)).toFixed(0)} % of the tokens drawn, those of every other ` +
        `frame${note(holds)}`,
        {name, ...one, ratio, aim: picturesAim, holds});
}

const rows = [
  ['GPT-2: tokens', () => measureGpt2()],
  ...[['GPT-2: pictures beside the text', true], ['GPT-2: pictures alone', false]].map(
      ([name, hasText]) =>
          [name, () => withPage('pictures.html', (page) => measurePictures(name, hasText, page))]),
];
try {
  await withPage('page.html', measureRows);
  for (const [name, measure] of rows) {
    if (!name.includes(options.filter)) continue;
    ++measured;
    await measure();
  }
  if (measured === 0) throw new Error(`no row has "${options.filter}" in its name`);
} catch (error) {
  console.error(`bench/web: ${error.message}`);
  failed = true;
}
server.close();
process.exitCode = failed ? 1 : 0;
