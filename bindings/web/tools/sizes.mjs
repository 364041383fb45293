// SPDX-License-Identifier: MIT
// The size of a WebAssembly file, raw and as brotli, and of its groups by the namespaces of its
// functions, which the linker's --emit-symbol-map names.
// usage: node sizes.mjs FILE.wasm...: with NAME.js.symbols or NAME.mjs.symbols beside NAME.wasm
import {existsSync, readFileSync} from 'node:fs';
import {brotliCompressSync} from 'node:zlib';
import {isProgram} from './program.mjs';

const importId = 2, codeId = 10, dataId = 11;  // of sections
const functionKind = 0, tableKind = 1, globalKind = 3, tagKind = 4;

// Reads a file from the byte after its magic number and version.
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 8;
  }

  byte() { return this.bytes[this.at++]; }

  number() {
    let value = 0;
    for (let shift = 1;; shift *= 128) {
      const byte = this.byte();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  // Whether the import at this position is a function; skips it.
  importedFunction() {
    for (let k = 0; k < 2; ++k) {  // its module and its name
      const size = this.number();
      this.at += size;
    }
    const kind = this.byte();
    if (kind === functionKind) {
      this.number();
      return true;
    }
    if (kind === tagKind) {
      this.at += 1;
      this.number();
      return false;
    }
    if (kind === tableKind || kind === globalKind) this.byte();  // the type of its values
    const limits = this.byte();  // or whether a global changes
    if (kind === globalKind) return false;
    this.number();
    if (limits & 1) this.number();
    return false;
  }
}

// How many functions are imported, the sizes of the others, and that of the data.
function readSections(bytes) {
  const reader = new Reader(bytes);
  const found = {imports: 0, bodies: [], data: 0};
  while (reader.at < bytes.length) {
    const id = reader.byte(), size = reader.number(), end = reader.at + size;
    if (id === importId) {
      for (let left = reader.number(); left > 0; --left) found.imports += reader.importedFunction();
    } else if (id === codeId) {
      for (let left = reader.number(); left > 0; --left) {
        const body = reader.number();
        found.bodies.push(body);
        reader.at += body;
      }
    } else if (id === dataId) {
      found.data = size;
    }
    reader.at = end;
  }
  return found;
}

// The namespace of a function of ours, or the library of another.
function groupOf(name) {
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

// The names of functions by their numbers: a line each, "7:main", ( and others escaped as \28.
function readNames(file) {
  return new Map(readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(colon + 1).replace(
        /\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
    return [Number(line.slice(0, colon)), name];
  }));
}

/**
 * The sizes of a WebAssembly file in bytes.
 * @param {string} file
 * @param {string} [symbols] The map of its symbols; without one, functions are one group.
 * @returns {{bytes: number, brotli: number, groups: [string, number][]}} The largest group first.
 */
export function sizesOf(file, symbols) {
  const bytes = readFileSync(file);
  const {imports, bodies, data} = readSections(bytes);
  const names = symbols ? readNames(symbols) : null;
  const groups = new Map();
  const add = (group, size) => groups.set(group, (groups.get(group) ?? 0) + size);
  bodies.forEach((size, k) => {
    add(names ? groupOf(names.get(imports + k) ?? '') : 'functions', size);
  });
  add('data: texts, tables and GLSL', data);
  const sum = [...groups.values()].reduce((total, one) => total + one, 0);
  add('the rest', bytes.length - sum);
  return {bytes: bytes.length, brotli: brotliCompressSync(bytes).length,
          groups: [...groups].sort((a, b) => b[1] - a[1])};
}

/** The result of sizesOf() as lines of text. */
export function sizesText(file, {bytes, brotli, groups}) {
  return [`${file}: ${bytes} bytes, ${brotli} as brotli`,
          ...groups.map(([group, size]) => `  ${String(size).padStart(9)}  ${group}`)].join('\n');
}

if (isProgram(import.meta.url)) {
  const files = process.argv.slice(2);
  if (files.length === 0) {
    console.error('usage: node sizes.mjs FILE.wasm...');
    process.exitCode = 2;
  }
  for (const file of files) {
    const symbols = ['.js.symbols', '.mjs.symbols'].map((end) => file.replace(/\.wasm$/, end))
        .find(existsSync);
    console.log(sizesText(file, sizesOf(file, symbols)));
  }
}
