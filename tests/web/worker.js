// SPDX-License-Identifier: MIT
// Runs gl_tests with the arguments of the address: environment variables, and GoogleTest's filter.
'use strict';

importScripts('gl_tests.js');

const say = (kind, text) => postMessage({kind, text});
const print = (line) => say('line', line);

async function main() {
  const given = Object.fromEntries(new URLSearchParams(location.search));
  const model = await Promise.all(['config.json', 'model.safetensors', 'golden.json'].map(
      async (name) => [name, new Uint8Array(await (await fetch('model/' + name)).arrayBuffer())]));
  const tests = await createTests({
    print, printErr: print,
    preRun: [(module) => {
      Object.assign(module.ENV, given);
      module.FS.mkdir('/model');
      for (const [name, bytes] of model) module.FS.writeFile('/model/' + name, bytes);
    }],
  });
  tests.callMain([`--gtest_filter=${given.FILTER}`, '--gtest_output=json:/results.json']);
  say('results', tests.FS.readFile('/results.json', {encoding: 'utf8'}));
}

main().catch((error) => say('crash', String(error && error.stack || error)));
