// SPDX-License-Identifier: MIT
// The npm package as a stranger uses it: packed, installed, compiled, bundled, and run in Chromium,
// from its own and from another origin. usage: node tests/web/package_test.mjs PACKAGE SITE
// The folders that bindings/web/build writes as build/package and build/site. The last line is:
// passed failed skipped.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {
  cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {versionOf} from '../../bindings/web/tools/assemble.mjs';
import {Chromium} from './chromium.mjs';
import {counter} from './module.mjs';
import {cases, nonce} from './package/cases.mjs';
import {packages} from './packages.mjs';

const [folder, site] = process.argv.slice(2).map((one) => resolve(one));
const work = mkdtempSync(join(tmpdir(), 'trigon-package-'));
const here = new URL('.', import.meta.url);

const {check, finish} = counter();

/** The output of a program; throws with it if it fails. */
function run(program, args, cwd = work) {
  const child = spawn(program, args, {cwd});
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (some) => { text += some; });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(text);
      else reject(new Error(`${program} ${args[0]}: ${text}`));
    });
  });
}

// ---- Packed, installed, compiled

async function installs() {
  const packed = JSON.parse(await run('npm', ['pack', folder, '--json']))[0];
  const header = readFileSync(new URL('../../include/trigon/config.hpp', here), 'utf8');
  assert.equal(packed.version, versionOf(header));
  const names = packed.files.map(({path}) => path);
  for (const name of ['LICENSE', 'README.md', 'from_numpy.md', 'from_tensorflow.md',
                      'trigon.d.mts', 'trigon_core.wasm', 'worker.mjs']) {
    assert.ok(names.includes(name), `${name} is not in ${names}`);
  }
  writeFileSync(join(work, 'package.json'), '{"private": true, "type": "module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename]);
  return names;
}

// The site's file, by its address, has the same files as the package that npm makes.
async function installsFromSite(names) {
  const project = join(work, 'from-site');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  const server = await listen((path, ...rest) => sendFile(join(site, path), ...rest));
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', server.address('trigon.tgz')], project);
  } finally {
    server.close();
  }
  const installed = join(project, 'node_modules/trigon');
  assert.deepEqual(readdirSync(installed).sort(), [...names].sort());
  for (const name of names) {
    assert.ok(readFileSync(join(installed, name)).equals(readFileSync(join(folder, name))), name);
  }
}

// The declarations must pass with old and new libraries, and beside those of Node.
const strict = {strict: true, skipLibCheck: false, noEmit: true, module: 'nodenext', types: []};
const compilations = {
  'es2020': ['typescript', {target: 'es2020', lib: ['es2020', 'dom']}],
  'es2020 and Node': ['typescript', {target: 'es2020', lib: ['es2020', 'dom'], types: ['node']}],
  'esnext': ['typescript', {target: 'esnext', lib: ['esnext', 'dom']}],
  'esnext and Node, of bundlers': ['typescript', {
    target: 'es2022', lib: ['es2022', 'dom', 'esnext.disposable'], types: ['node'],
    module: 'esnext', moduleResolution: 'bundler'}],
  'es2020, TypeScript 5': ['typescript5', {target: 'es2020', lib: ['es2020', 'dom']}],
  // These are run, too.
  'native using': ['typescript', {target: 'esnext', noEmit: false, outDir: 'native'}],
  'lowered using': ['typescript', {target: 'es2022', noEmit: false, outDir: 'lowered'}],
};

async function compiles(modules, k, compiler, options) {
  const config = join(work, `tsconfig.${k}.json`);
  const typeRoots = [join(modules, '@types')];
  writeFileSync(config, JSON.stringify(
      {files: ['main.ts'], compilerOptions: {...strict, typeRoots, ...options}}));
  await run(process.execPath, [join(modules, compiler, 'bin/tsc'), '-p', config]);
}

async function bundles(modules, outDir, base) {
  const {build} = await import(pathToFileURL(join(modules, 'vite/dist/node/index.js')));
  writeFileSync(join(work, 'index.html'),
                '<!doctype html><script type="module" src="/main.ts"></script>');
  await build({root: work, configFile: false, logLevel: 'error', base, build: {outDir}});
}

// README's first program, and the lines that its comments promise.
function readmeProgram() {
  const [, text] = /```js\n(.*?)```/s.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
  mkdirSync(join(work, 'readme'));
  writeFileSync(join(work, 'readme/main.mjs'), text);
  const lines = [...text.matchAll(/console\.log.*?\/\/ (.*)/g)].map(([, line]) => line);
  assert.equal(lines.length, 2);
  return lines;
}

// ---- Served: cases by their numbers; the package; what was compiled; and the bundle

const origins = {};  // HOME and HOST
const filled = (text, k) => text.replaceAll(/HOME|HOST/g, (name) => origins[name])
    .replaceAll('CASE', k);

const start = (address) => `<!doctype html><script type="module" nonce="${nonce}">
  globalThis.answer = import('${address}').then(({Trigon}) => Trigon.open()).then(
      async (t) => Array.from(await t.tensor([1, 2]).add(1).data()), ({message}) => message);
</script>`;
const imports = `<!doctype html>
<script type="importmap">{"imports": {"trigon": "/package/trigon.mjs"}}</script>`;
const pages = {
  native: imports + '<script type="module" src="main.js"></script>',
  lowered: imports + '<script type="module" src="main.js"></script>',
  // Its answer is the list of lines that README's program prints.
  readme: imports + `<script type="module">
    const lines = [];
    console.log = (...given) => lines.push(given.join(' '));
    globalThis.answer = import('./main.mjs').then(() => lines, ({message}) => message);
  </script>`,
};

function sendPage(response, text) {
  response.setHeader('Content-Type', 'text/html');
  response.end(text);
}

function answerCase(isHost, k, name, request, response) {
  const {policy, other, closed, below = '', faults = {}} = Object.values(cases)[k];
  if (policy && !isHost) response.setHeader('Content-Security-Policy', filled(policy, k));
  if (isHost && name !== closed) response.setHeader('Access-Control-Allow-Origin', '*');
  if (name === '') {
    const module = `${other ? origins.HOST : ''}/${k}/${below}trigon.mjs`;
    return sendPage(response, start(module));
  }
  name = name.slice(below.length);
  if (Object.hasOwn(faults, name)) {
    const [status, type, text] = faults[name];
    return response.writeHead(status, {'Content-Type': type}).end(text);
  }
  return sendFile(join(folder, name), request, response);
}

function answer(isHost, path, request, response) {
  const [, first, ...rest] = path.split('/');
  const name = rest.join('/');
  if (/^\d+$/.test(first)) return answerCase(isHost, first, name, request, response);
  if (first === 'package') return sendFile(join(folder, name), request, response);
  if (Object.hasOwn(pages, first) && name === '') return sendPage(response, pages[first]);
  if (first === 'far' && isHost) response.setHeader('Access-Control-Allow-Origin', '*');
  const place = /^(native|lowered|readme|far)$/.test(first) ? work : join(work, 'dist');
  return sendFile(join(place, path.replace(/\/$/, '/index.html')), request, response);
}

/** The answer of a page's program. */
async function answerOf(browser, path) {
  const tab = await browser.open(`${origins.HOME}/${path}`);
  const found = await tab.evaluate('globalThis.answer ?? "the program did not run"');
  await tab.send('Page.close');
  return found;
}

const results = [
  true, [7, 10, 15, 22], [14, 20, 30, 44], [1, 2], false, true, [3, [1, 0], [0.5, 0]],
  'trigon: closed: close() was called'];

async function main(modules) {
  let names;
  await check('npm pack and npm install', async () => { names = await installs(); });
  await check("npm install of the site's trigon.tgz", () => installsFromSite(names));
  cpSync(new URL('package/main.ts', here), join(work, 'main.ts'));
  for (const [k, [name, [compiler, options]]] of Object.entries(compilations).entries()) {
    await check(`tsc: ${name}`, () => compiles(modules, k, compiler, options));
  }
  await check('only one of them keeps using', () => {
    const [native, lowered] = ['native', 'lowered'].map((one) =>
        /\busing y\b/.test(readFileSync(join(work, one, 'main.js'), 'utf8')));
    assert.deepEqual([native, lowered], [true, false]);
  });
  await check('Node imports it, and open() says that it needs a browser', async () => {
    const text = await run(process.execPath, ['--input-type=module', '--eval', `
      const {Trigon} = await import('trigon');
      await Trigon.open().catch(({message}) => console.log(message));`]);
    assert.match(text, /^trigon\.open: there is no Worker here; .* needs a browser: /);
  });
  await check('each file that others may ask for has an address', async () => {
    const {exports} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = await run(process.execPath, ['--input-type=module', '--eval', `
      import {existsSync} from 'node:fs';
      for (const one of ${JSON.stringify(Object.keys(exports))}) {
        console.log(existsSync(new URL(import.meta.resolve(one.replace('.', 'trigon')))));
      }`]);
    assert.equal(text, 'true\n'.repeat(5));
  });
  const servers = [await listen((...given) => answer(false, ...given)),
                   await listen((...given) => answer(true, ...given))];
  [origins.HOME, origins.HOST] = servers.map((one) => one.address('').slice(0, -1));
  await check('vite build', () => bundles(modules, 'dist', '/'));
  await check("vite build for another origin's files",
              () => bundles(modules, 'far', `${origins.HOST}/far/`));
  const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
  for (const [what, path] of [['the bundle', ''],
                              ["the bundle with another origin's files", 'far/'],
                              ['native using', 'native/'],
                              ['lowered using', 'lowered/']]) {
    await check(`${what} runs`, async () =>
        assert.deepEqual(await answerOf(browser, path), results));
  }
  await check("README's program", async () => {
    const lines = readmeProgram();
    assert.deepEqual(await answerOf(browser, 'readme/'), lines);
  });
  for (const [k, [name, {found}]] of Object.entries(cases).entries()) {
    await check(name, async () => {
      const said = await answerOf(browser, `${k}/`);
      if (found === undefined) return assert.deepEqual(said, [2, 3]);
      const begin = filled(found, k);
      assert.equal(said.slice?.(0, begin.length), begin, JSON.stringify(said));
    });
  }
  await browser.close();
  for (const one of servers) one.close();
}

const modules = packages();
if (modules === null) {
  console.log('skipped: there is no npm');
} else {
  await main(modules);
}
rmSync(work, {recursive: true, force: true});
finish(modules === null ? 1 : 0);
