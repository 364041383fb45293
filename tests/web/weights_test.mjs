// SPDX-License-Identifier: MIT
// The bytes of a model that are requested, and the errors about faulty servers.
// usage: node --test tests/web/weights_test.mjs
import assert from 'node:assert/strict';
import {File} from 'node:buffer';  // Node 18 has no global one
import {createServer} from 'node:http';
import {after, test} from 'node:test';
import {folderOf} from '../../bindings/web/gpt2.mjs';
import {loadWeights, nearest} from '../../bindings/web/weights.mjs';

// ---- A model whose tensors are a few bytes

function safetensors(tensors) {
  const header = {};
  let at = 0;
  for (const [name, bytes] of Object.entries(tensors)) {
    header[name] = {dtype: 'U8', shape: [bytes.length], data_offsets: [at, at += bytes.length]};
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map((one) => Buffer.from(one))]);
}

const tensors = {wte: [1, 2, 3, 4], unwanted: [9, 9], wpe: [5, 6, 7]};
const small = {'config.json': '{}', 'vocab.json': '{}', 'merges.txt': ''};
const whole = {...small, 'model.safetensors': safetensors(tensors)};
const sharded = {
  ...small,
  'model.safetensors.index.json': JSON.stringify({weight_map: {wte: 'a.st', wpe: 'b.st'}}),
  'a.st': safetensors({wte: tensors.wte}), 'b.st': safetensors({wpe: tensors.wpe}),
};
const headerEnd = (file) => 8 + Number(file.readBigUInt64LE());

// The library's part: the bytes that it received, by tensor.
class Library {
  files = [];
  taken = {};
  #entries = [];

  ask(request, bytes) {
    if (request.op === 'gpt2.file') this.files.push(request.what);
    if (request.op === 'gpt2.header') {
      const end = headerEnd(Buffer.from(bytes));
      if (bytes.length < end) return {end};
      const header = JSON.parse(Buffer.from(bytes).subarray(8, end).toString());
      for (const [name, {data_offsets: [first, last]}] of Object.entries(header)) {
        this.#entries.push({name, file: request.name, begin: end + first, end: end + last});
      }
    }
    if (request.op === 'gpt2.wanted') {
      return {tensors: this.#entries.filter(({name}) => name !== 'unwanted')};
    }
    if (request.op === 'gpt2.tensor') this.taken[request.name] = Array.from(bytes);
    return request.op === 'gpt2.loaded' ? {model: 1} : null;
  }
}

// ---- Servers

const servers = [];
after(() => { for (const one of servers) one.close(), one.closeAllConnections(); });

// The address of a server, and the requests that it heard.
async function serving(answer) {
  const heard = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim());
    answer(request, response);
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return {url: `http://localhost:${server.address().port}/`, heard};
}

function send(files, request, response, {ranges = true, most = Infinity} = {}) {
  const file = files[request.url.slice(1)];
  if (file === undefined) return response.writeHead(404).end();
  let bytes = Buffer.from(file);
  const asked = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (asked) {
    response.writeHead(206, {'Content-Range': `bytes ${asked[1]}-${asked[2]}/${bytes.length}`});
    bytes = bytes.subarray(Number(asked[1]), Math.min(Number(asked[2]) + 1, most));
  }
  response.end(bytes.subarray(0, most));
}

async function load(source) {
  const library = new Library();
  const progress = [];
  const controller = source.controller ?? new AbortController();
  const result = await loadWeights(source, {
    ask: (request, bytes) => library.ask(request, bytes), signal: controller.signal,
    onProgress: (...one) => progress.push(one),
  });
  return {library, progress, result};
}

const message = async (source) => {
  try {
    await load(source);
  } catch (error) {
    return error.message;
  }
  return 'it loads';
};

const wanted = {wte: tensors.wte, wpe: tensors.wpe};

// ---- Tests

test('asks for one tensor at a time, and never for a head', async () => {
  const {url, heard} = await serving((request, response) => send(whole, request, response));
  const {library, progress, result} = await load({url});
  const end = headerEnd(whole['model.safetensors']);
  assert.deepEqual(heard, [
    'GET /config.json', 'GET /vocab.json', 'GET /merges.txt', 'GET /model.safetensors bytes=0-7',
    `GET /model.safetensors bytes=8-${end - 1}`, `GET /model.safetensors bytes=${end}-${end + 3}`,
    `GET /model.safetensors bytes=${end + 6}-${end + 8}`,
  ]);
  assert.deepEqual(library.taken, wanted);
  assert.deepEqual(library.files, ['config', 'vocabulary', 'merges']);
  assert.deepEqual(progress, [[0, 7], [4, 7], [7, 7]]);
  assert.deepEqual(result, {model: 1});
});

test('takes the tensors from the stream of a server without ranges', async () => {
  const {url, heard} =
      await serving((request, response) => send(whole, request, response, {ranges: false}));
  const {library} = await load({url});
  assert.equal(heard.filter((one) => one.includes('safetensors')).length, 1);
  assert.deepEqual(library.taken, wanted);
});

test('takes the shards that an index names', async () => {
  const {url} = await serving((request, response) => send(sharded, request, response));
  assert.deepEqual((await load({url})).library.taken, wanted);
});

test('takes the files of a folder', async () => {
  const files = Object.entries(whole).map(([name, bytes]) => new File([bytes], name));
  assert.deepEqual((await load({files})).library.taken, wanted);
});

test('takes the files of a folder, not those of its subfolders', async () => {
  const file = (path, bytes) => Object.defineProperty(
      new File([bytes], path.split('/').at(-1)), 'webkitRelativePath', {value: path});
  const files = Object.entries(whole).flatMap(([name, bytes]) =>
      [file(`gpt2/${name}`, bytes), file(`gpt2/onnx/${name}`, 'another')]);
  for (const given of [files, files.reverse()]) {
    assert.deepEqual((await load({files: nearest(given)})).library.taken, wanted);
  }
  const dropped = ['first', 'second'].map((text) => new File([text], 'config.json'));
  assert.deepEqual(nearest(dropped), dropped.slice(0, 1));
});

test('follows redirects', async () => {
  const {url} = await serving((request, response) => {
    if (!request.url.startsWith('/there/')) {
      return response.writeHead(302, {Location: '/there' + request.url}).end();
    }
    request.url = request.url.slice('/there'.length);
    send(whole, request, response);
  });
  assert.deepEqual((await load({url})).library.taken, wanted);
});

test('says what is wrong with a server', async () => {
  const end = headerEnd(whole['model.safetensors']);
  const cases = [
    [(_, response) => response.writeHead(403).end(), /config\.json is refused \(403\); it must be/],
    [(_, response) => response.writeHead(503).end(), /the server answers 503/],
    [(_, response) => response.writeHead(404).end(), /there is no config\.json; the folder must/],
    [(request, response) => request.socket.destroy(), /cannot be fetched: .*allow this page/],
    [(request, response) => send(whole, request, response, {most: end + 2}),
     /model\.safetensors ends after \d+ bytes, .*load it again/],
    [(request, response) => send(whole, request, response, {most: end + 2, ranges: false}),
     new RegExp(`model\\.safetensors ends after ${end + 2} bytes`)],
    [(request, response) => send(small, request, response),
     /there is no model\.safetensors or model\.safetensors\.index\.json/],
    [(request, response) =>
         send({...sharded, 'b.st': undefined}, request, response), /there is no b\.st, which/],
    [(request, response) =>
         send({...sharded, 'model.safetensors.index.json': '<p>'}, request, response),
     /index\.json is not JSON/],
    [(request, response) => send({...sharded, 'model.safetensors.index.json':
       '{"weight_map": {"wte": "../secret"}}'}, request, response), /names no files/],
  ];
  for (const [answer, expected] of cases) {
    const {url} = await serving(answer);
    assert.match(await message({url}), expected);
  }
});

// The answer to the n-th request of the weights.
const weightsAnswer = (n, answer) => {
  let heard = 0;
  return (request, response) => {
    if (request.url === '/model.safetensors' && ++heard === n) return answer(request, response);
    return send(whole, request, response);
  };
};

test('says when a server forgets its file or its ranges on the way', async () => {
  for (const n of [2, 3]) {  // the header, the first tensor
    for (const answer of [
      (_, response) => response.writeHead(404).end(),
      (request, response) => send(whole, request, response, {ranges: false})]) {
      const {url} = await serving(weightsAnswer(n, answer));
      assert.equal(await message({url}), 'gpt2: the server sends model.safetensors by ranges no ' +
                   'more; load it again');
    }
  }
});

test('ends a stream that nothing reads any more', async () => {
  let closed;
  const over = new Promise((resolve) => { closed = resolve; });
  const {url} = await serving((request, response) => {
    if (request.url !== '/model.safetensors') return send(whole, request, response);
    response.on('close', closed);
    response.write(Buffer.alloc(64, 0xff));  // and never ends
  });
  const load = loadWeights({url}, {
    ask: ({op}) => { if (op === 'gpt2.header') throw new Error('no header'); },
    signal: new AbortController().signal, onProgress() {},
  });
  await assert.rejects(load, {message: 'no header'});
  await over;
});

test('asks nothing of the library once it is aborted', async () => {
  // Files of the user, whose reads take no signal.
  const files = Object.entries(whole).map(([name, bytes]) => new File([bytes], name));
  const order = ['gpt2.loading', 'gpt2.file', 'gpt2.header', 'gpt2.tensor'];
  for (const last of order) {
    const library = new Library();
    const controller = new AbortController();
    const asked = [];
    const load = loadWeights({files}, {
      ask: (request, bytes) => {
        asked.push(request.op);
        if (request.op === last) controller.abort(new Error('enough'));
        return library.ask(request, bytes);
      },
      signal: controller.signal, onProgress() {},
    });
    await assert.rejects(load, {message: 'enough'});
    assert.equal(asked.at(-1), last);
  }
});

test('stops where it is aborted', async () => {
  const controller = new AbortController();
  const {url, heard} = await serving((request, response) => {
    if (request.url === '/vocab.json') controller.abort(new Error('enough'));
    send(whole, request, response);
  });
  assert.equal(await message({url, controller}), 'enough');
  assert.ok(heard.length <= 3);
});

test('knows the addresses of folders', () => {
  const base = 'https://huggingface.co/openai-community/gpt2/resolve/';
  const repository = 'openai-community/gpt2';
  assert.deepEqual(folderOf(repository), {url: `${base}main/`, repository});
  for (const [text, url] of [
    ['https://huggingface.co/openai-community/gpt2', `${base}main/`],
    ['https://huggingface.co/openai-community/gpt2/', `${base}main/`],
    ['https://huggingface.co/openai-community/gpt2/tree/main', `${base}main/`],
    ['https://huggingface.co/openai-community/gpt2/tree/v1.0/?a#b', `${base}v1.0/`],
    ['https://huggingface.co/openai-community/gpt2/resolve/main', `${base}main/`],
    ['https://huggingface.co/owner/name/resolve/main/folder',
     'https://huggingface.co/owner/name/resolve/main/folder/'],
    ['https://example.org/a/b', 'https://example.org/a/b/'],
    ['https://example.org/a/b?token=1#c', 'https://example.org/a/b/'],
  ]) assert.deepEqual([text, folderOf(text)], [text, {url}]);
  globalThis.location = {href: 'https://example.org/page/index.html'};
  for (const [text, path] of [
    ['model/', 'page/model/'], ['model', 'page/model/'], ['./models/small', 'page/models/small/'],
    ['models/small/', 'page/models/small/'], ['/models/small', 'models/small/'],
    ['../models/small', 'models/small/'], ['a/b/c', 'page/a/b/c/'],
  ]) assert.deepEqual([text, folderOf(text)], [text, {url: `https://example.org/${path}`}]);
});

test('says how the name of a repository was read where there is none', async () => {
  const {url} = await serving((_, response) => response.writeHead(401).end());
  const said = await message({url, repository: 'models/small'});
  assert.match(said, /config\.json is refused \(401\); /);
  assert.ok(said.endsWith('\n  hint: "models/small" is read as the name of a repository of ' +
                          'Hugging Face; a folder beside this page is "./models/small"'), said);
});

test('knows a page that comes in place of a file', async () => {
  const page = '\n<!DOCTYPE html><p>Not here.</p>';
  for (const name of [...Object.keys(whole), 'model.safetensors.index.json', 'a.st']) {
    for (const ranges of [true, false]) {
      const files = name in whole ? whole : sharded;
      const {url} = await serving((request, response) =>
          send({...files, [name]: page}, request, response, {ranges}));
      assert.match(await message({url}), new RegExp(
          `^gpt2: ${name} is a web page: it begins with "<!D.*; the address must be that of a ` +
          'folder with the files themselves$'));
    }
  }
  const text = {...whole, 'merges.txt': '< h\n<! doctype'};
  const {url} = await serving((request, response) => send(text, request, response));
  assert.equal(await message({url}), 'it loads');
});
