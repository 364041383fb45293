// SPDX-License-Identifier: MIT
// Intermediate values of GPT-2, as pictures of a token and of the whole text, and as numbers.
import {Axes} from './axes.mjs';
import {
  brief, byId, lazyTable, make, percent, picture, sentenceOf, showTable, visible,
} from './dom.mjs';

// A token was chosen from the model's output for the one before it; the first one was given.
const readFor = (k) => Math.max(0, k - 1);

const perRow = 5;  // of the largest weights, in tables

// The places of the largest numbers.
function largest(weights, count) {
  return Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]).slice(0, count);
}

// Fills a figure: its title, pictures and their numbers, around optional fields.
function fillFigure(name, {title, label, numbers, shape = ''}, ...pictures) {
  const figure = byId(`${name}-figure`);
  figure.prepend(make('figcaption', {}, make('h3', {}, title),
                      make('p', {class: 'quiet', id: `${name}-label`}, label)));
  const frame = make('div', {class: `frame ${shape}`, id: `${name}-frame`}, ...pictures);
  const axes = new Axes(frame);
  figure.append(
      axes.element,
      make('details', {class: 'numbers', id: `${name}-numbers`}, make('summary', {}, 'Numbers'),
           make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': numbers})));
  return axes;
}

// A figure of a token: one canvas for the newest token and one for the chosen token.
class Figure {
  constructor(name, about) {
    this.live = picture(about.title);
    this.chosen = picture(about.title);
    this.chosen.hidden = true;
    // A canvas must always be drawn by the same kind of context, alone or with others.
    for (const canvas of [this.live, this.chosen]) canvas.getContext('2d');
    this.axes = fillFigure(name, about, this.live, this.chosen);
    this.label = byId(`${name}-label`);
  }

  // Shows a reason in place of a picture.
  fail(text) {
    this.live.hidden = this.chosen.hidden = true;
    this.axes.clear();
    this.label.textContent = text;
  }

  shownWidth(isChosen) { return (isChosen ? this.chosen : this.live).width; }

  show(isChosen, text) {
    this.live.hidden = isChosen;
    this.chosen.hidden = !isChosen;
    this.label.textContent = text;
    (isChosen ? this.chosen : this.live).setAttribute('aria-label', text);
  }
}

export class PicturesView {
  #view;            // TextView
  #model = null;
  #heads = new Figure('heads', {
    title: 'Attention: what each head looks at',
    label: 'A row for each head, a column for each token.',
    numbers: 'Attention of each head',
  });
  #blocks = new Figure('blocks', {
    title: 'Residual stream: what each block hands on',
    label: 'A row for each block, a column for each channel.',
    numbers: 'Outputs of the blocks',
  });
  #wholeAxes;
  #whole = picture('Attention of one head over the whole text');
  #wanted = null;   // the next picture to draw
  #drawing = false;
  #shown = -1;      // the token in the pictures
  #refresh;

  constructor(view) {
    this.#view = view;
    this.#wholeAxes = fillFigure('whole', {
      title: 'Attention: one head over the whole text', shape: 'square',
      label: 'A row for each token, a column for each it looks at.',
      numbers: 'Attention of this head',
    }, this.#whole);
    this.#refresh = [
      lazyTable(byId('heads-numbers'), () => this.#headsTable()),
      lazyTable(byId('blocks-numbers'), () => this.#blocksTable()),
      lazyTable(byId('whole-numbers'), () => this.#wholeTable()),
    ];
    for (const id of ['layer', 'head', 'tint']) {
      byId(id).addEventListener('change', () => this.show(this.#shown));
    }
    this.#heads.chosen.addEventListener('click', (event) => this.#point(event));
    this.#heads.live.addEventListener('click', (event) => this.#point(event));
  }

  /** The canvases that generate() draws. */
  get live() { return {attention: this.#heads.live, blocks: this.#blocks.live}; }

  /** The model whose text is shown, or null. */
  set model(model) {
    this.#model = model;
    this.#shown = -1;
    this.#wanted = null;
    const ids = ['layer', 'head'];
    const counts = model ? [model.config.layers, model.config.heads] : [0, 0];
    ids.forEach((id, k) => {
      const {value} = byId(id);
      byId(id).replaceChildren(...Array.from({length: counts[k]}, (_, one) =>
          make('option', {value: one}, String(one + 1))));
      if (Number(value) < counts[k] && value !== '') byId(id).value = value;
      byId(id).disabled = !model;
    });
  }

  #layerAndHead() { return {layer: Number(byId('layer').value), head: Number(byId('head').value)}; }

  #tokenText = (k) => visible(this.#view.tokens[k]?.text ?? '');

  #name(k) { return `${k} ${visible(this.#view.tokens[k]?.text ?? '')}`; }

  #labels(k, isChosen) {
    const {layers, heads, width} = this.#model.config;
    const from = `as it chose token ${k}, “${visible(this.#view.tokens[k]?.text ?? '')}”`;
    this.#heads.show(isChosen, `${layers * heads} rows, one for each head of each layer; ` +
        `a column for each token; ${from}. Brighter is more.`);
    const last = readFor(k);
    this.#heads.axes.bands(layers, 'layer');
    this.#heads.axes.columns(last + 1 - this.#heads.shownWidth(isChosen), last, this.#tokenText);
    this.#blocks.axes.bands(layers, 'block');
    this.#blocks.show(isChosen, `${layers} blocks, ${width} channels each, ${from}. Blue is ` +
        'below zero, red above.');
  }

  /** Call for a token whose pictures were drawn into the live canvases. */
  follow(k) {
    if (this.#view.chosen >= 0) return;
    this.#shown = k;
    this.#labels(k, false);
  }

  /** Draws a token's pictures, those of the text and the tables that are open. */
  show(k) {
    if (!this.#model || k < 0) return;
    this.#wanted = k;
    if (!this.#drawing) this.#draw();
  }

  async #draw() {
    this.#drawing = true;
    while (this.#wanted !== null && this.#model) {
      const k = this.#wanted;
      this.#wanted = null;
      try {
        await this.#drawToken(this.#model, k);
      } catch (error) {
        if (this.#model) this.#heads.fail(sentenceOf(error));
      }
    }
    this.#drawing = false;
  }

  async #drawToken(model, k) {
    let wrong = '';
    try {
      await model.drawAttention(this.#heads.chosen, {token: readFor(k)});
      await model.drawBlocks(this.#blocks.chosen, {token: readFor(k)});
    } catch (error) {
      // If a text is longer than the context, the model only holds the newest part.
      if (!error.message.includes('is not at hand')) throw error;
      const [, first, last] = /holds tokens (\d+) to (\d+)/.exec(error.message) ?? [];
      wrong = `There are no pictures of token ${k}. The text is longer than the model’s context: ` +
          `it holds tokens ${first} to ${last}.`;
    }
    const {layer, head} = this.#layerAndHead();
    await model.drawAttention(this.#whole, {layer, head});
    if (model !== this.#model) return;
    const end = this.#view.tokens.length - 2;  // the newest token has not been read
    for (const side of ['columns', 'rows']) {
      this.#wholeAxes[side](end + 1 - this.#whole.width, end, this.#tokenText);
    }
    this.#shown = k;
    if (wrong === '') this.#labels(k, true);
    else for (const figure of [this.#heads, this.#blocks]) figure.fail(wrong);
    const said = `Layer ${layer + 1}, head ${head + 1}: a row for each token, a column for each ` +
        'token that it looks at. Brighter is more.';
    byId('whole-label').textContent = said;
    this.#whole.setAttribute('aria-label', said);
    if (wrong === '') await this.#tint(model, k, {layer, head});
    else this.#view.tint();
    for (const refresh of this.#refresh) refresh();
    if (wrong === '') await this.#lens(model, k);
    else this.#showNoLens(wrong);
  }

  async #tint(model, k, which) {
    if (!byId('tint').checked || this.#view.chosen !== k) return this.#view.tint();
    const {data, first} = await model.attention({...which, token: readFor(k)});
    if (this.#view.chosen === k) this.#view.tint(data, first);
  }

  // A click on a row of the heads chooses its layer and head.
  #point({target, clientY}) {
    if (!this.#model) return;
    const {top, height} = target.getBoundingClientRect();
    const {layers, heads} = this.#model.config;
    const row = Math.min(Math.floor((clientY - top) / height * layers * heads), layers * heads - 1);
    byId('layer').value = Math.floor(row / heads);
    byId('head').value = row % heads;
    this.show(this.#shown);
  }

  // ---- Numbers

  #needToken() {
    if (!this.#model || this.#shown < 0) throw new Error('There is no text yet; write one first.');
    return this.#shown;
  }

  #weight(k, weight) { return `${this.#name(k)}  ${brief(weight)}`; }

  async #headsTable() {
    const token = this.#needToken();
    const {heads} = this.#model.config;
    const {data, shape, first} = await this.#model.attention({token: readFor(token)});
    const length = shape.at(-1);
    const rows = Array.from({length: data.length / length}, (_, k) => {
      const weights = data.subarray(k * length, (k + 1) * length);
      return [`layer ${Math.floor(k / heads) + 1}, head ${k % heads + 1}`,
              ...largest(weights, perRow).map((at) => this.#weight(first + at, weights[at]))];
    });
    return {caption: `What each head looks at most, as token ${this.#name(token)} is chosen`,
            head: ['Head', 'Most', '2nd', '3rd', '4th', '5th'], rows};
  }

  async #blocksTable() {
    const token = this.#needToken();
    const {data, shape: [layers, width]} = await this.#model.blocks({token: readFor(token)});
    return {
      caption: `Outputs of the blocks, as token ${this.#name(token)} is chosen`,
      head: ['Channel', ...Array.from({length: layers}, (_, k) => `block ${k + 1}`)],
      rows: Array.from({length: width}, (_, c) =>
          [c, ...Array.from({length: layers}, (_, layer) => data[layer * width + c])]),
    };
  }

  async #wholeTable() {
    this.#needToken();
    const which = this.#layerAndHead();
    const {data, shape: [length], first} = await this.#model.attention(which);
    return {
      caption: `Layer ${which.layer + 1}, head ${which.head + 1}: where each token looks most`,
      head: ['Token', 'Most', '2nd', '3rd'],
      rows: Array.from({length}, (_, k) => {
        const weights = data.subarray(k * length, k * length + k + 1);
        return [this.#name(first + k),
                ...largest(weights, 3).map((at) => this.#weight(first + at, weights[at]))];
      }),
    };
  }

  async #lens(model, k) {
    const layers = await model.lens({token: readFor(k), top: perRow});
    if (model !== this.#model || this.#wanted !== null) return;
    byId('lens-label').textContent = `In place of token ${Math.max(1, k)}: the likeliest tokens, ` +
        'were the model to stop after a layer.';
    await showTable(byId('lens-result'), {
      caption: 'The likeliest next tokens by layer',
      head: ['Layer', ...Array.from({length: perRow}, (_, n) => String(n + 1))],
      rows: layers.map((top, n) => [n + 1, ...top.map(lensCell)]),
    });
  }

  #showNoLens(why) {
    byId('lens-label').textContent = why;
    byId('lens-result').replaceChildren();
  }
}

function lensCell({text, probability}) {
  const cell = make('span', {}, `${visible(text)}  `, make('small', {}, percent(probability)));
  cell.className = 'said';
  cell.style.backgroundColor = `rgba(var(--tint), ${(0.45 * Math.sqrt(probability)).toFixed(3)})`;
  return cell;
}
