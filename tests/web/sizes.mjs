// SPDX-License-Identifier: MIT
// Checks that the page is small enough; prints the size of the module by group.
// usage: node sizes.mjs FOLDER SYMBOLS: the page as bindings/web/build writes it, and the linker's
// map of its trigon_core.wasm. The last line is: passed failed skipped.
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {sizesOf, sizesText} from '../../bindings/web/tools/sizes.mjs';

const [folder, symbols] = process.argv.slice(2);
const core = join(folder, 'trigon_core.wasm');
const sizes = sizesOf(core, symbols);
console.log(sizesText('trigon_core.wasm', sizes));

const site = readdirSync(folder, {recursive: true}).map((name) => statSync(join(folder, name)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
// A map of another file gives most functions no name.
const unnamed = new Map(sizes.groups).get('C, and what has no name') ?? Infinity;
const bounds = [
  ['trigon_core.wasm', sizes.bytes, 2_200_000],
  ['trigon_core.wasm as brotli', sizes.brotli, 600_000],
  ['the folder', site, 12_000_000],
  ['what has no name', unnamed, Math.round(sizes.bytes / 4)],
];
let failed = 0;
for (const [what, size, most] of bounds) {
  if (size < most) continue;
  ++failed;
  console.log(`FAILED ${what}: ${size} bytes; there must be fewer than ${most}`);
}
console.log(`the folder: ${site} bytes`);
console.log(`${bounds.length - failed} ${failed} 0`);
process.exitCode = failed > 0 ? 1 : 0;
