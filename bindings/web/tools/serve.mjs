// SPDX-License-Identifier: MIT
// Serves a folder to this machine, with ranges: node serve.mjs FOLDER PORT
// Tests and benchmarks use it, too.
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, normalize, resolve} from 'node:path';
import {pipeline} from 'node:stream';
import {isProgram} from './program.mjs';

const types = {
  '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript', '.js': 'text/javascript',
  '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8', '.wasm': 'application/wasm', '.png': 'image/png',
};

// The first and last byte that a request asks for; null for all, undefined if they do not exist.
function rangeOf(header, size) {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return null;
  const first = asked[1] === '' ? Math.max(size - Number(asked[2]), 0) : Number(asked[1]);
  const last = asked[1] === '' || asked[2] === '' ? size - 1 : Math.min(Number(asked[2]), size - 1);
  return first <= last ? [first, last] : undefined;
}

/**
 * Answers with a file, or with the requested range of it; with 404 if it does not exist.
 * @param {string | undefined} file
 * @param {(file: string, range: {start: number, end: number}) => Readable} read Gives its bytes.
 */
export async function sendFile(file, request, response, read = createReadStream) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return response.writeHead(405, {Allow: 'GET, HEAD'}).end();
  }
  const info = file === undefined ? null : await stat(file).catch(() => null);
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
  // Closes the file if the client gives up, and the answer if reading the file fails.
  pipeline(read(file, {start, end}), response, () => {});
}

/**
 * A server on this machine. `answer(path, request, response)` gets paths that are unescaped,
 * without a query, and that cannot leave the folder to which they are joined.
 * @param {number} [port] 0: any that is free.
 * @returns {Promise<{port: number, address: (path: string) => string, close: () => void}>}
 */
export function listen(answer, port = 0, host = 'localhost') {
  const server = createServer(async (request, response) => {
    let path;
    try {
      path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    } catch {
      return response.writeHead(400).end();
    }
    try {
      await answer(path, request, response);
    } catch (error) {
      console.error(error);
      response.destroy();
    }
  });
  return new Promise((listening, reject) => {
    server.on('error', reject);
    server.listen(port, host, () => {
      const {port: found} = server.address();
      listening({
        port: found,
        address: (path) => `http://localhost:${found}/${path}`,
        close: () => { server.close(); server.closeAllConnections(); },
      });
    });
  });
}

/** Serves `folder`, whose folders are served by their index.html; resolves as listen() does. */
export function serve(folder, port = 0) {
  const root = resolve(folder);
  return listen((path, request, response) =>
      sendFile(join(root, path.endsWith('/') ? path + 'index.html' : path), request, response),
                port);
}

if (isProgram(import.meta.url)) {
  try {
    console.log((await serve(process.argv[2], Number(process.argv[3]))).address(''));
  } catch (error) {
    const hint = error.code === 'EADDRINUSE' ? '; another program has the port: try --port 0' : '';
    console.error(`bindings/web/run: cannot serve: ${error.message}${hint}`);
    process.exitCode = 1;
  }
}
