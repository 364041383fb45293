// SPDX-License-Identifier: MIT
// Starts the Worker that owns the library, also where the module comes from another origin.
import {later, moduleFault, policyFault, watchPolicy} from './faults.mjs';

const browsers = 'Chrome 95, Firefox 114 or Safari 17, or a later one';

function checkPlace() {
  for (const name of ['Worker', 'OffscreenCanvas']) {
    if (typeof globalThis[name] !== 'undefined') continue;
    throw new Error(
        `trigon.open: there is no ${name} here; Trigon computes with WebGL in a Worker, so it ` +
        `needs a browser: ${browsers}. Node and servers may import it: call open() in the page`);
  }
}

// Bundlers look for this line, and may write another address into it.
const own = () => new Worker(new URL('./worker.mjs', import.meta.url), {type: 'module'});

// That address: the constructor is another one during this call.
function addressOfWorker() {
  const {Worker} = globalThis;
  globalThis.Worker = class {
    constructor(address) { this.address = String(address); }
  };
  try {
    return own().address;
  } finally {
    globalThis.Worker = Worker;
  }
}

// A browser starts no Worker from another origin's file, but one from a blob, which imports it.
// Messages that come before its end are kept.
const relay = (address) => `
  const {refused} = (${watchPolicy})();
  const early = [];
  onmessage = (event) => early.push(event);
  import(${JSON.stringify(address)}).then(
      () => early.forEach((event) => onmessage(event)),
      () => setTimeout(() => postMessage({event: 'refused', refused}), 50));`;

function makeWorker(address) {
  if (new URL(address).origin === self.origin) return {worker: own(), forget() {}};
  const blob = URL.createObjectURL(new Blob([relay(address)], {type: 'text/javascript'}));
  return {worker: new Worker(blob, {type: 'module'}), forget: () => URL.revokeObjectURL(blob)};
}

// Where Vite's development server moves modules, it leaves their Workers behind.
const hintFor = (address) => /\/deps\/worker\.mjs$/.test(new URL(address).pathname) ?
    "\n  hint: Vite before version 8 needs optimizeDeps: {exclude: ['trigon']}" : '';

// Browsers tell nothing of a Worker that they do not load.
async function reason(address, refused) {
  await later();
  const fault = policyFault(refused, address) ?? await moduleFault(address);
  if (fault) return policyFault(refused, address) ?? fault + hintFor(address);
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
  const address = addressOfWorker();
  const policy = watchPolicy();
  let made;
  const end = () => {
    policy.stop();
    made?.forget();
  };
  const giveUp = async () => {
    fail(new Error(`trigon: the Worker does not start: ${await reason(address, policy.refused)}`));
    end();
  };
  const isOver = (why) => {
    end();
    fail(new Error(`trigon: the Worker ended: ${why}`));
  };
  try {
    made = makeWorker(address);
  } catch (error) {
    end();
    throw new Error(`trigon: the Worker does not start: ${error.message.replace(/\.$/, '')}; the ` +
                    'page must be allowed to start Workers');
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
  worker.onmessageerror =
      () => isOver('its message does not fit into the memory; read smaller tensors');
  worker.onerror = (event) => {
    event.preventDefault();
    if (event.message) isOver(event.message);
    else giveUp();
  };
  return worker;
}
