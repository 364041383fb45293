// SPDX-License-Identifier: MIT
// Serves a folder to this machine, with ranges: node serve.mjs FOLDER PORT
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, normalize, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript', '.js': 'text/javascript',
  '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8', '.wasm': 'application/wasm', '.png': 'image/png',
};

// The first and last byte that a request asks for; null for all, undefined for none there are.
function rangeOf(header, size) {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return null;
  const first = asked[1] === '' ? Math.max(size - Number(asked[2]), 0) : Number(asked[1]);
  const last = asked[1] === '' || asked[2] === '' ? size - 1 : Math.min(Number(asked[2]), size - 1);
  return first <= last ? [first, last] : undefined;
}

async function answer(folder, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return response.writeHead(405, {Allow: 'GET, HEAD'}).end();
  }
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
  } catch {
    return response.writeHead(400).end();
  }
  const file = join(folder, path.endsWith('/') ? path + 'index.html' : path);
  const info = await stat(file).catch(() => null);
  if (!info?.isFile()) return response.writeHead(404).end('not found\n');
  const headers = {
    'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-cache',
  };
  const range = rangeOf(request.headers.range, info.size);
  if (range === undefined) {
    return response.writeHead(416, {'Content-Range': `bytes */${info.size}`}).end();
  }
  const [start, end] = range ?? [0, info.size - 1];
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${info.size}`;
  response.writeHead(range ? 206 : 200, {...headers, 'Content-Length': end - start + 1});
  if (request.method === 'HEAD' || info.size === 0) return response.end();
  createReadStream(file, {start, end}).on('error', () => response.destroy()).pipe(response);
}

/** Serves `folder` at `port` of localhost; resolves with the server. */
export function serve(folder, port) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => response.destroy());
  });
  return new Promise((listening, reject) => {
    server.on('error', reject);
    server.listen(port, 'localhost', () => listening(server));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const server = await serve(process.argv[2], Number(process.argv[3]));
    console.log(`http://localhost:${server.address().port}/`);
  } catch (error) {
    const hint = error.code === 'EADDRINUSE' ? '; another program has the port: try --port 0' : '';
    console.error(`samples/web/run: cannot serve: ${error.message}${hint}`);
    process.exitCode = 1;
  }
}
