// SPDX-License-Identifier: MIT
// Random functions of functions: gradients, loops, branches and compiled functions.
import {Scope} from './generate.mjs';

const tensor = ({id}) => ({tensor: id});
const isFloat32 = ({dtype}) => dtype === 'float32';
const isNumeric = ({dtype}) => dtype === 'float32' || dtype === 'int32';

// Functions that mostly have gradients, and keep the shape.
const smooth = [
  'add', 'subtract', 'multiply', 'divide', 'exp', 'sin', 'cos', 'tanh', 'sigmoid', 'square',
  'softplus', 'maximum', 'minimum', 'abs', 'relu', 'where', 'clip', 'nn::softmax', 'nn::silu',
  'nn::gelu', 'negative', 'arctan', 'erf', 'logaddexp', 'hypot', 'stop_gradient', 'divmod',
  'nn::layer_norm', 'flip', 'nan_to_num', 'add_at', 'set_at'];
// Further ones.
const shaping = ['matmul', 'sum', 'mean', 'reshape', 'transpose', 'concatenate', 'stack', 'index',
                 'pad', 'broadcast_to', 'nn::linear', 'take', 'max', 'prod', 'split', 'einsum',
                 'tensordot', 'expand_dims', 'nn::cross_entropy', 'linalg::matrix_power'];
const elementwise = ['add', 'subtract', 'multiply', 'maximum', 'minimum', 'sin', 'tanh', 'abs',
                     'negative', 'where', 'clip', 'square', 'cos', 'sign', 'random::uniform',
                     'take'];
// They take any shape.
const shapeless = ['exp', 'sin', 'tanh', 'negative', 'square', 'abs', 'sum', 'mean', 'max',
                   'nn::softmax', 'nn::log_softmax', 'flip', 'round', 'sigmoid', 'ravel', 'sign',
                   'transpose', 'isfinite', 'argmax', 'ones_like'];

const bodyOf = (parameters, scope, results) => ({
  parameters: parameters.map(({id}) => id), steps: scope.steps,
  results: results.map((one) => one && tensor(one)),
});

/** Adds functions of functions to scopes of a program. */
export class Transforms {
  constructor(maker) {
    this.maker = maker;
    this.r = maker.random;
  }

  async add(scope) {
    const kind = this.r.weighted({differentiate: 30, vjp: 10, custom: 10, fori: 14, whiles: 12,
                                  scan: 12, cond: 12, compile: scope.depth === 0 ? 25 : 0});
    for (let k = 0; k < 4; ++k) {
      const step = await this[kind](scope);
      if (!step) return;  // it was added
      if (await this.maker.add(step, scope)) return;
    }
  }

  /** A gradient of a function with a call that fails. */
  async addWrong(scope) {
    const {step, inner} = await this.#differentiated(scope, 'value_and_grad');
    const wrong = await this.maker.addWrongCall(inner);
    if (!wrong) return null;
    const out = this.maker.newId();
    const args = step.args.map(() => this.maker.newId());
    step.body.results = [tensor(wrong)];
    scope.steps.push({...step, has_aux: false, out: [out, ...args]});
    return {id: out};
  }

  // Distinct values that a function takes, and parameters like them.
  #taken(scope, test, most, inner) {
    const args = [];
    for (let k = this.r.whole(1, most); k > 0; --k) {
      const one = scope.pick((value) => test(value) && value.shape.length <= 4 &&
                                        !args.some(({id}) => id === value.id));
      if (one) args.push(one);
    }
    if (args.length === 0) args.push(this.maker.leaf('float32', this.r.shape(this.r.whole(0, 2))));
    return {args, parameters: args.map((one) => inner.parameter(one))};
  }
  async #calls(inner, names, least, most) {
    for (let k = this.r.whole(least, most); k > 0; --k) await this.maker.addCall(inner, names);
  }

  // ---- Gradients

  async #differentiated(scope, op) {
    const inner = new Scope(this.maker, scope);
    const {args, parameters} = this.#taken(scope, isFloat32, 3, inner);
    const x = this.r.pick(parameters);
    await this.maker.call(...this.r.pick([['multiply', [tensor(x), 0.75]], ['sin', [tensor(x)]]]),
                          inner);
    await this.#calls(inner, smooth, 1, 3);
    if (this.r.chance(0.5)) await this.#calls(inner, shaping, 1, 1);
    if (scope.depth === 0 && this.r.chance(0.2)) await this.add(inner);
    if (this.maker.functions.length > 0 && this.r.chance(0.4)) await this.#callAny(inner);
    const results = [await this.#result(inner, parameters, op !== 'vjp')];
    const hasAux = op !== 'vjp' && this.r.chance(0.3);
    if (hasAux) results.push(this.r.pick(inner.values));
    return {inner, step: {
      op, body: bodyOf(parameters, inner, results), args: args.map(tensor), has_aux: hasAux,
      form: this.r.pick(['args', 'args', 'list', 'object'])}};
  }
  // The latest value that is float32, as a scalar.
  async #result(inner, [x], isScalar) {
    const y = inner.values.findLast(isFloat32) ?? x;
    if (!isScalar || y.shape.length === 0) return y;
    return await this.maker.call(this.r.pick(['sum', 'mean']), [tensor(y)], inner) ?? y;
  }

  async differentiate(scope) {
    return (await this.#differentiated(scope, this.r.pick(['grad', 'value_and_grad']))).step;
  }
  async vjp(scope) {
    const {step, inner} = await this.#differentiated(scope, 'vjp');
    const y = inner.values.find(({id}) => id === step.body.results[0].tensor);
    const dy = scope.pick(({dtype, shape}) => dtype === 'float32' && `${shape}` === `${y.shape}`) ??
        this.maker.leaf('float32', y.shape);
    return {...step, dy: tensor(dy)};
  }

  async custom(scope) {
    const inner = new Scope(this.maker, scope);
    const {args, parameters} = this.#taken(scope, isFloat32, 2, inner);
    await this.#calls(inner, smooth, 1, 3);
    const [x] = parameters;
    const y = [inner.values.findLast(isFloat32)];
    if (this.r.chance(0.4)) y.push(this.r.pick(inner.values.filter(isFloat32)));
    // The rule reads leaves and its arguments alone.
    const rule = new Scope(this.maker, null, {isFixed: true});
    rule.depth = 2;
    const all = [...y, ...parameters, ...y].map((one) => rule.parameter(one));
    const given = all.slice(y.length, y.length + args.length), gradients = [];
    for (const one of given) {
      const factor = `${all[0].shape}` === `${x.shape}` && one === given[0] ? tensor(all[0]) : 3;
      gradients.push(this.r.chance(0.15) ? null :
          await this.maker.call('multiply', [tensor(one), factor], rule));
    }
    return {op: 'custom_vjp', body: bodyOf(parameters, inner, y),
            rule: bodyOf(all, rule, gradients), args: args.map(tensor)};
  }

  // ---- Loops and branches

  // A value like `state`, made of the latest ones.
  async #like(state, inner) {
    const {maker} = this;
    const isLike = ({dtype, shape}) => dtype === state.dtype && `${shape}` === `${state.shape}`;
    const found = inner.values.findLast((one) => isLike(one) && one !== state);
    if (found && this.r.chance(0.8)) return found;
    let x = inner.values.findLast(isNumeric);
    if (x && `${x.shape}` !== `${state.shape}`) x = await maker.call('mean', [tensor(x)], inner);
    if (x && x.dtype !== state.dtype) {
      x = await maker.call('astype', [tensor(x), state.dtype], inner);
    }
    const y = await maker.call('add', [tensor(state), x ? tensor(x) : 1], inner);
    return y && isLike(y) ? y : state;
  }
  async #likeAll(states, inner) {
    const found = [];
    for (const one of states) found.push(await this.#like(one, inner));
    return found;
  }

  async fori(scope) {
    const inner = new Scope(this.maker, scope);
    inner.step = inner.parameter({dtype: 'int32', shape: []});
    const {args, parameters} = this.#taken(scope, isNumeric, 2, inner);
    const step = inner.step;
    await this.#calls(inner, elementwise, 1, 3);
    if (scope.depth === 0 && this.r.chance(0.15)) await this.add(inner);
    const next = await this.#likeAll(parameters, inner);
    const upper = this.r.chance(0.3) ? {scalar: this.r.whole(2, 5), integer: true} :
                                       this.r.whole(0, 5);
    return {op: 'fori_loop', lower: this.r.chance(0.7) ? 0 : this.r.whole(0, 2), upper,
            body: bodyOf([step, ...parameters], inner, next), args: args.map(tensor)};
  }
  async whiles(scope) {
    const {maker} = this, condition = new Scope(maker, scope), inner = new Scope(maker, scope);
    const {args, parameters} = this.#taken(scope, isNumeric, 1, inner);
    if (args.some((one) => one.dtype === 'float32' && this.r.chance(0.5))) {
      // Each element goes on for itself.
      const [x] = args.map((one) => condition.parameter(one));
      const goes = await maker.call('less', [tensor(x), this.r.whole(3, 9)], condition);
      await this.#calls(inner, ['abs', 'square', 'sin'], 1, 1);
      const size = await maker.call('abs', [tensor(inner.values.at(-1))], inner);
      const sum = size && await maker.call('add', [tensor(parameters[0]), tensor(size)], inner);
      const next = sum && await maker.call('add', [tensor(sum), 1], inner);
      return {op: 'while_loop', condition: bodyOf([x], condition, [goes ?? x]),
              body: bodyOf(parameters, inner, [next ?? parameters[0]]), args: args.map(tensor),
              max_iterations: this.r.whole(0, 9)};
    }
    const count = maker.leaf('int32', []);
    maker.setWords(count.id, () => this.r.whole(0, 3));
    const n = inner.parameter(count), m = condition.parameter(count);
    const others = args.map((one) => condition.parameter(one));
    const goes = await maker.call('less', [tensor(m), this.r.whole(2, 6)], condition);
    const more = await maker.call('add', [tensor(n), 1], inner);
    await this.#calls(inner, elementwise, 1, 2);
    const next = await this.#likeAll(parameters, inner);
    return {op: 'while_loop', condition: bodyOf([m, ...others], condition, [goes]),
            body: bodyOf([n, ...parameters], inner, [more, ...next]),
            args: [count, ...args].map(tensor),
            max_iterations: this.r.chance(0.6) ? null : this.r.whole(0, 9)};
  }
  async scan(scope) {
    const inner = new Scope(this.maker, scope);
    const {args, parameters} = this.#taken(scope, isNumeric, 2, inner);
    const xs = [scope.pick(({shape}) => shape.length >= 1 && shape.length <= 4 && shape[0] > 0) ??
                this.maker.leaf('float32', [this.r.whole(1, 4), 2])];
    if (this.r.chance(0.3)) xs.push(this.maker.leaf('float32', [xs[0].shape[0]]));
    const slices = xs.map(({dtype, shape}) => inner.parameter({dtype, shape: shape.slice(1)}));
    await this.#calls(inner, elementwise, 1, 3);
    const next = await this.#likeAll(parameters, inner);
    const outputs = [this.r.pick(inner.values)];
    return {op: 'scan', body: bodyOf([...parameters, ...slices], inner, [...next, ...outputs]),
            args: args.map(tensor), xs: xs.map(tensor)};
  }
  async cond(scope) {
    const {maker} = this, sides = [new Scope(maker, scope), new Scope(maker, scope)];
    const {args, parameters} = this.#taken(scope, isNumeric, 2, sides[0]);
    const others = args.map((one) => sides[1].parameter(one));
    const value = args[0];
    const mean = await maker.call('mean', [tensor(value)], scope);
    const isEach = this.r.chance(0.3);
    const predicate = await maker.call('greater', [tensor(isEach ? value : mean ?? value), 0],
                                       scope);
    const bodies = [];
    for (const [k, all] of [parameters, others].entries()) {
      await this.#calls(sides[k], elementwise, 1, 3);
      bodies.push(bodyOf(all, sides[k], [await this.#like(all[0], sides[k])]));
    }
    return {op: 'cond', predicate: predicate ? tensor(predicate) : true, yes: bodies[0],
            no: bodies[1], args: args.map(tensor)};
  }

  // ---- Compiled functions

  // A function, and two calls of it; the second mostly has other shapes.
  async compile(scope) {
    const {maker} = this, inner = new Scope(maker, null, {isFixed: true});
    inner.depth = 1;
    const shapes = [this.r.shape(2), this.r.shape(2)].map((one) => one.map((size) => size || 1));
    const count = this.r.whole(1, 2), hasScalar = this.r.chance(0.5);
    const parameters = Array.from({length: count}, () => inner.parameter(
        {dtype: 'float32', shape: shapes[0]}));
    const scalar = hasScalar ? inner.parameter({dtype: 'float32', shape: []}) : null;
    if (scalar) await maker.call('multiply', [tensor(parameters[0]), tensor(scalar)], inner);
    if (count > 1) await maker.call('add', parameters.map(tensor), inner);
    await this.#calls(inner, shapeless, 1, 4);
    if (this.r.chance(0.3)) await this.differentiateIn(inner, parameters[0]);
    const results = this.r.shuffled(inner.values).slice(0, this.r.whole(1, 2));
    const donate = this.r.chance(0.3), k = maker.functions.length;
    maker.functions.push({
      body: bodyOf([...parameters, ...scalar ? [scalar] : []], inner, results), donate,
      scalars: [...parameters.map(() => false), ...scalar ? [true] : []], shapes});
    for (const shape of [...shapes, shapes[this.r.whole(0, 1)]]) {
      await this.#callCompiled(scope, k, shape);
    }
  }
  // Inside a function that is traced, the call is part of it.
  async #callAny(inner) {
    const k = this.r.whole(0, this.maker.functions.length - 1);
    const {shapes, donate} = this.maker.functions[k];
    const fits = ({shape}) => shapes.some((one) => `${one}` === `${shape}`);
    const x = inner.values.findLast((one) => isFloat32(one) && fits(one));
    if (!donate) await this.#callCompiled(inner, k, x?.shape ?? this.r.pick(shapes));
  }
  /** A gradient inside of a compiled function. */
  async differentiateIn(inner, x) {
    const deep = new Scope(this.maker, inner), y = deep.parameter(x);
    await this.#calls(deep, ['sin', 'square', 'tanh'], 1, 2);
    const loss = await this.maker.call('sum', [tensor(deep.values.at(-1))], deep);
    await this.maker.add({op: 'grad', body: bodyOf([y], deep, [loss]), args: [tensor(x)],
                          has_aux: false, form: 'args'}, inner);
  }
  async #callCompiled(scope, k, shape) {
    const {maker} = this, {scalars, donate} = maker.functions[k], args = [];
    for (let n = 0; !scalars[n] && n < scalars.length; ++n) {
      let one = scope.pick((value) => isFloat32(value) && `${value.shape}` === `${shape}`) ??
          maker.leaf('float32', shape);
      const isGiven = donate && n === 0;
      if (isGiven || this.r.chance(0.2)) {
        one = await maker.call('multiply', [tensor(one), 0.5], scope);
      }
      args.push({...tensor(one), ...isGiven ? {donated: true} : {}});
      if (isGiven) one.isGone = true;
    }
    if (scalars.at(-1)) {
      args.push({scalar: scope.mayUseFrame && this.r.chance(0.7) ? {frame: true} :
                                                                   this.r.whole(1, 9) / 4});
    }
    await maker.add({op: 'compiled', function: k, args}, scope);
  }
}
