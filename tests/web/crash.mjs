// SPDX-License-Identifier: MIT
// The effects on a page of a crash of Chromium's GPU process.
import assert from 'node:assert/strict';
import {Chromium} from './chromium.mjs';

/**
 * A script for the Worker that counts the pictures that it sends, and those made after the GPU
 * process had ended, which are empty. A context then no longer knows any buffer.
 */
export const countPictures = `
  globalThis.sentPictures = {all: 0, empty: 0};
  const empty = new WeakSet();
  const {transferToImageBitmap} = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.transferToImageBitmap = function() {
    const gl = this.getContext('webgl2') ?? this.getContext('webgl');
    if (!this.known) {
      const bound = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.known = gl.createBuffer());
      gl.bindBuffer(gl.ARRAY_BUFFER, bound);
    }
    const picture = transferToImageBitmap.call(this);
    if (!gl.isBuffer(this.known)) empty.add(picture);
    return picture;
  };
  const {postMessage} = globalThis;
  globalThis.postMessage = (message, sent = []) => {
    for (const one of sent) {
      if (!(one instanceof ImageBitmap)) continue;
      ++sentPictures.all;
      if (empty.has(one)) ++sentPictures.empty;
    }
    postMessage(message, sent);
  };`;

// Works for crash(). Each returns whether its results are right; the Worker reports faults of
// pictures.
export const reads = `async () =>
    (await product().data()).every((one) => Math.abs(one * size - 1) < 1e-3)`;
export const draws = `async () => {
  await t.draw([{tensor: product(), canvas: document.createElement('canvas')}]);
  return true;
}`;
export const frames = `async () => {
  globalThis.life ??= await t.gallery('life');
  await life.frame(document.createElement('canvas'));
  return true;
}`;

/**
 * Crashes it while a page works. After that a browser denies WebGL to a page, so each page has its
 * own browser. The browser reports the loss only after the tasks of a read, which would get zeros,
 * and of a picture, which would be empty.
 * @param server of module_test.mjs
 * @param {string} profile
 * @param {string} work one of the above
 */
export async function crash(server, profile, work) {
  const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
  try {
    const page = await browser.open(server.address('model/merges.txt'));
    await page.evaluate(`(async () => {
      const {Trigon} = await import('/trigon.mjs');
      const t = await Trigon.open({profile: '${profile}'});
      const size = 512, x = t.tensor(new Float32Array(size * size).fill(1 / size), [size, size]);
      const product = () => {
        let y = x;
        for (let k = 0; k < 6; ++k) y = y.matmul(x);
        return y;
      };
      globalThis.seen = {right: 0, wrong: 0};
      const work = ${work};
      const once = async () => { ++seen[await work() ? 'right' : 'wrong']; };
      await once();
      globalThis.end = (async () => {
        const late = performance.now() + 60_000;
        while (performance.now() < late) await once();
        return 'it goes on';
      })().catch((error) => \`\${error.name}: \${error.message}\`);
    })()`);
    await browser.send('Browser.crashGpuProcess');
    assert.match(await page.evaluate('end'),
                 /^DeviceError: trigon::Device: the browser took the WebGL context away\n/);
    assert.equal(await page.evaluate('seen.wrong'), 0);
    const worker = browser.sessions.findLast(({type}) => type === 'worker');
    const {all, empty} = await worker.evaluate('sentPictures');
    assert.equal(empty, 0);
    assert.equal(all > 0, work !== reads, `${all} pictures`);
  } finally {
    await browser.close();
  }
}
