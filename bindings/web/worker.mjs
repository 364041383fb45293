// SPDX-License-Identifier: MIT
// The Worker that owns the library: handles the page's messages in order.
import {coreFault, watchPolicy} from './faults.mjs';
import createTrigon from './trigon_core.mjs';
import {loadWeights} from './weights.mjs';

const fatal = (error) => ({name: error?.name === 'Error' ? '' : error?.name ?? '',
                           message: String(error?.message ?? error), origin: error?.origin ?? 0});

const starting = createTrigon({
  onLost: () => postMessage({event: 'lost', error: {
    name: 'DeviceError',
    message: 'trigon::Device: the browser took the WebGL context away\n' +
        '  hint: open a new device and load its tensors again',
  }}),
});
// The first request reports why it does not start.
const policy = watchPolicy();
const started = starting.catch(async (error) => {
  const address = new URL('./trigon_core.wasm', import.meta.url).href;
  throw new Error(`trigon: the library does not start: ${
      await coreFault(address, error, policy.refused)}`);
}).finally(policy.stop);
started.catch(() => {});

/**
 * Asks the library. `bytes` go with the request, and come with the result.
 * @returns the result; throws {name, message}.
 */
function ask(core, message, bytes = undefined) {
  const text = JSON.stringify(message);
  const size = core.lengthBytesUTF8(text) + 1;
  const address = core._malloc(size);
  const sent = bytes ? core._malloc(Math.max(bytes.byteLength, 1)) : 0;
  let answer;
  try {
    if ((bytes && !sent) || !address) throw new Error('trigon: the Worker has no memory left');
    core.stringToUTF8(text, address, size);
    if (bytes) core.HEAPU8.set(bytes, sent);
    answer = JSON.parse(core.UTF8ToString(
        core._trigon_request(address, sent, bytes?.byteLength ?? 0)));
  } finally {
    core._free(address);
    if (sent) core._free(sent);
  }
  if (answer.error) throw answer.error;
  const count = core._trigon_byte_count();
  if (count > 0 || answer.result?.dtype || Array.isArray(answer.result?.tensors)) {
    const from = core._trigon_bytes();
    answer.result.bytes = core.HEAPU8.slice(from, from + count).buffer;
    core._trigon_forget();
  }
  // Pictures are sent with the answer.
  const drawn = answer.result?.picture === true ? answer.result : answer.result?.picture;
  if (drawn) {
    drawn.bitmap = core.context.canvas.transferToImageBitmap();
    ask(core, {op: 'check'});  // a browser reports a crash in a later task; until then it is empty
  }
  return answer.result;
}

// Buffers and bitmaps are transferred.
const transferOf = (result) =>
    [result?.bytes, result?.bitmap, result?.picture?.bitmap].filter((one) => one);

let loading = null;  // {load, controller} while weights are loading

async function load(core, message) {
  loading?.controller.abort();
  const mine = loading = {load: message.load, controller: new AbortController()};
  try {
    return await loadWeights(message, {
      ask: (request, bytes) => ask(core, request, bytes),
      signal: mine.controller.signal,
      onProgress: (loaded, total) =>
          postMessage({id: message.id, event: 'progress', loaded, total}),
    });
  } catch (error) {
    // Drops the tensors received so far, but not those of a load that has replaced this one.
    if (loading === mine) ask(core, {op: 'gpt2.forget'});
    throw error;
  } finally {
    if (loading === mine) loading = null;
  }
}

// The library's answer. A call that failed, or did not reach the library, leaves its error to its
// outputs, and the page learns of it.
function pass(core, {bytes, ...message}) {
  let result;
  try {
    result = ask(core, message, bytes);
  } catch (error) {
    if (message.out === undefined) throw error;
    const {dispose} = message;
    result = ask(core, {op: 'fail', out: [message.out].flat(), dispose, error: fatal(error)});
  }
  if (!result?.failed) return result;
  postMessage({event: 'failed', error: result.failed});
  throw result.failed;
}

// A device that an error of WebGL has ended is lost, too.
function tellOfLoss(core) {
  try {
    ask(core, {op: 'check'});
  } catch (error) {
    if (error.name === 'DeviceError') postMessage({event: 'lost', error: fatal(error)});
  }
}

async function handle(message) {
  const core = await started;
  const {op, ...rest} = message;
  switch (op) {
    case 'gpt2.load': return load(core, message);
    case 'gpt2.cancel':
      // A newer load may have begun meanwhile.
      if (loading?.load === rest.load) loading?.controller.abort();
      return null;
    case 'lose': core.context.getExtension('WEBGL_lose_context').loseContext(); return null;
    default:
      try {
        return pass(core, message);
      } catch (error) {
        if (error.name === 'DeviceError') tellOfLoss(core);
        throw error;
      }
  }
}

onmessage = ({data}) => {
  const {id} = data;
  handle(data).then((result) => {
    if (id !== undefined) postMessage({id, result}, transferOf(result));
  }, (error) => {
    if (id !== undefined) postMessage({id, error: fatal(error)});
  });
};
