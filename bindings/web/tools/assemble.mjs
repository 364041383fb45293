// SPDX-License-Identifier: MIT
// Writes the npm package as a folder: node assemble.mjs CORE FOLDER
// CORE has trigon_core.mjs and trigon_core.wasm. The version is that of the library's headers.
// Terser is Debian's, whose packages Node.js finds with NODE_PATH=/usr/share/nodejs.
import {copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isProgram} from './program.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const web = join(root, 'bindings/web');

/** The library's version, as include/trigon/config.hpp defines it. */
export function versionOf(header) {
  const parts = ['MAJOR', 'MINOR', 'PATCH'].map((part) =>
      new RegExp(`^#define TRIGON_VERSION_${part} (\\d+)$`, 'm').exec(header)?.[1]);
  if (parts.includes(undefined)) {
    throw new Error('assemble: config.hpp does not define TRIGON_VERSION_MAJOR, _MINOR and _PATCH');
  }
  return parts.join('.');
}

/**
 * Writes a file of JavaScript without what a browser does not need, since a page fetches it before
 * its first number. A statement stays a line.
 */
async function shorten(file, to) {
  const {minify} = createRequire(import.meta.url)('terser');
  const format = {comments: /SPDX/, semicolons: false};
  const {code} = await minify(readFileSync(file, 'utf8'), {module: true, format});
  writeFileSync(to, `${code}\n`);
}

/** Writes the package; its folder is replaced. */
export async function assemble(core, folder) {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const {name, description, ...rest} =
      JSON.parse(readFileSync(join(web, 'package/package.json'), 'utf8'));
  const version = versionOf(readFileSync(join(root, 'include/trigon/config.hpp'), 'utf8'));
  writeFileSync(join(folder, 'package.json'),
                JSON.stringify({name, version, description, ...rest}, null, 2) + '\n');
  const own = readdirSync(web).filter((one) => one.endsWith('.mjs'));
  for (const one of own) await shorten(join(web, one), join(folder, one));
  await shorten(join(core, 'trigon_core.mjs'), join(folder, 'trigon_core.mjs'));
  const files = [
    join(web, 'trigon.d.mts'), join(core, 'trigon_core.wasm'),
    ...readdirSync(join(web, 'package')).filter((one) => one.endsWith('.md')).map(
        (one) => join(web, 'package', one)),
    join(root, 'LICENSE'),
  ];
  for (const file of files) copyFileSync(file, join(folder, basename(file)));
}

if (isProgram(import.meta.url)) {
  const [core, folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: node assemble.mjs CORE FOLDER; bindings/web/build calls it');
    process.exit(2);
  }
  await assemble(core, folder);
}
