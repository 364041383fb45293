// SPDX-License-Identifier: MIT
// Prints the size of a WebAssembly file, raw and as brotli, and of its parts by the namespaces of
// its functions, which the linker's --emit-symbol-map names.
// usage: node sizes.mjs FILE.wasm [FILE.js.symbols]
import {existsSync, readFileSync} from 'node:fs';
import {brotliCompressSync} from 'node:zlib';

const [file, symbols = file?.replace(/\.wasm$/, '.js.symbols')] = process.argv.slice(2);
if (!file) {
  console.error('usage: node sizes.mjs FILE.wasm [FILE.js.symbols]');
  process.exit(2);
}
const bytes = readFileSync(file);

let at = 8;  // after the magic number and the version
function number() {
  let value = 0, shift = 0, byte;
  do {
    byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte & 128);
  return value;
}

const [importId, functionKind, codeId, dataId] = [2, 0, 10, 11];
let imports = 0, data = 0;
const bodies = [];  // the size of each function
while (at < bytes.length) {
  const id = bytes[at++], size = number(), end = at + size;
  if (id === importId) {
    for (let left = number(); left > 0; --left) {
      for (let k = 0; k < 2; ++k) { const skip = number(); at += skip; }
      const kind = bytes[at++];
      if (kind === functionKind) { ++imports; number(); continue; }
      if (kind === 4) { number(); number(); continue; }   // a tag
      if (kind === 1 || kind === 3) ++at;                 // the type of a table or a global
      if (kind === 3) { ++at; continue; }
      const limits = bytes[at++];
      number();
      if (limits & 1) number();
    }
  } else if (id === codeId) {
    for (let left = number(); left > 0; --left) {
      const body = number();
      bodies.push(body);
      at += body;
    }
  } else if (id === dataId) {
    data = size;
  }
  at = end;
}

// The namespace of a function of ours, or the library of another.
function partOf(name) {
  if (/^nlohmann::|nlohmann::/.test(name)) return 'nlohmann-json';
  if (/(^|[ <&*])fmt::/.test(name)) return 'fmt';
  const [, inner] = /\btrigon::([a-z_]+)::/.exec(name) ?? [];
  if (inner?.endsWith('_op')) return 'trigon: references of ops';
  if (inner && inner !== 'detail') return `trigon::${inner}`;
  if (/\btrigon::/.test(name)) return 'trigon';
  if (/\bgpt2::|\bbench::/.test(name)) return 'the sample';
  if (/\bstd::|__cxxabiv1|^operator (new|delete)/.test(name)) return 'the C++ library';
  return 'C, and what has no name';
}

const parts = new Map();
const add = (part, size) => parts.set(part, (parts.get(part) ?? 0) + size);
if (existsSync(symbols)) {
  // One "index:name" a line; ( and others are escaped as \28.
  const names = new Map(readFileSync(symbols, 'utf8').split('\n').filter(Boolean).map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(colon + 1).replace(
        /\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
    return [Number(line.slice(0, colon)), name];
  }));
  bodies.forEach((size, k) => add(partOf(names.get(imports + k) ?? ''), size));
} else {
  bodies.forEach((size) => add('functions', size));
}
add('data: texts, tables and GLSL', data);
const sum = [...parts.values()].reduce((total, one) => total + one, 0);
add('the rest', bytes.length - sum);
const brotli = brotliCompressSync(bytes).length;
console.log(`${file}: ${bytes.length} bytes, ${brotli} as brotli`);
for (const [part, size] of [...parts].sort((a, b) => b[1] - a[1])) {
  console.log(`  ${String(size).padStart(9)}  ${part}`);
}
