// SPDX-License-Identifier: MIT
// Whether the page leaves its thread free, on a machine of any speed.
import {Person} from './person.mjs';

// The yardstick below, in ms of a processor, where a task of 50 ms keeps a person waiting.
const usualYardstick = 25;

/** How long this machine takes for a known amount of layout, in ms of a processor. */
async function yardstick(browser) {
  const person = await Person.at(browser, 'about:blank');
  const lengths = [];
  while (lengths.length < 5) {
    const tasks = await person.tasksOf(async () => {
      await person.evaluate(`globalThis.laidOut = 0, setTimeout(() => {
        const text = document.createElement('p');
        for (let k = 0; k < 2000; ++k) text.append(Object.assign(document.createElement('span'), {
          textContent: 'word ' + k + ' ', style: 'padding: 1px'}));
        document.body.append(text);
        globalThis.laidOut = text.offsetHeight;
        text.remove();
      }), 0`);
      await person.sees('globalThis.laidOut');
    });
    lengths.push(tasks[0].cpu);
  }
  await person.leaves();
  return lengths.sort((a, b) => a - b)[2];
}

/**
 * The page never computes for more than 50 ms at a time, or longer by as much as this machine is
 * slower now than usual. A longer task of the page itself comes in each attempt; one that other
 * programs slow down comes once.
 * @param {() => Promise<{cpu: number, what: string}[]>} attempt tasks, the longest first
 */
export async function lightest(browser, attempt) {
  const longest = [];  // of each attempt
  while (longest.length < 3) {
    const tasks = await attempt();
    const measured = await yardstick(browser);
    const most = 50 * Math.max(1, measured / usualYardstick);
    longest.push(`${tasks[0].cpu.toFixed(1)} of ${most.toFixed(1)} ms ${tasks[0].what} ` +
                 `(yardstick ${measured.toFixed(1)} ms)`);
    if (tasks[0].cpu <= most) return `the longest of ${tasks.length} tasks: ${longest.join('; ')}`;
  }
  throw new Error(`a task was too long in each attempt: ${longest.join('; ')}`);
}
