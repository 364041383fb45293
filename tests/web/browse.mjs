// SPDX-License-Identifier: MIT
// Serves a folder with page.html to headless Chromiums, one for each shard of a run of gl_tests, and
// prints how many passed, failed and were skipped.
// usage: node browse.mjs FOLDER SHARDS FILTER [NAME=VALUE...]
import {spawn} from 'node:child_process';
import {createReadStream, mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {cpus, tmpdir} from 'node:os';
import {join, normalize} from 'node:path';

const [folder, shardsText, filter, ...environment] = process.argv.slice(2);
const shards = Number(shardsText);
const longestShard = 20 * 60 * 1000;  // ms
const types = {'.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm'};

// ANGLE on Mesa's llvmpipe: the driver of the native tests.
const flags = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-gpu-watchdog',
               '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist',
               '--enable-logging=stderr'];

const total = {passed: 0, failed: 0, skipped: 0};
const shown = [];  // lines of a test that has not ended, by shard
const finished = new Map();  // by shard: what to call at its end

// Lines of tests that passed are dropped.
function line(shard, text) {
  shown[shard] ??= [];
  if (/^\[ RUN/.test(text)) shown[shard] = [];
  shown[shard].push(text);
  if (/^\[  (FAILED|SKIPPED) +\] .* ms\)$/.test(text)) console.log(shown[shard].join('\n'));
}

function count(text) {
  const results = JSON.parse(text);
  for (const test of results.testsuites.flatMap((suite) => suite.testsuite)) {
    if (test.failures) ++total.failed;
    else if (test.result === 'SKIPPED') ++total.skipped;
    else ++total.passed;
  }
}

function receive(kind, shard, text) {
  if (kind === 'line') return line(shard, text);
  if (kind === 'results') count(text);
  if (kind === 'crash') fail(shard, text);
  finished.get(shard)?.();
}

function fail(shard, text) {
  ++total.failed;
  console.log(`shard ${shard}: ${text}`);
  if (shown[shard]) console.log(shown[shard].join('\n'));
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const path = normalize(decodeURIComponent(url.pathname));
  if (request.method === 'POST') {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.end();
      receive(path.slice(1), Number(url.searchParams.get('GTEST_SHARD_INDEX')),
              Buffer.concat(parts).toString());
    });
    return;
  }
  const type = types[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream';
  const file = createReadStream(join(folder, path));
  file.on('open', () => { response.setHeader('Content-Type', type); file.pipe(response); });
  file.on('error', () => { response.statusCode = 404; response.end(); });
});

async function run(shard) {
  const query = new URLSearchParams({
    ...Object.fromEntries(environment.map((one) => one.split(/=(.*)/s).slice(0, 2))),
    GTEST_TOTAL_SHARDS: shards, GTEST_SHARD_INDEX: shard, FILTER: filter,
  });
  const profile = mkdtempSync(join(tmpdir(), 'trigon-web-'));
  const address = `http://localhost:${server.address().port}/page.html?${query}`;
  const browser = spawn('chromium', [...flags, `--user-data-dir=${profile}`, address],
                        {stdio: ['ignore', 'ignore', 'pipe']});
  let log = '';
  browser.stderr.on('data', (text) => { log += text; });
  const ended = new Promise((resolve) => browser.on('exit', resolve).on('error', resolve));
  let timer;
  const why = await Promise.race([
    new Promise((resolve) => finished.set(shard, resolve)),
    ended.then(() => 'the browser ended'),
    new Promise((resolve) => { timer = setTimeout(resolve, longestShard, 'it takes too long'); }),
  ]);
  clearTimeout(timer);
  if (why) fail(shard, why);
  await new Promise((resolve) => setTimeout(resolve, 500));  // the console's last words
  browser.kill('SIGKILL');
  await ended;
  rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  // The browser tells of wrong calls in its console alone. Tests ask for too much memory on purpose.
  const said = log.split('\n').filter((text) => /CONSOLE/.test(text) && /WebGL/.test(text) &&
                                                 !/allocation size is too large/.test(text));
  if (said.length > 0) fail(shard, `the console shows:\n${said.join('\n')}`);
}

await new Promise((resolve) => server.listen(0, 'localhost', resolve));
const waiting = Array.from({length: shards}, (_, shard) => shard);
async function work() {
  while (waiting.length > 0) await run(waiting.shift());
}
await Promise.all(cpus().map(work));
server.close();
console.log(`${total.passed} ${total.failed} ${total.skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
