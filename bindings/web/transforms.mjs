// SPDX-License-Identifier: MIT
// Functions of functions: gradients, loops, branches, compiled functions. Each records the page's
// function once and sends its body, which the Worker replays.
import {fromPage} from './failures.mjs';
import {checkOptions} from './options.mjs';
import {gradientsLike} from './recorder.mjs';
import {ScalarNumber, Tensor, encodeOne} from './tensor.mjs';
import {flatten} from './trees.mjs';

const mostKinds = 64;  // of a compiled function, as in C++

const leafOf = (value) => value instanceof Tensor ? 'tensor' : '';
const leafOrScalar = (value) => value instanceof ScalarNumber ? 'scalar' : leafOf(value);

// How the arguments of loops and branches stand.
const orders = {
  fori_loop: 't.fori_loop(lower, upper, (i, state) => state.add(i), state)',
  while_loop: 't.while_loop((state) => state.less(9), (state) => state.add(1), state)',
  scan: 't.scan((state, x) => [state.add(x), state], state, xs)',
  cond: 't.cond(predicate, (x) => x.sqrt(), (x) => x.negative(), x)',
};

const kindOf = (one) => one instanceof Tensor ? 'a tensor' : one === null ? 'null' : typeof one;

function checkFunction(name, f, what = 'the function') {
  if (typeof f === 'function') return;
  throw new TypeError(`trigon.${name}: ${what} is ${kindOf(f)}; ` + (name in orders ?
      `write ${orders[name]}` : 'must be a function of tensors, as (x) => x.sum()'));
}

// A bound of a loop, or a predicate.
function checkValue(name, one, what) {
  if (['number', 'bigint', 'boolean'].includes(typeof one) || leafOrScalar(one) !== '') return;
  throw new TypeError(`trigon.${name}: ${what} is ${kindOf(one)}; write ${orders[name]}`);
}

// Numbers in lists look like parameters. Those of objects stay as they are, as names do.
const isNumber = (one) => typeof one === 'number' || typeof one === 'bigint' ||
    one instanceof ScalarNumber;
const isNumbers = (one) => ArrayBuffer.isView(one) ||
    (Array.isArray(one) && one.length > 0 && one.every((x) => isNumber(x) || isNumbers(x)));
const numbersIn = (one) => isNumber(one) || isNumbers(one) ? [one] :
    Array.isArray(one) ? one.flatMap(numbersIn) : [];

/** The functions of functions of a Trigon, by name. @internal */
export class Transforms {
  #calls;
  constructor(calls) { this.#calls = calls; }

  // The leaves' arguments of a call.
  #encode(name, leaves, operands) {
    return leaves.map((one) => encodeOne(name, one, this.#calls.client, operands));
  }

  #tree(name, tree, leaf = leafOf) {
    const found = flatten(tree, leaf, name);
    for (const one of found.leaves) {
      const wrong = one instanceof Tensor && one.wrongFor(this.#calls.client);
      if (wrong) throw new TypeError(`trigon.${name}: ${wrong}`);
    }
    return found;
  }

  // Records f on the leaves of a tree: its body, and the tree that it returns.
  #record(name, f, count, call) {
    let result;
    const recorded = this.#calls.record(count, (leaves) => {
      result = this.#tree(name, call(f, leaves));
      return result.leaves;
    });
    return {...recorded, result};
  }

  // The same for an f of one loss, or of [loss, aux].
  #recordLoss(name, f, tree, hasAux) {
    return this.#record(name, f, tree.leaves.length, (g, leaves) => {
      const given = g(...tree.build(leaves));
      const loss = hasAux ? given?.[0] : given;
      if (hasAux && !(Array.isArray(given) && given.length === 2)) {
        throw new TypeError(`trigon.${name}: with has_aux the function must return [loss, aux]`);
      }
      if (!(loss instanceof Tensor)) {
        const {form} = this.#tree(name, loss);
        throw new TypeError(`trigon.${name}: the function returns ${form}; must return a tensor` +
                            (hasAux ? ' as loss' : '; for a loss and other values write ' +
                             '{has_aux: true}'));
      }
      return given;
    });
  }

  #arguments(name, args) {
    const tree = this.#tree(name, args);
    if (tree.leaves.length > 0) return tree;
    throw new TypeError(`trigon.${name}: there is no tensor to differentiate with respect to; ` +
                        'write t.tensor(2) for a number');
  }

  // The arguments of a function to differentiate, and their numbers of leaves.
  #differentiated(name, args) {
    const tree = this.#arguments(name, args);
    args.forEach((one, k) => {
      for (const found of numbersIn(one)) {
        const own = isNumber(found) ? found.value ?? found : 'list';
        throw new TypeError(`trigon.${name}: argument ${k} holds ${
          own === 'list' ? 'a list of numbers' : `the number ${own}`}, which gets no gradient; ` +
                            `write t.tensor(${own}), or let the function capture it`);
      }
    });
    return {tree, counts: args.map((one) => this.#tree(name, one).leaves.length)};
  }

  // What a gradient of all arguments looks like: a tree like the only one, or a list.
  static #likeArguments(tree, args, leaves) {
    const all = tree.build(leaves);
    return args.length === 1 ? all[0] : all;
  }

  #differentiate(name, f, options, args) {
    const hasAux = options.has_aux === true;
    const {tree, counts} = this.#differentiated(name, args);
    const {body, captures, sites, result} = this.#recordLoss(name, f, tree, hasAux);
    const operands = [...captures];
    const leaves = this.#encode(name, tree.leaves, operands);
    const values = name === 'grad' ? 0 : 1;
    const out = this.#calls.perform({name, args: [body, leaves, counts]}, operands,
                                    values + result.leaves.length - 1 + leaves.length, {sites});
    const gradients = Transforms.#likeArguments(tree, args, out.slice(-leaves.length));
    if (name === 'grad' && !hasAux) return gradients;
    const found = values ? {value: out[0], gradients} : {gradients};
    // The first leaf of [loss, aux] is the loss.
    if (hasAux) found.aux = result.build([out[0], ...out.slice(values)])[1];
    return found;
  }

  // A function of arguments, from f and options; or its result, if arguments follow f.
  #gradientFunction(name, f, given) {
    checkFunction(name, f);
    const [first] = given;
    // Arguments hold tensors, options do not.
    const hasOptions = given.length === 1 && this.#tree(name, first).leaves.length === 0;
    const options = hasOptions ? checkOptions(name, first, ['has_aux']) : {};
    if (given.length > 0 && !hasOptions) return this.#differentiate(name, f, options, given);
    return fromPage((...args) => this.#differentiate(name, f, options, args));
  }

  grad(f, ...given) { return this.#gradientFunction('grad', f, given); }
  value_and_grad(f, ...given) { return this.#gradientFunction('value_and_grad', f, given); }

  vjp(f, ...args) {
    checkFunction('vjp', f);
    const {tree, counts} = this.#differentiated('vjp', args);
    const {body, captures, sites} = this.#recordLoss('vjp', f, tree, false);
    const operands = [...captures];
    const leaves = this.#encode('vjp', tree.leaves, operands);
    const [value, handle] = this.#calls.perform({name: 'vjp', args: [body, leaves, counts]},
                                                operands, 1,
                                                {functions: 1, isScoped: true, sites});
    const pullback = fromPage((dy) => {
      const used = this.#calls.use('vjp', handle);
      const given = [encodeOne('vjp', dy, this.#calls.client, used)];
      const out = this.#calls.perform({function: handle.id, args: given}, used, leaves.length);
      return Transforms.#likeArguments(tree, args, out);
    });
    return {value, pullback: this.#calls.bind(handle, pullback)};
  }

  // f at the tree of its arguments, as the Worker's `name` runs it.
  #apply(name, f, args, more = () => []) {
    const tree = this.#tree(name, args);
    const {body, captures, sites, result} = this.#record(
        name, f, tree.leaves.length, (g, leaves) => g(...tree.build(leaves)));
    const operands = [...captures];
    const leaves = this.#encode(name, tree.leaves, operands);
    const count = result.leaves.length;
    const out = this.#calls.perform({name, args: [body, leaves, ...more(count)]}, operands, count,
                                    {sites});
    return result.build(out);
  }

  jvp(f, x, dx) {
    const name = 'jvp';
    checkFunction(name, f);
    const {tree} = this.#differentiated(name, [x]);
    const along = this.#checkForm(name, this.#tree(name, [dx]), tree,
                                  'the direction dx is another tree than x');
    const {body, captures, sites, result} = this.#record(
        name, f, tree.leaves.length, (g, leaves) => g(...tree.build(leaves)));
    const operands = [...captures];
    const [leaves, directions] = [tree, along].map(
        (one) => this.#encode(name, one.leaves, operands));
    const count = result.leaves.length;
    const out = this.#calls.perform({name, args: [body, leaves, directions]}, operands, 2 * count,
                                    {sites});
    return {value: result.build(out.slice(0, count)), tangent: result.build(out.slice(count))};
  }

  vmap(f, options = {}) {
    const name = 'vmap';
    checkFunction(name, f);
    const {in_axes = 0, out_axes = 0} = checkOptions(name, options, ['in_axes', 'out_axes']);
    const axesFor = (what, axes, count) => {
      const all = Array.isArray(axes) ? axes : Array(count).fill(axes);
      if (all.length === count && all.every((one) => one === null || Number.isInteger(one))) {
        return all;
      }
      throw new TypeError(`trigon.${name}: ${what} must be a number, or a list of ${count} ` +
                          'numbers or null');
    };
    return fromPage((...args) => {
      const axes = axesFor('in_axes', in_axes, args.length);
      const ofLeaves = args.flatMap(
          (one, k) => this.#tree(name, one).leaves.map(() => axes[k]));
      return this.#apply(name, f, args,
                         (count) => [ofLeaves, axesFor('out_axes', out_axes, count)]);
    });
  }

  checkpoint(f) {
    checkFunction('checkpoint', f);
    return fromPage((...args) => this.#apply('checkpoint', f, args));
  }

  custom_vjp(f, rule) {
    checkFunction('custom_vjp', f);
    checkFunction('custom_vjp', rule, 'the rule');
    return fromPage((...args) => {
      const tree = this.#arguments('custom_vjp', args);
      const count = tree.leaves.length;
      const forward = this.#record('custom_vjp', f, count, (g, leaves) => g(...tree.build(leaves)));
      const y = forward.result, results = y.leaves.length;
      const backward = this.#calls.record(2 * results + count, (leaves) => {
        const dy = y.build(leaves.slice(0, results));
        const x = tree.build(leaves.slice(results, results + count));
        const given = rule(dy, ...x, y.build(leaves.slice(results + count)));
        this.#tree('custom_vjp', given);
        const like = args.length === 1 ? args[0] : args;
        return gradientsLike(like, given, leafOf, 'custom_vjp');
      });
      const operands = [...forward.captures, ...backward.captures];
      const leaves = this.#encode('custom_vjp', tree.leaves, operands);
      const out = this.#calls.perform(
          {name: 'custom_vjp', args: [forward.body, backward.body, leaves]}, operands, results,
          {sites: [...forward.sites, ...backward.sites]});
      return y.build(out);
    });
  }

  // ---- Compiled functions

  compile(f, options = {}) {
    checkFunction('compile', f);
    const {donate = []} = checkOptions('compile', options, ['donate']);
    if (!Array.isArray(donate) || !donate.every((k) => Number.isInteger(k) && k >= 0)) {
      throw new TypeError('trigon.compile: donate must be a list of numbers of arguments, as [0]');
    }
    const kinds = new Map();  // by the form of the arguments
    const compiled = fromPage((...args) => {
      // A call inside a traced function is part of it, as in C++.
      if (this.#calls.isRecording) return f(...this.#asTensors(args));
      for (const k of donate) {
        if (k < args.length) continue;
        throw new RangeError(`trigon.compile: donate names argument ${k}; there are ` +
                             `${args.length}`);
      }
      const tree = this.#tree('compile', args, leafOrScalar);
      let kind = kinds.get(tree.form);
      if (!kind) kind = this.#trace(f, tree);
      kinds.delete(tree.form);  // the latest comes last
      kinds.set(tree.form, kind);
      if (kinds.size > mostKinds) {
        const [oldest, {handle}] = kinds.entries().next().value;
        kinds.delete(oldest);
        this.#calls.dispose(handle);
      }
      return this.#run(kind, tree, donate.flatMap((k) => this.#tree('compile', args[k]).leaves));
    });
    compiled.dispose = () => {
      for (const {handle} of kinds.values()) this.#calls.dispose(handle);
      kinds.clear();
    };
    return compiled;
  }

  // A traced function gets tensors in place of numbers that change.
  #asTensors(args) {
    const tree = this.#tree('compile', args, leafOrScalar);
    return tree.build(tree.leaves.map((one) => one instanceof ScalarNumber ?
        this.#calls.perform({name: 'add', args: [one.encode(), 0]}, [], 1)[0] : one));
  }

  #trace(f, tree) {
    const isTensor = tree.leaves.map((one) => one instanceof Tensor);
    // Parameters of the body are the tensors and then the Scalars.
    const ordered = (leaves) => {
      const tensors = isTensor.filter(Boolean).length;
      let first = 0, second = tensors;
      return isTensor.map((one) => leaves[one ? first++ : second++]);
    };
    const {body, captures, sites, result} = this.#record(
        'compile', f, tree.leaves.length, (g, leaves) => g(...tree.build(ordered(leaves))));
    const [handle] = this.#calls.perform({name: 'compile', args: [body]}, captures, 0,
                                         {functions: 1, sites});
    return {handle, result, sites};
  }

  #run({handle, result, sites}, tree, donated) {
    const operands = this.#calls.use('compile', handle), counts = new Map();
    for (const one of tree.leaves) counts.set(one, (counts.get(one) ?? 0) + 1);
    const gone = new Set(donated);
    const tensors = [], scalars = [];
    for (const one of tree.leaves) {
      const given = encodeOne('compile', one, this.#calls.client, operands);
      if (one instanceof ScalarNumber) scalars.push(given);
      // A tensor that is given twice cannot be overwritten.
      else tensors.push(gone.has(one) && counts.get(one) === 1 ? {...given, donated: true} : given);
    }
    const call = {function: handle.id, args: [tensors, scalars]};
    if (gone.size > 0) call.dispose = Array.from(gone, ({id}) => id);
    const out = this.#calls.perform(call, operands, result.leaves.length, {sites});
    for (const one of gone) this.#calls.end(one);
    return result.build(out);
  }

  // ---- Loops and branches

  // A state that changes, and its leaves as arguments.
  #state(name, init, operands) {
    const tree = this.#tree(name, init);
    if (tree.leaves.length === 0) {
      throw new TypeError(`trigon.${name}: the state is ${tree.form}, which no iteration can ` +
                          'change; it must hold a tensor, as t.tensor(0): write ' + orders[name]);
    }
    return {tree, leaves: this.#encode(name, tree.leaves, operands)};
  }

  #checkForm(name, found, wanted, what) {
    if (found.form === wanted.form) return found;
    throw new TypeError(`trigon.${name}: ${what}: it is ${found.form}; must be ${wanted.form}`);
  }

  #iteration(name, tree, count, call) {
    return this.#calls.record(count, (leaves) => this.#nextState(name, tree, call(leaves)));
  }

  #nextState(name, tree, given) {
    const found = this.#tree(name, given);
    return this.#checkForm(name, found, tree, 'the body returns another tree than the state')
        .leaves;
  }

  fori_loop(lower, upper, body, init, options = {}) {
    const name = 'fori_loop';
    const {checkpoint = 0} = checkOptions(name, options, ['checkpoint']);
    checkFunction(name, body, 'the body');
    checkValue(name, lower, 'the lower bound');
    checkValue(name, upper, 'the upper bound');
    const operands = [];
    const {tree, leaves} = this.#state(name, init, operands);
    const bounds = [lower, upper].map(
        (one) => encodeOne(name, one, this.#calls.client, operands));
    const f = this.#iteration(name, tree, 1 + leaves.length,
                              ([i, ...state]) => body(i, tree.build(state)));
    const out = this.#calls.perform({name, args: [...bounds, f.body, leaves, checkpoint]},
                                    [...operands, ...f.captures], leaves.length,
                                    {sites: f.sites});
    return tree.build(out);
  }

  while_loop(condition, body, init, options = {}) {
    const name = 'while_loop';
    const {max_iterations = null, checkpoint = 0} =
        checkOptions(name, options, ['max_iterations', 'checkpoint']);
    checkFunction(name, condition, 'the condition');
    checkFunction(name, body, 'the body');
    const operands = [];
    const {tree, leaves} = this.#state(name, init, operands);
    const holds = this.#record(name, condition, leaves.length, (f, state) => {
      const given = f(tree.build(state));
      if (given instanceof Tensor) return given;
      throw new TypeError(`trigon.${name}: the condition returns ` +
                          `${this.#tree(name, given).form}; must return a tensor of bool`);
    });
    const f = this.#iteration(name, tree, leaves.length, (state) => body(tree.build(state)));
    const out = this.#calls.perform(
        {name, args: [holds.body, f.body, leaves, max_iterations, checkpoint]},
        [...operands, ...holds.captures, ...f.captures], leaves.length,
        {sites: [...holds.sites, ...f.sites]});
    return tree.build(out);
  }

  scan(f, init, xs, options = {}) {
    const name = 'scan';
    const {checkpoint = 0} = checkOptions(name, options, ['checkpoint']);
    checkFunction(name, f);
    const operands = [];
    const {tree, leaves} = this.#state(name, init, operands);
    const slices = this.#tree(name, xs), count = leaves.length;
    const given = this.#encode(name, slices.leaves, operands);
    let outputs;
    const {body, captures, sites} = this.#calls.record(count + given.length, (all) => {
      const pair = f(tree.build(all.slice(0, count)), slices.build(all.slice(count)));
      if (!Array.isArray(pair) || pair.length !== 2) {
        throw new TypeError(`trigon.${name}: the body must return [state, output]`);
      }
      const state = this.#nextState(name, tree, pair[0]);
      outputs = this.#tree(name, pair[1]);
      return [...state, ...outputs.leaves];
    });
    const out = this.#calls.perform({name, args: [body, leaves, given, checkpoint]},
                                    [...operands, ...captures], count + outputs.leaves.length,
                                    {sites});
    return {state: tree.build(out.slice(0, count)), outputs: outputs.build(out.slice(count))};
  }

  cond(predicate, yes, no, ...args) {
    const name = 'cond';
    checkValue(name, predicate, 'the predicate');
    checkFunction(name, yes, 'the function for true');
    checkFunction(name, no, 'the function for false');
    const operands = [];
    const chosen = encodeOne(name, predicate, this.#calls.client, operands);
    const tree = this.#tree(name, args);
    const leaves = this.#encode(name, tree.leaves, operands);
    const [first, second] = [yes, no].map((f) => this.#record(
        name, f, leaves.length, (g, given) => g(...tree.build(given))));
    this.#checkForm(name, second.result, first.result,
                    'the functions return different trees: the second');
    const out = this.#calls.perform(
        {name, args: [chosen, first.body, second.body, leaves]},
        [...operands, ...first.captures, ...second.captures], first.result.leaves.length,
        {sites: [...first.sites, ...second.sites]});
    return first.result.build(out);
  }

  // ---- Trees

  tree_leaves(tree) { return this.#tree('tree_leaves', tree).leaves; }

  tree_unflatten(like, leaves) {
    const tree = this.#tree('tree_unflatten', like);
    if (tree.leaves.length === leaves.length) return tree.build(leaves);
    throw new RangeError(`trigon.tree_unflatten: ${leaves.length} leaves; there must be ` +
                         `${tree.leaves.length}`);
  }

  tree_map(f, tree, ...more) {
    checkFunction('tree_map', f);
    const first = this.#tree('tree_map', tree);
    const others = more.map((one) => this.#checkForm('tree_map', this.#tree('tree_map', one), first,
                                                     'a further tree differs from the first'));
    return first.build(first.leaves.map((leaf, k) => f(leaf, ...others.map(
        ({leaves}) => leaves[k]))));
  }
}
