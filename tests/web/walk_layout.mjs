// SPDX-License-Identifier: MIT
// Steps of the walk about layout: each at three widths, in light and dark colours.
import {check} from './checks.mjs';
import {Person} from './person.mjs';

const looks = [320, 390, 1280].flatMap((width) =>
    ['light', 'dark'].map((scheme) => ({width, scheme})));

/** Calls `see({width, scheme})` for each width and colour scheme of the same page. */
export async function atEachWidth(person, see) {
  for (const look of looks) {
    await person.page.send('Emulation.setDeviceMetricsOverride',
                           {width: look.width, height: 800, mobile: false, deviceScaleFactor: 1});
    await person.page.send('Emulation.setEmulatedMedia', {features: [
      {name: 'prefers-color-scheme', value: look.scheme}]});
    await person.sees(`innerWidth === ${look.width} && matchMedia(
        '(prefers-color-scheme: ${look.scheme})').matches`);
    await see(look);
  }
}

// What leaves its card or the screen, as far as it is visible.
const leaving = `(() => {
  const found = [];
  for (const one of document.querySelectorAll('.card .scroll, .card pre, .card .frame')) {
    const card = one.closest('.card').getBoundingClientRect();
    const {left, right, width} = one.getBoundingClientRect();
    if (width > 0 && (left < card.left || right > card.right)) {
      found.push((one.id || one.ariaLabel) + ' is ' + width + ' wide in ' + card.width);
    }
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push('the page is ' + wide + ' wide');
  return found;
})()`;

/** A table that is wider than its card scrolls in it. */
export async function tablesScroll({browser, site, shoot}) {
  const person = await Person.at(browser, site.address('some/where/#inside'));
  await person.reads('expression-message', '/^Done/');
  await person.evaluate(`[...document.querySelectorAll('#examples button')].find(
      (one) => one.textContent === 'Waves').click()`);
  await person.sees(`document.querySelectorAll('#value-table tbody tr').length === 64`);
  await person.reads('expression-message', '/^Done/');
  const table = `document.getElementById('value-table')`;
  await atEachWidth(person, async ({width, scheme}) => {
    const found = await person.evaluate(leaving);
    check(found.length === 0, `${width}, ${scheme}: ${found.join('; ')}`);
    const moved = await person.evaluate(`(${table}.scrollLeft = 1e6, ${table}.scrollLeft)`);
    check(moved > 1000, `${width}, ${scheme}: the table scrolls by ${moved}`);
    await shoot(`waves-${width}-${scheme}`, person);
  });
  await person.leaves();
}
