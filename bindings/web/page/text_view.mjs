// SPDX-License-Identifier: MIT
// A text as tokens. Each token can be pointed at, tapped or reached by the arrow keys.
import {make, nextFrame, spoken} from './dom.mjs';

// A new token lays out all of its line, about 0.2 ms for each of its tokens. Long lines are broken.
const tokensOfLine = 100;
const tokensOfFrame = 20;
const mostOfPrompt = 400;   // shown, since other changes of the page may lay out all of them

export class TextView {
  #element;
  #onChoose;
  #onPreview;
  #options = [];  // the tokens' elements; none for those that are left out
  #first = 0;     // the first token that is shown
  #line = null;   // the block of the last line
  #followed = 0;  // the position to which follow() scrolled
  #stop = -1;   // the token at which the Tab key stops
  /** {id, text, top, isPrompt}, the prompt's first. `top` is null if it is not known. */
  tokens = [];
  /** The token chosen by the user, or -1. */
  chosen = -1;

  /**
   * @param {Element} element of role listbox
   * @param {{onChoose: (k: number) => void, onPreview: (k: number) => void}} listeners -1: none
   */
  constructor(element, {onChoose, onPreview}) {
    this.#element = element;
    this.#onChoose = onChoose;
    this.#onPreview = onPreview;
    const placeOf = (event) => Number(event.target.closest?.('.token')?.dataset.place ?? -1);
    element.addEventListener('pointerover', (event) => this.#onPreview(placeOf(event)));
    element.addEventListener('pointerleave', () => this.#onPreview(-1));
    element.addEventListener('click', (event) => this.choose(placeOf(event)));
    element.addEventListener('focusin', (event) => {
      const k = placeOf(event);
      if (k >= 0 && event.target.matches(':focus-visible')) this.choose(k);
    });
    element.addEventListener('keydown', (event) => this.#key(event));
    this.clear();
  }

  get text() { return this.tokens.map(({text}) => text).join(''); }

  clear() {
    this.tokens = [];
    this.chosen = -1;
    this.#stop = -1;
    this.#options = [];
    this.#first = 0;
    this.#line = null;
    this.#element.replaceChildren();
    this.#element.tabIndex = 0;
    this.#followed = 0;
  }

  /** Adds the tokens of a prompt, in parts, and shows the newest. How many are left out. */
  async addPrompt(tokens) {
    this.#first = Math.max(0, tokens.length - mostOfPrompt);
    const mine = this.tokens;
    for (const {id, text} of tokens) {
      const isLeftOut = this.tokens.length < this.#first;
      const token = {id, text, top: null, isPrompt: true};
      if (isLeftOut) this.tokens.push(token);
      else this.add(token);
      if (!isLeftOut && this.tokens.length % tokensOfFrame === 0) {
        this.follow();
        await nextFrame();
        if (mine !== this.tokens) return 0;  // it was cleared
      }
    }
    return this.#first;
  }

  add(token) {
    const k = this.tokens.push(token) - 1;
    const option = make('span', {
      role: 'option', tabindex: '-1',
      class: `token${token.isPrompt ? ' prompt' : ''}${/^\n+$/.test(token.text) ? ' line' : ''}`,
      'aria-selected': 'false', 'data-place': k, 'aria-label': spoken(token.text),
    }, token.text);
    this.#options[k] = option;
    // A new token causes a new layout of only its own line.
    const isFull = this.#line?.childElementCount >= tokensOfLine && token.text.startsWith(' ');
    if (!this.#line || isFull) {
      this.#element.append(this.#line = make('div', {role: 'presentation'}));
    }
    this.#line.append(option);
    if (token.text.endsWith('\n')) this.#line = null;
    if (this.#stop < 0) this.#stopAt(this.#first);
  }

  /** Shows the end of the text, unless the user looks at another part of it. */
  follow() {
    const {scrollTop, clientHeight} = this.#element;
    const isHeld = scrollTop < this.#followed - 40;
    if (isHeld || this.chosen >= 0) return;
    this.#element.scrollTop = this.#element.scrollHeight;
    this.#followed = Math.max(0, this.#element.scrollHeight - clientHeight);
  }

  #option(k) { return this.#options[k]; }

  #stopAt(k) {
    this.#element.tabIndex = -1;
    if (this.#stop >= 0) this.#option(this.#stop).tabIndex = -1;
    this.#stop = k;
    this.#option(k).tabIndex = 0;
  }

  /** Marks a token as the chosen one; -1: none. */
  choose(k) {
    if (k === this.chosen) return;
    if (this.chosen >= 0) this.#option(this.chosen).setAttribute('aria-selected', 'false');
    this.chosen = k;
    if (k >= 0) {
      this.#option(k).setAttribute('aria-selected', 'true');
      this.#stopAt(k);
    }
    this.#onChoose(k);
  }

  #key(event) {
    const last = this.tokens.length - 1;
    if (last < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') return this.choose(-1);
    const at = Math.max(this.#first, this.#stop);
    const next = {
      ArrowRight: () => Math.min(at + 1, last), ArrowLeft: () => Math.max(at - 1, this.#first),
      ArrowUp: () => this.#nearest(at, -1), ArrowDown: () => this.#nearest(at, 1),
      Home: () => this.#first, End: () => last,
    }[event.key]?.();
    if (next === undefined) return;
    event.preventDefault();
    this.#stopAt(next);
    this.#option(next).focus();
    this.choose(next);
  }

  // The nearest token of the line above or below.
  #nearest(at, direction) {
    const from = this.#option(at).getBoundingClientRect();
    let best = at;
    let least = Infinity;
    let top;
    for (let k = at + direction; k >= this.#first && k < this.tokens.length; k += direction) {
      const box = this.#option(k).getBoundingClientRect();
      if (Math.abs(box.top - from.top) < 4 || box.width === 0) continue;
      top ??= box.top;
      if (Math.abs(box.top - top) > 4) break;
      const far = Math.abs(box.left - from.left);
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  /** Shades the tokens from `first` on by weights from 0 to 1, and no others. */
  tint(weights = [], first = 0) {
    this.#options.forEach((option, k) => {
      const weight = Math.sqrt(weights[k - first] ?? 0);
      const {style, classList} = option;
      classList.toggle('tinted', weight > 0.05);
      style.backgroundColor = weight > 0.05 ?
          `rgba(var(--tint), ${(0.4 * weight).toFixed(3)})` : '';
    });
  }
}

/** Writes a text that comes in pieces to a live region, one sentence at a time. */
export class Speaker {
  #region;
  #rest = '';
  constructor(region) { this.#region = region; }

  begin() {
    this.#rest = '';
    this.#region.replaceChildren();
  }
  add(text) {
    this.#rest += text;
    const end = /^[\s\S]*(?:[.!?;]["')\]]?\s|\n\s*\n)/.exec(this.#rest)?.[0].length ?? 0;
    this.#say(end);
  }
  finish() { this.#say(this.#rest.length); }

  #say(end) {
    const said = this.#rest.slice(0, end).trim();
    this.#rest = this.#rest.slice(end);
    if (said !== '') this.#region.append(make('p', {}, said));
  }
}
