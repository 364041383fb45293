// SPDX-License-Identifier: MIT
// What tests of the JavaScript module share.
import assert from 'node:assert/strict';

// Runs in the page, before each test.
const prelude = `
  const list = (values) => Array.from(values);
  const message = async (promise) => {
    try { await promise; } catch (error) { return error.name + ': ' + error.message; }
    return 'no error';
  };
  const pixels = (canvas) => {
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const {data} = context.getImageData(0, 0, copy.width, copy.height);
    return [canvas.width, canvas.height, list(data)];
  };
  const canvas = () => document.createElement('canvas');
  const t = globalThis.t;`;

/** Runs checks, and prints "passed failed skipped" at the end. */
export function counter() {
  let passed = 0, failed = 0;
  return {
    async check(name, run) {
      try {
        await run();
        ++passed;
      } catch (error) {
        ++failed;
        console.log(`FAILED ${name}: ${error.message}`);
      }
    },
    finish(skipped = 0) {
      console.log(`${passed} ${failed} ${skipped}`);
      process.exitCode = failed > 0 ? 1 : 0;
    },
  };
}

/** Opens an address of the site, with the module as Trigon; `failures` are rejections. */
export async function openModule(browser, address) {
  const page = await browser.open(address);
  await page.evaluate(`(async () => {
    globalThis.failures = [];
    addEventListener('unhandledrejection', ({reason}) => failures.push(String(reason)));
    globalThis.Trigon = (await import('/trigon.mjs')).Trigon;
  })()`);
  return page;
}

/** Runs tests, {name: [code, expected]}, in the page, whose Trigon is globalThis.t. */
export async function runAll(check, page, profile, tests, {before = '', names = {}} = {}) {
  for (const [name, [code, expected]] of Object.entries(tests)) {
    await check(`${profile}: ${name}`, async () => {
      const body = code.replace(/\b[A-Z]{4,}\b/g, (word) => word in names ?
          JSON.stringify(names[word]) : word);
      compare(await page.evaluate(`(async () => {${prelude}${before}${body}})()`), expected);
    });
  }
}

/** Ends the tests of a page. */
export async function finishPage({check, finish}, browser, page, server) {
  await check('nothing is left unhandled', async () => {
    assert.deepEqual(await page.evaluate('failures'), []);
  });
  await check('the console is silent', () => assert.deepEqual(browser.complaints(), []));
  await browser.close();
  server.close();
  finish();
}

/** Compares results; an expected text that ends with a space is the beginning of one. */
export function compare(found, expected) {
  if (typeof expected === 'function') return expected(found);
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(found), `${JSON.stringify(found)} is no list`);
    assert.equal(found.length, expected.length, JSON.stringify(found).slice(0, 500));
    return expected.forEach((one, k) => compare(found[k], one));
  }
  if (typeof expected === 'string' && expected.endsWith(' ')) {
    return assert.ok(String(found).startsWith(expected), `${found}`);
  }
  assert.deepEqual(found, expected);
}
