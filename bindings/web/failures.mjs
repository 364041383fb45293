// SPDX-License-Identifier: MIT
// Errors of the Worker at the page's lines. A call needs no answer, so its error comes later, with
// a read that depends on it, or never. Then it is told once in the console.

const mostSites = 4096;  // of calls
const mostFailures = 1024;
const patience = 1000;   // ms in which a page may read a result

function keepLatest(map, most) {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** An error as the Worker sends it. `name` is 'DeviceError' if the device cannot do the work. */
export function errorOf({name, message}) {
  const error = new Error(message);
  if (name) error.name = name;
  return error;
}

const mostFrames = 40;  // of ours and the page's; a browser keeps 10 by itself

/** The place that calls the library now. */
export function siteNow() {
  const {stackTraceLimit} = Error;
  try {
    Error.stackTraceLimit = mostFrames;
    // As a text at once: until then a stack keeps the tensors whose methods it names.
    return String(new Error().stack);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const framesOf = (stack) =>
    stack.split('\n').filter((line) => isFrame(line) && !isOwn(line)).join('\n');

/**
 * The error, whose stack is that of a place in the page. The library's own lines come first in a
 * stack, and a person looks for the first other line.
 */
export function placed(error, site) {
  const frames = framesOf(site);
  if (frames !== '') error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

/** A new error at the line of the page that calls the library now. */
export const errorHere = (Kind, message) => placed(new Kind(message), siteNow());

/** Runs `work`. An error of the library begins at the page's line; those of others stay. */
export function atPage(work) {
  try {
    return work();
  } catch (error) {
    // A browser keeps a few lines only: where the error began, all may be the library's.
    const isOurs = /^trigon[:.]/.test(error?.message);
    if (isOurs) placed(error, framesOf(String(error.stack)) || siteNow());
    throw error;
  }
}

/** The same for a function that the page calls later. */
export const fromPage = (f) => (...args) => atPage(() => f(...args));

/** @internal */
export class Failures {
  #sites = new Map();     // by number of a call's first result: where the page made it
  #failures = new Map();  // by the same: {error, isTold, timer}

  add(sites) {
    for (const [id, site] of sites) {
      this.#sites.delete(id);  // the latest use counts
      this.#sites.set(id, site);
    }
    keepLatest(this.#sites, mostSites);
  }

  /** An error of a request, with the line of the call that failed, or of the request itself. */
  error(raw, site) {
    const found = this.#failures.get(raw.origin);
    if (found?.error.message !== raw.message) return this.#make(raw, site);
    found.isTold = true;
    clearTimeout(found.timer);
    return found.error;
  }

  #make(raw, site = '') {
    return placed(errorOf(raw), framesOf(this.#sites.get(raw.origin) ?? '') || site);
  }

  /** The Worker tells of a call that failed. */
  failed(raw) {
    if (!raw.origin || this.#failures.get(raw.origin)?.error.message === raw.message) return;
    const failure = {error: this.#make(raw), isTold: false};
    failure.timer = setTimeout(() => this.#tell(failure), patience);
    this.#failures.set(raw.origin, failure);
    keepLatest(this.#failures, mostFailures);
  }

  #tell(failure) {
    if (failure.isTold) return;
    failure.isTold = true;
    console.error(failure.error);
  }

  close() {
    for (const {timer} of this.#failures.values()) clearTimeout(timer);
  }
}

// A message may have several lines, too. Browsers write "  at f (address:1:2)" or "f@address:1:2".
const isFrame = (line) => /^ +at .*:\d+|@.*:\d+$/.test(line);

const folder = new URL('.', import.meta.url).href;
const own = ['calls', 'failures', 'gallery', 'gpt2', 'kernels', 'options', 'random_keys',
             'recorder', 'scopes', 'sources', 'start', 'tensor', 'transforms', 'trees', 'trigon',
             'weights']
    .map((name) => `${folder}${name}.mjs`);
const isOwn = (line) => own.some((file) => line.includes(file));
