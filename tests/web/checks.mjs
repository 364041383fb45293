// SPDX-License-Identifier: MIT
// Values that the steps of the walk compare, and searches in the page.

export function check(holds, what) { if (!holds) throw new Error(what); }

export function equal(found, wanted, what) {
  check(found === wanted, `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

/** The number of tokens in the text. */
export const tokenCount = `document.querySelectorAll('.token').length`;
/** The text. */
export const written =
    `[...document.querySelectorAll('.token')].map((one) => one.textContent).join('')`;
/** Whether there is a model that is not writing. */
export const isIdle = `document.getElementById('stop').disabled &&
    !document.getElementById('write').disabled`;
/** Whether an element's text has the colour of errors. */
export const isRed = (name) => `(() => {
  const probe = document.createElement('i');
  probe.style.color = 'var(--bad)';
  document.body.append(probe);
  const {color} = getComputedStyle(probe);
  probe.remove();
  return getComputedStyle(document.getElementById('${name}')).color === color;
})()`;
