// SPDX-License-Identifier: MIT
// Browsers for the measurements, whose caches of shaders are empty, and the files of their pages.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium, drivers} from '../../tests/web/chromium.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, 'node_modules');

/** The folder of the bundled model. */
export const model = join(here, '../../samples/gpt2/model');

/** The result of `work(environment)` with an empty cache of Mesa's. */
export async function withCache(work) {
  const cache = mkdtempSync(join(tmpdir(), 'trigon-shaders-'));
  try {
    return await work({...process.env, MESA_SHADER_CACHE_DIR: cache});
  } finally {
    rmSync(cache, {recursive: true, force: true});
  }
}

/** Serves the pages of this folder; `site` is what bindings/web/build writes. */
export function serve(site) {
  const folders = {'/site/': site, '/model/': model, '/jax/': join(packages, '@jax-js/jax/dist')};
  const fileOf = (path) => {
    for (const [from, folder] of Object.entries(folders)) {
      if (path.startsWith(from)) return join(folder, path.slice(from.length));
    }
    if (path === '/tf.min.js') return join(packages, '@tensorflow/tfjs/dist/tf.min.js');
    return join(here, basename(path));
  };
  return listen((path, ...request) => sendFile(fileOf(path), ...request));
}

/** The result of `work(browser)`; a browser that WebGL complained in is an error. */
export function withBrowser(work) {
  return withCache(async (environment) => {
    const browser = await Chromium.start({environment});
    try {
      const value = await work(browser);
      const [complaint] = browser.complaints();
      if (complaint) throw new Error(`the console shows: ${complaint.text}`);
      return value;
    } finally {
      await browser.close();
    }
  });
}

/**
 * Opens a page and, by its function `opening(...given)`, libraries, all of which must run on
 * llvmpipe. `call` runs its other functions.
 */
export async function openPage(browser, address, opening, ...given) {
  const page = await browser.open(address);
  const call = (name, ...args) =>
      page.evaluate(`call(${[name, ...args].map((one) => JSON.stringify(one)).join()})`);
  const libraries = await call(opening, ...given);
  const {renderer} = libraries[0];
  if (!drivers.llvmpipe.renderer.test(renderer)) throw new Error(`the renderer is ${renderer}`);
  for (const {name, renderer: other} of libraries) {
    if (other !== renderer) throw new Error(`${name} runs on ${other}`);
  }
  return {page, call, libraries, renderer};
}
