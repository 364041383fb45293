// SPDX-License-Identifier: MIT
// Look inside: an expression over small tensors, and its graph, plan, GLSL and result.
import {brief, byId, make, nextFrame, picture, sentenceOf, shader, showTable} from './dom.mjs';
import {arrange, readExplained, splitShader} from './explained.mjs';
import {ExpressionError, evaluate} from './expression.mjs';

const examples = [
  ['Attention', 'softmax(matmul(q, k.T) / sqrt(4)) @ v',
   {q: [[1, 0, 2, 0], [0, 2, 0, 1], [1, 1, 1, 1]], k: [[2, 0, 1, 0], [0, 1, 0, 2], [1, 0, 0, 1]],
    v: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]]}],
  ['One draw', 'exp(-(a - 2) ** 2) * sin(3 * a) + 1', {a: [[0, 1, 2, 3], [4, 3, 2, 1]]}],
  ['A sum', 'sum(exp(a * 1.0 + b), axis=1)', {a: [[1, 2, 3, 4], [4, 3, 2, 1]], b: [0, 1, 0, -1]}],
  ['Layer norm', 'm = mean(x, axis=-1, keepdims=True)\n(x - m) / sqrt(var(x, axis=-1, ' +
    'keepdims=True) + 1e-5)', {x: [[1, 5, 2, 8], [3, 3, 4, 2]]}],
  ['Waves', 'x = linspace(-8, 8, 64)\nr = sqrt(x[:, None] ** 2 + x ** 2)\ncos(r * f) / (1 + r)',
   {f: 2}],
  ['Blur', 'p = pad(a, 1)\n(p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4',
   {a: [[0, 0, 0, 0], [0, 9, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5]]}],
];
const mostTyped = 4096;       // elements of an operand
const mostElements = 1 << 22; // of a result
const mostNumbers = 4096;     // of a result, in its table
const mostColumns = 128;
const longestExpression = 4000;  // characters
const numbersAtOnce = 1 << 18;
const mostPictured = 300;     // operations of a graph; the table has all
const mostDraws = 50;         // with their GLSL
const mostSide = 4096;        // of a picture; all devices have as much
const box = {width: 150, height: 42, gapX: 18, gapY: 26};

// Numbers in at most as many nested lists as a tensor has axes.
const mostAxes = 8;
const isOperand = (value, axes) => typeof value === 'number' ||
    (Array.isArray(value) && axes < mostAxes && value.every((one) => isOperand(one, axes + 1)));

export class InsideTab {
  #connection;
  #shown = false;
  #started = false;
  #latest = 0;
  #shownSource = '';  // the expression of the shown result

  #changed;
  title = 'Look inside';

  /** @param {() => void} changed Called when its link is another one. */
  constructor(connection, changed) {
    this.#connection = connection;
    this.#changed = changed;
    connection.onReady(() => { if (this.#shown) this.#compute(); else this.#started = false; });
    connection.onLost(() =>
        this.#say('The device was taken away; go on, then compute again.', true));
    for (const [title, source, operands] of examples) {
      const button = make('button', {type: 'button'}, title);
      button.addEventListener('click', () => {
        this.#fill(source, operands);
        this.#compute();
      });
      byId('examples').append(button);
    }
    byId('expression-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#compute();
    });
    byId('expression').addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#compute();
    });
    byId('add-operand').addEventListener('click', () => this.#add());
    this.#fill(examples[0][1], examples[0][2]);
  }

  show(shown) {
    this.#shown = shown;
    if (shown && !this.#started && this.#connection.t) this.#compute();
  }
  fail() { this.#say('Computing needs WebGL, which is missing; see the top of the page.', true); }

  #say(text, bad = false) {
    byId('expression-message').textContent = text;
    byId('expression-message').classList.toggle('bad', bad);
  }

  // ---- Links

  get fields() {
    const typed = {expression: byId('expression').value};
    for (const area of this.#areas()) typed[area.dataset.name] = area.value.replace(/\s+/g, '');
    const [, source, operands] = examples[0];
    const first = {expression: source};
    for (const name of Object.keys(operands)) first[name] = JSON.stringify(operands[name]);
    const isFirst = Object.keys(typed).length === Object.keys(first).length &&
        Object.entries(typed).every(([name, text]) => text === first[name]);
    return isFirst ? {} : typed;
  }

  /** Fills the form from a link, and computes. @returns {string[]} the names that are wrong */
  restore(fields) {
    const wrong = [];
    const operands = {};
    for (const [name, text] of fields) {
      if (name === 'expression' && text.length <= longestExpression) continue;
      try {
        if (!/^[a-z]$/.test(name)) throw new Error('no tensor');
        const value = JSON.parse(text);
        if (!isOperand(value, 0)) throw new Error('no numbers');
        operands[name] = value;
      } catch {
        wrong.push(name);
      }
    }
    if (!fields.has('expression')) return [...fields.keys()];
    if (wrong.includes('expression')) return wrong;
    this.#fill(fields.get('expression'), operands);
    this.#started = false;
    if (this.#shown && this.#connection.t) this.#compute();
    return wrong;
  }

  // ---- Operands

  #fill(source, operands) {
    byId('expression').value = source;
    byId('expression').rows = Math.max(2, source.split('\n').length);
    byId('operands').replaceChildren();
    for (const [name, value] of Object.entries(operands)) this.#operand(name, value);
  }

  #operand(name, value) {
    const id = `operand-${name}`;
    const rows = Array.isArray(value?.[0]) ? value.map((row) => JSON.stringify(row)).join(',\n ') :
                                             null;
    const shown = rows ? `[${rows}]` : JSON.stringify(value);
    const area = make('textarea', {id, 'data-name': name, spellcheck: 'false',
                                   rows: rows ? value.length : 1});
    area.value = shown;
    const remove = make('button', {type: 'button', 'aria-label': `Remove tensor ${name}`}, '×');
    const field = make('div', {class: 'field'}, make('label', {for: id}, `Tensor ${name}`),
                       make('div', {}, area, remove));
    remove.addEventListener('click', () => {
      field.remove();
      byId('add-operand').focus();
    });
    byId('operands').append(field);
    return area;
  }

  #add() {
    const taken = new Set(this.#areas().map((area) => area.dataset.name));
    const name = [...'abcdefghijklmnopqrstuvwxyz'].find((one) => !taken.has(one));
    if (!name) return this.#say('There are 26 tensors; remove one first.', true);
    this.#operand(name, [[1, 2], [3, 4]]).focus();
  }

  #areas() { return [...byId('operands').querySelectorAll('textarea')]; }

  // A tensor from typed text.
  #read(area, t) {
    const {name} = area.dataset;
    let value;
    try {
      value = JSON.parse(area.value);
    } catch {
      throw new Error(`Tensor ${name} cannot be read: type numbers in brackets: [[1, 2], [3, 4]].`);
    }
    const count = Array.isArray(value) ? value.flat(Infinity).length : 1;
    if (count > mostTyped) {
      throw new Error(`Tensor ${name} has ${count} elements; at most ${mostTyped} fit here.`);
    }
    try {
      return t.tensor(value);
    } catch (error) {
      throw new Error(`Tensor ${name}: ${error.message}`);
    }
  }

  // ---- Results

  async #compute() {
    const {t} = this.#connection;
    if (!t) return this.fail();
    this.#started = true;
    if (this.#shown) this.#changed();
    const mine = ++this.#latest;
    this.#say('Compiling its shaders and computing …');
    try {
      await t.scope(async () => {
        const variables = new Map(this.#areas().map((area) =>
            [area.dataset.name, this.#read(area, t)]));
        const isTensor = (value) => typeof value?.explain === 'function';
        const source = byId('expression').value;
        const result = evaluate(source, {functions: t, isTensor, variables});
        // While this one waits, a newer computation may begin, which is then the one to show.
        const latest = async (promise) => {
          const value = await promise;
          if (mine !== this.#latest) throw new Error('another computation was begun');
          return value;
        };
        const shape = await latest(result.shape());
        const count = shape.reduce((product, size) => product * size, 1);
        if (count > mostElements) {
          throw new Error(`The result has ${count} elements; at most ${mostElements} are shown ` +
                          'here. Sum it, or take a part of it.');
        }
        const explained = readExplained(await latest(result.explain()));
        const found = {shape, data: await latest(result.data()),
                       dtype: await latest(result.dtype())};
        byId('inside-result').hidden = false;
        this.#age('');
        this.#shownSource = source;
        this.#showPlan(explained);
        await this.#showValue(t, result, found, latest);
        this.#say('Done.');
      });
    } catch (error) {
      if (mine !== this.#latest) return;
      this.#age(this.#shownSource);
      this.#say(this.#sentence(error), true);
    }
  }

  // The last result stays beside an error, and says of which expression it is.
  #age(source) {
    byId('inside-old').hidden = source === '';
    byId('inside-old').textContent = `Below is the result of the last expression that could be ` +
        `computed: ${source}`;
    byId('inside-result').classList.toggle('old', source !== '');
  }

  #sentence(error) {
    if (!(error instanceof ExpressionError)) return sentenceOf(error);
    const before = byId('expression').value.slice(0, error.at);
    const line = before.split('\n').length;
    const column = error.at - before.lastIndexOf('\n');
    return `Line ${line}, character ${column}: ${error.message}.`;
  }

  async #showValue(t, result, {data, shape, dtype}, latest) {
    const {least, most} = await latest(rangeOf(data));
    const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
    const range = least <= most ? `from ${brief(least)} to ${brief(most)}` : 'no finite number';
    byId('value-label').textContent = `Shape (${sizes}), ${dtype}; ${range}.`;
    await latest(this.#table(data, shape));
    const frame = byId('value-frame');
    const width = shape.at(-1) ?? 1;
    const rows = data.length / width;
    const isLong = Math.max(width, rows) > mostSide;
    if (isLong) byId('value-label').textContent += ' It is too long for a picture.';
    frame.hidden = !(least <= most) || isLong;
    if (frame.hidden) return;
    const canvas = picture(`The result, ${rows} rows and ${width} columns, dark ` +
                           `for ${brief(least)}, bright for ${brief(most)}`);
    canvas.style.aspectRatio = `${width} / ${rows}`;
    frame.replaceChildren(canvas);
    const level = result.astype('float32').subtract(least).divide(most > least ? most - least : 1);
    await latest(t.cm.viridis(level.reshape([rows, width])).draw(canvas));
  }

  async #table(data, shape) {
    const width = shape.at(-1) ?? 1;
    const columns = Math.min(width, mostColumns);
    const most = columns > 0 ? Math.floor(mostNumbers / columns) : 0;  // rows
    const count = width > 0 ? Math.min(data.length / width, most) : 0;
    const head = ['Place', ...Array.from({length: columns}, (_, k) => String(k))];
    const rows = Array.from({length: count}, (_, row) => {
      const place = [];
      for (let rest = row, axis = shape.length - 2; axis >= 0; --axis) {
        place.unshift(rest % shape[axis]);
        rest = Math.floor(rest / shape[axis]);
      }
      return [place.join(', '), ...data.subarray(row * width, row * width + columns)];
    });
    const isWhole = count * columns === data.length;
    byId('value-more').textContent = isWhole ? '' :
        `The first ${count} rows and ${columns} columns of ${data.length} numbers.`;
    await showTable(byId('value-table'), {caption: 'Numbers of the result', head, rows,
                                            isEven: true});
  }

  #showPlan({nodes, plan, draws, totals}) {
    byId('plan-label').textContent =
        plan === '' ? 'Nothing has to be computed.' : `The plan: ${plan} by its estimate.`;
    byId('totals').replaceChildren(...totals.map(([name, value]) =>
        make('div', {}, make('dt', {}, totalNames[name] ?? name), make('dd', {}, value))));
    byId('draws').replaceChildren(...draws.slice(0, mostDraws).map(showDraw));
    if (draws.length > mostDraws) {
      byId('draws').append(make('li', {}, `${draws.length - mostDraws} more draws follow.`));
    }
    byId('graph').replaceChildren(nodes.length > mostPictured ?
        make('p', {}, `${nodes.length} operations are too many for a picture; see the table.`) :
        graphOf(nodes));
    showTable(byId('graph-table'), {
      caption: 'The operations of the graph', head: ['Node', 'Operation', 'Of', 'Shape', 'Dtype'],
      rows: nodes.map(({id, name, inputs, shape, dtype}) =>
          [`%${id}`, name, inputs.map((one) => `%${one}`).join(' '), shape, dtype]),
    });
  }
}

// The range of the finite numbers, least above most if there are none. In parts, since a result can
// have millions.
async function rangeOf(data) {
  let least = Infinity, most = -Infinity;
  for (let k = 0; k < data.length;) {
    for (const end = Math.min(data.length, k + numbersAtOnce); k < end; ++k) {
      const x = data[k];
      if (x - x !== 0) continue;  // not finite
      if (x < least) least = x;
      if (x > most) most = x;
    }
    if (k < data.length) await nextFrame();
  }
  return {least, most};
}

const totalNames = {
  microseconds: 'microseconds, estimated', 'compile ms': 'ms to compile, estimated',
};
const factNames = {
  reads: 'reads textures', costs: 'costs, estimated:', glsl: 'GLSL, estimated:', note: 'note',
  split: 'a draw of its own:',
};

function showDraw({number, ops, facts, glsl}) {
  const item = make('li', {}, make('h4', {}, `Draw ${number}: ${ops}`));
  for (const [name, text] of facts) {
    const shown = factNames[name] ?? `writes ${name}:`;
    item.append(make('p', {class: 'facts'}, make('b', {}, `${shown} `), text));
  }
  if (glsl !== '') {
    item.append(make('details', {}, make('summary', {}, 'Its GLSL'), shader(splitShader(glsl))));
  }
  return item;
}

// ---- The graph as SVG

function svg(name, attributes, ...contents) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...contents);
  return element;
}

function graphOf(nodes) {
  const places = arrange(nodes);
  const at = new Map(nodes.map(({id}, k) => [id, {
    x: places[k].column * (box.width + box.gapX) + box.width / 2 + 2,
    y: places[k].row * (box.height + box.gapY) + 2,
  }]));
  const extent = (pick, size, gap) =>
      (Math.max(0, ...places.map(pick)) + 1) * (size + gap) - gap + 4;
  const width = extent(({column}) => column, box.width, box.gapX);
  const height = extent(({row}) => row, box.height, box.gapY);
  const picture = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
                              'aria-label': `A graph of ${nodes.length} operations; the table ` +
                                  'below has them'});
  for (const {id, inputs} of nodes) {
    const to = at.get(id);
    for (const from of inputs.map((one) => at.get(one))) {
      const [y1, y2] = [from.y + box.height, to.y];
      const middle = (y1 + y2) / 2;
      picture.append(svg('path', {d: `M${from.x} ${y1} C${from.x} ${middle} ${to.x} ${middle} ` +
                                      `${to.x} ${y2}`}));
    }
  }
  for (const {id, name, inputs, shape, isRoot} of nodes) {
    const {x, y} = at.get(id);
    const kind = isRoot ? 'root' : inputs.length === 0 ? 'leaf' : 'node';
    const shown = name.length > 19 ? `${name.slice(0, 18)}…` : name;
    picture.append(svg('g', {class: kind},
        svg('rect', {x: x - box.width / 2, y, width: box.width, height: box.height, rx: 8}),
        svg('text', {x, y: y + 18}, shown), svg('text', {x, y: y + 34, class: 'shape'}, shape)));
  }
  return picture;
}
