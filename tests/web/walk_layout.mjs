// SPDX-License-Identifier: MIT
// Steps of the walk about layout.
import {check} from './checks.mjs';

// What leaves its card or the screen, as far as it is visible.
const leaving = `(() => {
  const found = [];
  for (const one of document.querySelectorAll('.card .scroll, .card pre, .card .plot')) {
    const card = one.closest('.card').getBoundingClientRect();
    const {left, right, width} = one.getBoundingClientRect();
    if (width > 0 && (left < card.left || right > card.right)) {
      found.push((one.id || one.ariaLabel || one.className) + ' is ' + width +
                 ' wide in ' + card.width);
    }
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push('the page is ' + wide + ' wide');
  return found;
})()`;

/** What leaves its card, at each width and colour scheme. */
export async function leavesItsCard(person, tab, shoot) {
  const all = [];
  await person.atEachWidth(async ({width, scheme}) => {
    const found = await person.evaluate(leaving);
    all.push(...found.map((one) => `${tab}, ${width}, ${scheme}: ${one}`));
    if (width === 320) await shoot(`${tab}-320-${scheme}`, person, {whole: true});
  });
  return all;
}

/** A table that is wider than its card scrolls in it. */
export async function tablesScroll(person, shoot) {
  await person.evaluate(`[...document.querySelectorAll('#examples button')].find(
      (one) => one.textContent === 'Waves').click()`);
  await person.sees(`document.querySelectorAll('#value-table tbody tr').length === 64`);
  await person.reads('expression-message', '/^Done/');
  const table = `document.getElementById('value-table')`;
  const found = await leavesItsCard(person, 'Waves', shoot);
  for (const width of [320, 390, 1280]) {
    await person.page.send('Emulation.setDeviceMetricsOverride',
                           {width, height: 800, mobile: false, deviceScaleFactor: 1});
    const moved = await person.evaluate(`(${table}.scrollLeft = 1e6, ${table}.scrollLeft)`);
    check(moved > 1000, `${width}: the table scrolls by ${moved}`);
  }
  return found;
}
