// SPDX-License-Identifier: MIT
// The page of functions: search, links to one of them, and examples that run in place.
import {Connection} from './connection.mjs';
import {byId, picture} from './dom.mjs';
import {foreign, foreignFunctions} from './tensor.mjs';

const entries = [...document.querySelectorAll('.entry')];
const chapters = [...document.querySelectorAll('.chapter')];

// ---- Search

const textOf = new Map(entries.map((entry) => [entry, [
  entry.id, entry.querySelector('summary').textContent, entry.querySelector('.facts')?.textContent,
].join(' ').toLowerCase()]));

const link = (href, textContent) =>
    Object.assign(document.createElement('a'), {href, textContent});
const linkTo = ({id}) => link(`#${encodeURIComponent(id)}`, id);
const named = (name) => entries.find(
    ({id}) => id.toLowerCase() === name || id.toLowerCase().split('.').at(-1) === name);

// The function of that name, which may stand far below others that mention it, or what is written
// in place of another library's method.
function point(word) {
  const found = byId('found');
  const exact = named(word);
  if (exact) return found.append(' Named so: ', linkTo(exact), '.');
  const [, here] = Object.entries({...foreignFunctions, ...foreign}).find(
      ([name]) => name.toLowerCase() === word) ?? [];
  if (!here) return;
  found.append(` Write ${here}`);
  const other = named(/\.(\w+)\(/.exec(here)?.[1] ?? '');
  if (other) found.append(': ', linkTo(other));
  found.append('.');
}

function search() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  let count = 0;
  for (const entry of entries) {
    entry.hidden = !words.every((word) => textOf.get(entry).includes(word));
    count += entry.hidden ? 0 : 1;
  }
  let more = '';
  for (const chapter of chapters) {
    // What is C++ only is a list without entries.
    const isListed = chapter.querySelector('.entry') === null &&
        words.every((word) => chapter.textContent.toLowerCase().includes(word));
    if (isListed) more = ' C++ alone has it; the list is below.';
    chapter.hidden = words.length > 0 && !isListed &&
        !chapter.querySelector('.entry:not([hidden])');
  }
  byId('found').textContent = words.length === 0 ? '' :
      `${count} of ${entries.length} ${count === 1 ? 'fits' : 'fit'}.${count === 0 ? more : ''}`;
  if (words.length === 1) point(words[0]);
  if (words.length === 0 || count > 0) return;
  byId('found').append(' Names of other libraries: ',
                       link('from_tensorflow.html', 'TensorFlow.js'), ', ',
                       link('from_numpy.html', 'NumPy and PyTorch'), '.');
}

// ---- Links

function follow() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* it names nothing */ }
  if (name === '') return;
  const found = document.getElementById(name);
  if (!found) {
    byId('found').textContent = `There is no function “${name.slice(0, 40)}” here.`;
    return;
  }
  if (found.closest('[hidden]')) {
    byId('search').value = '';
    search();
  }
  const entry = found.closest('.entry');
  if (entry) entry.open = true;
  found.scrollIntoView();
  const title = entry ? name : found.querySelector('h2')?.textContent ?? name;
  document.title = `${title} – Functions – Trigon in the browser`;
}

// ---- Examples

const connection = new Connection();
let lost = null;  // why the latest device went away
connection.onLost((error) => { lost = error; });
const Program = (async () => {}).constructor;

// Runs a program with the console's lines going to `print`, too. Tensors that it makes before it
// first waits are freed, and those computed from them.
async function run(text, canvas, print) {
  // In a block, where a program may declare these names itself.
  const program = new Program('t', 'Trigon', 'canvas', `{${text}\n}`);
  if (!connection.t) await connection.open();
  const {Trigon} = await import('./trigon.mjs');
  const {log} = console;
  console.log = (...given) => {
    log(...given);
    print(given.join(' '));
  };
  try {
    await connection.t.scope((t) => program(t, Trigon, canvas));
  } finally {
    console.log = log;
  }
}

// The library's errors are sentences that name their function; those of the language are not.
const sentence = (error) => !(error instanceof Error) ? String(error) :
    /^(Error|DeviceError)$/.test(error.name) || /^trigon/i.test(error.message) ? error.message :
        `${error.name}: ${error.message}`;

// A new canvas below the example if its program uses one.
function canvasFor(example, text) {
  example.querySelector('canvas')?.remove();
  const canvas = picture(`Drawn: ${example.querySelector('label').textContent}`);
  const isUsed = /\bcanvas\b/.test(text) && !/\b(const|let|var) canvas\b/.test(text);
  if (isUsed) example.querySelector('.printed').after(canvas);
  return canvas;
}

async function show(button) {
  const example = button.closest('.example');
  const printed = example.querySelector('.printed');
  const state = example.querySelector('.buttons span');
  const lines = [];
  state.textContent = connection.t ? 'Running …' : 'Starting …';
  printed.classList.remove('bad');
  const text = example.querySelector('.code').value;
  try {
    await run(text, canvasFor(example, text), (line) => lines.push(line));
    if (lines.length === 0) lines.push('Nothing: console.log(…) and await x.print() do.');
  } catch (error) {
    printed.classList.add('bad');
    const isClosed = /close\(\) was called/.test(error?.message);
    lines.push(sentence(isClosed && lost ? lost : error));
  }
  printed.textContent = lines.join('\n');
  state.textContent = 'It printed:';
}

let last = Promise.resolve();  // programs share the console, so they run one after the other
function start(button) {
  if (button.disabled) return;
  button.disabled = true;
  button.closest('.example').querySelector('.buttons span').textContent =
      'Waits for the one before …';
  last = last.then(() => show(button)).finally(() => { button.disabled = false; });
}

addEventListener('click', ({target}) => { if (target.matches('.run')) start(target); });
addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (!event.target.matches('.code')) return;
  event.preventDefault();
  start(event.target.closest('.example').querySelector('.run'));
});
byId('search').addEventListener('input', search);
addEventListener('hashchange', follow);
addEventListener('pagehide', ({persisted}) => { if (!persisted) connection.close(); });
search();  // a browser keeps what was typed
follow();
