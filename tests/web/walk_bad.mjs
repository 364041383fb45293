// SPDX-License-Identifier: MIT
// Steps of the walk with a fault: each time a sentence names it and a remedy, and the rest of the
// page works.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {check} from './checks.mjs';
import {Person} from './person.mjs';

const modelFiles = ['config.json', 'vocab.json', 'merges.txt', 'model.safetensors'];

// Writes two tokens: the page continues with its present text.
async function stillWrites(person) {
  await person.evaluate(`{
    document.getElementById('prompt').value = 'Then';
    document.getElementById('tokens').value = '2';
    document.getElementById('write').focus();
  }`);
  await person.press('Enter');
  await person.sees(`document.getElementById('stop').disabled &&
      document.getElementById('model-state').textContent === 'Written.' &&
      document.getElementById('text').textContent.startsWith('Then')`, 'a text all the same');
}

async function fetches(person, address) {
  await person.evaluate(`document.getElementById('weights').open = true`);
  await person.evaluate(`document.getElementById('repository').focus()`);
  await person.replaces(address);
  await person.press('Enter');
}

/** Dropped and chosen files, and addresses whose servers do not behave. */
export async function badWeights({person, site, shoot, folder}) {
  const bin = mkdtempSync(join(tmpdir(), 'trigon-files-'));
  try {
    const picture = join(bin, 'holiday.png');
    writeFileSync(picture, 'not a picture');
    // Beside a drop target, the file is not opened in place of the page.
    await person.drops('#renderer', picture);
    await person.drops('#text', picture);
    await person.reads('weights-message', '/holiday.png.* alone was given, but config.json and /');
    await person.reads('weights-message', '/The page goes on with the bundled model/');
    await shoot('bad-file');
    // The right names, but wrong weights.
    const wrong = modelFiles.map((name) => join(name === 'model.safetensors' ? bin :
                                                join(folder, 'model'), name));
    writeFileSync(wrong.at(-1), 'GIF89a, which is no safetensors file');
    await person.chooses('files', wrong);
    await person.reads('weights-message',
                       '/^Loading your files failed\\..*(safetensors|header)/is');
    await stillWrites(person);
  } finally {
    rmSync(bin, {recursive: true});
  }
  const told = [];
  for (const [how, pattern] of [
    ['missing', '/failed\\..*no model.safetensors/is'],
    ['truncated', '/failed\\..*: model\\.safetensors (is cut|ends after \\d).*load it again$/is'],
    ['html', '/failed\\..*: model\\.safetensors is a web page/is'],
    ['huge', '/failed\\..*config\\.json asks for \\(50257, 65536\\)$/is']]) {
    await fetches(person, site.address(`weights/${how}`));
    await person.sees(`document.getElementById('cancel').hidden &&
        document.getElementById('weights-message').textContent.includes('weights/${how}')`,
                      `a word about ${how} weights`);
    told.push(`${how}: ${await person.reads('weights-message', pattern)}`);
  }
  await fetches(person, site.elsewhere('weights/refused'));
  told.push(await person.reads('weights-message', '/127.0.0.1.*failed\\./s'));
  await stillWrites(person);
  await person.evaluate(`{
    globalThis.announced = [];
    new MutationObserver(() => announced.push(document.getElementById('model-state').textContent))
        .observe(document.getElementById('model-state'), {childList: true});
  }`);
  await fetches(person, site.address('weights/redirect'));
  await person.reads('weights-message', '/^Loaded: .*redirect/');
  // A tensor is too little to be announced.
  const announced = await person.evaluate('announced');
  check(announced.length === 2 && /^Fetching .*redirect …$/.test(announced[0]),
        `said while weights come: ${announced.join('; ')}`);
  await stillWrites(person);
  for (const give of [
    () => person.chooses('files', modelFiles.map((name) => join(folder, 'model', name))),
    () => person.drops('#text', join(folder, 'model')),
  ]) {
    await give();
    await person.reads('weights-message', '/^Loaded: your files/');
    await stillWrites(person);
    await person.evaluate(`document.getElementById('weights-message').textContent = ''`);
  }
  check(!told.some((one) => /undefined|\[object/.test(one)), told.join('\n'));
  return told.map((one) => `\n    ${one.replace(/\s+/g, ' ')}`).join('');
}

/** Weights that take too long: the progress is shown, and loading can be cancelled. */
export async function cancels({person, site, shoot}) {
  const bar = `document.getElementById('model-progress')`;
  await fetches(person, site.address('weights/slow'));
  await person.sees(`!${bar}.hidden && ${bar}.value > 0 && ${bar}.value < 1`, 'a part of the bar');
  await person.finds('progressbar', /^The model so far$/);
  const loaded = await person.reads('model-loaded', '/^\\d+\\.\\d of \\d+\\.\\d MB$/');
  const before = await person.evaluate(`${bar}.value`);
  await person.sees(`${bar}.value > ${before}`, 'more of it');
  await shoot('loading');
  await person.tabsTo('cancel');
  await person.press('Enter');
  await person.reads('weights-message', '/^Cancelled\\. The page goes on with /');
  check(await person.evaluate(`${bar}.hidden && document.getElementById('cancel').hidden &&
      document.getElementById('model-loaded').hidden`), 'the bar stays');
  await stillWrites(person);
  return loaded;
}

/** Browsers in which something is missing. */
export async function badPages({browser, site, shoot}) {
  const told = [];
  for (const [name, pattern] of [
    ['no-webgl', '/no WebGL that it can use/'], ['no-float', '/cannot draw floating-point/'],
    ['no-highp', '/too few digits/'],
    ['no-worker', '/Worker/'], ['no-offscreen', '/OffscreenCanvas/'], ['no-wasm', '/WebAssembly/'],
  ]) {
    const person = await Person.at(browser, site.address(`${name}/`));
    const said = await person.reads('notice-text', pattern);
    await person.finds('alert', /^/);
    await person.finds('button', /^Try again$/);
    await person.reads('model-state', '/needs WebGL/');
    // The rest works: tabs by keyboard, an expression that is read and answered.
    await person.evaluate(`document.getElementById('tab-gpt2').focus()`);
    await person.press('ArrowRight');
    await person.sees(`!document.getElementById('panel-gallery').hidden`);
    await person.reads('simulation-message', '/need WebGL/');
    await person.press('ArrowRight');
    await person.sees(`!document.getElementById('panel-inside').hidden`);
    await person.reads('expression-message', '/needs WebGL/');
    if (name === 'no-webgl') await shoot(name, person);
    told.push(`\n    ${name}: ${said.replace(/\s+/g, ' ')}`);
    await person.leaves();
  }
  return told.join('');
}
