// SPDX-License-Identifier: MIT
// Steps of the walk through the gallery, and those of a finger.
import {check, equal, isIdle, tokenCount} from './checks.mjs';
import {Person} from './person.mjs';

const screen = '#screen-picture canvas';

async function rests(person) {
  const draws = `trigon.counters().then(({draws}) => draws)`;
  const before = await person.evaluate(draws);
  await new Promise((resolve) => setTimeout(resolve, 400));
  equal(await person.evaluate(draws), before, 'draws after 0.4 s of rest');
}

/** Each simulation by the keyboard: it runs. */
export async function visitsGallery({person, shoot}) {
  await person.evaluate(`document.getElementById('tab-gpt2').focus()`);
  await person.press('ArrowRight');
  equal(await person.focused(), 'tab-gallery', 'the tab with the focus');
  const told = [];
  await person.press('Tab');  // the simulations: one stop, arrows choose
  for (const [k, title] of ['Fluid', 'Mandelbrot', 'Gray-Scott', 'Life', 'N-body'].entries()) {
    if (k > 0) await person.press('ArrowRight');
    await person.finds('image', new RegExp(`^${title}: `));
    await person.reads('frame-draws', '/^[1-9][0-9]*$/');
    // A picture that does not change any more is not drawn again.
    await person.reads('frames-second', title === 'Mandelbrot' ? '/^at rest$/' : '/^[0-9.]+$/');
    await person.sees(`document.querySelector('${screen}').width > 100`);
    if (title === 'Mandelbrot') await person.atEachWidth(() => rests(person));
    const before = await person.picture(screen);
    if (title !== 'Mandelbrot') await person.changes(screen, before);
    await shoot(`gallery-${title.toLowerCase()}`);
    told.push(`${title} ${await person.text('frames-second')}/s, ` +
              `${await person.text('frame-draws')} draws`);
  }
  return told.join('; ');
}

async function choosesSimulation(person, name) {
  await person.clicks(`#simulations label:has([value="${name}"])`);
  await person.reads('frame-draws', '/^[1-9][0-9]*$/');
}

/** Keys, the mouse and the buttons. */
export async function touchesGallery({person, shoot}) {
  await choosesSimulation(person, 'mandelbrot');
  let before = await person.picture(screen);
  await person.tabsTo('screen');
  await person.press('+');
  before = await person.changes(screen, before);
  await person.press('ArrowRight');
  await person.changes(screen, before);
  await choosesSimulation(person, 'fluid');
  await person.tabsTo('pause');
  await person.press(' ');
  await person.sees(`document.getElementById('pause').textContent === 'Play'`);
  const held = await person.picture(screen);
  await person.drags('#screen', 120, 60);
  await person.changes(screen, held);
  await shoot('fluid-stirred');
  await person.clicks('#pause');
  await person.sees(`document.getElementById('pause').textContent === 'Pause'`);
  await person.tabsTo('show-glsl');
  await person.press('Enter');
  await person.reads('simulation-glsl', '/void main\\(\\)/');
  await person.evaluate(`document.querySelector('#simulation-numbers summary').click()`);
  await person.sees(`document.querySelectorAll('#simulation-numbers tbody tr').length === 8`);
  await person.reads('simulation-code', '/Fluid::next\\(/');
  await person.clicks('#reset');
  await shoot('gallery-glsl');
  await person.evaluate(`document.querySelector('[value="n_body"]').click()`);
  // The plan's draws and those that show the picture are all draws of a frame.
  await person.atEachWidth(async () => {
    const [, plan, more] = /: (\d+) draws,.* (\d+) more draws? of each frame/.exec(
        await person.reads('simulation-glsl', '/: [1-7] draws,.*more draw/')) ?? [];
    const all = Number(await person.text('frame-draws'));
    equal(Number(plan) + Number(more), all, 'draws of a frame');
  });
}

/** Keys pressed while a simulation opens do not end it. */
export async function hurriesThroughGallery({person}) {
  await person.evaluate(`{
    document.getElementById('tab-gallery').click();
    document.querySelector('#simulations [value="life"]').click();
    document.getElementById('pause').click();
    document.getElementById('pause').click();
    document.dispatchEvent(new Event('visibilitychange'));
  }`);
  await person.reads('frame-draws', '/^[1-9][0-9]*$/');
  await person.changes(screen, await person.picture(screen));
  await person.evaluate(`{
    document.querySelector('#simulations [value="fluid"]').click();
    document.getElementById('reset').click();
  }`);
  await person.reads('frame-draws', '/^[1-9][0-9]*$/');
  await person.changes(screen, await person.picture(screen));
}

/** A finger on a phone, in the text and in the gallery. */
export async function taps({browser, site, shoot}) {
  const person = await Person.at(browser, site.address('some/where/'),
                                 {width: 360, height: 740, mobile: true});
  await person.sees(`${tokenCount} > 12`, 'a text that comes by itself');
  await person.taps('#stop');
  await person.sees(isIdle, 'the end of the text');
  await person.taps('.token[data-place="7"]');
  await person.reads('choice-note', '/^Token 7, /');
  await person.reads('heads-label', '/as it chose token 7/');
  await shoot('tapped', person);
  await person.taps('#tab-gallery');
  for (const [name, title, dx] of [['life', 'Life', 0], ['fluid', 'Fluid', 80],
                                   ['mandelbrot', 'Mandelbrot', 80]]) {
    await person.taps(`#simulations label:has([value="${name}"])`);
    await person.finds('image', new RegExp(`^${title}: `));  // the page's layout has changed
    await person.reads('frame-draws', '/^[1-9][0-9]*$/');
    if (await person.text('pause') === 'Pause') await person.taps('#pause');
    await person.reads('frames-second', '/^paused$/');
    const before = await person.picture(screen);
    await person.taps('#screen', dx, dx / 2);
    await person.changes(screen, before);
  }
  await person.leaves();
}

/** The sliders, the whole screen, a saved picture, and a link to it. */
export async function turnsKnobs({person}) {
  await choosesSimulation(person, 'mandelbrot');
  const pressed = async (name, key, readout) => {
    const before = await person.text(readout);
    await person.tabsTo(name);
    await person.press(key);
    await person.sees(`document.getElementById('${readout}').textContent !== '${before}'`,
                      `another ${readout} than ${before}`);
  };
  const before = await person.picture(screen);
  await pressed('simulation-zoom', 'ArrowRight', 'zoom-value');
  await person.changes(screen, before);
  await choosesSimulation(person, 'gray_scott');
  await person.changes(screen, await person.picture(screen));
  const plans = 'trigon.counters().then(({plans_made}) => plans_made)';
  const made = await person.evaluate(plans);
  await person.tabsTo('parameter-feed');
  await person.press('ArrowRight');
  await person.sees(`document.querySelector('#parameters output').textContent === '0.038'`);
  await person.changes(screen, await person.picture(screen));
  equal(await person.evaluate(plans), made, 'plans after another feed');
  await choosesSimulation(person, 'life');
  await pressed('simulation-steps', 'ArrowRight', 'steps-value');
  await pressed('simulation-size', 'ArrowLeft', 'frame-size');
  await person.reads('frame-draws', '/^[1-9][0-9]*$/');

  await person.evaluate(`{
    const {click} = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function() {
      HTMLAnchorElement.prototype.click = click;
      globalThis.saved = fetch(this.href).then((answer) => answer.blob()).then(createImageBitmap)
          .then(({width, height}) => this.download + ' ' + width + ' × ' + height);
    };
  }`);
  await person.clicks('#save');
  await person.sees('globalThis.saved', 'a saved picture');
  const size = await person.text('frame-size');
  equal(await person.evaluate('saved'), `life.png ${size}`, 'the picture');

  await person.clicks('#full');
  await person.sees(`document.fullscreenElement?.id === 'screen'`, 'the whole screen');
  await person.evaluate('document.exitFullscreen()');
  await person.sees('!document.fullscreenElement', 'its end');

  await person.evaluate(`navigator.clipboard.writeText = async (text) => { copied = text; }`);
  await person.evaluate('globalThis.copied = ""');
  await person.clicks('#copy-link');
  await person.sees('globalThis.copied !== ""', 'a link');
  equal(await person.evaluate('copied'), await person.evaluate('location.href'), 'the link');
  check(/#gallery\?.*life/.test(await person.evaluate('copied')), 'the link names the simulation');
}
