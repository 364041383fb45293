// SPDX-License-Identifier: MIT
// Random programs in Chromium, through trigon.mjs and in C++ compiled into the same module: their
// values, shapes, dtypes and errors are equal, on WebGL 2 and WebGL 1.
//
// usage: node tests/web/programs_test.mjs FOLDER MODULES [SEED]: the folder that bindings/web/build
// prints, and that of trigon_programs. TRIGON_SEEDS is the number of programs, by default 200 and
// on WebGL 1, for their time, 50; SEED is a program to run alone. The last line is: passed failed
// skipped.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium} from './chromium.mjs';
import {counter, finishPage, openModule} from './module.mjs';

const [folder, modules, only] = process.argv.slice(2);
const here = new URL('programs/', import.meta.url).pathname;
const seedsOf = (usual) => only === undefined ? Number(process.env.TRIGON_SEEDS ?? usual) : 1;
const first = Number(only ?? 0);

// Requests to C++ go to the module's other function, past those of pages.
const core = `import create from './trigon_programs.mjs';
export default async (options) => {
  const core = await create(options);
  return Object.assign(Object.create(core), {
    _trigon_request: (text, bytes, size) =>
        core.UTF8ToString(text).startsWith('{"op":"program"') ?
            core._trigon_program(text) : core._trigon_request(text, bytes, size),
  });
};`;

function answer(path, request, response) {
  if (path === '/trigon_core.mjs') {
    response.setHeader('Content-Type', 'text/javascript');
    return response.end(core);
  }
  const from = path.startsWith('/programs/') ? join(here, path.slice(10)) :
      path.startsWith('/trigon_programs.') ? join(modules, path) : join(folder, path);
  return sendFile(from, request, response);
}

const checks = counter(), {check} = checks;
const server = await listen(answer);
const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
const page = await openModule(browser, server.address('model/merges.txt'));

// The programs that were run, in a sentence.
function summary(all, rows) {
  const sum = (value) => all.reduce((total, one) => total + value(one), 0);
  const called = new Set(all.flatMap((one) => one.rows));
  const others = rows.filter((name) => !called.has(name));
  return [
    `${all.length} programs: ${sum(({calls}) => calls)} calls`,
    `${called.size} of ${rows.length} functions` +
        (others.length > 0 && others.length < 20 ? ` (not ${others.join(', ')})` : ''),
    `${sum(({functions}) => functions.length > 0)} with functions of functions`,
    `${sum(({frames}) => frames > 1)} with numbers that change`,
    `${sum(({isError}) => isError)} end in an error`,
    `${sum(({elements}) => elements)} elements`,
  ].join(', ');
}

for (const [profile, seeds] of [['webgl2', seedsOf(200)], ['webgl1', seedsOf(50)]]) {
  const rows = await page.evaluate(`(async () => {
    const {check, rowsOf} = await import('/programs/check.mjs');
    const t = globalThis.t = await Trigon.open({profile: '${profile}'});
    const rows = await rowsOf(t);
    globalThis.run = (seed, change) => check(t, rows, seed, change);
    return [...rows.keys()];
  })()`);
  const begin = Date.now(), all = [];
  for (let seed = first; seed < first + seeds; ++seed) {
    await check(`${profile}: program ${seed}`, async () => {
      const found = await page.evaluate(`run(${seed})`);
      all.push(found);
      assert.equal(found.difference, null, `\n${found.text}${found.difference}`);
    });
  }
  await check(`${profile}: a changed bit of the leaves is noticed`, async () => {
    const found = [];
    for (let seed = first; seed < first + 5; ++seed) {
      const {difference} = await page.evaluate(`run(${seed}, ({leaves}) => {
        for (const leaf of leaves) leaf.words = leaf.words.map((word) => word ^ 1);
      })`);
      found.push(difference);
    }
    assert.match(found.join('\n'), /, element \d+: JavaScript: /);
  });
  if (only === undefined) {
    await check(`${profile}: the programs call each function`, () => {
      const called = new Set(all.flatMap((one) => one.rows));
      // WebGL 1 lacks functions of integers, and few programs call only some.
      if (profile === 'webgl1' || 2 * all.length < rows.length) {
        return assert.ok(called.size > 0.8 * Math.min(rows.length, 4 * all.length));
      }
      const others = rows.filter((name) => !called.has(name));
      assert.deepEqual(others, [], 'their arguments need a recipe in programs/arguments.mjs');
    });
    await check(`${profile}: the programs are of many kinds`, () => {
      const share = (has) => all.filter(has).length / all.length;
      assert.ok(share(({functions}) => functions.length > 0) > 0.4);
      assert.ok(share(({isError}) => isError) < 0.25);
      assert.ok(all.reduce((sum, {elements}) => sum + elements, 0) > 30 * all.length);
    });
  }
  console.log(`${profile}: ${Math.round((Date.now() - begin) / 1000)} s, ${summary(all, rows)}`);
  await page.evaluate('t.close()');
}
await finishPage(checks, browser, page, server);
