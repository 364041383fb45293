// SPDX-License-Identifier: MIT
// The page's one device: it opens, may be taken away, and opens again.

/** Why nothing can be computed here, with a remedy; empty if nothing is known to be missing. */
export function whatIsMissing(scope = globalThis) {
  if (typeof scope.WebAssembly === 'undefined') {
    return 'This browser has no WebAssembly, in which the library runs. Use a current Firefox, ' +
        'Chrome, Edge or Safari.';
  }
  if (typeof scope.Worker === 'undefined') {
    return 'This browser has no Workers, or an extension blocks them. Use a current browser, or ' +
        'allow them for this page.';
  }
  if (typeof scope.OffscreenCanvas === 'undefined') {
    return 'This browser has no OffscreenCanvas, on which the library draws. Chrome has it from ' +
        'version 69, Firefox from 105, Safari from 17: update the browser.';
  }
  return '';
}

// Advice for an error, chosen by the library's text.
const advice = [
  [/Worker does not start/, 'Check that all files of the page are served, and that the page or ' +
      'an extension does not block Workers.'],
  [/precision|highp/, 'This graphics card computes with too few digits. Try another device.'],
  [/float/, 'This graphics card cannot draw floating-point numbers in the browser. Try another ' +
      'browser or a computer with another graphics card.'],
  [/webgl|context|device/i, 'The browser gives this page no WebGL that it can use. Switch ' +
      'hardware acceleration on in the settings of the browser, update the graphics driver, ' +
      'or try another browser.'],
];

/** An error of opening as sentences. */
export function explainFailure(error) {
  const found = advice.find(([pattern]) => pattern.test(error.message));
  return `Trigon does not start here. ${found ? found[1] : 'Reload the page to try again.'} ` +
      `It says: ${error.message}`;
}

export class Connection {
  /** The open library, or null. */
  t = null;
  #ready = [];
  #lost = [];

  /** Calls `listener(t)` each time that a device opens. */
  onReady(listener) { this.#ready.push(listener); }
  /** Calls `listener(error)` each time that the device is taken away. */
  onLost(listener) { this.#lost.push(listener); }

  /** Opens a device. Rejects with an error whose message is a sentence for the page. */
  async open() {
    const missing = whatIsMissing();
    if (missing !== '') throw new Error(missing);
    let t;
    try {
      const {Trigon} = await import('./trigon.mjs');
      t = await Trigon.open();
    } catch (error) {
      throw new Error(explainFailure(error));
    }
    this.t = t;
    t.lost.then((error) => this.#end(t, error));
    for (const listener of this.#ready) listener(t);
  }

  #end(t, error) {
    if (this.t !== t) return;
    this.t = null;
    t.close();
    for (const listener of this.#lost) listener(error);
  }

  close() {
    const {t} = this;
    this.t = null;
    t?.close();
  }
}
