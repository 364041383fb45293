// SPDX-License-Identifier: MIT
// Small pieces of pages.

/** The element of an id, which must exist. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element "${id}"`);
  return found;
}

/**
 * An element with attributes and contents: texts or elements.
 * @param {string} name
 * @param {object} [attributes] `true` sets one without a value, false and null leave it out.
 */
export function make(name, attributes = {}, ...contents) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...contents);
  return element;
}

/** A canvas that a screen reader reads as an image. */
export function picture(label) { return make('canvas', {role: 'img', 'aria-label': label}); }

/** A token's characters in readable form, since spaces and line ends are invisible. */
export function visible(text) {
  if (/^\uFFFD*$/.test(text)) return '(part of a character)';
  const spaces = (found) => '␣'.repeat(found.length);
  return text.replace(/\uFFFD+/g, '…').replace(/^ +| +$/g, spaces).replace(/\n/g, '⏎')
      .replace(/\t/g, '⇥');
}

/** A token's characters as a screen reader should say them. */
export function spoken(text) {
  if (/^\uFFFD*$/.test(text)) return 'part of a character';
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  return text.includes('\n') ? 'new line' : 'space';
}

/** Whether files are dragged, and not a text of the page. */
export const hasFiles = ({dataTransfer}) => dataTransfer?.types.includes('Files') ?? false;

/** An error as a sentence. Texts of a device that is gone, or of a value that was replaced while it
 * was computed, say nothing that helps. */
export function sentenceOf(error) {
  if (/close\(\) was called|the Worker ended|WebGL context away/.test(error.message)) {
    return 'The graphics device was taken away; go on, and it is computed again.';
  }
  if (/was disposed of|was begun/.test(error.message)) {
    return 'Another one has taken its place; try again.';
  }
  return error.message;
}

/** A number in few characters. */
export function brief(value) {
  if (!Number.isFinite(value)) return String(value).replace('Infinity', 'inf');
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  return size >= 0.001 && size < 1e5 ? value.toFixed(size < 1 ? 4 : 3) : value.toExponential(2);
}

export function percent(probability) {
  const value = 100 * probability;
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
}

// The rows of a large table are added about this many cells per frame, since each frame lays out
// the added ones.
const cellsOfFrame = 250, longestFrame = 250;  // ms
/** Resolves in the next frame, or soon in a page that has none. */
export const nextFrame = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, longestFrame);
});

/**
 * Fills an element with a table. A large one comes in parts, so that it does not block the page.
 * @param {Element} into
 * @param {{caption: string, head: string[], rows: Iterable<(string | number)[]>,
 *     isEven?: boolean}} table The first entry of a row names it. isEven: columns of equal widths,
 *     for many numbers: otherwise each row that comes measures all others.
 */
export async function showTable(into, {caption, head, rows, isEven = false}) {
  const body = make('tbody');
  const heads = head.map((text) => make('th', {scope: 'col'}, text));
  const even = isEven ? {class: 'even', style: `width: ${5.5 * head.length}rem`} : {};
  into.replaceChildren(make('table', even, make('caption', {class: 'unseen'}, caption),
                            make('thead', {}, make('tr', {}, ...heads)), body));
  let cells = 0;
  for (const [name, ...values] of rows) {
    if (cells > cellsOfFrame) {
      await nextFrame();
      if (!body.isConnected) return;  // another table came
      cells = 0;
    }
    cells += 1 + values.length;
    body.append(make('tr', {}, make('th', {scope: 'row'}, String(name)),
                     ...values.map((value) => make('td', {},
                         typeof value === 'number' ? brief(value) : value))));
  }
}

/** Fills a `<details>` when it is opened, and at `refresh()` while it is open. */
export function lazyTable(details, fill) {
  const into = details.querySelector('.scroll');
  let latest = 0;
  const refresh = async () => {
    if (!details.open) return;
    const mine = ++latest;
    try {
      const table = await fill();
      if (mine === latest) await showTable(into, table);
    } catch (error) {
      if (mine === latest) into.replaceChildren(make('p', {class: 'bad'}, sentenceOf(error)));
    }
  };
  details.addEventListener('toggle', refresh);
  return refresh;
}

/** GLSL as text: the function main, and behind a summary the functions that it calls. */
export function shader({above, main}) {
  const shown = make('div', {}, make('pre', {tabindex: '0', role: 'region', 'aria-label': 'GLSL'},
                                    make('code', {}, main)));
  if (above !== '') {
    shown.append(make('details', {}, make('summary', {}, 'The functions that it calls'),
                     make('pre', {tabindex: '0', role: 'region', 'aria-label': 'Functions in GLSL'},
                          make('code', {}, above))));
  }
  return shown;
}
