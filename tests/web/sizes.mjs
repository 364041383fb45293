// SPDX-License-Identifier: MIT
// Checks that the page is small enough; prints the size of the module by group.
// usage: node sizes.mjs FOLDER SYMBOLS: the page as bindings/web/build writes it, and the linker's
// map of its trigon_core.wasm. The last line is: passed failed skipped.
import {readFileSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync} from 'node:zlib';
import {sizesOf, sizesText} from '../../bindings/web/tools/sizes.mjs';

const [folder, symbols] = process.argv.slice(2);
const core = join(folder, 'trigon_core.wasm');
const sizes = sizesOf(core, symbols);
console.log(sizesText('trigon_core.wasm', sizes));

const site = readdirSync(folder, {recursive: true}).map((name) => statSync(join(folder, name)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
// The files that the module and its Worker import are fetched before a first number.
const fetched = new Set(['trigon.mjs', 'worker.mjs', 'trigon_core.wasm']);
for (const name of fetched) {
  if (!name.endsWith('.mjs')) continue;
  const text = readFileSync(join(folder, name), 'utf8');
  for (const [, next] of text.matchAll(/\bfrom\s*["']\.\/([^"']+)["']/g)) fetched.add(next);
}
const first = [...fetched].reduce(
    (sum, name) => sum + brotliCompressSync(readFileSync(join(folder, name))).length, 0);
// A map of another file gives most functions no name.
const unnamed = new Map(sizes.groups).get('C, and what has no name') ?? Infinity;
// Without derivatives of loops, jvp, vmap and checkpoint the first files were 595,533 bytes of
// 600,000; these may add a tenth.
const bounds = [
  ['trigon_core.wasm', sizes.bytes, 2_200_000],
  [`${fetched.size} files before the first number, as brotli`, first, 660_000],
  ['the folder', site, 12_000_000],
  ['what has no name', unnamed, Math.round(sizes.bytes / 4)],
];
let failed = 0;
for (const [what, size, most] of bounds) {
  if (size < most) continue;
  ++failed;
  console.log(`FAILED ${what}: ${size} bytes; there must be fewer than ${most}`);
}
console.log(`${fetched.size} files before the first number: ${first} bytes as brotli`);
console.log(`the folder: ${site} bytes`);
// Facts of the table that only documents and tests read stay out of the module.
const facts = ['np.', 'torch.', 'jax.random.'].filter(
    (one) => readFileSync(core).includes(Buffer.from(one)));
if (facts.length > 0) {
  ++failed;
  console.log(`FAILED trigon_core.wasm holds ${facts.join(', ')}`);
}
console.log(`${bounds.length + 1 - failed} ${failed} 0`);
process.exitCode = failed > 0 ? 1 : 0;
