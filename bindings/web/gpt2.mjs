// SPDX-License-Identifier: MIT
// GPT-2 in the Worker.
import {checkNumbers} from './options.mjs';
import {show} from './trigon.mjs';
import {nearest} from './weights.mjs';

const hub = 'https://huggingface.co/';

/**
 * The source of weights: {url}, a folder's address that ends with a /, and {repository} if the text
 * names a repository of Hugging Face. "owner/name" is such a name. A text with another / is an
 * address: "./owner/name", "owner/name/". The page of a repository or of a revision stands for its
 * files.
 */
export function folderOf(source) {
  const text = String(source).trim();
  if (/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(text)) {
    return {url: `${hub}${text}/resolve/main/`, repository: text};
  }
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  const address = new URL(text, base);
  address.search = address.hash = '';
  const [, name, revision = 'main'] =
      /^([\w.-]+\/[\w.-]+)(?:\/(?:tree|resolve)\/([^/]+))?\/?$/.exec(
          address.href.startsWith(hub) ? address.href.slice(hub.length) : '') ?? [];
  if (name) return {url: `${hub}${name}/resolve/${revision}/`};
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return {url: address.href};
}

const aborted = (signal) => signal.reason ?? new DOMException('aborted', 'AbortError');

// The promise, unless the signal comes first.
function unlessAborted(promise, signal) {
  if (!signal) return promise;
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(aborted(signal));
  }
  return new Promise((resolve, reject) => {
    const stop = () => reject(aborted(signal));
    signal.addEventListener('abort', stop, {once: true});
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

// Changing a page costs the GPU more than a token does, so pictures come with every other frame:
// some 30 per second, which is faster than anyone reads.
const framesOfPictures = 2;

function afterFrames(count, then) {
  requestAnimationFrame(() => count > 1 ? afterFrames(count - 1, then) : then());
}

// In the order in which the library draws them.
const pictureNames = ['attention', 'blocks'];

// The canvases that are there, by name, in the library's order.
function canvasesOf(pictures) {
  for (const name of Object.keys(pictures)) {
    if (pictureNames.includes(name)) continue;
    throw new TypeError(`trigon.generate: there is no picture "${name}"; there are: ` +
                        pictureNames.join(', '));
  }
  const wanted = pictureNames.filter((name) => pictures[name]);
  return {wanted, canvases: wanted.map((name) => pictures[name])};
}

let loads = 0;  // loads so far; the number of a load names it if it is cancelled

/**
 * GPT-2 and its present text, whose queries, keys and block outputs are kept for pictures. Tokens
 * of the text are counted from 0, the prompt's included. Made by `Trigon.gpt2()`.
 */
export class Gpt2 {
  #client;
  #model;
  #running = 0;  // the number of the last generate()

  /** @internal */
  constructor(client, {model, config}) {
    this.#client = client;
    this.#model = model;
    /** {layers, heads, width, context, vocabulary}: the model's sizes. */
    this.config = config;
  }

  /** @internal */
  static async load(client, source, {onProgress, signal, site}) {
    signal?.throwIfAborted();
    const from = typeof source === 'string' || source instanceof URL ? folderOf(source) :
                                                                       {files: nearest(source)};
    const load = ++loads;
    const loading = client.request('gpt2.load', {load, ...from}, {onProgress, site});
    try {
      return new Gpt2(client, await unlessAborted(loading, signal));
    } catch (error) {
      if (signal?.aborted) {
        loading.then(({model}) => client.request('gpt2.close', {model})).catch(() => {});
        client.request('gpt2.cancel', {load}).catch(() => {});
      }
      throw error;
    }
  }

  #request(op, fields) { return this.#client.request(op, {model: this.#model, ...fields}); }

  /**
   * The tokens of a text. A token may have a part of a character; `bytes` is its size in UTF-8.
   * @returns {Promise<{id: number, text: string, bytes: number}[]>}
   */
  encode(text) { return this.#request('gpt2.encode', {text}); }

  /** The tokens of the text so far, the prompt's first. */
  tokens() { return this.#request('gpt2.tokens'); }

  /**
   * Continues a prompt, or the last text if `prompt` is undefined or null. Each step gives {text,
   * id, top, token, seconds, draws, drawn}. text: the new complete characters; id: the token's.
   * top: the likeliest tokens at its place, [{id, text, probability}]; token: its position in the
   * text. seconds, draws: its cost; drawn: whether the pictures show it. Leaving the loop stops; an
   * aborted signal throws its reason after the current step.
   *
   * @param {string} [prompt]
   * @param {object} [options]
   * @param {number} [options.tokens] The most new tokens: 200.
   * @param {boolean} [options.greedy] The likeliest token each time; as temperature 0.
   * @param {number} [options.temperature] 1
   * @param {number} [options.topK] 0: all
   * @param {number} [options.topP] 1: all
   * @param {number} [options.seed] 0
   * @param {number} [options.top] Number of likeliest tokens in each step: 5. With 0 and greedy,
   *     only the id leaves the device.
   * @param {string[]} [options.stop] Texts that end the generation, and are left out.
   * @param {AbortSignal} [options.signal]
   * @param {{attention?: HTMLCanvasElement, blocks?: HTMLCanvasElement}} [options.pictures]
   *     Canvases drawn while the text comes, for every other frame that the page shows, and for its
   *     last token. They show the attention of the token's heads, as drawAttention(), and the
   *     output of each block, as drawBlocks().
   */
  async *generate(prompt, options = {}) {
    const {signal, pictures = {}, tokens = 200, ...sampling} = options;
    const {wanted, canvases} = canvasesOf(pictures ?? {});
    checkNumbers('generate', options);
    signal?.throwIfAborted();
    const running = ++this.#running;
    let isSeen = true;  // whether the last pictures stood long enough
    await this.#request('gpt2.begin', {prompt: prompt ?? null, pictures: wanted, tokens,
                                       ...sampling});
    for (;;) {
      // Between steps: the token of a step that has begun is part of the text, so it must be
      // reported.
      signal?.throwIfAborted();
      if (running !== this.#running) {
        throw new Error('trigon.generate: another text was begun with this model; one at a time');
      }
      const {picture, ...step} = await this.#request('gpt2.next', {shown: isSeen});
      step.drawn = picture !== undefined;
      if (picture) {
        await show(picture, canvases);
        isSeen = false;
        afterFrames(framesOfPictures, () => { isSeen = true; });
      } else if (step.done && step.token !== undefined && running === this.#running) {
        await this.#drawLast(pictures ?? {}, step);
      }
      // A step without a token or text only reports the end.
      if (step.id !== undefined || step.text !== '') yield step;
      if (step.done) return;
    }
  }

  // The pictures of the last step, if those of an earlier one were not visible yet.
  async #drawLast({attention, blocks}, step) {
    const which = {token: step.token - 1};
    if (attention) await this.drawAttention(attention, which);
    if (blocks) await this.drawBlocks(blocks, which);
    step.drawn = Boolean(attention ?? blocks);
  }

  /**
   * The weights of the heads over the tokens up to one: (token + 1 - first) numbers for a layer,
   * head and token. A number that is left out adds an axis, in this order: (layers, heads, tokens,
   * tokens). Without a token, layer and head are required. `first` is the token of the first
   * column: 0 until the text exceeds the context; then the model keeps its newest part.
   * @param {{layer?: number, head?: number, token?: number}} which
   * @returns {Promise<{data: Float32Array, shape: number[], first: number}>}
   */
  async attention(which) { return this.#numbers('attention', which); }

  /** The outputs of the blocks at a token: (layers, width). */
  async blocks(which) { return this.#numbers('blocks', which); }

  async #numbers(what, which) {
    checkNumbers(what, which);
    const {bytes, dtype, ...rest} = await this.#request(`gpt2.${what}`, which);
    return {data: new Float32Array(bytes), ...rest};
  }

  /**
   * The logit lens: the tokens that each block's output predicts after a token. Those of the last
   * block are the model's own.
   * @returns {Promise<{id: number, text: string, probability: number}[][]>} `top` per block.
   */
  async lens({token, top} = {}) {
    checkNumbers('lens', {token, top});
    return this.#request('gpt2.lens', {token, top: top ?? 5});
  }

  /**
   * Draws weights of heads; brighter is more. With a token, a row for each head of each layer and a
   * column for each token up to it. With a layer and a head, a row for each token of the text.
   * @param {HTMLCanvasElement} canvas
   * @param {{token: number} | {layer: number, head: number}} which
   */
  async drawAttention(canvas, which) {
    checkNumbers('drawAttention', which);
    return this.#draw('attention', canvas, which);
  }

  /** Draws the outputs of the blocks at a token: one row per block, one column per channel. */
  async drawBlocks(canvas, which) {
    checkNumbers('drawBlocks', which);
    return this.#draw('blocks', canvas, which);
  }

  async #draw(what, canvas, which) {
    await show(await this.#request('gpt2.draw', {what, ...which}), [canvas]);
  }

  /** Frees the weights. */
  async dispose() {
    ++this.#running;
    await this.#request('gpt2.close');
  }
}
