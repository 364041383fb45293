// SPDX-License-Identifier: MIT
// The tokenizer uses a browser's engine for letters and numbers, and utf8proc elsewhere. Both agree
// on all code points that utf8proc's version of Unicode knows.
// usage: node --test tests/web/unicode_test.mjs
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

const file = new URL('../../samples/gpt2/tests/unicode_kinds.txt', import.meta.url);

test('engine and utf8proc agree on letters and numbers', () => {
  const stretches = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(' '));
  const wrong = [];
  let compared = 0;
  stretches.forEach(([first, kind], k) => {
    if (kind === '?') return;
    const end = k + 1 < stretches.length ? parseInt(stretches[k + 1][0], 16) : 0x110000;
    for (let code = parseInt(first, 16); code < end; ++code, ++compared) {
      const text = String.fromCodePoint(code);
      const found = /\p{L}/u.test(text) ? 'L' : /\p{N}/u.test(text) ? 'N' : '-';
      if (found !== kind) wrong.push(`U+${code.toString(16)} ${kind} ${found}`);
    }
  });
  assert.deepEqual(wrong, []);
  assert.ok(compared > 280_000, `${compared}`);
});
