// SPDX-License-Identifier: MIT
// Parts of the page that need no browser. usage: node --test tests/web/page_test.mjs
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {ticks} from '../../bindings/web/page/axes.mjs';
import {arrange, readExplained, splitShader} from '../../bindings/web/page/explained.mjs';
import {sentenceOf, visible} from '../../bindings/web/page/dom.mjs';
import {evaluate} from '../../bindings/web/page/expression.mjs';
import {originOf} from '../../bindings/web/page/gpt2_tab.mjs';
import {linkTo, numberIn, readLink} from '../../bindings/web/page/link.mjs';
import {
  choiceOf, fieldsOf, firstOf, simulations, tensorCode,
} from '../../bindings/web/page/simulations.mjs';
import {spelled} from '../../bindings/web/page/spelling.mjs';
import {wrongFiles} from '../../bindings/web/page/weights_form.mjs';

// Tensors represented by the text of their expression.
class Made {
  constructor(text) { this.text = text; }
  at(...entries) { return {get: () => new Made(`${this.text}[${entries.map(String)}]`)}; }
}
const shown = (one) => (one instanceof Made ? one.text : JSON.stringify(one));
const made = (name) => (...args) => new Made(`${name}(${args.map(shown).join(', ')})`);
const functions = {nn: {softmax: made('nn.softmax')}};
for (const name of ['matmul', 'sqrt', 'add', 'subtract', 'multiply', 'divide', 'transpose', 'power',
                    'negative', 'sum', 'tensor', 'less', 'bitwise_and']) {
  functions[name] = made(name);
}

function text(source) {
  const variables = new Map([['a', new Made('a')], ['b', new Made('b')]]);
  return evaluate(source, {functions, variables, isTensor: (one) => one instanceof Made}).text;
}

const programs = [
  ['softmax(matmul(a, b) / sqrt(4))', 'nn.softmax(divide(matmul(a, b), sqrt(4)))'],
  ['nn.softmax(a, axis=-1)', 'nn.softmax(a, {"axis":-1})'],
  ['a + b * a', 'add(a, multiply(b, a))'],
  ['(a + b) * a', 'multiply(add(a, b), a)'],
  ['a - b - a', 'subtract(subtract(a, b), a)'],
  ['-a ** 2', 'negative(power(a, 2))'],
  ['2 ** -1', 'tensor(0.5)'],
  ['2 ** 3 ** 2', 'tensor(512)'],
  ['-7 // 2 + -7 % 3', 'tensor(-2)'],
  ['a @ b.T', 'matmul(a, transpose(b))'],
  ['a.sum(0, keepdims=True)', 'sum(a, 0, {"keepdims":true})'],
  ['a[1:3, ::-1, None, -1, ...]', 'a[1:3,::-1,null,-1,...]'],
  ['a[:, 0]', 'a[:,0]'],
  ['x = a + 1  # a name\nx * x', 'multiply(add(a, 1), add(a, 1))'],
  ['sum(\n  a,\n  axis=(0, 1))', 'sum(a, {"axis":[0,1]})'],
  ['(a < b) & (b < a)', 'bitwise_and(less(a, b), less(b, a))'],
  ['[[1, 2], [3, -4]]', 'tensor([[1,2],[3,-4]])'],
];
for (const [source, wanted] of programs) {
  test(`reads ${JSON.stringify(source)}`, () => assert.equal(text(source), wanted));
}

const mistakes = [
  ['', 0, 'there is nothing to compute; type an expression'],
  ['a +', 3, 'a value is missing before the end'],
  ['a.sum(', 6, 'a value is missing before the end'],
  ['(a', 2, '")" is missing before the end'],
  ['a b', 2, '"b" is not expected here'],
  ['a $ b', 2, '"$" is not part of this language'],
  ['c + 1', 0, '"c" does not exist; the tensors are: a, b'],
  ['matmul', 0, '"matmul" is a function; call it: matmul(...)'],
  ['wrong(a)', 0, 'there is no function "wrong"'],
  ['nn.wrong(a)', 3, 'there is no function "nn.wrong"'],
  ['sum(axis=0, a)', 12, 'arguments without a name come first'],
  ['sum(a, axis=0, axis=1)', 20, '"axis" is given twice'],
  ['a[1:b]', 5, 'a slice has whole numbers'],
  ['"text"', 0, 'a line gives a tensor or a number'],
  ['('.repeat(101), 100, 'more than 100 brackets are open'],
  ['2**'.repeat(200) + '2', 300, 'more than 100 levels'],
  ['-'.repeat(200) + '2', 200, 'more than 100 signs'],
  ['a'.repeat(4001), 4000, '4001 characters; at most 4000 are read'],
  // No object of JavaScript can be reached.
  ['constructor(a)', 0, 'there is no function "constructor"'],
  ['a.constructor', 2, '"constructor" is not known; call it if it is a function: constructor()'],
  ['a.__proto__.x()', 12, 'there is no function "x"'],
  ['toString', 0, '"toString" does not exist; the tensors are: a, b'],
  ['nn.constructor(a)', 3, 'there is no function "nn.constructor"'],
  ['tensor.constructor(a)', 7, 'there is no function "tensor.constructor"'],
];
// A function that returns a promise: its failure must be reported exactly once.
functions.nonzero = () => Promise.reject(new Error('trigon::nonzero: wrong'));
const late = 'how many tensors this gives is known when it is computed, which is too late for an ' +
    'expression';
mistakes.push(['nonzero(a)', 0, late], ['sum(nonzero(a))', 4, late], ['a.nonzero()', 2, late]);
for (const [source, at, message] of mistakes) {
  test(`refuses ${JSON.stringify(source.slice(0, 40))}`, () => {
    assert.throws(() => text(source), (error) => {
      assert.equal(error.name, 'ExpressionError');
      assert.equal(error.message, message);
      assert.equal(error.at, at);
      return true;
    });
  });
}

const explained = `graph: 3 nodes
  %0 = stored  (2, 3) float32
  %1 = exp %0  (2, 3) float32
  %2 = add %0 %1  (2, 3) float32  <- root
plan: 1 draw, 1 program, about 52.0 us
  draw 0: exp, add
    reads  t0
    t1     (2, 3) float32, add: asked for
    costs  52.0 us: 1 x 2 fragments
#version 300 es
float f() { return 1.0; }
void main() {
  o0 = vec4(1.0);
}
total
  draws                      1
  peak bytes                32
`;

test('reads what explain() says', () => {
  const {nodes, plan, draws, totals} = readExplained(explained);
  assert.deepEqual(nodes[2], {id: 2, name: 'add', inputs: [0, 1], shape: '(2, 3)',
                              dtype: 'float32', isRoot: true});
  assert.equal(nodes.length, 3);
  assert.equal(plan, '1 draw, 1 program, about 52.0 us');
  assert.deepEqual(draws.map(({ops, facts}) => [ops, facts]), [['exp, add', [
    ['reads', 't0'], ['t1', '(2, 3) float32, add: asked for'],
    ['costs', '52.0 us: 1 x 2 fragments']]]]);
  assert.deepEqual(splitShader(draws[0].glsl), {
    above: '#version 300 es\nfloat f() { return 1.0; }',
    main: 'void main() {\n  o0 = vec4(1.0);\n}'});
  assert.deepEqual(totals, [['draws', '1'], ['peak bytes', '32']]);
  assert.deepEqual(arrange(nodes).map(({row}) => row), [0, 1, 2]);
});

test('reads nodes of several results', () => {
  const {nodes} = readExplained(`graph: 2 nodes
  %0 = halves
  %1 = output %0 result 1  (4,) float32  <- root
plan: 1 draw
`);
  assert.deepEqual(nodes, [
    {id: 0, name: 'halves', inputs: [], shape: '', dtype: '', isRoot: false},
    {id: 1, name: 'output result 1', inputs: [0], shape: '(4,)', dtype: 'float32', isRoot: true}]);
  assert.deepEqual(arrange(nodes).map(({row}) => row), [0, 1]);
});

test('tells which files are missing', () => {
  const files = (...names) => names.map((name) => ({name}));
  const all = ['config.json', 'vocab.json', 'merges.txt', 'model.safetensors'];
  assert.equal(wrongFiles(files(...all)), '');
  assert.equal(wrongFiles(files('config.json', 'vocab.json', 'merges.txt',
                                'model.safetensors.index.json')), '');
  assert.equal(wrongFiles(files('config.json', 'encoder.json', 'vocab.bpe', all[3])), '');
  const wanted = 'choose a folder with config.json, vocab.json, merges.txt and model.safetensors.';
  assert.equal(wrongFiles([]), `There are no files; ${wanted}`);
  assert.equal(wrongFiles(files(...all.slice(1))),
               `3 files were given, but config.json is missing: ${wanted}`);
  assert.equal(wrongFiles(files('a.png')), '“a.png” alone was given, but config.json and ' +
      `vocab.json and merges.txt and model.safetensors are missing: ${wanted}`);
});

// Tokens of the given numbers of bytes, as the library shows each by itself.
function tokensOf(text, lengths) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return lengths.map((length, id) => ({id, bytes: length, text: new TextDecoder(
      'utf-8', {ignoreBOM: true}).decode(bytes.subarray(at, at += length))}));
}

for (const [text, lengths, wanted] of [
  ['Привет', Array(12).fill(1), ['', 'П', '', 'р', '', 'и', '', 'в', '', 'е', '', 'т']],
  ['Привет', [3, 2, 1, 6], ['П', 'р', 'и', 'вет']],
  ['a €!', [2, 2, 1, 1], ['a ', '', '€', '!']],
  ['x😀y', [2, 3, 1], ['x', '😀', 'y']],
  ['\uFEFFé\uFFFDz', [3, 1, 1, 3, 1], ['\uFEFF', '', 'é', '\uFFFD', 'z']],
  ['plain', [2, 3], ['pl', 'ain']],
]) {
  test(`spells ${JSON.stringify(text)} in ${lengths.length} tokens`, async () => {
    const tokens = await spelled(tokensOf(text, lengths), text);
    assert.deepEqual(tokens.map((one) => one.text), wanted);
  });
}

test('leaves tokens of another text as they are', async () => {
  const tokens = tokensOf('Привет', [1, 11]);
  assert.equal(await spelled(tokens, 'Hello'), tokens);
  assert.equal((await spelled([], 'Hello')).length, 0);
  assert.equal(visible('\uFFFD'), '(part of a character)');
  assert.equal(visible(' \uFFFD\uFFFD'), '␣…');
});

test('pauses while it spells a long text', async () => {
  const text = 'Привет, мир! \uFFFD\uFFFD你好'.repeat(1500);
  const tokens = tokensOf(text, Array(new TextEncoder().encode(text).length).fill(1));
  let pauses = 0;
  const found = await spelled(tokens, text, async () => { ++pauses; });
  assert.equal(found.map((one) => one.text).join(''), text);
  assert.ok(pauses > 30);
});

test('reads and writes links', () => {
  const tabs = ['gpt2', 'gallery'];
  const read = (hash) => {
    const {tab, fields, wrong} = readLink(hash, tabs);
    return [tab, Object.fromEntries(fields), wrong];
  };
  const fields = {prompt: 'a & b = "ü"\n#?', seed: '7'};
  assert.deepEqual(read(linkTo('gpt2', fields)), ['gpt2', fields, '']);
  assert.equal(linkTo('gallery', {}), '#gallery');
  assert.equal(linkTo('gpt2', {prompt: 'x'.repeat(20000)}), '#gpt2');
  assert.deepEqual(read(''), ['', {}, '']);
  for (const hash of ['#toString', '#?x=1', '#GPT2', '#%00']) {
    assert.match(read(hash)[2], /no part/);
  }
  assert.match(read(`#gpt2?${'x'.repeat(20000)}`)[2], /20005 characters; at most 20000/);
  assert.deepEqual(['1', '-2.5', '.5e1', '1e400', 'NaN', '', ' 1', '0x1', undefined, '11'].map(
      (text) => numberIn(text, -3, 10)), [1, -2.5, 5, ...Array(7).fill(undefined)]);
});

const sources = new URL('../../samples/simulate/', import.meta.url);
const readSource = (name) => readFileSync(new URL(name, sources), 'utf8');

test('knows the simulations as the library has them', () => {
  const rows = readFileSync(new URL('../../bindings/web/gallery.cpp', import.meta.url), 'utf8')
      .split('Gallery::Item{').slice(1);
  assert.equal(rows.length, simulations.length);
  for (const one of simulations) {
    const row = rows.find((text) => text.includes(`&${one.name}_entry`));
    const number = (name) => Number(new RegExp(`\\.${name} = (\\d+)`).exec(row)?.[1] ?? 0);
    assert.deepEqual([one.size.first, one.steps.first, one.rests],
                     [number('size'), number('steps'), number('still_after')], one.name);
    const code = tensorCode(readSource(`${one.name}.cpp`));
    assert.match(code, /::next\([^]*\n}\n\n[^]*::picture\([^]*}$/, one.name);
    const parameters = readSource(`${one.name}.hpp`).matchAll(
        /\{"(\w+)", ([\d.]+), ([\d.]+), ([\d.]+)\}/g);
    const own = Object.entries(one.parameters).map(
        ([key, {first, least, most}]) => [key, first, least, most]);
    assert.deepEqual(own, Array.from(
        parameters, ([, key, ...values]) => [key, ...values.map(Number)]), one.name);
  }
  const initial = (name, text) => Number(new RegExp(`\\b${name} = (-?[\\d.]+)`).exec(text)[1]);
  for (const [name, file, kind] of [['mandelbrot', 'simulation.hpp', 'Region'],
                                    ['n_body', 'n_body.hpp', 'Camera']]) {
    const text = readSource(file).split(`struct ${kind} {`)[1];
    const {first} = simulations.find((one) => one.name === name).view;
    for (const [field, value] of Object.entries(first)) {
      assert.equal(initial(field, text), value, `${name}: ${field}`);
    }
  }
});

test('a link holds a simulation, its numbers and its view', () => {
  for (const one of simulations) {
    const choice = firstOf(one);
    choice.size = one.size.least;
    for (const [name, {most}] of Object.entries(one.parameters)) choice.parameters[name] = most;
    if (one.view) choice.view = one.view.magnify(one.view.move(choice.view, {dx: 0.1, dy: -0.2}),
                                                 {factor: 1.5, x: 0.2, y: 0.7}, choice.size);
    const {choice: found, wrong} = choiceOf(new Map(Object.entries(fieldsOf(choice))));
    assert.deepEqual(wrong, []);
    assert.deepEqual(fieldsOf(found), fieldsOf(choice));
  }
  assert.deepEqual(fieldsOf(firstOf(simulations[0])), {});
});

test('labels few tokens of an axis, the last one among them', () => {
  assert.deepEqual(ticks(3, 6), [3, 4, 5, 6]);
  assert.deepEqual(ticks(0, 24), [0, 3, 6, 9, 12, 15, 18, 21, 24]);
  assert.deepEqual(ticks(0, -1), []);
});

test('tells errors of what is gone in sentences', () => {
  const of = (message) => sentenceOf(new Error(message));
  assert.match(of('trigon: closed: close() was called'), /^The graphics device was taken away;/);
  assert.match(of('trigon.gallery: it was disposed of: dispose() was called'), /^Another one has/);
  const wrong = 'trigon::matmul: inner sizes differ';
  assert.equal(of(wrong), wrong);
});

test('the page says truly how a token was chosen', () => {
  const top = [{id: 5}, {id: 6}, {id: 7}];
  const said = (id, isPrompt = false) => originOf({id, top, isPrompt});
  assert.equal(said(5), 'is the likeliest by the model:');
  assert.equal(said(7), 'was sampled; it is number 3 by the model:');
  assert.equal(said(8), 'was sampled from less likely ones; the model’s 3 likeliest were:');
  assert.equal(said(6, true), 'is part of what you typed, and one of these:');
  assert.equal(said(8, true),
               'is part of what you typed; the model would rather go on with these:');
});

// ---- Previews of links

const web = fileURLToPath(new URL('../../bindings/web/', import.meta.url));

// The pages that tools/api.mjs writes by name: {og:title: 'Functions', ...}, and their texts.
function pagesOf(...address) {
  const folder = mkdtempSync(join(tmpdir(), 'trigon-pages-'));
  const {status, stderr} = spawnSync(
      process.execPath, [join(web, 'tools/api.mjs'), folder, ...address], {encoding: 'utf8'});
  const pages = readdirSync(folder).map((name) => {
    const html = readFileSync(join(folder, name), 'utf8');
    const tags = [...html.matchAll(/<meta (?:name|property)="([^"]+)"\s+content="([^"]+)">/g)];
    return [name, {html, ...Object.fromEntries(tags.map(([, key, value]) => [key, value]))}];
  });
  rmSync(folder, {recursive: true});
  return {status, stderr, pages};
}

test('each page has the tags of a preview', () => {
  const {status, pages} = pagesOf();
  assert.equal(status, 0);
  assert.ok(pages.length > 5);
  for (const [name, tags] of pages) {
    assert.match(tags['og:title'], /Trigon in the browser$/, name);
    assert.ok(tags['og:description'] && tags['og:type'] && tags['og:image:alt'], name);
    assert.equal(tags['og:image'], 'preview.png', name);
    assert.equal(tags['og:url'], undefined, name);
  }
  const [titles, abouts] = ['og:title', 'description'].map(
      (tag) => new Set(pages.map(([, tags]) => tags[tag])));
  assert.equal(titles.size, pages.length);
  assert.ok(abouts.size > 4);
});

test('previews have absolute addresses if that of the site is given', () => {
  for (const address of ['https://example.org/trigon/', 'https://example.org/trigon']) {
    const {status, pages} = pagesOf(address);
    assert.equal(status, 0);
    for (const [name, tags] of pages) {
      assert.equal(tags['og:image'], 'https://example.org/trigon/preview.png', name);
      assert.equal(tags['og:url'],
                   `https://example.org/trigon/${name === 'index.html' ? '' : name}`);
    }
    const [, {html}] = pages.find(([name]) => name === 'manual.html');
    assert.ok(html.includes('npm install https://example.org/trigon/trigon.tgz'));
  }
});

test("what is not a site's address is refused", () => {
  for (const wrong of ['example.org', 'ftp://example.org/', 'https://example.org/?a',
                       'https://example.org/#a']) {
    const {status, stderr, pages} = pagesOf(wrong);
    assert.equal(status, 2);
    assert.match(stderr, /^usage: node api\.mjs FOLDER \[ADDRESS\]/);
    assert.equal(pages.length, 0);
    for (const [given, env] of [[['--address', wrong], {}], [[], {TRIGON_SITE: wrong}]]) {
      const build = spawnSync(join(web, 'build'), given,
                              {encoding: 'utf8', env: {...process.env, ...env}});
      assert.equal(build.status, 2);
      assert.ok(build.stderr.includes(`the site's address is ${wrong}; it must be`));
    }
  }
});
