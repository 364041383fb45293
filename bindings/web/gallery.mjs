// SPDX-License-Identifier: MIT
// A simulation in the Worker, drawn frame by frame.
import {checkNumbers} from './numbers.mjs';
import {show} from './trigon.mjs';

/** A simulation of the gallery. Made by `Trigon.gallery()`. */
export class Gallery {
  #client;
  #gallery;
  #failure = null;  // of what the pointer did, which nothing waits for

  /** @internal */
  constructor(client, {gallery, name, about, pointer, unit, size, steps, width, height}) {
    this.#client = client;
    this.#gallery = gallery;
    this.name = name;
    this.about = about;
    /** What a pointer does, as a sentence for people. */
    this.pointerHelp = pointer;
    /** `size` counts these: 'cells along a side'. */
    this.unit = unit;
    this.size = size;
    /** Steps of a frame. */
    this.steps = steps;
    /** Of the picture, in pixels. */
    this.width = width;
    this.height = height;
  }

  #request(op, fields) {
    return this.#client.request(op, {gallery: this.#gallery, ...fields});
  }

  // Nothing waits for it: the next frame tells what went wrong.
  #tell(op, fields) {
    this.#request(op, fields).catch((error) => { this.#failure ??= error; });
  }

  /**
   * Computes further steps and draws the picture, from its texture.
   * @param {HTMLCanvasElement} canvas
   * @param {{steps?: number}} [options]
   * @returns {Promise<{draws: number, programs: number, plans: number, textures: number,
   *     bytes: number}>} The work of the frame, with what the pointer did before it and with
   *     showing it: draws, programs, plans and textures that were made, and bytes that were
   *     uploaded.
   */
  async frame(canvas, {steps} = {}) {
    checkNumbers('frame', {steps});
    const {picture, ...cost} = await this.#request('gallery.frame', {steps: steps ?? undefined});
    await show(picture, [canvas]);
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure;
    return cost;
  }

  /**
   * The mean brightness, from 0 to 1, of `parts` x `parts` equal fields of the last picture, by
   * rows from the top.
   * @param {number} parts From 1 to 256.
   * @returns {Promise<Float32Array>}
   */
  async brightness(parts) {
    checkNumbers('brightness', {parts});
    const {bytes} = await this.#request('gallery.brightness', {parts});
    return new Float32Array(bytes);
  }

  /**
   * The pressed pointer is at (x, y) and came there by (dx, dy): shares of the picture's sides,
   * from its left and its top.
   * @param {{x: number, y: number, dx?: number, dy?: number}} place
   */
  pointer(place) { this.#tell('gallery.pointer', place); }

  /**
   * Everything gets `factor` times as large about (x, y), by default the middle; nothing where
   * there is nothing to zoom.
   * @param {number} factor
   * @param {{x?: number, y?: number}} [place]
   */
  zoom(factor, place = {}) { this.#tell('gallery.zoom', {factor, ...place}); }

  /** Begins anew. */
  reset() { this.#tell('gallery.reset'); }

  /** How the next frame is computed: the graph, the draws and their GLSL. */
  explain() { return this.#request('gallery.explain'); }

  /** Frees what it holds. */
  dispose() { this.#request('gallery.close').catch(() => {}); }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.dispose(); }
}
