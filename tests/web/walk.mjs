// SPDX-License-Identifier: MIT
// A walk through the page as a person would take it, in headless Chromium on llvmpipe.
// usage: node walk.mjs FOLDER PICTURES [STEP...]
//   FOLDER    the page as bindings/web/build writes it
//   PICTURES  a folder for screenshots
//   STEP      only the steps whose name contains one of these
// The last line is: passed failed skipped.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {check, equal, isIdle, isRed, tokenCount, written} from './checks.mjs';
import {lightest} from './light.mjs';
import {Chromium, drivers} from './chromium.mjs';
import {packages} from './packages.mjs';
import {Person} from './person.mjs';
import {serve} from './site.mjs';
import {badPages, badWeights, cancels} from './walk_bad.mjs';
import {
  hurriesThroughGallery, taps, touchesGallery, turnsKnobs, visitsGallery,
} from './walk_gallery.mjs';
import {leavesItsCard, tablesScroll} from './walk_layout.mjs';
import {followsLinks, opensGallery} from './walk_links.mjs';
import {refusesNumbers, spellsCharacters, staysLightWithMuch} from './walk_text.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [folder, pictures, ...only] = process.argv.slice(2);
if (!folder || !pictures) {
  console.error('walk.mjs: usage: node walk.mjs FOLDER PICTURES [STEP...]');
  process.exit(2);
}
const longest = 8 * 60 * 1000;  // ms, for all
const total = {passed: 0, failed: 0, skipped: 0};

// ---- GPT-2

// A prompt whose greedy continuation is in the model's golden file.
const golden = JSON.parse(readFileSync(join(here, '../../samples/gpt2/model/golden.json')))[2];

async function opens({person}) {
  const tabs = await person.roles('tab');
  equal(tabs.map(({name}) => name).join(), 'GPT-2,Gallery,Look inside', 'the tabs');
  equal(tabs.map(({properties}) => properties.selected).join(), 'true,false,false', 'the chosen');
  await person.reads('renderer', '/WebGL 2/');
  const renderer = (await person.text('renderer')).replace(/^.*? by /, '');
  check(drivers.llvmpipe.renderer.test(renderer), `the driver is ${renderer}`);
  await person.sees(`${tokenCount} > 4`, 'a text that comes by itself');
}

async function writes({person, shoot}) {
  await person.tabsTo('prompt');
  await person.replaces(golden.prompt);
  await person.evaluate(`document.querySelector('#sampling summary').id = 'sampling-summary'`);
  await person.tabsTo('sampling-summary');
  await person.press('Enter');
  await person.tabsTo('tokens');
  await person.replaces('64');
  await person.press('Tab');
  equal(await person.focused(), 'greedy', 'what follows the number of tokens');
  await person.press(' ');
  await person.evaluate(`document.getElementById('prompt').focus()`);
  await person.press('Tab');
  equal(await person.focused(), 'write', 'what follows the prompt');
  await person.press('Enter');
  const begin = `${written}.startsWith(${JSON.stringify(golden.prompt)})`;
  await person.sees(begin, 'the prompt as tokens');
  const first =
      await person.sees(`${begin} && ${tokenCount} > ${golden.ids.length} && ${tokenCount}`);
  check(first < golden.ids.length + 64, 'the text came all at once');
  await shoot('streaming');
  await person.sees(isIdle, 'the end of the text');
  equal(await person.evaluate(written), golden.greedy_text, 'the greedy text');
  // A block for each line, so that a new token lays out one line.
  const lines = await person.evaluate(`[...document.querySelectorAll('#text > div')].map(
      (one) => one.textContent)`);
  check(lines.length > 5 && lines.slice(0, -1).every((line) => line.endsWith('\n')),
        `the lines are ${JSON.stringify(lines)}`);
  const stats = await person.text('text-stats');
  const [, tokens, speed, draws] =
      /^(\d+) tokens · ([\d.]+) tokens a second · (\d+) draws a token$/.exec(stats) ?? [];
  check(speed > 0 && draws > 0, `the figures are "${stats}"`);
  equal(Number(tokens), golden.greedy.length, 'how many tokens');
  const said = await person.evaluate(`[...document.querySelectorAll('#spoken p')].map((one) =>
      one.textContent).join(' ')`);
  const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
  equal(squeezed(said), squeezed(golden.greedy_text.slice(golden.prompt.length)), 'what is said');
  check(await person.evaluate(`document.querySelectorAll('#spoken p').length`) > 2,
        'the text is said in one piece, not by sentence');
  return stats;
}

const choices = `[...document.querySelectorAll('#choices tbody tr')].map((row) => ({
  token: row.cells[0].textContent, taken: row.className === 'taken',
  probability: parseFloat(row.cells[1].textContent)}))`;

async function points({person, shoot}) {
  const options = await person.roles('option');
  check(options.length >= golden.greedy.length, `${options.length} tokens can be read`);
  const tokenAt = (k) => `.token[data-place="${k}"]`;
  await person.pointsAt(tokenAt(17));
  await person.reads('choice-note', '/^Token 17, /');
  const listed = await person.evaluate(choices);
  equal(listed.length, 8, 'the likeliest tokens');
  check(listed.every((one, k) => one.taken === (k === 0)), 'greedy takes the likeliest');
  check(listed.every((one, k) => !k || one.probability <= listed[k - 1].probability),
        'the likeliest come first');
  check(listed.reduce((sum, one) => sum + one.probability, 0) <= 101, 'more than 100 percent');
  await person.clicks(tokenAt(18));
  await person.sees(`document.querySelector('${tokenAt(18)}').ariaSelected === 'true'`);
  await person.press('ArrowRight');
  await person.sees(`document.querySelector('${tokenAt(19)}').ariaSelected === 'true'`);
  await person.reads('choice-note', '/^Token 19, /');
  await person.reads('heads-label', '/as it chose token 19/');
  // A word of the prompt has likeliest tokens, too.
  await person.press('Home');
  await person.press('ArrowRight');
  await person.sees(`document.querySelector('#choices tr') &&
      !document.getElementById('choices').hidden`, 'what may follow the first word');
  await person.clicks(tokenAt(19));
  await person.reads('heads-label', '/as it chose token 19/');
  await shoot('token');
}

async function seesPictures({person}) {
  for (const [name, label, width] of [['heads', /^36 rows/, 19], ['blocks', /^6 blocks/, 192],
                                      ['whole', /^Layer 1, head 1/, golden.greedy.length - 1]]) {
    const shown = `#${name}-frame canvas:not([hidden])`;
    await person.paints(shown, width, 8);
    await person.finds('image', label);
    await person.evaluate(`document.querySelector('#${name}-numbers summary').click()`);
    await person.sees(`document.querySelectorAll('#${name}-numbers tbody tr').length >= 36`);
  }
  const sums = await person.evaluate(`[...document.querySelectorAll('#heads-numbers tbody tr')].map(
      (row) => [...row.cells].slice(1).reduce((sum, cell) =>
          sum + parseFloat(cell.textContent.split(/\\s+/).at(-1)), 0))`);
  check(sums.every((sum) => sum > 0.1 && sum < 1.001), `the weights add up to ${sums}`);
  const before = await person.picture('#whole-frame canvas');
  await person.tabsTo('head');
  await person.press('ArrowDown');
  await person.reads('whole-label', '/^Layer 1, head 2/');
  await person.changes('#whole-frame canvas', before);
}

// The lens is there without being asked for.
async function looksThroughTheLens({person, shoot}) {
  await person.reads('lens-label', '/^In place of token 19: /');
  await person.sees(`document.querySelectorAll('#lens-result tbody tr').length === 6`);
  const said = await person.evaluate(
      `document.querySelector('#lens-result tbody tr:last-child td').textContent.split('  ')[0]`);
  await person.reads('choice-note', '/^Token 19, .* is the likeliest by the model/');
  equal(said, (await person.evaluate(choices))[0].token, 'the last layer');
  // Labels of the pictures: layers, and tokens of which the last one was read last.
  const texts = (name) => person.evaluate(`[...document.querySelectorAll('#${name} span')].map(
      (one) => one.textContent).join(' ')`);
  equal(await texts('heads-figure .bands'), 'layer 1 2 3 4 5 6', 'the bands of layers');
  const last = await person.evaluate(`document.querySelector('[data-place="18"]').textContent`);
  check((await texts('heads-figure .below')).endsWith(last.trim()), 'the tokens of the columns');
  await shoot('lens');
}

async function stopsAndGoesOn({person}) {
  await person.evaluate(`document.getElementById('tokens').focus()`);
  await person.replaces('200');
  await person.clicks('#write');
  await person.sees(`!document.getElementById('stop').disabled && ${tokenCount} > 20 &&
      ${tokenCount} < 70`, 'a new text');
  await person.tabsTo('stop');
  await person.press(' ');
  await person.sees(isIdle, 'an end soon after Stop');
  const before = await person.evaluate(written);
  const count = await person.evaluate(tokenCount);
  check(count < 180, `${count} tokens after Stop`);
  check(golden.greedy_text.startsWith(before) || before.startsWith(golden.greedy_text),
        'the text until Stop');
  await person.clicks('#go-on');
  await person.sees(`${tokenCount} > ${count + 5}`, 'more text');
  await person.clicks('#stop');
  await person.sees(isIdle);
  const after = await person.evaluate(written);
  check(after.startsWith(before), 'going on changed the text');
  check(after.startsWith(golden.greedy_text) || golden.greedy_text.startsWith(after),
        'going on is another text than without a stop');
}

// A text longer than the model's context continues from its newest part.
async function outgrowsTheContext({person, shoot}) {
  const more = 250, context = 256;
  const tokens = golden.ids.length + more;
  const first = context + 1 - context / 2;  // the first that the model still holds
  const tokenAt = (k) => `.token[data-place="${k}"]`;
  await person.evaluate(`document.getElementById('tokens').focus()`);
  await person.replaces(String(more));
  await person.clicks('#write');
  await person.reads('model-state', '/^Writing/');
  await person.sees(`${isIdle} && ${tokenCount} > ${context}`, 'a text past the context');
  equal(await person.text('model-state'), 'Written.', 'the end');
  equal(await person.evaluate(tokenCount), tokens, 'its tokens');
  check((await person.evaluate(written)).startsWith(golden.greedy_text), 'another text');
  await person.clicks(tokenAt(first));
  await person.reads('heads-label', new RegExp(`^There are no pictures of token ${first}\\. .*` +
      `it holds tokens ${first} to ${tokens - 2}\\.$`));
  equal(await person.evaluate(`document.querySelectorAll(
      '#heads-frame canvas:not([hidden]), #blocks-frame canvas:not([hidden])').length`), 0,
        'pictures of what is not at hand');
  await person.paints('#whole-frame canvas', tokens - 1 - first, 8);
  await person.clicks(tokenAt(tokens - 1));
  await person.reads('heads-label', `/as it chose token ${tokens - 1}/`);
  await person.paints('#heads-frame canvas:not([hidden])', tokens - 1 - first, 8);
  await person.paints('#blocks-frame canvas:not([hidden])', 192, 8);
  await shoot('past-the-context');
}

// ---- Look inside

const firstNumber = `document.querySelector('#value-table td').textContent`;

async function looksInside({person, shoot}) {
  await person.evaluate(`document.getElementById('tab-gallery').focus()`);
  await person.press('End');
  equal(await person.focused(), 'tab-inside', 'the tab with the focus');
  await person.reads('expression-message', '/^Done/');
  await person.evaluate(`document.getElementById('expression').focus()`);
  await person.replaces('sum(exp(q * 0.5), axis=1)');
  await person.press('Enter', {modifiers: 2});
  await person.reads('value-label', '/^Shape \\(3,\\), float32/');
  await person.sees(`${firstNumber} !== ''`);
  const wanted = [1, 0, 2, 0].reduce((sum, x) => sum + Math.exp(0.5 * x), 0);
  const found = Number(await person.evaluate(firstNumber));
  check(Math.abs(found - wanted) < 6e-4, `the sum is ${found}, not ${wanted}`);
  await person.reads('plan-label', '/^The plan: 1 draw, 1 program/');
  await person.reads('draws', '/void main\\(\\)[\\s\\S]*for \\(int t/');
  await person.reads('expression-message', '/^Done/');
  check((await person.picture('#value-frame canvas')).colours > 1, 'the picture has one colour');
  await person.finds('image', /^A graph of \d+ operations/);
  await shoot('inside');
}

async function mistypes({person}) {
  const tries = [
    ['q + ', '/^Line 1, character 5: a value is missing before the end/'],
    ['matmul(q, v)', '/^trigon::matmul: inner sizes differ: a is \\(3, 4\\), b is \\(3, 4\\)/'],
    ['wrong(q)', '/there is no function "wrong"/'],
    ['constructor(q)', '/there is no function "constructor"/'],
    ['q.sum(', '/a value is missing/'],
    ['nonzero(q)', '/^Line 1, character 1: how many tensors this gives/'],
    ['zeros([4096, 1025])', '/^The result has 4198400 elements; at most 4194304 are shown/'],
  ];
  await person.evaluate(`document.getElementById('tab-inside').click()`);
  await person.reads('expression-message', '/^Done/');
  await person.atEachWidth(async () => {
    for (const [source, pattern] of tries) {
      await person.evaluate(`document.getElementById('expression').focus()`);
      await person.replaces(source);
      await person.press('Enter', {modifiers: 2});
      await person.reads('expression-message', pattern);
      check(await person.evaluate(isRed('expression-message')), 'the error is not red');
      // The last result stays, and says that it is older.
      await person.reads('inside-old', '/last expression that could be computed: sum\\(exp/');
      await person.reads('value-label', '/^Shape \\(3,\\)/');
    }
  });
  await person.replaces('q.T');
  await person.press('Enter', {modifiers: 2});
  await person.reads('value-label', '/^Shape \\(4, 3\\)/');
  check(await person.evaluate(`document.getElementById('inside-old').hidden`), 'it is new');
}

// ---- The device is lost

async function losesTheDevice({person, shoot}) {
  await person.evaluate(`document.getElementById('tab-inside').focus()`);
  await person.press('Home');
  const before = await person.evaluate(written);
  await person.evaluate('trigon.loseContext()');
  await person.reads('notice-text', '/The browser took the graphics device away/');
  await person.finds('alert', /^/);
  await shoot('lost');
  const count = await person.evaluate(tokenCount);
  check(count > 0 && before === await person.evaluate(written), 'the text went away');
  await person.tabsTo('notice-button');
  await person.press('Enter');
  await person.sees(`document.getElementById('notice').hidden`, 'the end of the notice');
  await person.sees(isIdle, 'the model again');
  await person.evaluate(`document.getElementById('tokens').focus()`);
  await person.replaces('8');
  await person.clicks('#go-on');
  await person.sees(`${tokenCount} > 4 && ${isIdle} && ${written}.length > ${before.length}`,
                    'more text');
  check((await person.evaluate(written)).startsWith(before), 'the text changed');
}

// ---- Looks

function axeSource() {
  const folder = packages();
  return folder && readFileSync(join(folder, 'axe-core/axe.min.js'), 'utf8');
}

const axeSays = `axe.run().then(({violations}) => violations.map(({id, impact, nodes}) =>
    id + ' (' + impact + '): ' + nodes.map((one) =>
        one.target.join(' ') + ' ' + one.failureSummary.replace(/\\s+/g, ' ')).join('; ')))`;

// Each tab, on a phone and a desktop, light and dark: axe finds nothing serious, nothing is wider
// than the screen, and nothing leaves its card at more widths.
async function looksAtAll({browser, site, shoot}) {
  const axe = axeSource();
  const found = [];
  for (const [name, how] of [
    ['phone-light', {width: 360, height: 740, mobile: true, scheme: 'light'}],
    ['desk-dark', {scheme: 'dark'}]]) {
    const person = await Person.at(browser, site.address('some/where/'), how);
    await person.sees(`${tokenCount} > 12`, 'a text');
    if (axe !== null) await person.evaluate(axe);
    for (const tab of ['gpt2', 'gallery', 'inside']) {
      await person.evaluate(`document.getElementById('tab-${tab}').click()`);
      await person.sees({gpt2: isIdle, inside: `document.querySelector('#value-table td')`,
                         gallery: `document.getElementById('frame-draws').textContent > 0`}[tab]);
      if (tab === 'gpt2') {
        await person.evaluate(`document.getElementById('weights').open = true;
            document.getElementById('sampling').open = true`);
      }
      // Those of a hidden tab stay listed.
      await person.sees(`document.getAnimations().every(({effect}) =>
          !effect.target.checkVisibility({contentVisibilityAuto: true}))`, 'colours that stay');
      const violations = axe === null ? [] : await person.evaluate(axeSays);
      found.push(...violations.map((one) => `${name}, ${tab}: ${one}`));
      const wide = await person.evaluate('document.documentElement.scrollWidth');
      if (wide > (how.width ?? 1280)) found.push(`${name}, ${tab}: ${wide} pixels wide`);
      await shoot(`${name}-${tab}`, person, {whole: true});
      if (name !== 'desk-dark') continue;
      found.push(...await leavesItsCard(person, tab, shoot));
      if (tab === 'inside') found.push(...await tablesScroll(person, shoot));
    }
    await person.leaves();
  }
  const serious = found.filter((one) => !/\((minor|moderate)\):/.test(one));
  check(serious.length === 0, `\n  ${serious.join('\n  ')}`);
  if (axe === null) {
    throw Object.assign(new Error('no npm, so no axe; nothing is too wide'), {isSkip: true});
  }
  return found.join('; ');
}

async function staysStill({browser, site}) {
  const person = await Person.at(browser, site.address('some/where/#gallery'), {motion: 'reduce'});
  await person.reads('frame-draws', '/^[1-9]/');
  await person.reads('frames-second', '/^paused$/');
  equal(await person.text('pause'), 'Play', 'the button');
  await person.evaluate(`document.getElementById('tab-gpt2').click()`);
  await person.sees(isIdle, 'the model');
  equal(await person.evaluate(tokenCount), 0, 'tokens that nobody asked for');
  // Before the first picture its place says so, and compiling is announced.
  await person.atEachWidth(async ({scheme}) => {
    const empty = await person.evaluate(`(() => {
      const frame = document.getElementById('heads-frame');
      return [getComputedStyle(frame).backgroundColor, getComputedStyle(frame, '::before').content];
    })()`);
    const wash = {light: 'rgb(239, 236, 251)', dark: 'rgb(42, 37, 64)'}[scheme];
    equal(empty.join(), `${wash},"No picture yet"`, 'the place of a picture');
  });
  await person.evaluate(`{
    globalThis.announced = [];
    new MutationObserver(() => announced.push(document.getElementById('model-state').textContent))
        .observe(document.getElementById('model-state'), {childList: true});
    document.getElementById('tokens').value = '2';
  }`);
  await person.clicks('#write');
  await person.reads('model-state', '/^Written/');
  const announced = (await person.evaluate('announced')).join(' ');
  check(/^Compiling the shaders; .* Writing … Written\.$/.test(announced), announced);
  await person.leaves();
}

// ---- The whole walk

async function quiet({person, browser}) {
  const {tasks, gap} = await person.held();
  const thrown = browser.messages().filter(({source}) => source === 'exception');
  check(thrown.length === 0, `thrown: ${thrown.map(({text}) => text).join('; ')}`);
  // The walk itself has lost the device.
  const wrong = browser.complaints().filter(({text}) => !/context.?lost|loseContext/i.test(text));
  check(wrong.length === 0, `WebGL says: ${wrong.map(({text}) => text).join('; ')}`);
  // By the clock, which includes time in which other processes use all processors. It also includes
  // the walk's own requests: it reads pixels and all names that a screen reader has.
  return `longest gap between frames ${gap} ms; ${tasks.length} tasks over 50 ms by the clock, ` +
      `the longest ${Math.max(0, ...tasks)} ms`;
}

// The page's thread never waits for the GPU process either, which compiles for longer. So tasks
// only take longer while the thread gets no processor.
async function staysLight({browser, site}) {
  const told = ({cpu, wall, waits, what}) =>
      `${wall.toFixed(0)} ms (computes ${cpu.toFixed(0)}, waits ${waits.toFixed(0)}) ${what}`;
  return lightest(browser, async () => {
    const person = await Person.at(browser, 'about:blank');
    const tasks = await person.tasksOf(() => usesAll(person, site.address('some/where/')));
    // A task that reads the pixels of a canvas must wait.
    const waiting = await person.tasksOf(async () => {
      await person.evaluate(`setTimeout(() => {
        const canvas = document.querySelector('#heads-figure canvas');
        globalThis.pixel = canvas.getContext('2d').getImageData(0, 0, 1, 1);
      })`);
      await person.sees('globalThis.pixel');
    });
    check(waiting.some(({waits}) => waits > 0), 'no wait was seen where there is one');
    await person.leaves();
    check(tasks.length > 100, `${tasks.length} tasks were seen`);
    const waited = tasks.filter(({waits}) => waits > 0);
    check(waited.length === 0, `tasks that wait: ${waited.map(told).join('; ')}`);
    return tasks;
  });
}

async function usesAll(person, address) {
  const opens = async (name, rows) => {
    await person.clicks(`#${name}-numbers summary`);
    await person.sees(`document.querySelectorAll('#${name}-numbers tbody tr').length >= ${rows}`);
  };
  const loaded = person.page.next('Page.loadEventFired');
  await person.page.send('Page.navigate', {url: address});
  await loaded;
  await person.sees(`${tokenCount} > 40`, 'a text');
  await person.sees(isIdle, 'its end');
  await opens('heads', 36);
  await opens('blocks', 192);
  await opens('whole', 40);
  await person.clicks('.token[data-place="30"]');
  await person.reads('heads-label', '/as it chose token 30/');
  await person.sees(`document.querySelectorAll('#lens-result tbody tr').length === 6`);
  await person.clicks('#tab-inside');
  await person.reads('expression-message', '/^Done/');
  await person.clicks('#tab-gallery');
  await person.reads('frames-second', '/^[0-9.]+$/');
  await opens('simulation', 8);
  await person.clicks('#tab-gpt2');
  await person.clicks('#write');  // with all tables open
  await person.reads('model-state', '/^Writing/');
  await person.reads('model-state', '/^Written/');
}

const steps = {opens, writes, points, seesPictures, looksThroughTheLens, stopsAndGoesOn,
               refusesNumbers, outgrowsTheContext, spellsCharacters, visitsGallery, touchesGallery,
               turnsKnobs, hurriesThroughGallery, looksInside, mistypes, losesTheDevice, badWeights,
               cancels, quiet, staysLight, staysLightWithMuch, taps, badPages, staysStill,
               opensGallery, followsLinks, looksAtAll};

async function take(name, walk) {
  const begin = Date.now();
  try {
    const told = await steps[name](walk);
    ++total.passed;
    console.log(`passed  ${name} (${Date.now() - begin} ms)${told ? `: ${told}` : ''}`);
  } catch (error) {
    ++total[error.isSkip ? 'skipped' : 'failed'];
    console.log(`${error.isSkip ? 'skipped' : 'FAILED '} ${name} (${Date.now() - begin} ms): ` +
                error.message);
    if (error.isSkip) return;
    await walk.shoot(`failed-${name}`).catch(() => {});
    // If no page starts, all other steps would wait in vain.
    if (name === 'opens') walk.isOver = true;
  }
}

async function walkThrough() {
  mkdirSync(pictures, {recursive: true});
  const site = await serve(resolve(folder));
  const browser = await Chromium.start({driver: 'llvmpipe'});
  const timer = setTimeout(() => {
    console.log(`FAILED  the walk takes longer than ${longest / 1000} s`);
    console.log(`${total.passed} ${total.failed + 1} ${total.skipped}`);
    browser.close().finally(() => process.exit(1));
  }, longest);
  const person = await Person.at(browser, site.address('some/where/'));
  const shoot = async (name, who = person, {whole = false} = {}) => {
    const height = whole ? await who.evaluate('document.documentElement.scrollHeight') : 0;
    const width = whole ? await who.evaluate('innerWidth') : 0;
    const {data} = await who.page.send('Page.captureScreenshot', {
      format: 'png', captureBeyondViewport: whole,
      ...(whole ? {clip: {x: 0, y: 0, width, height: Math.min(height, 6000), scale: 1}} : {}),
    });
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
  };
  const walk = {person, browser, site, shoot, folder: resolve(folder)};
  for (const name of Object.keys(steps)) {
    if (walk.isOver) break;
    if (only.length === 0 || only.some((one) => name.includes(one))) await take(name, walk);
  }
  clearTimeout(timer);
  await browser.close();
  site.close();
}

await walkThrough();
console.log(`${total.passed} ${total.failed} ${total.skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
