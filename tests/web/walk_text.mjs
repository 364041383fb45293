// SPDX-License-Identifier: MIT
// Steps of the walk through texts that are unusual, or asked for with wrong numbers.
import {check, equal, isIdle, isRed, written} from './checks.mjs';
import {lightest} from './light.mjs';
import {Person} from './person.mjs';

/** A number out of range in a part of the form that is closed: Write and Go on open it. */
export async function refusesNumbers({person, shoot}) {
  await person.sees(isIdle);
  await person.atEachWidth(async ({width, scheme}) => {
    for (const button of ['write', 'go-on']) {
      await person.evaluate(`{
        document.getElementById('top-p').disabled = false;
        document.getElementById('top-p').value = '5';
        document.getElementById('sampling').open = false;
      }`);
      await person.clicks(`#${button}`);
      await person.sees(`document.getElementById('sampling').open`, `the numbers, after ${button}`);
      equal(await person.focused(), 'top-p', 'the field with the focus');
      await person.reads('model-state', '/^Top-p \\(1: all\\): .*\\b1\\b/');
      check(await person.evaluate(isRed('model-state')), 'the error is not red');
      if (width === 320) await shoot(`refused-${button}-${scheme}`);
    }
  });
  await person.evaluate(`document.getElementById('top-p').value = '1'`);
  check(await person.evaluate(isIdle), 'the page writes');
}

// Pastes a prompt, as typing it would take long, for two tokens after it.
async function pastes(person, prompt) {
  await person.evaluate(`{
    document.getElementById('tokens').value = '2';
    document.getElementById('greedy').checked || document.getElementById('greedy').click();
    document.getElementById('prompt').select();
  }`);
  await person.page.send('Input.insertText', {text: prompt});
}

async function writesTwo(person) {
  await person.clicks('#write');
  await person.sees(`!${isIdle}`, 'the beginning');
  await person.sees(isIdle, 'the end of the text');
}

/** Tokens that have a part of a character: each character stands where its last part does. */
export async function spellsCharacters({person, shoot}) {
  const prompt = 'Привет, 你好 😀 — ROMEO:';
  await pastes(person, prompt);
  await writesTwo(person);
  await person.atEachWidth(async () => {
    const text = await person.evaluate(written);
    check(text.startsWith(prompt), `the text is ${text}`);
    const wide = await person.evaluate('document.documentElement.scrollWidth - innerWidth');
    check(wide <= 0, `the page is ${wide} pixels too wide`);
  });
  const parts = await person.evaluate(`[...document.querySelectorAll('.token.prompt')].filter(
      (one) => one.ariaLabel === 'part of a character').length`);
  check(parts > 10, `${parts} tokens have a part of a character`);
  await shoot('characters');
}

/** A very long prompt and a very large result: the page's thread stays free. */
export async function staysLightWithMuch({browser, site, shoot}) {
  return lightest(browser, async () => {
    const person = await Person.at(browser, site.address('some/where/'), {motion: 'reduce'});
    await person.sees(isIdle, 'the model');
    const tasks = await person.tasksOf(async () => {
      await pastes(person, 'In fair Verona, where we lay. '.repeat(700));
      await person.sees('!document.getElementById("prompt-edit").hidden', 'the prompt folded away');
      await person.reads('prompt-edit', '/ 20000 characters/');
      await writesTwo(person);
      await person.reads('text-earlier', '/^[1-9][0-9]{3} tokens come before/');
      await person.evaluate(`document.getElementById('tab-inside').click()`);
      await person.reads('expression-message', '/^Done/');
      for (const [source, label] of [
        ['sin(arange(4194304)).reshape([2048, 2048])', /^Shape \(2048, 2048\)/],
        ['arange(2097152)', /too long for a picture\.$/]]) {
        await person.evaluate(`document.getElementById('expression').select()`);
        await person.page.send('Input.insertText', {text: source});
        await person.press('Enter', {modifiers: 2});
        await person.reads('value-label', label);
        await person.reads('expression-message', '/^Done/');
      }
    });
    const shown = await person.evaluate(`document.querySelectorAll('.token').length`);
    check(shown < 410, `${shown} tokens are shown`);
    await shoot('much', person);
    await person.leaves();
    return tasks;
  });
}
