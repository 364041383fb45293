// SPDX-License-Identifier: MIT
// Random arguments of the table's functions that mostly fit: tensors of a program, and numbers that
// go with their shapes. They follow from the types and names of parameters. Functions whose
// arguments depend on each other in other ways have a recipe. An argument that is undefined is left
// out.
import {broadcast, product} from './random.mjs';

const tensor = ({id}) => ({tensor: id});
const isFloat = ({dtype}) => dtype === 'float32' || dtype === 'float16';
const isInteger = ({dtype}) => ['int32', 'uint32', 'uint8'].includes(dtype);
const numeric = (one) => one.dtype !== 'bool';
const rank = (least, most = 8) => ({shape}) => shape.length >= least && shape.length <= most;

/** A number as JSON has it. */
export const json = (value) => {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
};

/** Arguments for calls in one scope of a program. */
export class Arguments {
  constructor(maker, scope) {
    this.maker = maker;
    this.scope = scope;
    this.r = maker.random;
  }

  /** A value of the program, or a new leaf. */
  value(test = () => true, make = () => this.leaf(this.r.shape(), this.r.dtype())) {
    return this.scope.pick(test) ?? make();
  }
  leaf(shape, dtype = 'float32') { return this.maker.leaf(dtype, shape); }
  float(test = () => true) {
    return this.value((one) => isFloat(one) && test(one), () => this.leaf(this.r.shape()));
  }
  /** Floats of at least so many axes. */
  ranked(least, most = 4) {
    return this.value((one) => isFloat(one) && rank(least, most)(one),
                      () => this.leaf(this.r.shape(this.r.whole(least, Math.max(least, 3)))));
  }
  indices(shape, below) {
    const {id} = this.leaf(shape, 'int32');
    this.maker.setWords(id, () => this.r.whole(0, Math.max(below - 1, 0)));
    return {tensor: id};
  }
  number() {
    if (this.scope.mayUseFrame && this.r.chance(0.6)) return {frame: true};
    return json(this.r.number());
  }
  scalar(value = this.r.number()) { return {scalar: json(value)}; }
  whole(low, high) { return this.r.whole(low, high); }
  /** An operand beside a value: one that broadcasts with it, a number or a Scalar. */
  beside({dtype, shape}, test = () => true) {
    const kind = this.r.next();
    if (kind < 0.25 && test({dtype: 'float32'})) return this.number();
    if (kind < 0.3 && isFloat({dtype})) return this.scalar();
    if (kind < 0.3) return this.whole(1, 4);
    const one = this.scope.pick((other) => test(other) && broadcast(other.shape, shape) !== null);
    return tensor(one ?? this.leaf(this.part(shape), test({dtype}) ? dtype : 'int32'));
  }
  /** The shape of an operand that broadcasts to `shape`. */
  part(shape) {
    return shape.slice(this.whole(0, shape.length)).map((size) => this.r.chance(0.2) ? 1 : size);
  }
  axis({shape}) {
    return shape.length === 0 ? 0 : this.whole(-shape.length, shape.length - 1);
  }
  /** null, one axis or several. */
  axes(x) {
    if (x.shape.length === 0 || this.r.chance(0.25)) return null;
    if (this.r.chance(0.6)) return this.axis(x);
    return this.someAxes(x, this.whole(1, x.shape.length));
  }
  someAxes({shape}, count) {
    return this.r.shuffled(shape.map((_, k) => k)).slice(0, count);
  }
  factors(count) {
    if (count === 0) return [0, this.whole(1, 3)];
    const sizes = [];
    for (let left = count; ;) {
      const all = Array.from({length: Math.min(left, 12)}, (_, k) => k + 1)
          .filter((k) => left % k === 0);
      const one = this.r.pick(all);
      if (sizes.length === 3 || this.r.chance(0.3)) return [...sizes, left];
      sizes.push(one);
      left /= one;
    }
  }
  key() {
    const i = this.scope.step;
    if (i && this.r.chance(0.7)) return [this.whole(0, 99), tensor(i)];
    const kind = this.r.whole(0, 3);
    if (kind === 0) return [this.whole(0, 99), this.whole(0, 9)];
    if (kind === 1) return [this.whole(0, 99), this.whole(0, 9), this.whole(0, 9)];
    return this.whole(-5, 2 ** 31 - 1);
  }
  /** Entries of an index for this shape. */
  entries({shape}) {
    const count = this.whole(shape.length > 0 ? 1 : 0, shape.length);
    const entries = shape.slice(0, count).map((size) => this.entry(size));
    if (this.r.chance(0.15)) entries.splice(this.whole(0, entries.length), 0, null);
    if (this.r.chance(0.15)) entries.push('...');
    return entries.length > 0 ? entries : ['...'];
  }
  entry(size) {
    const at = this.whole(0, Math.max(size - 1, 0)), to = this.whole(at, size);
    const kind = this.whole(0, 7);
    if (kind === 0 || size === 0) return ':';
    if (kind === 1) return `${at}:${to}`;
    if (kind === 2) return this.r.pick(['::2', '::-1', '1:', ':-1', '-2:']);
    if (kind === 3) return {start: at, stop: to, step: this.whole(1, 2)};
    if (kind === 4) return {start: at, size: this.whole(1, size - at)};
    if (kind === 5) {
      return {start: {scalar: at, integer: true}, size: this.whole(1, size - at)};
    }
    if (kind === 6) return at - size;
    return at;
  }
}

const twoIntegers = (a) => {
  const x = a.value(isInteger, () => a.leaf(a.r.shape(), 'int32'));
  return [tensor(x), a.beside(x, (one) => one.dtype === x.dtype)];
};
const shift = (a) => {
  const x = a.value(isInteger, () => a.leaf(a.r.shape(), 'int32'));
  return [tensor(x), a.whole(0, 7)];
};
const matrices = (a) => {
  const x = a.ranked(1, 3), n = a.whole(1, 4), inner = x.shape.at(-1);
  const y = a.scope.pick((one) => isFloat(one) && one.shape.length <= 3 &&
                                  (one.shape.at(-2) ?? one.shape[0]) === inner) ??
      a.leaf(a.r.chance(0.2) ? [inner] : [inner, n]);
  return [tensor(x), tensor(y)];
};
// A list of values of the same shape, or which differ along one axis.
const alike = (a, axis = null) => {
  const x = a.value(rank(axis === null ? 0 : 1, 6));
  const others = Array.from({length: a.whole(0, 2)}, () => {
    const same = a.scope.pick(({shape}) => `${shape}` === `${x.shape}`);
    if (same && a.r.chance(0.7)) return tensor(same);
    const k = axis === null ? -1 : (axis + x.shape.length) % x.shape.length;
    const shape = x.shape.map((size, n) => n === k ? a.whole(1, 3) : size);
    return tensor(a.leaf(shape, a.r.chance(0.7) ? x.dtype : a.r.dtype()));
  });
  return {x, all: a.r.shuffled([tensor(x), ...others])};
};
const square = (a) => {
  const x = a.value((one) => isFloat(one) && rank(2, 3)(one) &&
                             one.shape.at(-1) === one.shape.at(-2)) ?? null;
  return x && x.shape.length >= 2 && x.shape.at(-1) === x.shape.at(-2) && isFloat(x) ?
      x : a.leaf([3, 3]);
};
const axed = (a) => a.value(rank(1, 6), () => a.leaf(a.r.shape(a.whole(1, 3)), a.r.dtype()));
const probabilities = async (a) => {
  const x = a.leaf(a.r.shape());
  return tensor(await a.maker.call('sigmoid', [tensor(x)], a.scope) ?? x);
};
const reductionWord = (a) => a.r.pick(['mean', 'sum', 'none']);
const written = async (a) => {
  const x = a.value(rank(1)), entries = a.entries(x);
  const part = await a.maker.shapeOf('index', [tensor(x), entries], a.scope);
  const value = part && a.r.chance(0.5) ?
      tensor(a.leaf(a.part(part.shape), a.r.chance(0.8) ? x.dtype : 'float32')) :
      a.r.chance(0.5) ? a.number() : a.whole(0, 3);
  return [tensor(x), entries, value];
};


/** Arguments by the name of a function whose arguments depend on each other. */
export const recipes = {
  where: (a) => {
    const x = a.value(), condition = a.scope.pick(
        ({dtype, shape}) => dtype === 'bool' && broadcast(shape, x.shape)) ??
        a.leaf(a.part(x.shape), 'bool');
    return [tensor(condition), tensor(x), a.beside(x)];
  },
  bitwise_not: (a) => twoIntegers(a).slice(0, 1),
  average: (a) => {
    const x = a.float(), axis = a.axes(x);
    return [tensor(x), axis, a.r.chance(0.4) ? null : tensor(a.leaf(x.shape))];
  },
  arange: (a) => a.r.pick([[a.whole(0, 9)], [a.whole(-3, 0), a.whole(1, 6)],
                           [a.whole(0, 2), a.whole(3, 8), 0.5], [6, a.whole(-2, 2), -1]]),
  meshgrid: (a) => [Array.from({length: a.whole(1, 3)}, () => tensor(
      a.value(rank(1, 1), () => a.leaf([a.whole(1, 4)], a.r.dtype())))), a.r.pick(['xy', 'ij'])],
  reshape: (a) => {
    const x = a.value(), sizes = a.factors(product(x.shape));
    if (product(sizes) > 0 && a.r.chance(0.4)) sizes[a.whole(0, sizes.length - 1)] = -1;
    return [tensor(x), sizes];
  },
  transpose: (a) => {
    const x = a.value();
    return [tensor(x), a.r.chance(0.4) ? null : a.someAxes(x, x.shape.length)];
  },
  moveaxis: (a) => {
    const x = axed(a), n = a.whole(1, x.shape.length);
    return a.r.chance(0.5) ? [tensor(x), a.axis(x), a.axis(x)] :
                             [tensor(x), a.someAxes(x, n), a.someAxes(x, n)];
  },
  broadcast_to: (a) => {
    const x = a.value(rank(0, 5));
    const more = Array.from({length: a.whole(0, 2)}, () => a.whole(1, 3));
    return [tensor(x), [...more, ...x.shape.map((size) => size === 1 ? a.whole(1, 3) : size)]];
  },
  broadcast_arrays: (a) => {
    const x = a.value();
    return [[tensor(x), tensor(a.leaf(a.part(x.shape), a.r.dtype()))]];
  },
  expand_dims: (a) => {
    const x = a.value(rank(0, 7));
    return [tensor(x), a.whole(-x.shape.length - 1, x.shape.length)];
  },
  squeeze: (a) => {
    const x = a.value(({shape}) => shape.includes(1));
    return [tensor(x), x.shape.includes(1) && a.r.chance(0.5) ? x.shape.indexOf(1) : null];
  },
  roll: (a) => {
    const x = axed(a), n = a.whole(1, x.shape.length);
    if (a.r.chance(0.6)) return [tensor(x), a.whole(-4, 4), a.r.chance(0.3) ? null : a.axis(x)];
    return [tensor(x), Array.from({length: n}, () => a.whole(-4, 4)), a.someAxes(x, n)];
  },
  pad: (a) => {
    const x = axed(a);
    const widths = a.r.pick([a.whole(0, 2), [a.whole(0, 2), a.whole(0, 2)],
                             x.shape.map(() => [a.whole(0, 2), a.whole(0, 2)])]);
    if (a.r.chance(0.4)) return [tensor(x), widths, 'constant', a.whole(0, 3)];
    return [tensor(x), widths, a.r.pick(['edge', 'wrap', 'reflect', 'symmetric', 'constant'])];
  },
  concatenate: (a) => {
    const axis = a.r.pick([0, 0, -1]);
    return [alike(a, axis).all, axis];
  },
  stack: (a) => {
    const {x, all} = alike(a);
    return [all, a.whole(-x.shape.length - 1, x.shape.length)];
  },
  split: (a) => {
    const x = axed(a), axis = a.axis(x), size = x.shape.at(axis);
    const parts = [1, 2, 3, 4, 5, 6].filter((n) => size % n === 0);
    return [tensor(x), a.r.pick(parts), axis];
  },
  set_at: written, add_at: written,
  take: (a) => {
    const x = axed(a), axis = a.axis(x);
    if (a.scope.step && a.r.chance(0.5)) return [tensor(x), tensor(a.scope.step), axis];
    return [tensor(x), a.indices(a.r.shape(a.whole(0, 2)), x.shape.at(axis)), axis];
  },
  take_along_axis: (a) => {
    const x = axed(a), axis = a.axis(x), k = (axis + x.shape.length) % x.shape.length;
    const shape = x.shape.map((size, n) => n === k ? a.whole(1, 4) : size);
    return [tensor(x), a.indices(shape, x.shape[k]), axis];
  },
  scatter_add: (a) => {
    const x = a.value((one) => numeric(one) && rank(1, 4)(one),
                      () => a.leaf(a.r.shape(a.whole(1, 3))));
    const axis = x.shape.length > 0 ? a.whole(0, x.shape.length - 1) : 0, n = a.whole(1, 4);
    const shape = x.shape.map((size, k) => k === axis ? n : size);
    return [tensor(x), a.indices([n], x.shape[axis]), tensor(a.leaf(shape, x.dtype)), axis];
  },
  sliding_window_view: (a) => {
    const x = axed(a), axis = a.axis(x);
    return [tensor(x), a.whole(1, Math.max(x.shape.at(axis), 1)), axis];
  },
  matmul: (a) => {
    const [x, y] = matrices(a);
    return a.r.chance(0.2) ? [x, y, {scalar: 1, integer: true}, null] : [x, y];
  },
  dot: matrices,
  inner: (a) => {
    const x = a.ranked(1, 3);
    return [tensor(x), tensor(a.leaf([...a.r.shape(a.whole(0, 1)), x.shape.at(-1)]))];
  },
  vecdot: (a) => {
    const x = a.ranked(1, 4);
    return [tensor(x), tensor(a.leaf(a.r.chance(0.5) ? x.shape : [x.shape.at(-1)])), -1];
  },
  cross: (a) => {
    const n = a.whole(1, 4);
    return a.r.pick([[tensor(a.leaf([n, 3])), tensor(a.leaf([3]))],
                     [tensor(a.leaf([3, n])), tensor(a.leaf([3, n])), 0]]);
  },
  tensordot: (a) => {
    const x = a.ranked(2, 4), [first] = a.someAxes(x, 1), n = a.whole(1, 3);
    const y = tensor(a.leaf([x.shape[first], n]));
    return [tensor(x), y, [[first], [0]]];
  },
  einsum: (a) => {
    const x = a.ranked(2, 2), [m, n] = x.shape.slice(-2), k = a.whole(1, 3);
    return a.r.pick([['ij,jk->ik', [tensor(a.leaf([m, n])), tensor(a.leaf([n, k]))]],
                     ['...i->...', [tensor(x)]], ['...ij->...ji', [tensor(x)]],
                     ['i,j->ij', [tensor(a.leaf([m])), tensor(a.leaf([k]))]],
                     ['bij,j', [tensor(a.leaf([k, m, n])), tensor(a.leaf([n]))]],
                     ['ii->i', [tensor(square(a))]]]);
  },
  'linalg::matrix_power': (a) => [tensor(square(a)), a.whole(0, 4)],
  'linalg::multi_dot': (a) => {
    const [m, n, k] = [a.whole(1, 4), a.whole(1, 4), a.whole(1, 4)];
    return [[tensor(a.leaf([m, n])), tensor(a.leaf([n, k])), tensor(a.leaf([k, m]))]];
  },
  'random::truncated_normal': (a) => [a.key(), -1, a.whole(1, 2), a.r.shape()],
  'random::bernoulli': async (a) => [a.key(), a.r.chance(0.4) ? 0.25 : await probabilities(a)],
  'nn::layer_norm': (a) => {
    const x = a.ranked(1), [n] = x.shape.slice(-1), some = () => tensor(a.leaf([n]));
    return [tensor(x), a.r.chance(0.5) ? null : some(), a.r.chance(0.5) ? null : some(), 1e-5];
  },
  'nn::rms_norm': (a) => {
    const x = a.ranked(1);
    return [tensor(x), a.r.chance(0.5) ? null : tensor(a.leaf(x.shape.slice(-1))), 1e-6];
  },
  'nn::embedding': (a) => {
    const n = a.whole(1, 6);
    return [a.indices(a.r.shape(a.whole(0, 2)), n), tensor(a.leaf([n, a.whole(1, 4)]))];
  },
  'nn::linear': (a) => {
    const x = a.ranked(1, 3), n = a.whole(1, 4);
    return [tensor(x), tensor(a.leaf([n, x.shape.at(-1)])),
            a.r.chance(0.4) ? null : tensor(a.leaf([n]))];
  },
  'nn::scaled_dot_product_attention': (a) => {
    const [t, d, n] = [a.whole(1, 4), a.whole(1, 4), a.whole(1, 3)];
    const heads = a.r.shape(a.whole(0, 1)), isCausal = a.r.chance(0.5), rows = isCausal ? t : n;
    return [tensor(a.leaf([...heads, t, d])), tensor(a.leaf([...heads, rows, d])),
            tensor(a.leaf([...heads, rows, d])), isCausal, a.r.chance(0.5) ? null : 0.5];
  },
  'nn::one_hot': (a) => {
    const n = a.whole(1, 6);
    return [a.indices(a.r.shape(a.whole(0, 2)), n), n, a.r.dtype()];
  },
  'nn::cross_entropy': (a) => {
    const x = a.ranked(2, 2), [n, classes] = x.shape;
    const target = a.r.chance(0.5) ? a.indices([n], classes) : tensor(a.leaf([n, classes]));
    return [tensor(x), target, reductionWord(a)];
  },
  bitwise_and: twoIntegers, bitwise_or: twoIntegers, bitwise_xor: twoIntegers,
  left_shift: shift, right_shift: shift,
};

// A tensor beside x: mostly one that broadcasts, or one that fits a product or a loss.
function tensorBeside(x, a) {
  const kind = a.r.next();
  if (kind < 0.7) return a.beside(x);
  if (kind < 0.85) return tensor(a.leaf(x.shape, x.dtype));
  return tensor(a.leaf([x.shape.at(-1) ?? 1, a.whole(1, 4)]));
}

// Axes, or one of them. `x`: the first tensor of the call.
function axesOf({type, default: by}, x, a) {
  if (type === 'number') return a.axis(x);
  if (type === 'number[]') return a.someAxes(x, by?.length ?? a.whole(0, x.shape.length));
  return a.axes(x) ?? (type.includes('null') ? null : a.axis(x));
}

function numbersOf({type}, x, a) {
  const one = () => a.r.chance(0.8) ? a.whole(-1, 3) : json(a.r.number());
  if (type === 'number[]') return a.r.shape();
  return type === 'number' || a.r.chance(0.5) ? one() : x.shape.map(() => a.whole(0, 2));
}

/** Arguments by the types and names of a row's parameters. */
function derived({parameters}, a) {
  let x = null;
  const all = parameters.map((parameter) => {
    const {name, type, default: by} = parameter;
    if (by !== undefined && a.r.chance(0.4)) return by;
    const words = type.match(/'[^']*'/g);
    if (type === 'Tensor' && x) return tensorBeside(x, a);
    if (type === 'Tensor') return tensor(x = a.r.chance(0.9) ? a.value(numeric) : a.value());
    if (type === 'Tensor[]') {
      const {x: one, all: list} = alike(a);
      x ??= one;
      return list;
    }
    x ??= {shape: [2, 3]};
    if (type === 'Scalar') return {scalar: 1, integer: true};
    if (type === 'Key') return a.key();
    if (type === 'Index[]') return a.entries(x);
    if (type === 'DType') return a.r.dtype();
    if (type === 'boolean') return a.r.chance(0.5);
    if (words) return a.r.pick(words).slice(1, -1);
    if (type === 'string') return by ?? '';
    return /^ax[ie]s/.test(name) ? axesOf(parameter, x, a) : numbersOf(parameter, x, a);
  });
  const areTensors = parameters.slice(0, 2).filter(({type}) => type === 'Tensor').length === 2;
  if (areTensors && a.r.chance(0.1)) [all[0], all[1]] = [all[1], all[0]];
  return all;
}

/**
 * The arguments of a call, positional and named ones. Some that equal the default are left out.
 */
export async function argumentsOf(row, a) {
  const all = await (recipes[row.name]?.(a) ?? derived(row, a));
  const {parameters} = row;
  const isGiven = parameters.map(({default: by}, k) => all[k] !== undefined &&
      (by === undefined || JSON.stringify(all[k]) !== JSON.stringify(by) || a.r.chance(0.3)));
  const first = isGiven.indexOf(false);
  const most = first < 0 ? parameters.length : first;
  // Tensors and what has no default are mostly positional.
  const least = parameters.filter(({default: by}) => by === undefined).length;
  let cut = Math.min(most, a.r.whole(Math.min(least, most), most));
  if (a.r.chance(0.05)) cut = a.r.whole(0, cut);
  const named = {};
  for (let k = cut; k < parameters.length; ++k) {
    if (isGiven[k]) named[parameters[k].name] = all[k];
  }
  return {args: all.slice(0, cut), named};
}
