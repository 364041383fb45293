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

/**
 * The page never computes for more than 50 ms at a time. A longer task of the page itself comes in
 * each attempt; one that other programs slow down comes once.
 * @param {() => Promise<{cpu: number, what: string}[]>} attempt tasks, the longest first
 */
export async function lightest(attempt) {
  const longest = [];  // of each attempt
  while (longest.length < 3) {
    const tasks = await attempt();
    const long = tasks.filter(({cpu}) => cpu > 50);
    longest.push(`${tasks[0].cpu.toFixed(1)} ms ${tasks[0].what}`);
    if (long.length === 0) return `the longest of ${tasks.length} tasks: ${longest.join('; ')}`;
  }
  throw new Error(`a task was too long in each attempt: ${longest.join('; ')}`);
}
