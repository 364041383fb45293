// SPDX-License-Identifier: MIT
// Pictures and files that a page makes tensors of.

const mostBytes = 2 ** 31 - 1;  // of a message that the Worker takes

const pictures = ['ImageBitmap', 'HTMLCanvasElement', 'OffscreenCanvas', 'HTMLVideoElement',
                  'HTMLImageElement', 'VideoFrame'];
const isA = (value, names) => names.some(
    (name) => globalThis[name] !== undefined && value instanceof globalThis[name]);

/** The pixels of a picture, {data, width, height}, as 4 bytes each; null for anything else. */
export function pixelsOf(picture) {
  if (isA(picture, ['ImageData'])) return picture;
  if (!isA(picture, pictures)) return null;
  const width = picture.videoWidth ?? picture.naturalWidth ?? picture.displayWidth ?? picture.width;
  const height = picture.videoHeight ?? picture.naturalHeight ?? picture.displayHeight ??
      picture.height;
  if (!(width > 0 && height > 0)) {
    throw new RangeError(`trigon.tensor: the ${picture.constructor.name} is ${width} x ${height} ` +
                         'pixels; it must have some: wait until it is loaded');
  }
  const context = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height);
}

async function fetched(name, address) {
  const orFail = (promise, what, rule) => promise.catch((error) => {
    throw new Error(`trigon.${name}: ${address} ${what}: ${error.message}; ${rule}`);
  });
  const response = await orFail(
      fetch(address), 'cannot be fetched',
      'the server must be reachable, and allow this page to read its files (CORS)');
  if (!response.ok) {
    throw new Error(`trigon.${name}: ${address} is answered with status ${response.status}; the ` +
                    'address must be that of the file');
  }
  checkSize(name, 'the file', Number(response.headers.get('Content-Length')));
  return orFail(response.arrayBuffer(), 'is cut off on its way', 'load it again');
}

/** Throws unless a message can hold so many bytes. */
export function checkSize(name, what, size) {
  if (size <= mostBytes) return;
  throw new RangeError(`trigon.${name}: ${what} has ${size} bytes; must be at most ${mostBytes}: ` +
                       "a browser's memory for WebAssembly holds no more");
}

/**
 * The bytes of a file, which the Worker may take over, and its name for errors.
 * @param {string} name Of the function, for errors.
 * @param {string | URL | Blob | ArrayBuffer | ArrayBufferView} source An address, or the content.
 * @returns {Promise<{bytes: Uint8Array, file: string}>}
 */
export async function bytesOf(name, source) {
  if (typeof source === 'string' || source instanceof URL) {
    return {bytes: new Uint8Array(await fetched(name, source)), file: String(source)};
  }
  if (source instanceof Blob) {
    checkSize(name, 'the file', source.size);
    return {bytes: new Uint8Array(await source.arrayBuffer()), file: source.name ?? 'a Blob'};
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    checkSize(name, 'the file', source.byteLength);
    const view = source instanceof ArrayBuffer ? new Uint8Array(source) :
        new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    return {bytes: view.slice(), file: 'memory'};
  }
  throw new TypeError(`trigon.${name}: ${source === null ? 'null' : typeof source} is given; ` +
                      'must be an address, a File, a Blob, an ArrayBuffer or a typed array');
}
