// SPDX-License-Identifier: MIT
// The address's part after #: a tab, and what is shown in it, such as
// #gallery?simulation=mandelbrot&x=-0.74&y=0.1&width=0.01

const longest = 20000;  // characters of a link

/**
 * @param {string} hash
 * @param {string[]} tabs
 * @returns {{tab: string, fields: Map<string, string>, wrong: string}} tab: '' if there is none;
 *     wrong: a sentence, or ''.
 */
export function readLink(hash, tabs) {
  const none = {tab: '', fields: new Map(), wrong: ''};
  const text = hash.replace(/^#/, '');
  if (text === '') return none;
  if (text.length > longest) {
    return {...none, wrong: `The link is too long: ${text.length} characters; at most ` +
                            `${longest} are read.`};
  }
  const [tab, ...rest] = text.split('?');
  if (!tabs.includes(tab)) {
    return {...none, wrong: 'The link names no part of this page; these are the parts above.'};
  }
  return {tab, fields: new Map(new URLSearchParams(rest.join('?'))), wrong: ''};
}

/** The hash of a tab and its fields; without the fields if it would be too long. */
export function linkTo(tab, fields) {
  const query = new URLSearchParams(fields).toString();
  const hash = `#${tab}${query === '' ? '' : `?${query}`}`;
  return hash.length > longest ? `#${tab}` : hash;
}

/** A number of a link within bounds; undefined if it is none. */
export function numberIn(text, least, most) {
  const value = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text ?? '') ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}
