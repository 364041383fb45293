// SPDX-License-Identifier: MIT
// Tokens are bytes, and a character may be spread over several of them. The texts of such tokens
// come with U+FFFD in place of the bytes that are no character by themselves.

const atOnce = 1000;  // tokens between two pauses

/**
 * The tokens of a text, each with the characters that it completes: none if it only has a part of
 * one.
 * @param {{id: number, text: string, bytes: number}[]} tokens
 * @param {string} text They spell it.
 * @param {() => Promise<void>} pause Called now and then during a long text.
 */
export async function spelled(tokens, text, pause = async () => {}) {
  const bytes = new TextEncoder().encode(text);
  if (tokens.reduce((sum, one) => sum + one.bytes, 0) !== bytes.length) return tokens;
  const stream = new TextDecoder('utf-8', {ignoreBOM: true});
  const result = [];
  let at = 0;
  for (const one of tokens) {
    const piece = bytes.subarray(at, at += one.bytes);
    result.push({...one, text: stream.decode(piece, {stream: true})});
    if (result.length % atOnce === 0) await pause();
  }
  return result;
}
