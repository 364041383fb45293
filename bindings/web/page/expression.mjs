// SPDX-License-Identifier: MIT
// The little language of "Look inside": Python's expressions, as far as NumPy uses them. Text is
// parsed and walked, never evaluated as JavaScript.
//
//   scores = matmul(a, b.T) / sqrt(4)
//   softmax(scores, axis=-1)

const longest = 4000;  // characters of a program
const deepest = 100;   // brackets within brackets

/** An error in a program; `at` is the position of its character. */
export class ExpressionError extends Error {
  constructor(message, at) {
    super(message);
    this.name = 'ExpressionError';
    this.at = at;
  }
}

// ---- Words

const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const text = /"[^"\n]*"|'[^'\n]*'/y;
const sign = /\*\*|\/\/|==|!=|<=|>=|[-+*/%@<>()[\]{},.:=;&|~^]/y;
const space = /[ \t\r]+|#[^\n]*/y;

function split(source) {
  const words = [];
  let at = 0;
  let open = 0;  // a line continues within brackets
  const take = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    let found;
    if ((found = take(space)) !== undefined) {
      at += found.length;
      continue;
    }
    if (source[at] === '\n') {
      if (open === 0) words.push({kind: 'end', value: 'the end of the line', at});
      ++at;
      continue;
    }
    const kind = (found = take(word)) ? 'name' : (found = take(number)) ? 'number' :
        (found = take(text)) ? 'text' : (found = take(sign)) ? 'sign' : null;
    if (!kind) {
      throw new ExpressionError(`"${source[at]}" is not part of this language`, at);
    }
    if ('([{'.includes(found)) ++open;
    if (')]}'.includes(found)) --open;
    if (open > deepest) throw new ExpressionError(`more than ${deepest} brackets are open`, at);
    words.push(found === ';' ? {kind: 'end', value: ';', at} : {kind, value: found, at});
    at += found.length;
  }
  words.push({kind: 'end', value: 'the end', at});
  return words;
}

// ---- Trees

// Binary operators in order of increasing precedence, and their functions.
const levels = [
  {'|': 'bitwise_or'},
  {'^': 'bitwise_xor'},
  {'&': 'bitwise_and'},
  {'==': 'equal', '!=': 'not_equal', '<': 'less', '<=': 'less_equal', '>': 'greater',
   '>=': 'greater_equal'},
  {'+': 'add', '-': 'subtract'},
  {'*': 'multiply', '/': 'divide', '//': 'floor_divide', '%': 'remainder', '@': 'matmul'},
];
const constants = {True: true, False: false, None: null, pi: Math.PI, e: Math.E, inf: Infinity,
                   nan: NaN};

class Parser {
  #words;
  #at = 0;
  #depth = 0;

  constructor(source) { this.#words = split(source); }

  get #next() { return this.#words[this.#at]; }
  #is(value) { return this.#next.kind === 'sign' && this.#next.value === value; }
  #take(value) {
    if (!this.#is(value)) return false;
    ++this.#at;
    return true;
  }
  #need(value) {
    if (!this.#take(value)) this.#fail(`"${value}" is missing before ${this.#shown()}`);
  }
  #shown() {
    const {kind, value} = this.#next;
    return kind === 'end' && value !== ';' ? value : `"${value}"`;
  }
  #fail(message) { throw new ExpressionError(message, this.#next.at); }

  program() {
    const lines = [];
    for (;;) {
      while (this.#next.kind === 'end' && this.#at + 1 < this.#words.length) ++this.#at;
      if (this.#at + 1 === this.#words.length) break;
      lines.push(this.#line());
      if (this.#next.kind !== 'end') this.#fail(`${this.#shown()} is not expected here`);
    }
    if (lines.length === 0) this.#fail('there is nothing to compute; type an expression');
    return lines;
  }

  #line() {
    const first = this.#next;
    const second = this.#words[this.#at + 1];
    if (first.kind === 'name' && second?.kind === 'sign' && second.value === '=') {
      this.#at += 2;
      return {kind: 'assign', name: first.value, value: this.#expression(), at: first.at};
    }
    return this.#expression();
  }

  #expression() {
    if (++this.#depth > deepest) this.#fail(`more than ${deepest} levels`);
    const tree = this.#binary(0);
    --this.#depth;
    return tree;
  }

  #binary(level) {
    if (level === levels.length) return this.#signed();
    let left = this.#binary(level + 1);
    for (;;) {
      const {kind, value, at} = this.#next;
      const name = kind === 'sign' && Object.hasOwn(levels[level], value) && levels[level][value];
      if (!name) return left;
      ++this.#at;
      left = {kind: 'call', name, args: [left, this.#binary(level + 1)], named: {}, at};
    }
  }

  // A sign has lower precedence than a power: -x ** 2 is -(x ** 2).
  #signed() {
    const signs = [];
    while (this.#is('-') || this.#is('+') || this.#is('~')) {
      signs.push(this.#next);
      ++this.#at;
    }
    if (signs.length > deepest) this.#fail(`more than ${deepest} signs`);
    let tree = this.#power();
    for (const {value, at} of signs.reverse()) {
      const name = {'-': 'negative', '~': 'bitwise_not', '+': null}[value];
      if (name) tree = {kind: 'call', name, args: [tree], named: {}, at};
    }
    return tree;
  }

  #power() {
    const base = this.#postfix();
    const {at} = this.#next;
    if (!this.#take('**')) return base;
    if (++this.#depth > deepest) this.#fail(`more than ${deepest} levels`);
    const exponent = this.#signed();
    --this.#depth;
    return {kind: 'call', name: 'power', args: [base, exponent], named: {}, at};
  }

  #postfix() {
    let tree = this.#atom();
    for (;;) {
      const {at} = this.#next;
      if (this.#take('.')) {
        const name = this.#next;
        if (name.kind !== 'name') this.#fail('a name is missing after "."');
        ++this.#at;
        tree = {kind: 'member', of: tree, name: name.value, at: name.at};
      } else if (this.#take('(')) {
        tree = this.#call(tree, at);
      } else if (this.#take('[')) {
        tree = {kind: 'index', of: tree, entries: this.#entries(), at};
      } else {
        return tree;
      }
    }
  }

  #call(callee, at) {
    const args = [];
    const named = {};
    while (!this.#is(')')) {
      const [first, second] = [this.#next, this.#words[this.#at + 1]];
      if (first.kind === 'name' && second?.kind === 'sign' && second.value === '=') {
        this.#at += 2;
        if (Object.hasOwn(named, first.value)) this.#fail(`"${first.value}" is given twice`);
        Object.defineProperty(named, first.value, {value: this.#expression(), enumerable: true});
      } else if (Object.keys(named).length > 0) {
        this.#fail('arguments without a name come first');
      } else {
        args.push(this.#expression());
      }
      if (!this.#take(',')) break;
    }
    this.#need(')');
    if (callee.kind === 'name') {
      return {kind: 'call', name: callee.name, args, named, at: callee.at};
    }
    if (callee.kind === 'member') {
      return {kind: 'method', of: callee.of, name: callee.name, args, named, at: callee.at};
    }
    throw new ExpressionError('only functions can be called', at);
  }

  // Entries of an index: numbers, None and slices, these as NumPy writes them.
  #entries() {
    const entries = [];
    while (!this.#is(']')) {
      let slice = '';
      let value;
      for (;;) {
        if (this.#take(':')) slice += ':';
        else if (this.#is(',') || this.#is(']')) break;
        else if (this.#is('.') && this.#take('.') && this.#take('.')) {
          this.#need('.');
          slice = '...';
        } else {
          value = this.#expression();
          const whole = wholeNumber(value);
          if (whole !== undefined) slice += String(whole);
          else if (slice !== '' || this.#is(':')) this.#fail('a slice has whole numbers');
          else break;
        }
      }
      const isSlice = slice.includes(':') || slice === '...';
      entries.push(isSlice ? {kind: 'value', value: slice} : value);
      if (entries.at(-1) === undefined) this.#fail('an index is missing');
      if (!this.#take(',')) break;
    }
    this.#need(']');
    return entries;
  }

  #atom() {
    const {kind, value, at} = this.#next;
    if (kind === 'end') this.#fail(`a value is missing before ${this.#shown()}`);
    ++this.#at;
    if (kind === 'number') return {kind: 'value', value: Number(value), at};
    if (kind === 'text') return {kind: 'value', value: value.slice(1, -1), at};
    if (kind === 'name') {
      if (Object.hasOwn(constants, value)) return {kind: 'value', value: constants[value], at};
      return {kind: 'name', name: value, at};
    }
    if (value === '[') return this.#list(']', at);
    if (value === '(') {
      const list = this.#list(')', at);
      return list.items.length === 1 && !list.comma ? list.items[0] : list;
    }
    --this.#at;
    return this.#fail(`a value is missing before ${this.#shown()}`);
  }

  #list(end, at) {
    const items = [];
    let comma = false;
    while (!this.#is(end)) {
      items.push(this.#expression());
      comma = this.#take(',');
      if (!comma) break;
    }
    this.#need(end);
    return {kind: 'list', items, comma, at};
  }
}

function wholeNumber(tree) {
  if (tree.kind === 'value' && Number.isInteger(tree.value)) return tree.value;
  if (tree.kind === 'call' && tree.name === 'negative') {
    const value = wholeNumber(tree.args[0]);
    return value === undefined ? undefined : -value;
  }
  return undefined;
}

/**
 * The lines of a program as trees. Raises ExpressionError.
 * @param {string} source
 */
export function parse(source) {
  if (source.length > longest) {
    throw new ExpressionError(`${source.length} characters; at most ${longest} are read`, longest);
  }
  return new Parser(source).program();
}

// ---- Values

// Arithmetic on plain numbers gives a plain number, which has no dtype.
const plain = {
  add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b,
  divide: (a, b) => a / b, floor_divide: (a, b) => Math.floor(a / b), power: (a, b) => a ** b,
  remainder: (a, b) => a - b * Math.floor(a / b), negative: (a) => -a,
};

const isNumber = (value) => typeof value === 'number';

// Names without their namespace, so that softmax(x) is nn.softmax(x).
function functionOf(functions, name) {
  for (const home of [functions, functions.nn, functions.linalg]) {
    if (home && Object.hasOwn(home, name) && typeof home[name] === 'function') return home[name];
  }
  return undefined;
}

class Walk {
  constructor(functions, isTensor, variables) {
    this.functions = functions;
    this.isTensor = isTensor;
    this.variables = variables;
  }

  value(tree) {
    switch (tree.kind) {
      case 'value': return tree.value;
      case 'list': return tree.items.map((one) => this.value(one));
      case 'name': return this.variable(tree);
      case 'call': return this.call(tree);
      case 'method': return this.method(tree);
      case 'member': return this.member(tree);
      case 'index': return this.tensor(tree.of).at(...tree.entries.map((e) => this.value(e))).get();
      default: throw new ExpressionError('only a line can be given a name', tree.at);
    }
  }

  variable({name, at}) {
    if (this.variables.has(name)) return this.variables.get(name);
    const known = [...this.variables.keys()].join(', ') || 'none';
    const what = functionOf(this.functions, name) ? `is a function; call it: ${name}(...)` :
                                                    `does not exist; the tensors are: ${known}`;
    throw new ExpressionError(`"${name}" ${what}`, at);
  }

  tensor(tree) {
    const value = this.value(tree);
    if (!this.isTensor(value)) throw new ExpressionError('only a tensor has this', tree.at);
    return value;
  }

  run(fn, args, named, at) {
    const values = args.map((one) => this.value(one));
    const names = Object.entries(named).map(([name, one]) => [name, this.value(one)]);
    if (names.length > 0) values.push(Object.fromEntries(names));
    let result;
    try {
      result = fn(...values);
    } catch (error) {
      throw new ExpressionError(error.message, at);
    }
    if (typeof result?.then !== 'function') return result;
    result.then((all) => { for (const one of [all].flat()) one?.dispose?.(); }, () => {});
    throw new ExpressionError('how many tensors this gives is known when it is computed, which ' +
                              'is too late for an expression', at);
  }

  call({name, args, named, at}) {
    if (Object.hasOwn(plain, name) && Object.keys(named).length === 0) {
      const values = args.map((one) => this.value(one));
      if (values.every(isNumber)) return plain[name](...values);
      args = values.map((value) => ({kind: 'value', value}));
    }
    const fn = functionOf(this.functions, name);
    if (!fn) throw new ExpressionError(`there is no function "${name}"`, at);
    return this.run(fn, args, named, at);
  }

  method({of, name, args, named, at}) {
    // nn.softmax(x): a namespace, unless a tensor has that name.
    if (of.kind === 'name' && !this.variables.has(of.name)) {
      const home = Object.hasOwn(this.functions, of.name) ? this.functions[of.name] : undefined;
      if (typeof home === 'object' && home !== null && Object.hasOwn(home, name)) {
        return this.run(home[name], args, named, at);
      }
      throw new ExpressionError(`there is no function "${of.name}.${name}"`, at);
    }
    const fn = functionOf(this.functions, name);
    if (!fn) throw new ExpressionError(`there is no function "${name}"`, at);
    return this.run(fn, [{kind: 'value', value: this.tensor(of)}, ...args], named, at);
  }

  member({of, name, at}) {
    if (name === 'T') return this.functions.transpose(this.tensor(of));
    throw new ExpressionError(`"${name}" is not known; call it if it is a function: ${name}()`, at);
  }
}

/**
 * The tensor of a program's last line.
 * @param {string} source
 * @param {{functions: object, isTensor: (value) => boolean, variables: Map<string, object>}} with_
 *     Functions by name, with namespaces as objects, and tensors by name. The program's are added.
 */
export function evaluate(source, {functions, isTensor, variables}) {
  const walk = new Walk(functions, isTensor, variables);
  let result;
  for (const line of parse(source)) {
    const tree = line.kind === 'assign' ? line.value : line;
    result = walk.value(tree);
    if (Array.isArray(result) && result.length > 0 && result.every(isTensor)) [result] = result;
    if (isNumber(result) || Array.isArray(result)) result = functions.tensor(result);
    if (!isTensor(result)) {
      throw new ExpressionError('a line gives a tensor or a number', line.at);
    }
    if (line.kind === 'assign') variables.set(line.name, result);
  }
  return result;
}
