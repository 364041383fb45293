// SPDX-License-Identifier: MIT
// Tokens are bytes, and a character may be spread over several of them. The texts of such tokens
// come with U+FFFD in place of the bytes that are no character by themselves.

const broken = '\uFFFD';
const mostBytes = 4;   // of a character in UTF-8
const atOnce = 256;    // groups of tokens between two pauses
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

// Whether a character ends before byte `at`.
const isBetween = (bytes, at) => at === bytes.length || (bytes[at] & 0xC0) !== 0x80;

// The ends that a token may have; it begins at one of `begins`.
function endsOf(text, begins, bytes) {
  const ends = new Map();
  for (const begin of begins) {
    const most = Math.min(bytes.length, begin.at + mostBytes * text.length);
    for (let at = begin.at + 1; at <= most; ++at) {
      if (ends.has(at) || decoder.decode(bytes.subarray(begin.at, at)) !== text) continue;
      ends.set(at, {at, before: begin});
    }
  }
  return [...ends.values()];
}

// The fewest tokens from `from` on whose end is certain: the bytes at which each begins, and the
// last end. U+FFFD may stand for one to three bytes. Null if the bytes do not spell the tokens.
function cut(tokens, from, bytes, begin) {
  let ends = [{at: begin, before: null}];
  let last = null;
  for (let k = from; k < tokens.length && tokens[k].text.includes(broken); ++k) {
    ends = endsOf(tokens[k].text, ends, bytes);
    last = ends.find(({at}) => isBetween(bytes, at));
    if (last && ends.length === 1) break;
  }
  if (!last) return null;
  const places = [];
  for (let one = last; one; one = one.before) places.unshift(one.at);
  return places;
}

/**
 * The tokens of a text, each with the characters that it completes: none if it only has a part of
 * one.
 * @param {{id: number, text: string}[]} tokens
 * @param {string} text They spell it.
 * @param {() => Promise<void>} pause Called now and then during a long text.
 */
export async function spelled(tokens, text, pause = async () => {}) {
  if (!tokens.some((one) => one.text.includes(broken))) return tokens;
  const bytes = encoder.encode(text);
  const result = [...tokens];
  let groups = 0;
  for (let k = 0, at = 0; k < tokens.length;) {
    if (++groups % atOnce === 0) await pause();
    if (!tokens[k].text.includes(broken)) {
      at += encoder.encode(tokens[k++].text).length;
      continue;
    }
    const places = cut(tokens, k, bytes, at);
    if (!places) return tokens;
    const stream = new TextDecoder('utf-8', {ignoreBOM: true});
    for (const [n, end] of places.slice(1).entries()) {
      const piece = bytes.subarray(places[n], end);
      result[k] = {...tokens[k], text: stream.decode(piece, {stream: true})};
      ++k;
    }
    at = places.at(-1);
  }
  return result;
}
