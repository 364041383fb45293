// SPDX-License-Identifier: MIT
// The pages about the functions in Chromium: each example as the page shows it, against what its
// C++ prints; calls that are refused; the guides' code; and a walk through the page.
// usage: node tests/web/api_test.mjs FOLDER PICTURES
//   FOLDER    the page as bindings/web/build writes it
//   PICTURES  a folder for screenshots
// The last line is: passed failed skipped.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {guides, manuals, reference} from '../../bindings/web/tools/api.mjs';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium} from './chromium.mjs';
import {counter} from './module.mjs';
import {packages} from './packages.mjs';
import {Person} from './person.mjs';

const [folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, {recursive: true});
const web = new URL('../../bindings/web/', import.meta.url);
const {check, finish} = counter();
const server = await listen((path, request, response) =>
    sendFile(join(folder, path), request, response));
const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
const person = await Person.at(browser, server.address('api.html'));
const entries = reference().chapters.flatMap(({entries}) => entries);

// ---- Examples

const number = /[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/g;

/**
 * Compares texts; numbers may differ in the last digits, and so in the spaces before them. "…"
 * stands for any text.
 */
function near(found, wanted) {
  if (wanted.includes('…')) {
    const [begin, end] = wanted.split('…');
    assert.ok(found.startsWith(begin) && found.endsWith(end), `prints ${found}`);
    return;
  }
  const rest = (text) => text.replace(number, '').replace(/ +/g, '').trim();
  assert.equal(rest(found), rest(wanted), `prints ${found}`);
  const [numbers, others] = [found, wanted].map((text) => (text.match(number) ?? []).map(Number));
  assert.equal(numbers.length, others.length, `prints ${found}`);
  numbers.forEach((one, k) => assert.ok(
      Math.abs(one - others[k]) <= 1e-6 + 1e-5 * Math.abs(others[k]), `prints ${found}`));
}

// Clicks on Run in each example: what each prints, and whether it is an error.
const runAll = `(async () => {
  const found = {};
  for (const example of document.querySelectorAll('.example')) {
    const [button, printed] = ['.run', '.printed'].map((one) => example.querySelector(one));
    printed.textContent = '';
    button.click();
    while (button.disabled) await new Promise((resolve) => setTimeout(resolve, 2));
    found[example.querySelector('.code').id] =
        [printed.textContent, printed.classList.contains('bad')];
  }
  return found;
})()`;

// The examples whose pictures have more than one colour.
const drawn = `[...document.querySelectorAll('.example canvas')].filter((canvas) => {
  const {width, height} = canvas;
  const copy = Object.assign(document.createElement('canvas'), {width, height}).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  return new Set(new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer)).size > 1;
}).map((canvas) => canvas.closest('.example').querySelector('.code').id)`;

const printed = await person.evaluate(runAll);
const examples = entries.flatMap(({js, examples}) =>
    examples.map((one, k) => [`${js}-${k + 1}`, one]));
assert.ok(examples.length > 280, `${examples.length} examples`);
await check('the page has all examples', () =>
    assert.deepEqual(Object.keys(printed).sort(), examples.map(([id]) => id).sort()));
for (const [id, example] of examples) {
  await check(`${id} prints what ${example.cpp ? 'C++ prints' : 'is shown'}`, () => {
    const [text, isBad] = printed[id];
    assert.ok(!isBad, text);
    near(text, example.printed.trimEnd());
  });
}
await check('examples with a canvas draw pictures', async () => {
  const pictures = examples.filter(([, {js}]) => /\bcanvas\b/.test(js)).map(([id]) => id)
      .filter((id) => id !== 'Gallery.dispose-1');  // which is refused a frame
  assert.ok(pictures.length > 8, `${pictures.length} pictures`);
  assert.deepEqual(await person.evaluate(drawn), pictures);
});

// ---- Calls that are refused

await person.evaluate(`(async () => {
  globalThis.Trigon = (await import('./trigon.mjs')).Trigon;
  globalThis.t = await Trigon.open();
})()`);
const refused = entries.flatMap(({refused = []}) => refused);
assert.ok(refused.length > 100, `${refused.length} calls`);
const said = await person.evaluate(`Promise.all([${refused.map(({js}) => `(async () => {
  const values = await ${js};
  await t.eval([values].flat());
  return 'no error';
})().catch(({message}) => message)`)}])`);
for (const [k, {js, error}] of refused.entries()) {
  await check(`${js} is refused`, () => assert.equal(said[k], error));
}

// ---- What the page says

await check('all entries have a text and an example', () => {
  assert.deepEqual(entries.filter(({text}) => !text).map(({js}) => js), []);
  assert.deepEqual(entries.filter(({examples}) => examples.length === 0).map(({js}) => js), []);
  assert.equal(new Set(entries.map(({js}) => js)).size, entries.length);
});
await check('written examples belong to an entry', () => {
  const {module: written} = JSON.parse(readFileSync(new URL('functions.json', web)));
  for (const name of Object.keys(written)) assert.ok(entries.some(({js}) => js === name), name);
});
await check('what is C++ only has a reason', () => {
  const {only} = reference();
  assert.ok(only.length > 30);
  for (const {name, left_out: why} of only) assert.ok(why, name);
});

// ---- Guides

// The values that their phrases use.
const values = String.raw`
  const x = t.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), y = x.add(1), w = t.ones([3, 3]);
  const v = t.tensor([1, 2, 3]), i = t.tensor([2, 0, 1], {dtype: 'int32'});
  const a = x.greater(2), b = y.greater(3), values = [1, 2, 3, 4, 5, 6];
  const f = (x) => x.square().sum();
  const canvas = document.createElement('canvas');
  canvas.getContext('2d').fillRect(0, 0, 2, 2);
  const codes = (text) => Array.from(text, (sign) => sign.charCodeAt(0));
  const said = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }".padEnd(117) + '\n';
  const file = new Uint8Array([0x93, ...codes('NUMPY'), 1, 0, 118, 0, ...codes(said), 0, 0, 0, 0]);
  const header = JSON.stringify({w: {dtype: 'F32', shape: [1], data_offsets: [0, 4]}});
  const weights = new Uint8Array(
      [header.length, 0, 0, 0, 0, 0, 0, 0, ...codes(header), 0, 0, 0, 0]);`;

// The value of a phrase is computed, called if it is a function, and closed if it is a Trigon.
const runPhrase = (phrase) => person.evaluate(`(async () => {${values}
  let found = await (${phrase});
  if (typeof found === 'function' && found !== File) found = found(x);
  if (found instanceof Trigon) return found.close();
  for (const one of [found].flat()) await one?.eval?.();
  return true;
})()`);

// The lines that a program prints, and those that its comments promise.
async function runBlock(text, opens) {
  const wanted = [...text.matchAll(/(?:console\.log|print\(\)).*?\/\/ (.*)$/gm)].map(
      ([, one]) => one);
  const found = await person.evaluate(`(async () => {
    const lines = [], {log} = console;
    console.log = (...given) => lines.push(given.join(' '));
    try {
      await (async (${opens ? '' : 't'}) => {${text}})(t);
    } finally {
      console.log = log;
    }
    return lines;
  })()`);
  near(found.join('\n'), wanted.join('\n'));
  return wanted.length;
}

for (const name of Object.keys(guides)) {
  const text = readFileSync(new URL(`package/${name}.md`, web), 'utf8');
  await check(`${name} says first where shapes live`, () =>
      assert.match(text, /^# .*\n\n\*\*Shapes live in the Worker\.\*\*/));
  const rows = [...text.matchAll(/^\| .* \| (.*) \|$/gm)].map(([, cell]) => cell);
  const spans = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one]) => one));
  assert.ok(spans.length > 50, `${spans.length} phrases`);
  for (const phrase of spans) await check(`${name}: ${phrase}`, () => runPhrase(phrase));
  const blocks = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, one]) => one);
  assert.ok(blocks.length > 2, `${blocks.length} programs`);
  await check(`${name}'s page has its programs, tables, phrases and headings`, () => {
    const html = readFileSync(join(folder, `${name}.html`), 'utf8');
    const count = (of, pattern) => of.match(pattern)?.length ?? 0;
    assert.equal(count(html, /<pre /g), blocks.length);
    assert.equal(count(html, /<tr>/g), count(text, /^\|(?!---)/gm));
    assert.equal(count(html, /<h2 /g), count(text, /^## /gm));
    assert.equal(count(html, /<li>/g), count(text, /^- /gm));
    assert.ok(!html.includes('`') && !/\*\*\w/.test(html));
  });
  for (const block of blocks) {
    await check(`${name}: ${block}`, async () => assert.ok(await runBlock(block, false) > 0));
  }
  await check(`${name}: what is not here is not here`, async () => {
    const names = [.../^Not here: .*$/m.exec(text)[0].matchAll(/`(\w+)`/g)].map(([, one]) => one);
    assert.ok(names.length > 4);
    assert.deepEqual(await person.evaluate(`${JSON.stringify(names)}.filter((name) =>
        [t, t.nn, t.linalg, t.random].some((home) => name in home))`), []);
  });
}

// The package's README is one program.
await check("the package's README", async () => {
  const readme = readFileSync(new URL('package/README.md', web), 'utf8');
  const program = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, one]) => one)
      .filter((one) => !one.startsWith('export')).join('').replace(/^import .*$/gm, '');
  assert.ok(await runBlock(program, true) > 2);
});

// ---- A walk

const widths = [320, 390, 1280], schemes = ['light', 'dark'];

// What leaves its card or the screen.
const leaving = `(() => {
  const found = [];
  for (const one of document.querySelectorAll(
      '.card pre, .card textarea, .card .scroll, .card dl')) {
    const card = one.closest('.card').getBoundingClientRect();
    const {left, right, width} = one.getBoundingClientRect();
    if (width > 0 && (left < card.left - .5 || right > card.right + .5)) {
      found.push((one.id || one.ariaLabel || one.className) + ' is ' + width + ' wide');
    }
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push('the page is ' + wide + ' wide');
  return found;
})()`;

let skipped = 0;
async function look(page, name) {
  const axe = packages() && readFileSync(join(packages(), 'axe-core/axe.min.js'), 'utf8');
  if (axe) await page.evaluate(axe);
  else skipped += 2 * schemes.length;  // axe's, at two widths
  for (const width of widths) {
    for (const scheme of schemes) {
      await check(`${name} at ${width}, ${scheme}`, async () => {
        await page.page.send('Emulation.setDeviceMetricsOverride',
                             {width, height: 800, mobile: false, deviceScaleFactor: 1});
        await page.page.send('Emulation.setEmulatedMedia', {features: [
          {name: 'prefers-color-scheme', value: scheme},
          {name: 'prefers-reduced-motion', value: 'reduce'}]});
        await page.sees(`innerWidth === ${width} && matchMedia(
            '(prefers-color-scheme: ${scheme})').matches`);
        assert.deepEqual(await page.evaluate(leaving), []);
        await page.evaluate('scrollTo(0, 0)');
        await page.page.screenshot(join(pictures, `${name}-${width}-${scheme}.png`));
        await page.sees('document.getAnimations().length === 0');
        if (axe && width !== 390) assert.deepEqual(await page.evaluate(serious), []);
      });
    }
  }
}

const serious = `axe.run().then(({violations}) => violations.filter(
    ({impact}) => !['minor', 'moderate'].includes(impact)).map(({id, nodes}) =>
        id + ': ' + nodes.map((one) => one.target.join(' ')).slice(0, 3).join('; ')))`;
const entry = (name) => `document.getElementById(${JSON.stringify(name)})`;

// With the keyboard alone: finds a function, opens it, changes its example and runs it.
async function findsAndRuns(page) {
  await page.tabsTo('search');
  await page.replaces('sum');
  await page.reads('found', /^\d+ of \d+ fit\. Named so: sum\.$/);
  await page.replaces('clipByValue');
  await page.reads('found', /^0 of \d+ fit\..* Write x\.clip\(low, high\): clip\./);
  await page.replaces('np.concat');
  await page.reads('found', /^1 of \d+ fits\.$/);
  assert.equal(await page.evaluate(`getComputedStyle(${entry('sum')}).display`), 'none');
  await page.evaluate(`${entry('concatenate')}.querySelector('summary').id = 'concatenate-name'`);
  await page.tabsTo('concatenate-name');
  await page.press('Enter');
  await page.tabsTo('concatenate-1');
  await page.replaces('await t.concatenate([t.zeros([1]), t.ones([2])]).print();');
  await page.press('Enter', {modifiers: 2});
  const shown = `${entry('concatenate-1')}.closest('.example').querySelector('.printed')`;
  await page.sees(`${shown}.textContent === '[0. 1. 1.]'`);
  await page.replaces('await t.concatenate([t.zeros([1]), t.ones([2, 2])]).print();');
  await page.press('Enter', {modifiers: 2});
  await page.sees(`/^trigon::concatenate: shapes differ: /.test(${shown}.textContent)`);
  assert.ok(await page.evaluate(`${shown}.matches('.bad')`));
  await page.replaces('await t.concatenate(');
  await page.press('Enter', {modifiers: 2});
  await page.sees(`/^SyntaxError: /.test(${shown}.textContent)`);
  await page.replaces('t.zeros([1], {form: 2});');
  await page.press('Enter', {modifiers: 2});
  await page.sees(`/^trigon.zeros: no argument "form"/.test(${shown}.textContent)`);
  await page.replaces('t.zeros([1]);');
  await page.press('Enter', {modifiers: 2});
  await page.sees(`/^Nothing: /.test(${shown}.textContent)`);
  assert.ok(!await page.evaluate(`${shown}.matches('.bad')`));
}

async function followsLinks(page) {
  for (const name of ['sum', 'nn.softmax', 'Tensor.at', 'Kernel']) {
    await page.evaluate(`location.hash = ${JSON.stringify(name)}`);
    await page.sees(`${entry(name)}.open && document.title.startsWith(${JSON.stringify(name)})`);
    await page.sees(`Math.abs(${entry(name)}.getBoundingClientRect().top) < innerHeight`);
  }
  for (const wrong of ['nothing', '%FF', '__proto__', '<img src=x>']) {
    await page.evaluate(`document.getElementById('found').textContent = '';
        location.hash = ${JSON.stringify(wrong)}`);
    await page.reads('found', /^There is no function “.+” here\.$/);
  }
}

// The browser takes the device away; the next program opens another.
async function losesTheDevice(page) {
  const shown = `${entry('sum-1')}.closest('.example').querySelector('.printed')`;
  const runs = async (text, pattern) => {
    await page.evaluate(`${entry('sum-1')}.value = ${JSON.stringify(text)};
        ${entry('sum-1')}.closest('.example').querySelector('.run').click()`);
    await page.sees(`${pattern}.test(${shown}.textContent)`);
  };
  await runs('await t.loseContext(); await t.ones([2]).print();', /took the WebGL context away/);
  await runs('await t.ones([2]).print();', /^\[1\. 1\.\]$/);
}

const walker = await Person.at(browser, server.address('api.html'));
await check('a function is found, changed and run with the keyboard', () => findsAndRuns(walker));
await check('links open functions', () => followsLinks(walker));
await check('the device is lost and comes again', () => losesTheDevice(walker));
await walker.evaluate(`for (const name of ['grad', 'tensor', 'nn.scaled_dot_product_attention',
    'random.key_data', 'einsum', 'Gpt2.generate']) {
  ${'document.getElementById(name)'}.open = true;
  for (const one of document.getElementById(name).querySelectorAll('details')) one.open = true;
}`);
await look(walker, 'functions');
for (const name of [...Object.keys(guides), 'manual', 'library']) {
  await look(await Person.at(browser, server.address(`${name}.html`)), name);
}
const pageOf = (name) => readFileSync(join(folder, name), 'utf8');
for (const name of ['index', 'api', ...Object.keys(manuals)]) {
  await check(`links of ${name}.html lead somewhere`, () => {
    const file = `${name}.html`, html = pageOf(file);
    const targets = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, to]) => to)
        .filter((to) => !/^https:/.test(to));
    assert.ok(targets.length > 5);
    for (const to of targets) {
      const [path, place] = to.split('#');
      assert.ok(path === '' || existsSync(join(folder, path)), to);
      if (place) assert.ok(pageOf(path || file).includes(`id="${place}"`), to);
    }
  });
}
await check('index.html links the manuals, the guides and the package', () => {
  for (const to of ['api.html', 'manual.html', ...Object.keys(guides).map((one) => `${one}.html`),
                    'library.html', 'trigon.tgz']) {
    assert.ok(pageOf('index.html').includes(`href="${to}"`), to);
  }
});
await check('manuals are HTML as a whole', () => {
  for (const name of Object.keys(manuals)) {
    const text = pageOf(`${name}.html`).replace(/<pre [^]*?<\/pre>|<code>.*?<\/code>/g, '');
    assert.doesNotMatch(text, /`|\*\*\w|\]\(|^#|^\|/m, name);
  }
});
await check('the console is silent but for the lost device', () => {
  assert.deepEqual(browser.complaints().filter(
      ({text}) => !/context.?lost|loseContext|WebGL context away/i.test(text)), []);
  assert.deepEqual(browser.messages().filter(({source}) => source === 'exception'), []);
});
await browser.close();
server.close();
finish(skipped);
