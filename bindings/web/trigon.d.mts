// SPDX-License-Identifier: MIT
// Types of trigon.mjs. README.md describes it.

// As the library esnext.disposable has them, for programs without it.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

// For instanceof: other functions make its values.
type Class<T> = abstract new (...given: never) => T;
export {};  // so that only marked declarations are exported

export type DType = 'float32' | 'float16' | 'int32' | 'uint32' | 'uint8' | 'bool';
export type TypedArray =
    Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array |
    Uint8ClampedArray | Uint16Array | Uint32Array;
/** Float32Array for floats, Int32Array, Uint32Array, and Uint8Array for uint8 and bool. */
export type Values = Float32Array | Int32Array | Uint32Array | Uint8Array;
export type Nested = number | boolean | readonly Nested[];

/** What stands for a tensor in a call: a number yields to the dtype of the tensors. */
export type Operand = Tensor | ScalarNumber | number | boolean;
/** A number that changes from call to call without a new plan; made by `t.scalar`. */
export class ScalarNumber {
  private constructor();
  readonly value: number;
  readonly dtype: 'float32' | 'int32';
}
/** A number that may change without a new plan. */
export type Scalar = number | ScalarNumber | Tensor;
/** A seed, or a list: [7, 3] is fold_in(7, 3). */
export type Key = number | ScalarNumber | Tensor | readonly (number | ScalarNumber | Tensor)[];
/** Of one axis: a number, 'start:stop:step', '...', null for a new axis. */
export type Index =
    number | string | null | {start?: number, stop?: number, step?: number} |
    {start: number | ScalarNumber, size: number};

export type Drawable = HTMLCanvasElement | OffscreenCanvas;
export type Picture =
    ImageData | ImageBitmap | HTMLCanvasElement | OffscreenCanvas | HTMLVideoElement |
    HTMLImageElement;
/** The address or the content of a file. */
export type Source = string | URL | Blob | ArrayBuffer | ArrayBufferView;

/** A tensor in the Worker; its value is computed when it is asked for. */
export interface Tensor extends Methods, Disposable {
  readonly disposed: boolean;
  data(): Promise<Values>;
  item(): Promise<number | boolean>;
  shape(): Promise<number[]>;
  dtype(): Promise<DType>;
  eval(): Promise<this>;
  explain(): Promise<string>;
  print(): Promise<void>;
  readonly T: Tensor;
  /** Floats from 0 to 1, or uint8; other floats are drawn as 0 or 1, and NaN as 0. */
  draw(canvas: Drawable): Promise<void>;
  at(...entries: Index[]):
      {get(): Tensor, set(value: Operand): Tensor, add(value: Operand): Tensor};
  dispose(): void;
}
export const Tensor: Class<Tensor>;

export interface Counters {
  draws: number;
  programs_compiled: number;
  program_formats: number;
  textures_created: number;
  framebuffers_created: number;
  bytes_uploaded: number;
  uniform_bytes: number;
  bytes_read: number;
  plans_made: number;
  plan_cache_hits: number;
  /** Handles that the page holds. */
  tensors: number;
}

export interface GalleryItem {
  /** 'mandelbrot', 'gray_scott', 'fluid', 'life' or 'n_body'. */
  readonly name: string;
  readonly about: string;
  /** What a pointer does. */
  readonly pointer: string;
  /** What `size` counts. */
  readonly unit: string;
  readonly size: number;
  /** Of a frame. */
  readonly steps: number;
}

/** The work of a frame, with what the pointer did before it and with showing it. */
export interface FrameCost {
  draws: number;
  programs: number;
  plans: number;
  textures: number;
  bytes: number;
}

/** A simulation that is drawn frame by frame. */
export interface Gallery extends Disposable {
  /** The name that `gallery` was given. */
  readonly name: string;
  /** What it shows, as a sentence. */
  readonly about: string;
  readonly pointerHelp: string;
  readonly unit: string;
  /** The number of bodies, or of points along a side. */
  readonly size: number;
  readonly steps: number;
  /** Numbers that `set` changes, such as feed and kill of 'gray_scott'. */
  readonly parameters:
      readonly {readonly name: string, value: number, least: number, most: number}[];
  /** Of the picture, in pixels. */
  readonly width: number;
  /** Of the picture, in pixels. */
  readonly height: number;
  /** Computes further steps and draws the picture. */
  frame(canvas: HTMLCanvasElement, options?: {steps?: number}): Promise<FrameCost>;
  /** The mean brightness, from 0 to 1, of fields x fields equal rectangles of the last picture. */
  brightness(fields: number): Promise<Float32Array>;
  /** The pressed pointer is at (x, y), from 0 to 1, and came there by (dx, dy). */
  pointer(place: {x: number, y: number, dx?: number, dy?: number}): void;
  /** Everything gets `factor` times as large about (x, y). */
  zoom(factor: number, place?: {x?: number, y?: number}): void;
  /** Gives parameters other values from the next frame on, without a new plan. */
  set(values: Readonly<Record<string, number>>): void;
  /** Starts again; parameters stay. */
  reset(): void;
  explain(): Promise<string>;
  dispose(): void;
}

/** What gradients of all arguments look like: a tree like the only one, or a list. */
export type Gradients<A extends readonly unknown[]> = A extends readonly [infer X] ? X : A;

export type WithScalars<A extends unknown[]> =
    {[K in keyof A]: A[K] extends Tensor ? A[K] | ScalarNumber : A[K]};

export interface CompileOptions {
  /** Numbers of arguments whose tensors the call disposes of and may overwrite. */
  donate?: readonly number[];
}

/** Its results for one input each; `call` gives all of a kernel. */
export interface ElementwiseKernel extends Disposable {
  (...inputs: Operand[]): Tensor;
  /** All its results. Their shape is needed if all inputs are raw. */
  call(inputs: readonly Operand[], options?: {shape?: readonly number[] | null}): Tensor[];
}
export interface ReductionKernel extends Disposable {
  (x: Operand, axis?: number | readonly number[] | null, keepdims?: boolean): Tensor;
  (x: Operand, options: {axis?: number | readonly number[] | null, keepdims?: boolean}): Tensor;
  /** All its results. */
  call(inputs: readonly Operand[],
       options?: {axis?: number | readonly number[] | null, keepdims?: boolean}): Tensor[];
}
export interface Kernel extends ElementwiseKernel {
  /** The kernel with other values of some uniforms: no new program. It lives as long as this. */
  with(uniforms: Readonly<Record<string, Scalar>>): Omit<Kernel, keyof Disposable> & {
    (...inputs: Operand[]): Tensor;
  };
}
/** Of lists: the results' gradients, the inputs, the results. One gradient for each input. */
export type KernelGradient = (g: Tensor[], inputs: Tensor[], y: Tensor[]) => (Tensor | null)[];
export interface KernelOptions {
  /** GLSL functions that the body calls. */
  preamble?: string;
  gradient?: KernelGradient | null;
}

export interface Maker<A extends unknown[], K> {
  (...args: A): K;
  new (...args: A): K;
}
export interface KernelDescription {
  name: string;
  inputs?: readonly string[];
  outputs?: readonly string[];
  /** Whole numbers are int in the body, others float; `t.scalar(2)` is float. */
  uniforms?: Readonly<Record<string, Scalar>>;
  body: string;
  preamble?: string;
  /** Its inputs, and the gradients that it returns, are those of `inputs` and then `uniforms`. */
  gradient?: KernelGradient | null;
}

export interface LoopOptions {
  /** Every how many iterations the state is kept for the gradient; 0: chosen by its size. */
  checkpoint?: number;
}

/**
 * Functions of functions, with JAX's names. A function runs once, without values: inside it
 * tensors are computed with, not read. Arguments and results are trees: tensors in arrays,
 * objects, instances and Maps. The README describes them.
 */
export interface Transforms {
  grad<A extends unknown[], Aux>(f: (...args: A) => [Tensor, Aux], options: {has_aux: true}):
      (...args: A) => {gradients: Gradients<A>, aux: Aux};
  grad<A extends unknown[]>(f: (...args: A) => Tensor): (...args: A) => Gradients<A>;
  grad<A extends [unknown, ...unknown[]]>(f: (...args: A) => Tensor, ...args: A): Gradients<A>;
  value_and_grad<A extends unknown[], Aux>(f: (...args: A) => [Tensor, Aux],
                                           options: {has_aux: true}):
      (...args: A) => {value: Tensor, aux: Aux, gradients: Gradients<A>};
  value_and_grad<A extends unknown[]>(f: (...args: A) => Tensor):
      (...args: A) => {value: Tensor, gradients: Gradients<A>};
  value_and_grad<A extends [unknown, ...unknown[]]>(f: (...args: A) => Tensor, ...args: A):
      {value: Tensor, gradients: Gradients<A>};
  vjp<A extends [unknown, ...unknown[]]>(f: (...args: A) => Tensor, ...args: A):
      {value: Tensor, pullback: ((dy: Operand) => Gradients<A>) & Disposable};
  /** The value at x, and its derivative along dx, a tree like x. */
  jvp<X, Y>(f: (x: X) => Y, x: X, dx: X): {value: Y, tangent: Y};
  /** f for a batch. `in_axes`: a number, or for each argument one, or null if it is not mapped. */
  vmap<A extends unknown[], R>(f: (...args: A) => R, options?: {
    in_axes?: number | readonly (number | null)[], out_axes?: number | readonly number[]}):
      (...args: A) => R;
  /** f, which its gradient computes again, so that less is kept. */
  checkpoint<A extends unknown[], R>(f: (...args: A) => R): (...args: A) => R;
  /** The rule is called as rule(dy, ...args, y) and returns a gradient like each argument. */
  custom_vjp<A extends unknown[], Y>(f: (...args: A) => Y,
                                     rule: (dy: Y, ...rest: [...A, Y]) => unknown):
      (...args: A) => Y;
  /** A call takes `t.scalar(v)` where f takes a tensor. */
  compile<A extends unknown[], R>(f: (...args: A) => R, options?: CompileOptions):
      ((...args: WithScalars<A>) => R) & {dispose(): void};
  fori_loop<S>(lower: Scalar, upper: Scalar, body: (i: Tensor, state: S) => S, init: S,
               options?: LoopOptions): S;
  while_loop<S>(condition: (state: S) => Tensor, body: (state: S) => S, init: S,
                options?: LoopOptions & {max_iterations?: number | null}): S;
  scan<S, X, Y>(f: (state: S, x: X) => [S, Y], init: S, xs: X, options?: LoopOptions):
      {state: S, outputs: Y};
  cond<A extends unknown[], R>(predicate: Operand, yes: (...args: A) => R, no: (...args: A) => R,
                               ...args: A): R;
  tree_map<T>(f: (leaf: Tensor, ...more: Tensor[]) => unknown, tree: T, ...more: T[]): T;
  tree_leaves(tree: unknown): Tensor[];
  tree_unflatten<T>(like: T, leaves: readonly unknown[]): T;
  /** A kernel in GLSL for one element, as CuPy's; `new` may stand before it. */
  readonly ElementwiseKernel: Maker<[inputs: string, outputs: string, body: string, name: string,
                                     options?: KernelOptions], ElementwiseKernel>;
  /** A kernel in GLSL that reduces along axes, as CuPy's. */
  readonly ReductionKernel: Maker<
      [inputs: string, outputs: string, map: string, reduce: string, post_map: string,
       identity: string, name: string, options?: KernelOptions & {reduce_type?: string}],
      ReductionKernel>;
  /** A kernel in GLSL for one element, whose body reads inputs at any place, as `x(i, j)`. */
  readonly Kernel: Maker<[description: KernelDescription], Kernel>;
}

export interface randomFunctions {
  key(seed: Key): Key;
  /** n keys whose streams differ. */
  split(key: Key, n?: number): Key[];
  fold_in(key: Key, number: Key): Key;
}

export interface Trigon extends Functions, Transforms, Disposable {
  readonly renderer: string;
  readonly profile: 'webgl2' | 'webgl1';
  readonly lost: Promise<Error>;
  tensor(values: Nested | TypedArray, shape?: readonly number[], options?: {dtype?: DType}): Tensor;
  tensor(values: Nested | TypedArray,
         options: {shape?: readonly number[], dtype?: DType}): Tensor;
  /** A picture gives its pixels, (height, width, 4) of uint8. */
  tensor(picture: Picture, options?: {shape?: readonly number[], dtype?: DType}): Tensor;
  load_npy(source: Source): Promise<Tensor>;
  load_safetensors(source: Source): Promise<Map<string, Tensor>>;
  /** A number that changes from call to call without a new plan; float32 unless told. */
  scalar(value: number, options?: {dtype?: 'float32' | 'int32'}): ScalarNumber;
  /** The values of several tensors, computed together. */
  data(tensors: readonly Tensor[]): Promise<Values[]>;
  /** Computes and keeps the values of several tensors together. */
  eval(tensors: readonly Tensor[]): Promise<void>;
  draw(pictures: readonly {tensor: Tensor, canvas: Drawable}[]): Promise<void>;
  scope<T>(fn: (t: Trigon) => T): T;
  galleryItems(): Promise<GalleryItem[]>;
  gallery(name: string, options?: {size?: number, seed?: number}): Promise<Gallery>;
  counters(): Promise<Counters>;
  gpt2(source: string | URL | FileList | readonly File[], options?: {
    onProgress?: (progress: {loaded: number, total: number}) => void, signal?: AbortSignal,
  }): Promise<Gpt2>;
  loseContext(): Promise<void>;
  request(op: string, fields?: object, options?: {
    transfer?: Transferable[], onProgress?: (progress: object) => void, site?: string,
  }): Promise<any>;
  close(): void;
}
export const Trigon: Class<Trigon> & {
  open(options?: {profile?: 'auto' | 'webgl2' | 'webgl1'}): Promise<Trigon>,
};

export interface Token {
  id: number;
  text: string;
}
/** `bytes`: in UTF-8, of which a token may have a part of a character. */
export interface SizedToken extends Token {
  bytes: number;
}
export interface Guess extends Token {
  probability: number;
}
export interface Step {
  text: string;
  id: number;
  top: Guess[];
  token: number;
  seconds: number;
  draws: number;
  /** Whether the pictures that were asked for are its. */
  drawn: boolean;
  done: boolean;
  /** Whether the token ends the text, as <|endoftext|> does; it has no characters. */
  end?: true;
}
export interface GenerateOptions {
  tokens?: number;
  greedy?: boolean;
  temperature?: number;
  topK?: number;
  topP?: number;
  seed?: number;
  top?: number;
  stop?: readonly string[];
  signal?: AbortSignal;
  /** Drawn for every other frame that the page shows, and for the last token. */
  pictures?: {attention?: Drawable, blocks?: Drawable};
}
export interface Numbers {
  data: Float32Array;
  shape: number[];
}
export interface Gpt2 {
  readonly config:
      {layers: number, heads: number, width: number, context: number, vocabulary: number};
  encode(text: string): Promise<SizedToken[]>;
  tokens(): Promise<Token[]>;
  generate(prompt?: string | null, options?: GenerateOptions): AsyncGenerator<Step, void, void>;
  attention(which: {layer?: number, head?: number, token?: number}):
      Promise<Numbers & {first: number}>;
  blocks(which: {token: number}): Promise<Numbers>;
  lens(which: {token: number, top?: number}): Promise<Guess[][]>;
  drawAttention(canvas: Drawable,
                which: {token: number} | {layer: number, head: number}): Promise<void>;
  drawBlocks(canvas: Drawable, which: {token: number}): Promise<void>;
  dispose(): Promise<void>;
}

// ---- From the table: a test writes and compares this part

export interface Functions {
  abs(x: Operand): Tensor;
  add(a: Operand, b: Operand): Tensor;
  arccos(x: Operand): Tensor;
  arccosh(x: Operand): Tensor;
  arcsin(x: Operand): Tensor;
  arcsinh(x: Operand): Tensor;
  arctan(x: Operand): Tensor;
  arctan2(a: Operand, b: Operand): Tensor;
  arctanh(x: Operand): Tensor;
  bitwise_and(a: Operand, b: Operand): Tensor;
  bitwise_or(a: Operand, b: Operand): Tensor;
  bitwise_xor(a: Operand, b: Operand): Tensor;
  cbrt(x: Operand): Tensor;
  ceil(x: Operand): Tensor;
  clip(x: Operand, min: Operand, max: Operand): Tensor;
  copysign(a: Operand, b: Operand): Tensor;
  cos(x: Operand): Tensor;
  cosh(x: Operand): Tensor;
  divide(a: Operand, b: Operand): Tensor;
  equal(a: Operand, b: Operand): Tensor;
  erf(x: Operand): Tensor;
  erfinv(x: Operand): Tensor;
  exp(x: Operand): Tensor;
  exp2(x: Operand): Tensor;
  expm1(x: Operand): Tensor;
  floor(x: Operand): Tensor;
  floor_divide(a: Operand, b: Operand): Tensor;
  fmax(a: Operand, b: Operand): Tensor;
  fmin(a: Operand, b: Operand): Tensor;
  fmod(a: Operand, b: Operand): Tensor;
  greater(a: Operand, b: Operand): Tensor;
  greater_equal(a: Operand, b: Operand): Tensor;
  hypot(a: Operand, b: Operand): Tensor;
  isfinite(x: Operand): Tensor;
  isinf(x: Operand): Tensor;
  isnan(x: Operand): Tensor;
  left_shift(a: Operand, b: Operand): Tensor;
  less(a: Operand, b: Operand): Tensor;
  less_equal(a: Operand, b: Operand): Tensor;
  log(x: Operand): Tensor;
  log10(x: Operand): Tensor;
  log1p(x: Operand): Tensor;
  log2(x: Operand): Tensor;
  logaddexp(a: Operand, b: Operand): Tensor;
  logical_and(a: Operand, b: Operand): Tensor;
  logical_not(x: Operand): Tensor;
  logical_or(a: Operand, b: Operand): Tensor;
  logical_xor(a: Operand, b: Operand): Tensor;
  maximum(a: Operand, b: Operand): Tensor;
  minimum(a: Operand, b: Operand): Tensor;
  multiply(a: Operand, b: Operand): Tensor;
  negative(x: Operand): Tensor;
  not_equal(a: Operand, b: Operand): Tensor;
  power(a: Operand, b: Operand): Tensor;
  reciprocal(x: Operand): Tensor;
  relu(x: Operand): Tensor;
  remainder(a: Operand, b: Operand): Tensor;
  right_shift(a: Operand, b: Operand): Tensor;
  round(x: Operand): Tensor;
  rsqrt(x: Operand): Tensor;
  sigmoid(x: Operand): Tensor;
  sign(x: Operand): Tensor;
  signbit(x: Operand): Tensor;
  sin(x: Operand): Tensor;
  sinh(x: Operand): Tensor;
  softplus(x: Operand): Tensor;
  sqrt(x: Operand): Tensor;
  square(x: Operand): Tensor;
  subtract(a: Operand, b: Operand): Tensor;
  tan(x: Operand): Tensor;
  tanh(x: Operand): Tensor;
  trunc(x: Operand): Tensor;
  where(condition: Operand, x: Operand, y: Operand): Tensor;
  bitwise_not(x: Operand): Tensor;
  nan_to_num(x: Operand, nan?: number, posinf?: number | null, neginf?: number | null): Tensor;
  nan_to_num(x: Operand, named: {nan?: number, posinf?: number | null, neginf?: number | null}):
      Tensor;
  heaviside(x: Operand, at_zero: Operand): Tensor;
  sinc(x: Operand): Tensor;
  xlogy(x: Operand, y: Operand): Tensor;
  logit(x: Operand): Tensor;
  divmod(a: Operand, b: Operand): [Tensor, Tensor];
  sum(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  sum(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  prod(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  prod(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  max(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  max(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  min(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  min(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  mean(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  mean(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  ptp(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  ptp(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  count_nonzero(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  count_nonzero(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  any(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  any(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  all(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  all(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nansum(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nansum(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nanmax(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nanmax(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nanmean(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nanmean(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  logsumexp(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  logsumexp(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  norm(x: Operand, axis?: number | number[] | null, keepdims?: boolean): Tensor;
  norm(x: Operand, named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  argmax(x: Operand, axis?: number | null, keepdims?: boolean): Tensor;
  argmax(x: Operand, named: {axis?: number | null, keepdims?: boolean}): Tensor;
  argmin(x: Operand, axis?: number | null, keepdims?: boolean): Tensor;
  argmin(x: Operand, named: {axis?: number | null, keepdims?: boolean}): Tensor;
  var(x: Operand, axis?: number | number[] | null, ddof?: number, keepdims?: boolean): Tensor;
  var(x: Operand, named: {axis?: number | number[] | null, ddof?: number, keepdims?: boolean}):
      Tensor;
  stddev(x: Operand, axis?: number | number[] | null, ddof?: number, keepdims?: boolean): Tensor;
  stddev(x: Operand, named: {axis?: number | number[] | null, ddof?: number, keepdims?: boolean}):
      Tensor;
  average(x: Operand, axis?: number | number[] | null, weights?: Operand | null): Tensor;
  average(x: Operand, named: {axis?: number | number[] | null, weights?: Operand | null}): Tensor;
  zeros(shape: number[], dtype?: DType): Tensor;
  zeros(shape: number[], named: {dtype?: DType}): Tensor;
  ones(shape: number[], dtype?: DType): Tensor;
  ones(shape: number[], named: {dtype?: DType}): Tensor;
  empty(shape: number[], dtype?: DType): Tensor;
  empty(shape: number[], named: {dtype?: DType}): Tensor;
  full(shape: number[], fill_value: number, dtype?: DType): Tensor;
  full(shape: number[], fill_value: number, named: {dtype?: DType}): Tensor;
  zeros_like(x: Operand): Tensor;
  ones_like(x: Operand): Tensor;
  empty_like(x: Operand): Tensor;
  full_like(x: Operand, fill_value: number, dtype?: DType | null): Tensor;
  full_like(x: Operand, fill_value: number, named: {dtype?: DType | null}): Tensor;
  arange(start: number, stop?: number | null, step?: number): Tensor;
  arange(start: number, named: {stop?: number | null, step?: number}): Tensor;
  iota(n: number): Tensor;
  linspace(start: number, stop: number, num?: number, endpoint?: boolean): Tensor;
  linspace(start: number, stop: number, named: {num?: number, endpoint?: boolean}): Tensor;
  logspace(start: number, stop: number, num?: number, endpoint?: boolean, base?: number): Tensor;
  logspace(start: number, stop: number, named: {num?: number, endpoint?: boolean, base?: number}):
      Tensor;
  eye(N: number, M?: number | null, k?: number, dtype?: DType): Tensor;
  eye(N: number, named: {M?: number | null, k?: number, dtype?: DType}): Tensor;
  indices(dimensions: number[]): Tensor;
  meshgrid(xs: Tensor[], indexing?: string): Tensor[];
  meshgrid(xs: Tensor[], named: {indexing?: string}): Tensor[];
  astype(x: Operand, dtype: DType): Tensor;
  reshape(x: Operand, shape: number[]): Tensor;
  ravel(x: Operand): Tensor;
  transpose(x: Operand, axes?: number[] | null): Tensor;
  transpose(x: Operand, named: {axes?: number[] | null}): Tensor;
  swapaxes(x: Operand, axis1: number, axis2: number): Tensor;
  moveaxis(x: Operand, source: number | number[], destination: number | number[]): Tensor;
  broadcast_to(x: Operand, shape: number[]): Tensor;
  broadcast_arrays(xs: Tensor[]): Tensor[];
  expand_dims(x: Operand, axis: number): Tensor;
  squeeze(x: Operand, axis?: number | number[] | null): Tensor;
  squeeze(x: Operand, named: {axis?: number | number[] | null}): Tensor;
  flip(x: Operand, axis?: number | number[] | null): Tensor;
  flip(x: Operand, named: {axis?: number | number[] | null}): Tensor;
  roll(x: Operand, shift: number | number[], axis?: number | number[] | null): Tensor;
  roll(x: Operand, shift: number | number[], named: {axis?: number | number[] | null}): Tensor;
  rot90(x: Operand, k?: number, axes?: number[]): Tensor;
  rot90(x: Operand, named: {k?: number, axes?: number[]}): Tensor;
  tile(x: Operand, reps: number | number[]): Tensor;
  repeat(x: Operand, repeats: number, axis?: number | null): Tensor;
  repeat(x: Operand, repeats: number, named: {axis?: number | null}): Tensor;
  pad(x: Operand, pad_width: number | number[] | number[][], mode?: string, constant_values?:
      number): Tensor;
  pad(x: Operand, pad_width: number | number[] | number[][], named: {mode?: string,
      constant_values?: number}): Tensor;
  concatenate(arrays: Tensor[], axis?: number): Tensor;
  concatenate(arrays: Tensor[], named: {axis?: number}): Tensor;
  stack(arrays: Tensor[], axis?: number): Tensor;
  stack(arrays: Tensor[], named: {axis?: number}): Tensor;
  vstack(arrays: Tensor[]): Tensor;
  hstack(arrays: Tensor[]): Tensor;
  split(x: Operand, sections: number, axis?: number): Tensor[];
  split(x: Operand, sections: number, named: {axis?: number}): Tensor[];
  array_split(x: Operand, indices_or_sections: number | number[], axis?: number): Tensor[];
  array_split(x: Operand, indices_or_sections: number | number[], named: {axis?: number}): Tensor[];
  index(x: Operand, entries: Index[]): Tensor;
  set_at(x: Operand, entries: Index[], value: Operand): Tensor;
  add_at(x: Operand, entries: Index[], value: Operand): Tensor;
  take(x: Operand, indices: Operand, axis?: number): Tensor;
  take(x: Operand, indices: Operand, named: {axis?: number}): Tensor;
  take_along_axis(x: Operand, indices: Operand, axis: number): Tensor;
  scatter_add(x: Operand, indices: Operand, v: Operand, axis: number): Tensor;
  nonzero(x: Operand): Promise<Tensor[]>;
  sliding_window_view(x: Operand, window_shape: number | number[], axis?: number | number[] | null):
      Tensor;
  sliding_window_view(x: Operand, window_shape: number | number[], named: {axis?: number | number[]
      | null}): Tensor;
  diagonal(x: Operand, offset?: number, axis1?: number, axis2?: number): Tensor;
  diagonal(x: Operand, named: {offset?: number, axis1?: number, axis2?: number}): Tensor;
  diag(x: Operand, k?: number): Tensor;
  diag(x: Operand, named: {k?: number}): Tensor;
  tril(x: Operand, k?: number): Tensor;
  tril(x: Operand, named: {k?: number}): Tensor;
  triu(x: Operand, k?: number): Tensor;
  triu(x: Operand, named: {k?: number}): Tensor;
  matmul(a: Operand, b: Operand, inner?: Scalar | null, columns?: Scalar | null): Tensor;
  matmul(a: Operand, b: Operand, named: {inner?: Scalar | null, columns?: Scalar | null}): Tensor;
  dot(a: Operand, b: Operand): Tensor;
  inner(a: Operand, b: Operand): Tensor;
  outer(a: Operand, b: Operand): Tensor;
  kron(a: Operand, b: Operand): Tensor;
  vecdot(a: Operand, b: Operand, axis?: number): Tensor;
  vecdot(a: Operand, b: Operand, named: {axis?: number}): Tensor;
  cross(a: Operand, b: Operand, axis?: number): Tensor;
  cross(a: Operand, b: Operand, named: {axis?: number}): Tensor;
  tensordot(a: Operand, b: Operand, axes?: number | number[][]): Tensor;
  tensordot(a: Operand, b: Operand, named: {axes?: number | number[][]}): Tensor;
  einsum(subscripts: string, operands: Tensor[]): Tensor;
  trace(x: Operand, offset?: number, axis1?: number, axis2?: number): Tensor;
  trace(x: Operand, named: {offset?: number, axis1?: number, axis2?: number}): Tensor;
  isclose(a: Operand, b: Operand, rtol?: number, atol?: number, equal_nan?: boolean): Tensor;
  isclose(a: Operand, b: Operand, named: {rtol?: number, atol?: number, equal_nan?: boolean}):
      Tensor;
  allclose(a: Operand, b: Operand, rtol?: number, atol?: number, equal_nan?: boolean): Tensor;
  allclose(a: Operand, b: Operand, named: {rtol?: number, atol?: number, equal_nan?: boolean}):
      Tensor;
  array_equal(a: Operand, b: Operand, equal_nan?: boolean): Tensor;
  array_equal(a: Operand, b: Operand, named: {equal_nan?: boolean}): Tensor;
  stop_gradient(x: Operand): Tensor;
  readonly linalg: linalgFunctions;
  readonly random: randomFunctions;
  readonly nn: nnFunctions;
  readonly cm: cmFunctions;
}

export interface linalgFunctions {
  matrix_power(x: Operand, n: number): Tensor;
  multi_dot(arrays: Tensor[]): Tensor;
}

export interface randomFunctions {
  key_data(key: Key): Tensor;
  bits(key: Key, shape: number[]): Tensor;
  uniform(key: Key, shape: number[], low?: number, high?: number): Tensor;
  uniform(key: Key, shape: number[], named: {low?: number, high?: number}): Tensor;
  normal(key: Key, shape: number[], mean?: number, stddev?: number): Tensor;
  normal(key: Key, shape: number[], named: {mean?: number, stddev?: number}): Tensor;
  truncated_normal(key: Key, lower: number, upper: number, shape: number[]): Tensor;
  exponential(key: Key, shape: number[], scale?: number): Tensor;
  exponential(key: Key, shape: number[], named: {scale?: number}): Tensor;
  gumbel(key: Key, shape: number[], loc?: number, scale?: number): Tensor;
  gumbel(key: Key, shape: number[], named: {loc?: number, scale?: number}): Tensor;
  integers(key: Key, shape: number[], low: number, high?: number | null): Tensor;
  integers(key: Key, shape: number[], low: number, named: {high?: number | null}): Tensor;
  bernoulli(key: Key, p?: Operand, shape?: number[] | null): Tensor;
  bernoulli(key: Key, named: {p?: Operand, shape?: number[] | null}): Tensor;
  categorical(key: Key, logits: Operand, axis?: number, shape?: number[] | null): Tensor;
  categorical(key: Key, logits: Operand, named: {axis?: number, shape?: number[] | null}): Tensor;
}

export interface nnFunctions {
  softmax(x: Operand, axis?: number, length?: Scalar | null): Tensor;
  softmax(x: Operand, named: {axis?: number, length?: Scalar | null}): Tensor;
  log_softmax(x: Operand, axis?: number): Tensor;
  log_softmax(x: Operand, named: {axis?: number}): Tensor;
  layer_norm(x: Operand, weight?: Operand | null, bias?: Operand | null, eps?: number): Tensor;
  layer_norm(x: Operand, named: {weight?: Operand | null, bias?: Operand | null, eps?: number}):
      Tensor;
  rms_norm(x: Operand, weight?: Operand | null, eps?: number): Tensor;
  rms_norm(x: Operand, named: {weight?: Operand | null, eps?: number}): Tensor;
  gelu(x: Operand, approximate?: 'none' | 'tanh'): Tensor;
  gelu(x: Operand, named: {approximate?: 'none' | 'tanh'}): Tensor;
  silu(x: Operand): Tensor;
  embedding(ids: Operand, weight: Operand): Tensor;
  linear(x: Operand, weight: Operand, bias?: Operand | null): Tensor;
  linear(x: Operand, weight: Operand, named: {bias?: Operand | null}): Tensor;
  scaled_dot_product_attention(q: Operand, k: Operand, v: Operand, is_causal?: boolean, scale?:
      number | null, past?: Scalar | null): Tensor;
  scaled_dot_product_attention(q: Operand, k: Operand, v: Operand, named: {is_causal?: boolean,
      scale?: number | null, past?: Scalar | null}): Tensor;
  one_hot(ids: Operand, classes: number, dtype?: DType): Tensor;
  one_hot(ids: Operand, classes: number, named: {dtype?: DType}): Tensor;
  mse_loss(x: Operand, target: Operand, reduction?: 'mean' | 'sum' | 'none'): Tensor;
  mse_loss(x: Operand, target: Operand, named: {reduction?: 'mean' | 'sum' | 'none'}): Tensor;
  cross_entropy(logits: Operand, target: Operand, reduction?: 'mean' | 'sum' | 'none'): Tensor;
  cross_entropy(logits: Operand, target: Operand, named: {reduction?: 'mean' | 'sum' | 'none'}):
      Tensor;
}

export interface cmFunctions {
  viridis(x: Operand): Tensor;
  magma(x: Operand): Tensor;
  coolwarm(x: Operand): Tensor;
  turbo(x: Operand): Tensor;
}

export interface Methods {
  abs(): Tensor;
  add(b: Operand): Tensor;
  arccos(): Tensor;
  arccosh(): Tensor;
  arcsin(): Tensor;
  arcsinh(): Tensor;
  arctan(): Tensor;
  arctan2(b: Operand): Tensor;
  arctanh(): Tensor;
  bitwise_and(b: Operand): Tensor;
  bitwise_or(b: Operand): Tensor;
  bitwise_xor(b: Operand): Tensor;
  cbrt(): Tensor;
  ceil(): Tensor;
  clip(min: Operand, max: Operand): Tensor;
  copysign(b: Operand): Tensor;
  cos(): Tensor;
  cosh(): Tensor;
  divide(b: Operand): Tensor;
  equal(b: Operand): Tensor;
  erf(): Tensor;
  erfinv(): Tensor;
  exp(): Tensor;
  exp2(): Tensor;
  expm1(): Tensor;
  floor(): Tensor;
  floor_divide(b: Operand): Tensor;
  fmax(b: Operand): Tensor;
  fmin(b: Operand): Tensor;
  fmod(b: Operand): Tensor;
  greater(b: Operand): Tensor;
  greater_equal(b: Operand): Tensor;
  hypot(b: Operand): Tensor;
  isfinite(): Tensor;
  isinf(): Tensor;
  isnan(): Tensor;
  left_shift(b: Operand): Tensor;
  less(b: Operand): Tensor;
  less_equal(b: Operand): Tensor;
  log(): Tensor;
  log10(): Tensor;
  log1p(): Tensor;
  log2(): Tensor;
  logaddexp(b: Operand): Tensor;
  logical_and(b: Operand): Tensor;
  logical_not(): Tensor;
  logical_or(b: Operand): Tensor;
  logical_xor(b: Operand): Tensor;
  maximum(b: Operand): Tensor;
  minimum(b: Operand): Tensor;
  multiply(b: Operand): Tensor;
  negative(): Tensor;
  not_equal(b: Operand): Tensor;
  power(b: Operand): Tensor;
  reciprocal(): Tensor;
  relu(): Tensor;
  remainder(b: Operand): Tensor;
  right_shift(b: Operand): Tensor;
  round(): Tensor;
  rsqrt(): Tensor;
  sigmoid(): Tensor;
  sign(): Tensor;
  signbit(): Tensor;
  sin(): Tensor;
  sinh(): Tensor;
  softplus(): Tensor;
  sqrt(): Tensor;
  square(): Tensor;
  subtract(b: Operand): Tensor;
  tan(): Tensor;
  tanh(): Tensor;
  trunc(): Tensor;
  where(x: Operand, y: Operand): Tensor;
  bitwise_not(): Tensor;
  nan_to_num(nan?: number, posinf?: number | null, neginf?: number | null): Tensor;
  nan_to_num(named: {nan?: number, posinf?: number | null, neginf?: number | null}): Tensor;
  heaviside(at_zero: Operand): Tensor;
  sinc(): Tensor;
  xlogy(y: Operand): Tensor;
  logit(): Tensor;
  divmod(b: Operand): [Tensor, Tensor];
  sum(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  sum(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  prod(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  prod(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  max(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  max(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  min(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  min(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  mean(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  mean(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  ptp(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  ptp(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  count_nonzero(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  count_nonzero(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  any(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  any(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  all(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  all(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nansum(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nansum(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nanmax(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nanmax(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  nanmean(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  nanmean(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  logsumexp(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  logsumexp(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  norm(axis?: number | number[] | null, keepdims?: boolean): Tensor;
  norm(named: {axis?: number | number[] | null, keepdims?: boolean}): Tensor;
  argmax(axis?: number | null, keepdims?: boolean): Tensor;
  argmax(named: {axis?: number | null, keepdims?: boolean}): Tensor;
  argmin(axis?: number | null, keepdims?: boolean): Tensor;
  argmin(named: {axis?: number | null, keepdims?: boolean}): Tensor;
  var(axis?: number | number[] | null, ddof?: number, keepdims?: boolean): Tensor;
  var(named: {axis?: number | number[] | null, ddof?: number, keepdims?: boolean}): Tensor;
  stddev(axis?: number | number[] | null, ddof?: number, keepdims?: boolean): Tensor;
  stddev(named: {axis?: number | number[] | null, ddof?: number, keepdims?: boolean}): Tensor;
  average(axis?: number | number[] | null, weights?: Operand | null): Tensor;
  average(named: {axis?: number | number[] | null, weights?: Operand | null}): Tensor;
  zeros_like(): Tensor;
  ones_like(): Tensor;
  empty_like(): Tensor;
  full_like(fill_value: number, dtype?: DType | null): Tensor;
  full_like(fill_value: number, named: {dtype?: DType | null}): Tensor;
  astype(dtype: DType): Tensor;
  reshape(shape: number[]): Tensor;
  ravel(): Tensor;
  transpose(axes?: number[] | null): Tensor;
  transpose(named: {axes?: number[] | null}): Tensor;
  swapaxes(axis1: number, axis2: number): Tensor;
  moveaxis(source: number | number[], destination: number | number[]): Tensor;
  broadcast_to(shape: number[]): Tensor;
  expand_dims(axis: number): Tensor;
  squeeze(axis?: number | number[] | null): Tensor;
  squeeze(named: {axis?: number | number[] | null}): Tensor;
  flip(axis?: number | number[] | null): Tensor;
  flip(named: {axis?: number | number[] | null}): Tensor;
  roll(shift: number | number[], axis?: number | number[] | null): Tensor;
  roll(shift: number | number[], named: {axis?: number | number[] | null}): Tensor;
  rot90(k?: number, axes?: number[]): Tensor;
  rot90(named: {k?: number, axes?: number[]}): Tensor;
  tile(reps: number | number[]): Tensor;
  repeat(repeats: number, axis?: number | null): Tensor;
  repeat(repeats: number, named: {axis?: number | null}): Tensor;
  pad(pad_width: number | number[] | number[][], mode?: string, constant_values?: number): Tensor;
  pad(pad_width: number | number[] | number[][], named: {mode?: string, constant_values?: number}):
      Tensor;
  split(sections: number, axis?: number): Tensor[];
  split(sections: number, named: {axis?: number}): Tensor[];
  array_split(indices_or_sections: number | number[], axis?: number): Tensor[];
  array_split(indices_or_sections: number | number[], named: {axis?: number}): Tensor[];
  index(entries: Index[]): Tensor;
  set_at(entries: Index[], value: Operand): Tensor;
  add_at(entries: Index[], value: Operand): Tensor;
  take(indices: Operand, axis?: number): Tensor;
  take(indices: Operand, named: {axis?: number}): Tensor;
  take_along_axis(indices: Operand, axis: number): Tensor;
  scatter_add(indices: Operand, v: Operand, axis: number): Tensor;
  nonzero(): Promise<Tensor[]>;
  sliding_window_view(window_shape: number | number[], axis?: number | number[] | null): Tensor;
  sliding_window_view(window_shape: number | number[], named: {axis?: number | number[] | null}):
      Tensor;
  diagonal(offset?: number, axis1?: number, axis2?: number): Tensor;
  diagonal(named: {offset?: number, axis1?: number, axis2?: number}): Tensor;
  diag(k?: number): Tensor;
  diag(named: {k?: number}): Tensor;
  tril(k?: number): Tensor;
  tril(named: {k?: number}): Tensor;
  triu(k?: number): Tensor;
  triu(named: {k?: number}): Tensor;
  matmul(b: Operand, inner?: Scalar | null, columns?: Scalar | null): Tensor;
  matmul(b: Operand, named: {inner?: Scalar | null, columns?: Scalar | null}): Tensor;
  dot(b: Operand): Tensor;
  inner(b: Operand): Tensor;
  outer(b: Operand): Tensor;
  kron(b: Operand): Tensor;
  vecdot(b: Operand, axis?: number): Tensor;
  vecdot(b: Operand, named: {axis?: number}): Tensor;
  cross(b: Operand, axis?: number): Tensor;
  cross(b: Operand, named: {axis?: number}): Tensor;
  tensordot(b: Operand, axes?: number | number[][]): Tensor;
  tensordot(b: Operand, named: {axes?: number | number[][]}): Tensor;
  trace(offset?: number, axis1?: number, axis2?: number): Tensor;
  trace(named: {offset?: number, axis1?: number, axis2?: number}): Tensor;
  matrix_power(n: number): Tensor;
  isclose(b: Operand, rtol?: number, atol?: number, equal_nan?: boolean): Tensor;
  isclose(b: Operand, named: {rtol?: number, atol?: number, equal_nan?: boolean}): Tensor;
  allclose(b: Operand, rtol?: number, atol?: number, equal_nan?: boolean): Tensor;
  allclose(b: Operand, named: {rtol?: number, atol?: number, equal_nan?: boolean}): Tensor;
  array_equal(b: Operand, equal_nan?: boolean): Tensor;
  array_equal(b: Operand, named: {equal_nan?: boolean}): Tensor;
  softmax(axis?: number, length?: Scalar | null): Tensor;
  softmax(named: {axis?: number, length?: Scalar | null}): Tensor;
  log_softmax(axis?: number): Tensor;
  log_softmax(named: {axis?: number}): Tensor;
  layer_norm(weight?: Operand | null, bias?: Operand | null, eps?: number): Tensor;
  layer_norm(named: {weight?: Operand | null, bias?: Operand | null, eps?: number}): Tensor;
  rms_norm(weight?: Operand | null, eps?: number): Tensor;
  rms_norm(named: {weight?: Operand | null, eps?: number}): Tensor;
  gelu(approximate?: 'none' | 'tanh'): Tensor;
  gelu(named: {approximate?: 'none' | 'tanh'}): Tensor;
  silu(): Tensor;
  embedding(weight: Operand): Tensor;
  linear(weight: Operand, bias?: Operand | null): Tensor;
  linear(weight: Operand, named: {bias?: Operand | null}): Tensor;
  scaled_dot_product_attention(k: Operand, v: Operand, is_causal?: boolean, scale?: number | null,
      past?: Scalar | null): Tensor;
  scaled_dot_product_attention(k: Operand, v: Operand, named: {is_causal?: boolean, scale?: number |
      null, past?: Scalar | null}): Tensor;
  one_hot(classes: number, dtype?: DType): Tensor;
  one_hot(classes: number, named: {dtype?: DType}): Tensor;
  mse_loss(target: Operand, reduction?: 'mean' | 'sum' | 'none'): Tensor;
  mse_loss(target: Operand, named: {reduction?: 'mean' | 'sum' | 'none'}): Tensor;
  cross_entropy(target: Operand, reduction?: 'mean' | 'sum' | 'none'): Tensor;
  cross_entropy(target: Operand, named: {reduction?: 'mean' | 'sum' | 'none'}): Tensor;
  viridis(): Tensor;
  magma(): Tensor;
  coolwarm(): Tensor;
  turbo(): Tensor;
  stop_gradient(): Tensor;
}

// ---- To here
