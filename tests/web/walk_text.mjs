// SPDX-License-Identifier: MIT
// Steps of the walk through texts that are unusual, or asked for with wrong numbers.
import {check, equal, isIdle} from './checks.mjs';

// Whether an element's text has the colour of errors.
const isRed = (name) => `(() => {
  const probe = document.createElement('i');
  probe.style.color = 'var(--bad)';
  document.body.append(probe);
  const {color} = getComputedStyle(probe);
  probe.remove();
  return getComputedStyle(document.getElementById('${name}')).color === color;
})()`;

/** A number out of range in a part of the form that is closed: Write and Go on open it. */
export async function refusesNumbers({person, shoot}) {
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
    await shoot(`refused-${button}`);
  }
  await person.evaluate(`document.getElementById('top-p').value = '1'`);
  check(await person.evaluate(isIdle), 'the page writes');
}
