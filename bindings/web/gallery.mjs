// SPDX-License-Identifier: MIT
// A simulation in the Worker, drawn frame by frame.
import {errorHere} from './failures.mjs';
import {checkCanvas, checkNumbers, checkOptions} from './options.mjs';
import {show} from './trigon.mjs';

/** A simulation of the gallery. Made by `Trigon.gallery()`. */
export class Gallery {
  #client;
  #gallery;
  #failure = null;  // of pointer requests, for which nothing waits

  /** @internal */
  constructor(client, {gallery, name, about, pointer, unit, size, steps, parameters, width,
                       height}) {
    this.#client = client;
    this.#gallery = gallery;
    this.name = name;
    this.about = about;
    /** The effect of a pointer, as a sentence. */
    this.pointerHelp = pointer;
    /** `size` counts these: 'cells along a side'. */
    this.unit = unit;
    this.size = size;
    /** Steps of a frame. */
    this.steps = steps;
    /** {name, value, least, most}: numbers that set() changes. */
    this.parameters = parameters;
    /** The picture's size in pixels. */
    this.width = width;
    this.height = height;
  }

  #request(op, fields) {
    return this.#client.request(op, {gallery: this.#gallery, ...fields});
  }

  // Nothing waits for it: the next frame reports an error.
  #tell(op, fields) {
    this.#request(op, fields).catch((error) => { this.#failure ??= error; });
  }

  /**
   * Computes further steps and draws the picture, from its texture.
   * @param {HTMLCanvasElement} canvas
   * @param {{steps?: number}} [options]
   * @returns {Promise<{draws: number, programs: number, plans: number, textures: number,
   *     bytes: number}>} The work of the frame, including the pointer's effects before it and
   *     showing it: draws, new programs, plans and textures, and uploaded bytes.
   */
  async frame(canvas, options = {}) {
    checkCanvas('frame', canvas);
    const {steps} = checkOptions('frame', options, ['steps']);
    checkNumbers('frame', {steps});
    const {picture, ...cost} = await this.#request('gallery.frame', {steps: steps ?? undefined});
    await show(picture, [canvas]);
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure;
    return cost;
  }

  /**
   * The mean brightness, from 0 to 1, of `fields` x `fields` equal rectangles of the last
   * picture, by rows from the top.
   * @param {number} fields From 1 to 256.
   * @returns {Promise<Float32Array>}
   */
  async brightness(fields) {
    checkNumbers('brightness', {fields});
    const {bytes} = await this.#request('gallery.brightness', {fields});
    return new Float32Array(bytes);
  }

  /**
   * The pressed pointer is at (x, y), after moving by (dx, dy): shares of the picture's sides, from
   * its left and its top.
   * @param {{x: number, y: number, dx?: number, dy?: number}} place
   */
  pointer(place) {
    this.#tell('gallery.pointer', checkOptions('pointer', place, ['x', 'y', 'dx', 'dy']));
  }

  /**
   * Enlarges everything by `factor` about (x, y), by default the middle. Does nothing if the
   * simulation cannot zoom.
   * @param {number} factor
   * @param {{x?: number, y?: number}} [place]
   */
  zoom(factor, place = {}) {
    this.#tell('gallery.zoom', {factor, ...checkOptions('zoom', place, ['x', 'y'])});
  }

  /**
   * Gives parameters other values from the next frame on, without a new plan: set({feed: 0.04}).
   * @param {Record<string, number>} values
   */
  set(values) {
    const names = this.parameters.map(({name}) => name);
    for (const [name, value] of Object.entries(checkOptions('set', values, names))) {
      const own = this.parameters.find((one) => one.name === name);
      if (typeof value !== 'number' || !(value >= own.least && value <= own.most)) {
        throw errorHere(RangeError, `trigon.set: ${name} is ${String(value)}; must be a number ` +
                                    `from ${own.least} to ${own.most}`);
      }
      own.value = value;
      this.#tell('gallery.set', {name, value});
    }
  }

  /** Starts again; parameters stay. */
  reset() { this.#tell('gallery.reset'); }

  /** The plan of the next frame: the graph, the draws and their GLSL. */
  explain() { return this.#request('gallery.explain'); }

  /** Frees its memory. */
  dispose() { this.#request('gallery.close').catch(() => {}); }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.dispose(); }
}
