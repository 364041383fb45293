// SPDX-License-Identifier: MIT
// Labels beside a picture: bands of layers at its left, tokens below it or at its left.
import {make} from './dom.mjs';

const most = 12;       // labels of an axis; more would cover each other
const longest = 9;     // characters of a label

const short = (text) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

// The numbers from `first` to `last`, thinned out evenly; the last one is among them.
export function ticks(first, last) {
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const found = [];
  for (let k = last; k >= first; k -= step) found.unshift(k);
  return found;
}

/** A frame of a picture with its labels. A screen reader reads the picture's description. */
export class Axes {
  #left = make('div', {class: 'axis left', 'aria-hidden': 'true'});
  #below = make('div', {class: 'axis below', 'aria-hidden': 'true'});
  #bands = '';
  #shown = new Map();  // by element: what its labels are of

  constructor(frame) {
    this.element = make('div', {class: 'plot'}, this.#left, frame, this.#below);
  }

  clear() {
    for (const one of [this.#left, this.#below]) one.replaceChildren();
    this.#bands = '';
    this.#shown.clear();
  }

  /** As many equal bands of rows. */
  bands(count, name) {
    const wanted = `${count} ${name}`;
    if (wanted === this.#bands) return;
    this.#bands = wanted;
    this.#left.className = 'axis left bands';
    this.#left.replaceChildren(...Array.from({length: count}, (_, k) =>
        make('span', {title: `${name} ${k + 1}`}, k === 0 ? `${name} 1` : String(k + 1))));
  }

  /** Tokens from `first` to `last` as columns. */
  columns(first, last, textOf) { this.#label(this.#below, 'left', first, last, textOf); }
  rows(first, last, textOf) { this.#label(this.#left, 'top', first, last, textOf); }

  #label(axis, side, first, last, textOf) {
    const places = ticks(first, last);
    const texts = places.map(textOf);
    const wanted = `${first} ${last} ${texts.join('\n')}`;
    if (this.#shown.get(axis) === wanted) return;
    this.#shown.set(axis, wanted);
    axis.replaceChildren(...places.map((k, n) => {
      const share = (100 * (k - first + 0.5) / (last - first + 1)).toFixed(2);
      return make('span', {style: `${side}: ${share}%`}, short(texts[n]));
    }));
  }
}
