// SPDX-License-Identifier: MIT
// Hosts of the package: right ones, and wrong ones with the error that names the remedy.

export const nonce = 'abc';

const policyOf = ({script, connect, worker}) =>
    `default-src 'none'; script-src 'nonce-${nonce}' ${script}; connect-src ${connect}; ` +
    `worker-src ${worker}`;
const own = {script: "'self' 'wasm-unsafe-eval'", connect: "'self'", worker: "'self'"};
const far = {script: "HOST 'wasm-unsafe-eval'", connect: 'HOST', worker: 'blob:'};

const worker = 'trigon: the Worker does not start: ';
const library = 'trigon: the library does not start: ';
const lacks = (what, directive) => `the Content-Security-Policy lacks ${what} in ${directive}; ` +
    'add it\n  hint: Trigon needs script-src ';
const html = [200, 'text/html; charset=utf-8', '<!doctype html><p>Nothing is here.</p>'];
const none = [404, 'text/plain', 'nothing is here'];

/**
 * `policy` is sent with the page and all other files of its origin. `other`: the package comes from
 * another origin, HOST. `closed`: the file that HOST sends without CORS. `faults`: other answers,
 * [status, type, text]. `below`: the package's folder. `found`: how the error begins; without it
 * the program runs.
 */
export const cases = {
  'its own origin': {},
  'its own origin, with a strict policy': {policy: policyOf(own)},
  "its own origin, without 'wasm-unsafe-eval'": {
    policy: policyOf({...own, script: "'self'"}),
    found: library + lacks("'wasm-unsafe-eval'", 'script-src')},
  'its own origin, without Workers': {
    policy: policyOf({...own, worker: "'none'"}), found: worker + lacks("'self'", 'worker-src')},
  'its own origin, without fetching': {
    policy: policyOf({...own, connect: "'none'"}),
    found: library + lacks("'self'", 'connect-src')},
  'another origin': {other: true},
  'another origin, with a strict policy': {other: true, policy: policyOf(far)},
  'another origin, without blob:': {
    other: true, policy: policyOf({...far, worker: "'self'"}),
    found: worker + lacks('blob:', 'worker-src')},
  'another origin, not in script-src': {
    other: true, policy: policyOf({...far, script: "'wasm-unsafe-eval'"}),
    found: worker + lacks('HOST', 'script-src')},
  'another origin, not in connect-src': {
    other: true, policy: policyOf({...far, connect: "'self'"}),
    found: library + lacks('HOST', 'connect-src')},
  "another origin, without 'wasm-unsafe-eval'": {
    other: true, policy: policyOf({...far, script: 'HOST'}),
    found: library + lacks("'wasm-unsafe-eval'", 'script-src')},
  'another origin, worker.mjs without CORS': {
    other: true, closed: 'worker.mjs',
    found: worker + 'HOST/CASE/worker.mjs cannot be read: Failed to fetch; its server must be ' +
        'reachable and allow pages of other origins to read its files: let it send ' +
        'Access-Control-Allow-Origin with each'},
  'another origin, trigon_core.wasm without CORS': {
    other: true, closed: 'trigon_core.wasm',
    found: library + 'HOST/CASE/trigon_core.wasm cannot be read: Failed to fetch; its server '},
  'no trigon_core.wasm': {
    faults: {'trigon_core.wasm': none},
    found: library + 'HOME/CASE/trigon_core.wasm is answered with status 404; the server must ' +
        'send this file of the package'},
  'a page for trigon_core.wasm': {
    faults: {'trigon_core.wasm': html},
    found: library + 'HOME/CASE/trigon_core.wasm is answered with a web page; the server must '},
  'no worker.mjs': {
    faults: {'worker.mjs': none},
    found: worker + 'HOME/CASE/worker.mjs is answered with status 404; the server must '},
  "no worker.mjs where Vite's server moves modules": {
    below: 'deps/', faults: {'worker.mjs': none},
    found: worker + 'HOME/CASE/deps/worker.mjs is answered with status 404; the server must ' +
        'send this file of the package as text/javascript\n  hint: Vite before version 8 needs ' +
        "optimizeDeps: {exclude: ['trigon']}"},
  'a page for a file that the Worker imports': {
    faults: {'trigon_core.mjs': html},
    found: worker + 'HOME/CASE/trigon_core.mjs is answered with a web page; the server must '},
  'scripts of a wrong type': {
    faults: {'trigon_core.mjs': [200, 'application/octet-stream', 'export default 1;']},
    found: worker + 'HOME/CASE/trigon_core.mjs is served as application/octet-stream; the server ' +
        'must send this file of the package as text/javascript'},
};
