// SPDX-License-Identifier: MIT
// Fetches a model's files: the small ones, the headers of the weights, then tensor by tensor. So a
// large model is never in memory as a whole.

const weightsName = 'model.safetensors';
const indexName = 'model.safetensors.index.json';

/** The fault of a file, and a remedy. */
class FileError extends Error {}

// ---- Sources of files: an address, or a dropped folder

/** The body of an answer, in pieces of requested sizes. */
class Stream {
  #reader;
  #name;
  #rest = new Uint8Array(0);
  /** Number of bytes taken so far. */
  position = 0;

  constructor(body, name) {
    this.#reader = body.getReader();
    this.#name = name;
  }

  /** The next `count` bytes. */
  async take(count) {
    const bytes = new Uint8Array(count);
    for (let filled = 0; filled < count;) {
      if (this.#rest.length === 0) {
        const {done, value} = await this.#reader.read();
        if (done) throw cut(this.#name, this.position + filled);
        this.#rest = value;
      }
      const some = this.#rest.subarray(0, count - filled);
      bytes.set(some, filled);
      filled += some.length;
      this.#rest = this.#rest.subarray(some.length);
    }
    this.position += count;
    return bytes;
  }

  /** Leaves out bytes up to a position. */
  async skip(position) {
    const step = 1 << 20;
    while (this.position < position) await this.take(Math.min(step, position - this.position));
  }

  cancel() { this.#reader.cancel().catch(() => {}); }
}

const cut = (name, at) => new FileError(
    `gpt2: ${name} ends after ${at} bytes, before all tensors have come; it was cut off on its ` +
    'way or is not whole: load it again');

/** The files below an address. */
class Remote {
  #base;
  #signal;
  constructor(base, signal) {
    this.#base = base;
    this.#signal = signal;
  }

  async #fetch(name, headers = {}) {
    const address = new URL(name, this.#base).href;
    let response;
    try {
      response = await fetch(address, {headers, signal: this.#signal});
    } catch (error) {
      if (this.#signal.aborted) throw error;
      throw new FileError(
          `gpt2: ${address} cannot be fetched: ${error.message}; the server must be reachable, ` +
          'and allow this page to read its files (CORS)');
    }
    if (response.status === 404) return null;
    if (response.status === 401 || response.status === 403) {
      throw new FileError(`gpt2: ${address} is refused (${response.status}); it must be public: ` +
                          'download the folder and drop its files here');
    }
    if (!response.ok) {
      throw new FileError(`gpt2: ${address} cannot be fetched: the server answers ` +
                          `${response.status} ${response.statusText}; try again later`);
    }
    return response;
  }

  /** All bytes of a file; null if it does not exist. */
  async read(name) {
    const response = await this.#fetch(name);
    return response && this.#body(name, response);
  }

  async #body(name, response) {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      if (this.#signal.aborted) throw error;
      throw new FileError(`gpt2: ${name} is cut off on its way: ${error.message}; load it again`);
    }
  }

  /**
   * Bytes [begin, end) as {bytes, size}, with the size of the whole file if known. From a server
   * without ranges, the {stream} of the whole file. null if the file does not exist.
   */
  async range(name, begin, end) {
    const response = await this.#fetch(name, {Range: `bytes=${begin}-${end - 1}`});
    if (!response) return null;
    if (response.status !== 206) return {stream: new Stream(response.body, name)};
    const bytes = await this.#body(name, response);
    if (bytes.length !== end - begin) throw cut(name, begin + bytes.length);
    const size = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]);
    return {bytes, size: size > 0 ? size : undefined};
  }
}

/**
 * One file of each name, the nearest to the top of the chosen folder: subfolders may hold other
 * models.
 */
export function nearest(files) {
  const depth = (file) => (file.webkitRelativePath ?? '').split('/').length;
  const found = new Map();
  for (const file of files) {
    const other = found.get(file.name);
    if (!other || depth(file) < depth(other)) found.set(file.name, file);
  }
  return [...found.values()];
}

/** Files of the page's user, by their names without folders. */
class Local {
  #files;
  constructor(files) { this.#files = new Map(files.map((file) => [file.name, file])); }

  async #bytes(name, blob) {
    try {
      return new Uint8Array(await blob.arrayBuffer());
    } catch (error) {
      throw new FileError(`gpt2: ${name} cannot be read: ${error.message}; choose the files again`);
    }
  }

  async read(name) {
    const file = this.#files.get(name);
    return file ? this.#bytes(name, file) : null;
  }

  async range(name, begin, end) {
    const file = this.#files.get(name);
    if (!file) return null;
    const bytes = await this.#bytes(name, file.slice(begin, end));
    if (bytes.length !== end - begin) throw cut(name, begin + bytes.length);
    return {bytes, size: file.size};
  }
}

// ---- A model

// Many servers send a page for a missing file.
function refusePage(name, bytes) {
  const begin = new TextDecoder().decode(bytes.subarray(0, 32)).trimStart();
  if (!/^<(!|\?|h)/i.test(begin)) return;
  throw new FileError(`gpt2: ${name} is a web page: it begins with ${JSON.stringify(begin)}; ` +
                      'the address must be that of a folder with the files themselves');
}

// The first of these files that exists.
async function readFirst(files, names, what) {
  for (const name of names) {
    const bytes = await files.read(name);
    if (!bytes) continue;
    refusePage(name, bytes);
    return {name, bytes};
  }
  throw new FileError(`gpt2: there is no ${names.join(' or ')}; the folder must hold ${what}`);
}

// The files that hold the weights: one, or those that the index names.
async function weightFiles(files, start) {
  if (start) return [weightsName];
  const index = await files.read(indexName);
  if (!index) {
    throw new FileError(
        `gpt2: there is no ${weightsName} or ${indexName}; the folder must hold the weights in ` +
        'the safetensors format, which other formats can be converted to');
  }
  refusePage(indexName, index);
  let map;
  try {
    map = JSON.parse(new TextDecoder().decode(index)).weight_map;
  } catch (error) {
    throw new FileError(`gpt2: ${indexName} is not JSON: ${error.message}; load it again`);
  }
  const names = map && typeof map === 'object' ? [...new Set(Object.values(map))] : [];
  if (names.length === 0 || !names.every((one) => typeof one === 'string' && !/[\\/:]/.test(one))) {
    throw new FileError(`gpt2: ${indexName} names no files; its weight_map must name the file of ` +
                        'each tensor');
  }
  return names;
}

// Further bytes of a file whose first ones came as a range.
async function takeRange(files, name, begin, end) {
  const answer = await files.range(name, begin, end);
  if (answer?.bytes) return answer.bytes;
  answer?.stream?.cancel();
  throw new FileError(`gpt2: the server sends ${name} by ranges no more; load it again`);
}

// The first bytes of a file. Its stream is kept, and always cancelled at the end.
async function begin(name, {files, streams}) {
  const start = await files.range(name, 0, 8);
  if (start?.stream) streams.set(name, start.stream);
  return start;
}

async function readHeader(name, start, {files, ask}) {
  if (!start) {
    throw new FileError(`gpt2: there is no ${name}, which ${indexName} names; all files of the ` +
                        'folder must be there');
  }
  const {stream, size} = start;
  const head = stream ? await stream.take(8) : start.bytes;
  refusePage(name, head);
  const request = {op: 'gpt2.header', name, ...(size === undefined ? {} : {size})};
  const {end} = ask(request, head) ?? {};
  if (end === undefined) return;
  const rest = stream ? await stream.take(end - 8) : await takeRange(files, name, 8, end);
  const header = new Uint8Array(end);
  header.set(head);
  header.set(rest, 8);
  ask(request, header);
}

// The first requested file, which reveals a wrong address.
async function readConfig(files, repository) {
  try {
    return await readFirst(files, ['config.json'], 'a GPT-2 model: config.json, vocab.json, ' +
                           `merges.txt and ${weightsName}`);
  } catch (error) {
    if (repository && error instanceof FileError) {
      error.message += `\n  hint: "${repository}" is read as the name of a repository of Hugging ` +
          `Face; a folder beside this page is "./${repository}"`;
    }
    throw error;
  }
}

/**
 * Loads the model that a `gpt2.load` request names.
 * @param {{url?: string, repository?: string, files?: File[]}} source `repository`: the name that
 *     gave the address.
 * @param ask Asks the library: a request and its bytes.
 * @returns {{model: number, config: object}}
 */
export async function loadWeights(source, {ask: request, signal, onProgress}) {
  const {url, repository, files: chosen} = source;
  const files = url ? new Remote(url, signal) : new Local(chosen);
  const streams = new Map();
  // The library loads one model at a time, and would take late bytes for those of the next model.
  const ask = (...given) => {
    signal.throwIfAborted();
    return request(...given);
  };
  const loading = {files, streams, ask, onProgress};
  try {
    const config = await readConfig(files, repository);
    const vocabulary = await readFirst(files, ['vocab.json', 'encoder.json'], 'the tokenizer');
    const merges = await readFirst(files, ['merges.txt', 'vocab.bpe'], 'the tokenizer');
    const start = await begin(weightsName, loading);
    const names = await weightFiles(files, start);
    ask({op: 'gpt2.loading'});
    ask({op: 'gpt2.file', what: 'config', name: config.name}, config.bytes);
    ask({op: 'gpt2.file', what: 'vocabulary', name: vocabulary.name}, vocabulary.bytes);
    ask({op: 'gpt2.file', what: 'merges', name: merges.name}, merges.bytes);
    for (const name of names) {
      await readHeader(name, name === weightsName ? start : await begin(name, loading), loading);
    }
    const {tensors} = ask({op: 'gpt2.wanted', name: start ? weightsName : indexName});
    await takeTensors(tensors, loading);
    return ask({op: 'gpt2.loaded'});
  } finally {
    for (const stream of streams.values()) stream.cancel();
  }
}

async function takeTensors(tensors, {files, streams, ask, onProgress}) {
  const total = tensors.reduce((sum, {begin, end}) => sum + end - begin, 0);
  let loaded = 0;
  onProgress(0, total);
  // In the files' order, which a stream has.
  tensors.sort((a, b) => a.file === b.file ? a.begin - b.begin : a.file < b.file ? -1 : 1);
  for (const {name, file, begin, end} of tensors) {
    const stream = streams.get(file);
    let bytes = new Uint8Array(0);
    if (stream) {
      await stream.skip(begin);
      bytes = await stream.take(end - begin);
    } else if (end > begin) {
      bytes = await takeRange(files, file, begin, end);
    }
    ask({op: 'gpt2.tensor', name}, bytes);
    loaded += end - begin;
    onProgress(loaded, total);
  }
}
