// SPDX-License-Identifier: MIT
// A program as a person writes it in JavaScript.
import {floatOf} from './random.mjs';

const arrays = {float32: 'Float32Array', float16: 'Float32Array', int32: 'Int32Array',
                uint32: 'Uint32Array', uint8: 'Uint8Array', bool: 'Uint8Array'};
const special = ['NaN', 'Infinity', '-Infinity', '-0'];  // numbers that JSON cannot hold

/** A number as code. */
export const numberText = (value) => Object.is(value, -0) ? '-0' : String(value);
const v = (id) => `v${id}`;

/** An argument of a call. */
export function argumentText(value) {
  if (special.includes(value)) return value;
  if (Array.isArray(value)) return `[${value.map(argumentText).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if ('tensor' in value) return v(value.tensor);
  if ('frame' in value) return 'k';
  if ('scalar' in value) {
    return `t.scalar(${argumentText(value.scalar)}${value.integer ? ", {dtype: 'int32'}" : ''})`;
  }
  const parts = Object.entries(value).map(([key, one]) => `${key}: ${argumentText(one)}`);
  return `{${parts.join(', ')}}`;
}

const list = (texts) => `[${texts.join(', ')}]`;
const valuesOf = ({dtype, words}) => words.map((word) => {
  if (dtype.startsWith('float')) return numberText(floatOf(word));
  return String(dtype === 'int32' ? word | 0 : word);
});

function nested(values, shape) {
  if (shape.length === 0) return values[0];
  const step = values.length / shape[0];
  return list(Array.from({length: shape[0]}, (_, k) => nested(
      values.slice(k * step, (k + 1) * step), shape.slice(1))));
}

function leafText(leaf) {
  const {id, dtype, shape, isNested} = leaf;
  const values = valuesOf(leaf);
  const option = dtype === 'float16' || dtype === 'bool' || (isNested && dtype !== 'float32') ?
      `, {dtype: '${dtype}'}` : '';
  if (isNested) return `const ${v(id)} = t.tensor(${nested(values, shape)}${option});`;
  return `const ${v(id)} = t.tensor(new ${arrays[dtype]}(${list(values)}), ` +
      `${argumentText(shape)}${option});`;
}

// A tree of names: of one, of several arguments, in a list or in an object.
const keys = ['a', 'b', 'c', 'd'];
function tree(names, form) {
  if (form === 'object') return `{${names.map((one, k) => `${keys[k]}: ${one}`).join(', ')}}`;
  return form === 'list' || names.length > 1 ? list(names) : names[0];
}
// The parameters or arguments of a function.
const args = (names, form) => form === 'args' ? names.join(', ') : tree(names, form);

function call(step, rows) {
  const {name, args: given, named, style} = step;
  const row = rows.get(name), js = name.replace('::', '.');
  const texts = given.map(argumentText);
  // [7, 3] is the same key.
  if (style === 'short' && row.parameters[0]?.type === 'Key' && given[0]?.length === 2) {
    texts[0] = `t.random.fold_in(${texts[0].slice(1, -1)})`;
  }
  const options = Object.entries(named).map(([key, one]) => `${key}: ${argumentText(one)}`);
  if (options.length > 0) texts.push(`{${options.join(', ')}}`);
  const isMethod = style !== 'function' && row.parameters[0]?.type === 'Tensor' &&
      given[0]?.tensor !== undefined;
  if (!isMethod) return `t.${js}(${texts.join(', ')})`;
  const [x, ...rest] = texts;
  if (style === 'short' && name === 'transpose' && rest.length === 0) return `${x}.T`;
  const part = {index: 'get', set_at: 'set', add_at: 'add'}[name];
  if (style === 'short' && part && Array.isArray(given[1]) && options.length === 0) {
    return `${x}.at(${given[1].map(argumentText).join(', ')}).${part}(${rest.slice(1).join(', ')})`;
  }
  return `${x}.${js.split('.').at(-1)}(${rest.join(', ')})`;
}

const results = (names) => names.length === 1 ? names[0] : list(names);

class Writer {
  constructor(rows) { this.rows = rows; }

  // A function of the page: its parameters and what it returns are texts.
  body({steps}, parameters, returned, indent) {
    const inner = indent + '  ';
    return `(${parameters}) => {\n${steps.map((one) => this.step(one, inner)).join('')}` +
        `${inner}return ${returned};\n${indent}}`;
  }
  // The same for a list of parameters and of results.
  plain(body, indent, form = 'args') {
    return this.body(body, args(body.parameters.map(v), form),
                     results(body.results.map(argumentText)), indent);
  }

  step(step, indent) {
    const text = this[step.op](step, indent);
    return text.split('\n').map((line, k) => (k === 0 ? indent : '') + line).join('\n') + '\n';
  }
  let(names, text) { return `const ${results(names.map(v))} = ${text};`; }

  call(step) {
    const isAwaited = this.rows.get(step.name).count === null;
    const text = (isAwaited ? 'await ' : '') + call(step, this.rows);
    const isList = isAwaited || this.rows.get(step.name).count !== 1;
    return `const ${isList ? list(step.out.map(v)) : v(step.out[0])} = ${text};`;
  }
  eval({args: [one]}) { return `await ${argumentText(one)}.eval();`; }
  compiled({function: k, args: given, out}) {
    return `const ${list(out.map(v))} = f${k}(${given.map(argumentText).join(', ')});`;
  }
  #loss({body, has_aux: hasAux, form}, indent) {
    const [loss, ...aux] = body.results.map(argumentText);
    return this.body(body, args(body.parameters.map(v), form),
                     hasAux ? `[${loss}, ${list(aux)}]` : loss, indent) +
        (hasAux ? ', {has_aux: true}' : '');
  }
  grad(step, indent) { return this.value_and_grad(step, indent, 'grad'); }
  value_and_grad(step, indent, name = 'value_and_grad') {
    const names = step.out.map(v), count = step.args.length;
    const gradients = tree(names.slice(-count), step.form);
    const found = [];
    if (name !== 'grad') found.push(`value: ${names.shift()}`);
    if (step.has_aux) found.push(`aux: ${list(names.slice(0, -count))}`);
    const whole = name === 'grad' && !step.has_aux ? gradients :
        `{${[...found, `gradients: ${gradients}`].join(', ')}}`;
    return `const ${whole} = t.${name}(${this.#loss(step, indent)})(` +
        `${args(step.args.map(argumentText), step.form)});`;
  }
  vjp(step, indent) {
    const [value, ...gradients] = step.out.map(v);
    return `const {value: ${value}, pullback: p${step.out[0]}} = t.vjp(${
        this.#loss(step, indent)}, ${args(step.args.map(argumentText), step.form)});\n` +
        `${indent}const ${tree(gradients, step.form)} = ` +
        `p${step.out[0]}(${argumentText(step.dy)});`;
  }
  custom_vjp({body, rule, args: given, out}, indent) {
    const count = given.length, names = rule.parameters.map(v);
    const dy = list(names.slice(0, out.length)), x = names.slice(out.length, -out.length);
    return `const ${list(out.map(v))} = t.custom_vjp(${
        this.body(body, body.parameters.map(v).join(', '), list(body.results.map(argumentText)),
                  indent)}, ${
        this.body(rule, [dy, ...x, list(names.slice(-out.length))].join(', '),
                  tree(rule.results.map(argumentText), count > 1 ? 'list' : 'args'), indent)})(${
        given.map(argumentText).join(', ')});`;
  }
  fori_loop({lower, upper, body, args: given, out}, indent) {
    const [i, ...state] = body.parameters.map(v);
    const f = this.body(body, `${i}, ${tree(state)}`, tree(body.results.map(argumentText)), indent);
    return `const ${tree(out.map(v))} = t.fori_loop(${argumentText(lower)}, ${
        argumentText(upper)}, ${f}, ${tree(given.map(argumentText))});`;
  }
  while_loop({condition, body, args: given, max_iterations: most, out}, indent) {
    const f = (one, returned) => this.body(one, tree(one.parameters.map(v)), returned, indent);
    return `const ${tree(out.map(v))} = t.while_loop(${
        f(condition, argumentText(condition.results[0]))}, ${
        f(body, tree(body.results.map(argumentText)))}, ${tree(given.map(argumentText))}${
        most === null ? '' : `, {max_iterations: ${most}}`});`;
  }
  scan({body, args: given, xs, out}, indent) {
    const parts = (names) => [tree(names.slice(0, given.length)), list(names.slice(given.length))];
    const [state, x] = parts(body.parameters.map(v));
    const [last, outputs] = parts(out.map(v));
    const f = this.body(body, `${state}, ${x}`,
                        list(parts(body.results.map(argumentText))), indent);
    return `const {state: ${last}, outputs: ${outputs}} = t.scan(${f}, ${
        tree(given.map(argumentText))}, ${list(xs.map(argumentText))});`;
  }
  cond({predicate, yes, no, args: given, out}, indent) {
    const sides = [yes, no].map((one) => this.body(
        one, one.parameters.map(v).join(', '), list(one.results.map(argumentText)), indent));
    return `const ${list(out.map(v))} = t.cond(${
        [argumentText(predicate), ...sides, ...given.map(argumentText)].join(', ')});`;
  }
}

/**
 * The code of a program. Its function `frame(k)` returns tensors. `rows`: the table's, by name.
 */
export function programText(program, rows) {
  const writer = new Writer(rows);
  const lines = [`// Program ${program.seed}`, ...program.leaves.map(leafText)];
  program.functions.forEach(({body, donate}, k) => {
    const f = writer.body(body, body.parameters.map(v).join(', '),
                          list(body.results.map(argumentText)), '');
    lines.push(`const f${k} = t.compile(${f}${donate ? ', {donate: [0]}' : ''});`);
  });
  const steps = program.steps.map((one) => writer.step(one, '  ')).join('');
  // A scope frees what the function does not return, and ends at its first await.
  const isScoped = program.is_scoped && !steps.includes('await ');
  lines.push(isScoped ? 'const frame = (k) => t.scope(() => {' : 'const frame = async (k) => {');
  return `${lines.join('\n')}\n${steps}  return ${
      list(program.results.map(argumentText))};\n}${isScoped ? ')' : ''};\n`;
}

/** The same with code that writes all values to the console, to paste where there is a `t`. */
export function textToPaste(program, rows) {
  const read = program.is_together ? 'await t.data(all)' :
      'await all.reduce(async (found, x) => [...await found, await x.data()], [])';
  return `${programText(program, rows)}for (const k of ${argumentText(program.frames)}) {
  const all = await frame(k);
  console.log(k, ${read});
}
`;
}
