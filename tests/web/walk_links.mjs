// SPDX-License-Identifier: MIT
// Steps of the walk by links: the address's part after #.
import {check, equal, isIdle, written} from './checks.mjs';
import {Person} from './person.mjs';

const goes = (person, hash) =>
    person.evaluate(`location.hash = ${JSON.stringify(hash)}; undefined`);
const screen = '#screen-picture canvas';

/** A link to the gallery opens it, and does not fetch the model. */
export async function opensGallery({browser, site}) {
  const before = site.asked.length;
  const person = await Person.at(browser, site.address('other/where/#gallery'), {motion: 'reduce'});
  await person.reads('frame-draws', '/^[1-9]/');
  equal(await person.evaluate('document.title'), 'Fluid – Gallery – Trigon in the browser',
        'the title');
  await goes(person, '#inside');
  await person.reads('expression-message', '/^Done/');
  check(await person.evaluate(`document.getElementById('tab-inside').ariaSelected === 'true'`),
        'the tab is not chosen');
  const fetched = site.asked.slice(before).filter((path) => /^.other.*model/.test(path));
  equal(fetched.join(), '', 'files of the model');
  await person.leaves();
}

/** Links hold what the page does, and wrong ones are refused in a sentence. */
export async function followsLinks({browser, site, shoot}) {
  const person = await Person.at(browser, site.address(
      'some/where/#gallery?simulation=mandelbrot&x=-0.745&y=0.11&width=0.02&steps=400'));
  await person.reads('frames-second', '/^at rest$/');
  await person.reads('zoom-value', '/^150 ×$/');
  const first = await person.picture(screen);
  check(first.colours > 100, `the picture has ${first.colours} colours`);
  await shoot('linked-mandelbrot', person);
  await person.clicks('#moves [aria-label="Zoom in"]');
  await person.sees(`/width=0\\.016(&|$)/.test(location.hash)`, 'the view in the address');
  await goes(person, '#gallery?simulation=mandelbrot&x=-0.745&y=0.11&width=0.02');
  await person.reads('frames-second', '/^at rest$/');
  equal((await person.picture(screen)).hash, first.hash, 'the picture of the same view');

  await goes(person, `#inside?${new URLSearchParams({expression: 'a * 2 + b', a: '[[1,2],[3,4]]',
                                                     b: '0.5'})}`);
  await person.reads('value-label', '/^Shape \\(2, 2\\), float32; from 2.5\\d* to 8.5/');
  const before = await person.evaluate('location.hash');
  for (const [hash, told] of [
    ['#nothing', /names no part/], ['#__proto__', /names no part/],
    ['#constructor?x=1', /names no part/], [`#${'gallery?'.repeat(4000)}`, /too long: \d+ char/],
    [`#inside?expression=1&a=${'['.repeat(4000)}${']'.repeat(4000)}`, /in part: a\.$/],
    ['#inside?expression=1&a=alert(1)&__proto__=2', /not understood in part: a, __proto__\.$/]]) {
    await person.evaluate(`document.getElementById('link-message').textContent = ''`);
    await goes(person, hash);
    await person.reads('link-message', told);
    check(await person.evaluate(`!document.getElementById('panel-inside').hidden`), hash);
  }
  check(before.startsWith('#inside?expression=a+*+2'), `the address was ${before}`);
  for (const [hash, names] of [
    ['#gallery?simulation=%3Cimg%20src%3Dx%3E', 'simulation'],
    ['#gallery?simulation=life&size=1e9&steps=-1&width=2', 'size, steps, width'],
    ['#gpt2?prompt=JULIET%3A&greedy=1&tokens=100000&seed=x&%FF=1', 'tokens, seed, \uFFFD']]) {
    await goes(person, hash);
    await person.reads('link-message', new RegExp(`in part: ${names}\\.$`));
  }
  await person.sees(`${isIdle} && ${written}.startsWith('JULIET:') && ${written}.length > 40`,
                    'the text of a link');
  check(await person.evaluate(`document.getElementById('greedy').checked &&
      document.getElementById('tokens').value === '80'`), 'the form');
  await person.sees(`location.hash === '#gpt2?prompt=JULIET%3A&greedy=1'`, 'a link without faults');
  await person.leaves();
}
