// SPDX-License-Identifier: MIT
// Reads the text of Trigon's explain(): the graph, the draws and the totals.

// A node of several results has neither shape nor dtype.
const nodeLine = /^ {2}%(\d+) = (.*?)(?: {2}(\(.*?\)) (\w+)(.*))?$/;

function readNode(line) {
  const [, id, said, shape = '', dtype = '', rest = ''] = nodeLine.exec(line);
  const inputs = [...said.matchAll(/%(\d+)/g)].map((found) => Number(found[1]));
  return {id: Number(id), name: said.replace(/ ?%\d+/g, ''), inputs, shape, dtype,
          isRoot: rest.includes('root')};
}

function readDraw(line) {
  const [, number, ops] = /^ {2}draw (\d+): (.*)$/.exec(line);
  return {number: Number(number), ops, facts: [], glsl: ''};
}

/** The function main of a shader, and the text above it. */
export function splitShader(glsl) {
  const at = glsl.lastIndexOf('void main()');
  return at < 0 ? {above: '', main: glsl} : {above: glsl.slice(0, at).trimEnd(),
                                             main: glsl.slice(at).trimEnd()};
}

/**
 * @param {string} text
 * @returns {{nodes: object[], plan: string, draws: object[], totals: [string, string][]}}
 *     nodes: {id, name, inputs, shape, dtype, isRoot}; draws: {number, ops, facts, glsl}, where a
 *     fact is a line of [its first word, the rest].
 */
export function readExplained(text) {
  const result = {nodes: [], plan: '', draws: [], totals: []};
  let section = '';
  for (const line of text.split('\n')) {
    const draw = result.draws.at(-1);
    if (/^graph: /.test(line)) section = 'graph';
    else if (/^plan: /.test(line)) {
      section = 'plan';
      result.plan = line.slice(6);
    } else if (line === 'total') section = 'total';
    else if (section === 'graph' && nodeLine.test(line)) result.nodes.push(readNode(line));
    else if (section !== 'total' && /^ {2}draw \d+: /.test(line)) {
      section = 'facts';
      result.draws.push(readDraw(line));
    } else if (section === 'facts' && /^#version/.test(line)) {
      section = 'glsl';
      draw.glsl = line + '\n';
    } else if (section === 'facts') {
      const found = /^ {4}(\S+) +(.*)$/.exec(line);
      if (found) draw.facts.push([found[1], found[2]]);
    } else if (section === 'glsl') draw.glsl += line + '\n';
    else if (section === 'total') {
      const found = /^ {2}(.*?) {2,}(\S+)$/.exec(line);
      if (found) result.totals.push([found[1], found[2]]);
    }
  }
  return result;
}

/**
 * Where to draw the nodes of a graph: each below its inputs.
 * @returns {{row: number, column: number}[]} by place in `nodes`
 */
export function arrange(nodes) {
  const place = new Map(nodes.map(({id}, k) => [id, k]));
  const rows = [];
  nodes.forEach(({inputs}, k) => {
    const above = inputs.map((id) => rows[place.get(id)] ?? -1);
    rows[k] = Math.max(-1, ...above) + 1;
  });
  // A value without inputs stands just above its first reader.
  nodes.forEach(({id, inputs}, k) => {
    if (inputs.length > 0) return;
    const readers = nodes.flatMap((one, i) => (one.inputs.includes(id) ? [rows[i]] : []));
    if (readers.length > 0) rows[k] = Math.min(...readers) - 1;
  });
  const wanted = [];
  const byRow = [];
  nodes.forEach((node, k) => (byRow[rows[k]] ??= []).push(k));
  const columns = [];
  for (const members of byRow) {
    for (const k of members ?? []) {
      const above = nodes[k].inputs.map((id) => columns[place.get(id)]).filter((c) => c >= 0);
      wanted[k] = above.length > 0 ? above.reduce((a, b) => a + b) / above.length : 0;
    }
    let last = -1;
    for (const k of (members ?? []).sort((a, b) => wanted[a] - wanted[b])) {
      last = columns[k] = Math.max(last + 1, Math.round(wanted[k]));
    }
  }
  return nodes.map((_, k) => ({row: rows[k], column: columns[k]}));
}
