// SPDX-License-Identifier: MIT
// Serves gl_tests to headless Chromiums, one for each shard of a run, and prints the numbers of
// passed, failed and skipped tests.
// usage: node browse.mjs [--driver NAME] [--program NAME] [--where page|worker] [--shards N]
//                        [--filter FILTER] [NAME=VALUE...]
import {mkdirSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium, drivers} from './chromium.mjs';
import {known} from './known.mjs';

const {values: options, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    driver: {type: 'string', default: 'llvmpipe'},
    program: {type: 'string', default: 'gl_tests'},
    where: {type: 'string', default: 'worker'},
    shards: {type: 'string', default: '1'},
    filter: {type: 'string', default: '*'},
  },
});
const shards = Number(options.shards);
const environment = Object.fromEntries(positionals.map((one) => one.split(/=(.*)/s).slice(0, 2)));

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const built = join(root, 'build/web/tests/web');
const results = join(root, 'build/web/results');
const folders = {model: join(root, 'samples/gpt2/model'), data: join(root, 'tests/data')};
const longestShard = 60 * 60 * 1000;  // ms

// The browser's messages about calls that tests make on purpose: textures that are too large, lost
// contexts, reads that wait for draws, and the wrong call of tests.js.
const provoked = /WebGL: INVALID_ENUM: activeTexture: texture unit out of range/;
const expected = [provoked, /allocation size is too large/, /CONTEXT_LOST_WEBGL: loseContext/,
                  /GPU stall due to ReadPixels/];

const total = {passed: 0, failed: 0, skipped: 0};
const shown = [];  // lines of a test that has not ended, by shard
const finished = new Map();  // by shard: the function to call at its end

// Lines of tests that passed are dropped.
function line(shard, text) {
  shown[shard] ??= [];
  if (/^\[ RUN/.test(text)) shown[shard] = [];
  shown[shard].push(text);
  if (/^\[  (FAILED|SKIPPED) +\] .* ms\)$/.test(text)) console.log(shown[shard].join('\n'));
}

// The entries of the list for this driver and profile.
const profile = environment.TRIGON_PROFILE ?? 'webgl2';
const knownHere = known.filter((one) => (one.driver ?? options.driver) === options.driver &&
                                        (one.profile ?? profile) === profile);
const leftOut = knownHere.filter(({ends}) => ends).map(({test}) => test);

function reasonOf(name) {
  return knownHere.find(({test}) => test.endsWith('*') ? name.startsWith(test.slice(0, -1))
                                                       : name === test)?.why;
}

// Without the tests that are left out: a filter lists excluded ones after its first dash.
function filterOf(filter) {
  if (leftOut.length === 0) return filter;
  return filter + (filter.includes('-') ? ':' : '-') + leftOut.join(':');
}

function count(shard, text) {
  mkdirSync(results, {recursive: true});
  const file = [options.program, options.driver, profile, options.where, shard].join('-');
  writeFileSync(join(results, `${file}.json`), text);
  for (const {name: suite, testsuite} of JSON.parse(text).testsuites) {
    for (const test of testsuite) {
      const name = `${suite}.${test.name}`;
      const why = reasonOf(name);
      if (test.result === 'SKIPPED') {
        ++total.skipped;
      } else if (test.failures && why) {
        ++total.skipped;
        console.log(`known: ${name}: ${why}`);
      } else if (test.failures) {
        ++total.failed;
      } else if (why) {
        ++total.failed;
        console.log(`${name} passes; known.mjs says: ${why}`);
      } else {
        ++total.passed;
      }
    }
  }
}

function fail(shard, text) {
  ++total.failed;
  console.log(`shard ${shard}: ${text}`);
  if (shown[shard]) console.log(shown[shard].join('\n'));
}

function receive(kind, shard, text) {
  if (kind === 'line') return line(shard, text);
  if (kind === 'renderer') {
    if (!drivers[options.driver].renderer.test(text)) fail(shard, `the renderer is ${text}`);
    return;
  }
  if (kind === 'results') count(shard, text);
  if (kind === 'crash') fail(shard, text);
  finished.get(shard)?.();
}

function fileOf(path) {
  const [, folder] = path.split('/');
  if (folder in folders) return join(folders[folder], path.slice(folder.length + 2));
  const own = ['page.html', 'tests.js', 'calls.js'].includes(basename(path));
  return join(own ? here : built, basename(path));
}

// The tests' output comes as POST requests.
async function hear(kind, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.end();
  const {searchParams} = new URL(request.url, 'http://localhost');
  const shard = Number(searchParams.get('GTEST_SHARD_INDEX'));
  try {
    receive(kind, shard, Buffer.concat(chunks).toString());
  } catch (error) {
    fail(shard, error.stack);
    finished.get(shard)?.();
  }
}

const server = await listen((path, request, response) =>
    request.method === 'POST' ? hear(path.slice(1), request, response) :
                                sendFile(fileOf(path), request, response));

// The browser only reports wrong calls in its console.
function checkConsole(shard, browser) {
  const complaints = browser.complaints();
  if (!complaints.some(({text}) => provoked.test(text))) {
    fail(shard, 'the console does not show the wrong call that tests.js makes');
  }
  const unexpected = complaints.filter(({text}) => !expected.some((one) => one.test(text)));
  if (unexpected.length > 0) {
    const lines = new Set(unexpected.map(({text}) => text));
    fail(shard, `the console shows:\n${[...lines].join('\n')}`);
  }
}

async function run(shard) {
  const query = new URLSearchParams({
    ...environment, WHERE: options.where, PROGRAM: options.program,
    FILTER: filterOf(options.filter), RENDERER: drivers[options.driver].name,
    GTEST_TOTAL_SHARDS: shards, GTEST_SHARD_INDEX: shard,
  });
  // Without the flag a Worker keeps 4 contexts; suites keep up to 10 devices.
  const browser = await Chromium.start(
      {driver: options.driver, flags: ['--max-active-webgl-contexts=16']});
  let timer;
  const why = await Promise.race([
    new Promise((resolve, reject) => {
      finished.set(shard, resolve);
      browser.open(server.address(`page.html?${query}`)).catch(reject);
    }),
    browser.end.then(() => `the browser ended: ${browser.log}`),
    new Promise((resolve) => { timer = setTimeout(resolve, longestShard, 'it takes too long'); }),
  ]);
  clearTimeout(timer);
  if (why) {
    fail(shard, why);
  } else {
    // Messages sent before an answer have arrived before it.
    await Promise.all(browser.sessions.map((session) => session.evaluate('0')));
    checkConsole(shard, browser);
  }
  await browser.close();
}

for (const test of leftOut) console.log(`left out: ${test}: ${reasonOf(test)}`);
const waiting = Array.from({length: shards}, (_, shard) => shard);
async function work() {
  while (waiting.length > 0) await run(waiting.shift());
}
await Promise.all(cpus().map(work));
server.close();
console.log(`${total.passed} ${total.failed} ${total.skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
