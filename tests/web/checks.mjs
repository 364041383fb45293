// SPDX-License-Identifier: MIT
// What the steps of the walk compare, and what they look for in the page.

export function check(holds, what) { if (!holds) throw new Error(what); }

export function equal(found, wanted, what) {
  check(found === wanted, `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

/** How many tokens the text has. */
export const tokenCount = `document.querySelectorAll('.token').length`;
/** The text. */
export const written =
    `[...document.querySelectorAll('.token')].map((one) => one.textContent).join('')`;
/** Whether there is a model, which writes nothing. */
export const isIdle = `document.getElementById('stop').disabled &&
    !document.getElementById('write').disabled`;
