// SPDX-License-Identifier: MIT
// Writes the pages of functions and the manuals: node api.mjs FOLDER [ADDRESS]
// With the address of the site, all pages name it for previews of links, index.html included.
// functions.json has what the table of functions and the headers' comments say, trigon.d.mts and
// the comments of the modules have the rest. The manuals and guides are Markdown.
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isProgram} from './program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name) => readFileSync(join(root, 'bindings/web', name), 'utf8');

export const guides = {
  from_tensorflow: 'From TensorFlow.js', from_numpy: 'From NumPy or PyTorch',
};

const titleOf = (file) => /^# (.*)$/m.exec(readFileSync(join(root, file), 'utf8'))[1];

/** The pages made of Markdown by name: {title, about, file}. */
export const manuals = {
  manual: {title: 'Manual', about: 'How a page installs the module and computes with it.',
           file: 'bindings/web/package/README.md'},
  ...Object.fromEntries(Object.entries(guides).map(([name, title]) => [name, {
    title, about: 'What is called otherwise, and what works otherwise.',
    file: `bindings/web/package/${name}.md`}])),
  library: {title: 'The C++ library', about: 'Tensors computed with fragment shaders, in C++20.',
            file: 'README.md'},
  ...Object.fromEntries(readdirSync(join(root, 'docs')).filter((one) => one.endsWith('.md'))
      .map((one) => [`library_${one.slice(0, -3)}`, {
        title: titleOf(`docs/${one}`), about: 'From the manual of the C++ library.',
        file: `docs/${one}`}])),
};

const pagesByFile = new Map([
  ...Object.entries(manuals).map(([name, {file}]) => [file, `${name}.html`]),
  ['bindings/web/README.md', 'manual.html'], ['LICENSE', 'license.txt'],
]);

// ---- HTML

const firstPage = read('page/index.html');
const logo = /<svg [^]*?<\/svg>/.exec(firstPage)[0];
// The picture of a link's preview, and its form.
const preview = /<meta property="og:image"[^]*?<meta name="twitter:card".*>/.exec(firstPage)[0];

const escape = (text) => text.replace(/[&<>"]/g, (sign) =>
    ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[sign]));

// A link of a file of the sources. Only what the site has is linked.
function link(label, to, file) {
  if (/^(https?:|#)/.test(to)) return `<a href="${to}">${label}</a>`;
  const [path, place] = to.split('#');
  const found = pagesByFile.get(posix.join(posix.dirname(file), path));
  return found ? `<a href="${found}${place ? `#${place}` : ''}">${label}</a>` : label;
}

// Files of the site that the package's texts name.
const named = new Set(['api.html', 'trigon.d.mts', 'trigon.tgz']);
const codeSpan = (text, file) => {
  const span = `<code>${text}</code>`;
  const isFile = named.has(text) && file.startsWith('bindings/web/package/');
  return isFile ? `<a href="${text}">${span}</a>` : span;
};

// Code between backquotes, bold text and links.
const inline = (text, file = '') => escape(text).split(/(`[^`]+`)/).map((piece, k) => k % 2 === 1 ?
    codeSpan(piece.slice(1, -1), file) :
    piece.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label, to) => link(label, to, file)))
    .join('').replace(/(<code>.*?<\/code>)|\*\*(.+?)\*\*/g, (all, code, bold) =>
        code ?? `<strong>${bold}</strong>`);

const code = (text, label) => `<pre tabindex="0" role="region" aria-label="${
  escape(label)}"><code>${escape(text)}</code></pre>`;

const cells = (line) => line.slice(1, -1).split(/(?<!\\)\|/).map(
    (cell) => cell.trim().replaceAll('\\|', '|'));

function table([head, , ...rows], file) {
  const row = (line, kind) => `<tr>${cells(line).map((cell) => `<${kind}${
    kind === 'th' ? ' scope="col"' : ''}>${inline(cell, file)}</${kind}>`).join('')}</tr>`;
  return '<div class="scroll" tabindex="0" role="region" aria-label="Names">' +
      `<table class="names"><thead>${row(head, 'th')}</thead><tbody>${
        rows.map((line) => row(line, 'td')).join('')}</tbody></table></div>`;
}

/**
 * The Markdown of the guides as HTML: headings, paragraphs, lists, tables and code.
 * @param {string} [file] From the root of the sources: its links are relative to it.
 */
export function markdown(text, file = '') {
  const parts = [];
  for (const [block] of text.matchAll(/^```[^]*?^```$|(?:^(?!```)\S.*\n?)+/gm)) {
    const lines = block.trimEnd().split('\n');
    const [first] = lines;
    if (first.startsWith('```')) parts.push(code(lines.slice(1, -1).join('\n'), 'Program'));
    else if (first.startsWith('|')) parts.push(table(lines, file));
    else if (first.startsWith('- ')) {
      parts.push(`<ul>${
        lines.map((line) => `<li>${inline(line.slice(2), file)}</li>`).join('')}</ul>`);
    } else if (/^#+ /.test(first)) {
      const level = first.indexOf(' ');
      const id = first.slice(level + 1).toLowerCase().replace(/[^\w -]/g, '').replace(/ /g, '-');
      parts.push(`<h${level} id="${id}">${inline(first.slice(level + 1), file)}</h${level}>`);
    } else parts.push(`<p>${inline(lines.join(' '), file)}</p>`);
  }
  return parts.join('\n');
}

function page(title, about, body, script = '') {
  const links = [['api.html', 'Functions'],
                 ...['manual', ...Object.keys(guides), 'library'].map(
                     (name) => [`${name}.html`, manuals[name].title]),
                 ['index.html', 'GPT-2, gallery, look inside']];
  const nav = links.map(([to, label]) => `<a href="${to}"${
    label === title ? ' aria-current="page"' : ''}>${label}</a>`).join('\n    ');
  return `<!doctype html>
<!-- SPDX-License-Identifier: MIT -->
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${about}">
  <meta property="og:title" content="${title} – Trigon in the browser">
  <meta property="og:description" content="${about}">
  <meta property="og:type" content="website">
  ${preview}
  <title>${title} – Trigon in the browser</title>
  <link rel="icon" href="icon.svg">
  <link rel="stylesheet" href="style.css">
  <link rel="stylesheet" href="api.css">${script}
</head>
<body>
<header class="top">
  <div class="brand">
    ${logo}
    <div>
      <h1>${title}</h1>
      <p>${about}</p>
    </div>
  </div>
  <nav class="pages" aria-label="Pages">
    ${nav}
  </nav>
</header>
<main>
${body}
</main>
<footer><p class="quiet">Nothing is sent anywhere.</p></footer>
</body>
</html>
`;
}

// ---- What the types and the modules' comments say

/** The members of an interface or class of trigon.d.mts: {name, signature, text}. */
function membersOf(types, name) {
  const [, body] = new RegExp(`^export interface ${name}\\b[^{]*{\\n(.*?)^}`, 'ms').exec(types);
  const members = [];
  let comment = '', text = '', depth = 0;
  for (const line of body.split('\n')) {
    if (depth === 0 && text === '' && /^ *(\/\*\*|\*)/.test(line)) {
      comment += line.replace(/^ *(\/\*\*|\*\/|\*) ?|\*\/$/g, '').trim() + ' ';
      continue;
    }
    text += (text === '' ? '' : '\n') + line.replace(/^ {2}/, '');
    for (const sign of line) depth += '({['.includes(sign) - ')}]'.includes(sign);
    if (depth > 0 || !line.endsWith(';')) continue;
    const found = /^(?:readonly )?(\w+)/.exec(text)?.[1] ?? '';
    const last = members.at(-1);
    const signature = text.slice(0, -1);
    if (found !== '' && last?.name === found) last.signature += `\n${signature}`;
    else members.push({name: found, signature, text: comment.trim()});
    comment = text = '';
  }
  return members.filter(({name}) => name !== '');
}

/** The comments above a module's members by name, without their tags. */
function commentsOf(file) {
  const comments = new Map();
  const pattern = /\/\*\*((?:(?!\*\/).)*)\*\/\n +(?:static |async |get |\*|this\.)*(\w+)/gs;
  for (const [, comment, name] of read(file).matchAll(pattern)) {
    const text = comment.replace(/\n? *\* ?/g, ' ').replace(/\s@\w+.*$/s, '').trim();
    if (!text.includes('@internal') && text !== '') comments.set(name, text);
  }
  return comments;
}

// The module's own functions and classes, by where they stand in the types: their chapter, the
// beginning of their addresses, and the file with their comments.
const own = [
  {type: 'Opening', chapter: 'The module', prefix: 'Trigon.', on: 'Trigon', file: 'trigon'},
  {type: 'Trigon', chapter: 'The module', prefix: '', on: 't', file: 'trigon'},
  {type: 'Tensor', chapter: 'Tensors', prefix: 'Tensor.', on: 'x', file: 'tensor'},
  {type: 'Transforms', chapter: 'Functions of functions', prefix: '', on: 't', file: 'transforms'},
  {type: 'ElementwiseKernel', chapter: 'Kernels', prefix: 'ElementwiseKernel.', on: 'kernel',
   file: 'kernels'},
  {type: 'ReductionKernel', chapter: 'Kernels', prefix: 'ReductionKernel.', on: 'kernel',
   file: 'kernels'},
  {type: 'Kernel', chapter: 'Kernels', prefix: 'Kernel.', on: 'kernel', file: 'kernels'},
  {type: 'randomFunctions', chapter: 'Random numbers', prefix: 'random.', on: 't.random',
   file: 'random_keys'},
  {type: 'Gallery', chapter: 'Simulations', prefix: 'Gallery.', on: 'gallery', file: 'gallery'},
  {type: 'Gpt2', chapter: 'GPT-2', prefix: 'Gpt2.', on: 'gpt2', file: 'gpt2'},
];

function ownEntries(written) {
  // The class of a value and that of its static functions are two interfaces here.
  const types = read('trigon.d.mts').replace(
      /^export const Trigon: Class<Trigon> & {\n(.*?),\n};/ms,
      'export interface Opening {\n$1;\n}');
  const entries = [];
  for (const {type, chapter, prefix, on, file} of own) {
    const comments = commentsOf(`${file}.mjs`);
    for (const {name, signature, text} of membersOf(types, type)) {
      const js = prefix + name;
      const isKernel = name.endsWith('Kernel');
      entries.push({js, signature: signature.replace(/^(readonly )?(?=\w)/gm, `${on}.`),
                    text: comments.get(name) ?? text, chapter: isKernel ? 'Kernels' : chapter,
                    isTransform: type === 'Transforms', examples: written[js] ?? []});
    }
  }
  return entries;
}

// ---- Entries

const typed = ({name, type, default: value}) => {
  const isNull = value === null && !type.includes('null');
  return `${name}: ${type}${isNull ? ' | null' : ''}` +
      (value === undefined ? '' : ` = ${JSON.stringify(value).replaceAll('"', "'")}`);
};
const untyped = ({name, default: value}) =>
    name + (value === undefined ? '' : ` = ${JSON.stringify(value).replaceAll('"', "'")}`);

const part = {index: 'get()', set_at: 'set(value)', add_at: 'add(value)'};

function signatureOf({js, parameters, count}) {
  const result = count === null ? 'Promise<Tensor[]>' : count === 1 ? 'Tensor' :
      count === 2 ? '[Tensor, Tensor]' : 'Tensor[]';
  const lines = [`t.${js}(${parameters.map(typed).join(', ')}): ${result}`];
  if (parameters[0].type === 'Tensor') {
    const name = js.split('.').at(-1);
    lines.push(`x.${name}(${parameters.slice(1).map(untyped).join(', ')})`);
  }
  if (part[js]) lines.push(`x.at(...entries).${part[js]}`);
  return lines.join('\n');
}

const sentence = (text) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

function exampleHtml(js, example, k) {
  const id = `${js}-${k + 1}`;
  const rows = example.js.trimEnd().split('\n').length;
  const parallel = example.cpp ? `<details><summary>The same in C++</summary>${
    code(example.cpp.trimEnd(), `${js} in C++`)}</details>` : '';
  return `<div class="example">
<label class="unseen" for="${id}">Example ${k + 1} of ${js}</label>
<textarea id="${id}" class="code" rows="${rows}" wrap="off" spellcheck="false" autocapitalize="off"
 autocomplete="off">
${escape(example.js.trimEnd())}</textarea>
<div class="buttons"><button class="run" aria-label="Run example ${k + 1} of ${js}">Run</button>
<span>It prints:</span></div>
<pre class="printed" role="status" tabindex="0" aria-label="Printed by example ${k + 1} of ${js}"
>${escape(example.printed.trimEnd())}</pre>
${parallel}</div>`;
}

function entryHtml({js, signature, text, like, gradient, cpp, examples, refused = []}) {
  const first = sentence(text);
  const rest = text.slice(first.length).trim();
  const facts = [['Like', like], ['Gradient', gradient], ['In C++', cpp]].filter(
      ([, value]) => value !== undefined);
  const shown = facts.map(([name, value]) =>
      `<div><dt>${name}</dt><dd>${name === 'Gradient' ? escape(value) :
        `<code>${escape(value)}</code>`}</dd></div>`).join('');
  const wrong = refused.map((one) => `<li><code>${escape(one.js)}</code>
<p class="quiet">${escape(one.error)}</p></li>`).join('');
  return `<details class="entry" id="${js}"><summary><h3>${js}</h3> <span class="quiet">${
    inline(first)}</span></summary>
${code(signature, `Signature of ${js}`)}
${rest === '' ? '' : rest.split('\n\n').map((one) => `<p>${inline(one)}</p>`).join('')}
${shown === '' ? '' : `<dl class="facts">${shown}</dl>`}
${examples.map((one, k) => exampleHtml(js, one, k)).join('\n')}
${wrong === '' ? '' : `<details><summary>Calls that are refused</summary><ul class="refused">${
  wrong}</ul></details>`}
<p class="quiet"><a href="#${js}">Link to ${js}</a></p>
</details>`;
}

const slug = (title) => `chapter-${title.toLowerCase().replace(/\W+/g, '-')}`;

function cppOnly(rows) {
  const reasons = new Map();
  for (const row of rows) {
    if (!reasons.has(row.left_out)) reasons.set(row.left_out, []);
    reasons.get(row.left_out).push(row);
  }
  const groups = [...reasons].map(([why, group]) => `<div class="card"><h3>${
    inline(why[0].toUpperCase() + why.slice(1))}</h3><dl class="only">${
    group.map(({cpp, text, like}) => `<dt><code>${escape(cpp)}</code></dt><dd class="quiet">${
      inline(sentence(text))}${like ? ` Like <code>${escape(like)}</code>.` : ''}</dd>`).join('\n')
  }</dl></div>`);
  return `<section class="chapter"><h2 id="${slug('C++ only')}">C++ only</h2>
${groups.join('\n')}</section>`;
}

/** The chapters: {title, entries}, and what only C++ has. */
export function reference() {
  const {chapters, module: written} = JSON.parse(read('functions.json'));
  const entries = ownEntries(written);
  const only = [];
  for (const {title, functions} of chapters) {
    for (const row of functions) {
      const mine = entries.find(({js}) => js === row.js);
      if (mine) {
        const {cpp, like, examples} = row;
        // C++ describes its types below the first paragraph.
        const text = mine.isTransform ? `${row.text.split('\n\n')[0]} ${mine.text}`.trim() :
            mine.text || row.text;
        Object.assign(mine, {cpp, like, examples, text});
      } else if (row.left_out) only.push(row);
      else {
        const text = row.text ?? `What \`x.at(...entries).${part[row.js]}\` calls: a copy of x ` +
            'with another part.';
        entries.push({...row, text, chapter: title, signature: signatureOf(row)});
      }
    }
  }
  const order = ['The module', 'Tensors', ...chapters.map(({title}) => title), 'Kernels',
                 'Simulations', 'GPT-2'];
  return {only, chapters: order.map((title) => ({
    title, entries: entries.filter(({chapter}) => chapter === title),
  })).filter(({entries}) => entries.length > 0)};
}

function functionsPage() {
  const {chapters, only} = reference();
  const contents = [...chapters.map(({title}) => title), 'C++ only'].map(
      (title) => `<a href="#${slug(title)}">${title}</a>`).join('\n');
  const body = `<div class="card find">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" autocapitalize="off" spellcheck="false"
 placeholder="sum, np.concatenate, softmax …">
<p id="found" class="quiet" role="status"></p>
<nav class="chapters" aria-label="Chapters">${contents}</nav>
</div>
<p class="quiet"><code>t</code> is <code>await Trigon.open()</code>; <code>x</code> is a tensor;
 <code>canvas</code> is a canvas below the example.
 Arguments stand by position, or in an object at the end: <code>x.sum({axis: 0})</code>. A number
 may stand for a tensor. Run computes an example in this page, as you edit it.</p>
<noscript><p class="notice">The examples run with JavaScript only.</p></noscript>
${chapters.map(({title, entries}) => `<section class="chapter">
<h2 id="${slug(title)}">${title}</h2>
<div class="card entries">${entries.map(entryHtml).join('\n')}</div></section>`).join('\n')}
${cppOnly(only)}`;
  return page('Functions',
              'Every function and class of the module, with examples that run here.', body,
              '\n  <script type="module" src="api.mjs"></script>');
}

/** The address of a site's folder, which ends with a slash; undefined if it is none. */
export function folderAddress(text) {
  const address = URL.canParse(text) ? new URL(text) : {};
  if (!/^https?:$/.test(address.protocol) || address.search || address.hash) return undefined;
  return address.href.replace(/\/?$/, '/');
}

/** A page of the site at `address`: crawlers take absolute addresses only. */
export function addressed(html, name, address) {
  const home = escape(address), page = name === 'index.html' ? home : home + name;
  const image = '<meta property="og:image" content="';
  const tags = `<meta property="og:url" content="${page}">\n  ${image}${home}`;
  return html.replace(image, () => tags).replaceAll('https://ADDRESS/', () => home);
}

if (isProgram(import.meta.url)) {
  const [folder, given = ''] = process.argv.slice(2);
  const address = given === '' ? null : folderAddress(given);
  if (folder === undefined || address === undefined) {
    console.error('usage: node api.mjs FOLDER [ADDRESS]; bindings/web/build calls it\n' +
                  'ADDRESS: of the site, as https://example.org/trigon/');
    process.exit(2);
  }
  const write = (name, html) => writeFileSync(
      join(folder, name), address === null ? html : addressed(html, name, address));
  write('index.html', firstPage);
  write('api.html', functionsPage());
  for (const [name, {title, about, file}] of Object.entries(manuals)) {
    const text = readFileSync(join(root, file), 'utf8').replace(/^# .*\n+/, '');
    write(`${name}.html`, page(
        title, about, `<article class="card guide">${markdown(text, file)}</article>`));
  }
}
