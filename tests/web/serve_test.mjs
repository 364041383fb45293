// SPDX-License-Identifier: MIT
// The server of files that tests, benchmarks and bindings/web/run use.
// usage: node --test tests/web/serve_test.mjs
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {serve} from '../../bindings/web/tools/serve.mjs';

const bin = mkdtempSync(join(tmpdir(), 'trigon-serve-'));
const folder = join(bin, 'site');
mkdirSync(join(folder, 'model'), {recursive: true});
writeFileSync(join(bin, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'index.html'), '<p>');
writeFileSync(join(folder, 'a b.mjs'), '0123456789');
writeFileSync(join(folder, 'empty.bin'), '');
const server = await serve(folder);
after(() => { server.close(); rmSync(bin, {recursive: true}); });

// [status, the value of `header`, the text]; fetch() would normalise the path.
function ask(path, {header = 'content-type', ...options} = {}) {
  return new Promise((resolve, reject) => {
    const sent = request({port: server.port, path, ...options}, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve([response.statusCode, response.headers[header], Buffer.concat(chunks).toString()]);
    });
    sent.on('error', reject).end();
  });
}

test('files come with their types', async () => {
  assert.deepEqual(await ask('/'), [200, 'text/html; charset=utf-8', '<p>']);
  assert.deepEqual(await ask('/index.html?query'), [200, 'text/html; charset=utf-8', '<p>']);
  assert.deepEqual(await ask('/a%20b.mjs'), [200, 'text/javascript', '0123456789']);
  assert.deepEqual(await ask('/empty.bin'), [200, 'application/octet-stream', '']);
  assert.equal(server.address('a'), `http://localhost:${server.port}/a`);
});

test('nothing but files of the folder comes', async () => {
  for (const path of ['/none', '/model', '/model/', '/../secret.txt', '/%2e%2e/secret.txt',
                      '/..%2fsecret.txt', '/model/%2e%2e%2f../../secret.txt', '//../secret.txt',
                      '/index.html%00']) {
    assert.deepEqual([path, ...await ask(path)], [path, 404, undefined, 'not found\n']);
  }
  assert.equal((await ask('/%zz'))[0], 400);
});

test('ranges are bytes of the file', async () => {
  const range = (asked) => ask('/a%20b.mjs', {headers: {Range: asked}, header: 'content-range'});
  assert.deepEqual(await range('bytes=2-4'), [206, 'bytes 2-4/10', '234']);
  assert.deepEqual(await range('bytes=8-99'), [206, 'bytes 8-9/10', '89']);
  assert.deepEqual(await range('bytes=7-'), [206, 'bytes 7-9/10', '789']);
  assert.deepEqual(await range('bytes=-3'), [206, 'bytes 7-9/10', '789']);
  assert.deepEqual(await range('bytes=10-12'), [416, 'bytes */10', '']);
  assert.deepEqual(await range('lines=1-2'), [200, undefined, '0123456789']);
});

test('a head has no body, and nothing is taken', async () => {
  const options = {header: 'content-length', method: 'HEAD'};
  assert.deepEqual(await ask('/a%20b.mjs', options), [200, '10', '']);
  assert.deepEqual(await ask('/', {header: 'allow', method: 'POST'}), [405, 'GET, HEAD', '']);
});

test('the tools run through a symbolic link', () => {
  const tools = join(bin, 'tools');
  symlinkSync(fileURLToPath(new URL('../../bindings/web/tools', import.meta.url)), tools);
  for (const name of ['api', 'assemble']) {
    const {status, stderr} = spawnSync(process.execPath, [join(tools, `${name}.mjs`)]);
    assert.equal(status, 2);
    assert.match(String(stderr), /^usage: node /);
  }
});
