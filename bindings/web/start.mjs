// SPDX-License-Identifier: MIT
// Starts the Worker that owns the library, also where the module comes from another origin.
import {later, moduleFault, policyFault, watchPolicy} from './faults.mjs';

const here = import.meta.url;
// In a bundle this file has another name, and the Worker's address is the bundler's affair.
const isBundled = !/\/start\.mjs$/.test(here.replace(/[?#].*/, ''));
const address = new URL('worker.mjs', here).href;

const browsers = 'Chrome 95, Firefox 114 or Safari 17, or a later one';

function checkPlace() {
  for (const name of ['Worker', 'OffscreenCanvas']) {
    if (typeof globalThis[name] !== 'undefined') continue;
    throw new Error(
        `trigon.open: there is no ${name} here; Trigon computes with WebGL in a Worker, so it ` +
        `needs a browser: ${browsers}. Node and servers may import it: call open() in the page`);
  }
}

// A browser starts no Worker from another origin's file, but one from a blob, which imports it.
// Messages that come before its end are kept.
const relay = () => `
  const {refused} = (${watchPolicy})();
  const early = [];
  onmessage = (event) => early.push(event);
  import(${JSON.stringify(address)}).then(
      () => early.forEach((event) => onmessage(event)),
      () => setTimeout(() => postMessage({event: 'refused', refused}), 50));`;

function makeWorker() {
  // Bundlers look for this line.
  const own = () => new Worker(new URL('./worker.mjs', import.meta.url), {type: 'module'});
  if (isBundled || new URL(here).origin === self.origin) return {worker: own(), forget() {}};
  const blob = URL.createObjectURL(new Blob([relay()], {type: 'text/javascript'}));
  return {worker: new Worker(blob, {type: 'module'}), forget: () => URL.revokeObjectURL(blob)};
}

// Browsers tell nothing of a Worker that they do not load.
async function reason(refused) {
  await later();
  const fault = policyFault(refused, here) ?? (isBundled ? null : await moduleFault(address)) ??
      policyFault(refused, here);
  if (fault) return fault;
  if (isBundled) {
    return 'the bundle has no file for it, or its file is not served; the bundler must know ' +
        "new Worker(new URL(...)). Vite's server needs optimizeDeps: {exclude: ['trigon']}";
  }
  return 'its files can be read, but it is refused; the browser must know Workers that are ' +
      `modules: ${browsers}` + (globalThis.crossOriginIsolated ?
          '. This page is isolated: send Cross-Origin-Embedder-Policy with all files' : '');
}

/**
 * Starts the Worker.
 * @param {(data: object) => void} hear Gets its messages.
 * @param {(error: Error) => void} fail Is called if it does not start, or ends.
 * @returns {Worker}
 */
export function startWorker(hear, fail) {
  checkPlace();
  const policy = watchPolicy();
  let made;
  const end = () => {
    policy.stop();
    made?.forget();
  };
  const giveUp = async () => {
    fail(new Error(`trigon: the Worker does not start: ${await reason(policy.refused)}`));
    end();
  };
  try {
    made = makeWorker();
  } catch (error) {
    end();
    throw new Error(`trigon: the Worker does not start: ${error.message}; the page must be ` +
                    "allowed to start Workers, and a bundle must come from the page's own origin");
  }
  const {worker} = made;
  worker.onmessage = ({data}) => {
    if (data.event === 'refused') {
      policy.refused.push(...data.refused);
      return giveUp();
    }
    end();
    worker.onmessage = (event) => hear(event.data);
    hear(data);
  };
  worker.onmessageerror = () => fail(new Error(
      'trigon: the Worker ended: its message does not fit into the memory; read smaller tensors'));
  worker.onerror = (event) => {
    event.preventDefault();
    if (event.message) fail(new Error(`trigon: the Worker ended: ${event.message}`));
    else giveUp();
  };
  return worker;
}
