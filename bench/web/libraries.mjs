// SPDX-License-Identifier: MIT
// Trigon, tfjs and jax-js, by the same few methods. Each has its own WebGL 2 context.
//
//   input({shape, values})       a tensor on the device
//   prepare(row)                 the row's function, compiled where the library compiles
//   run(f, inputs)               queues a call; a tensor, or a list of them
//   first(result)                resolves with one number, once the whole result is computed
//   queue(f, inputs, count)      queues calls and resolves with one number, after all of them
//   values(result)               resolves with a list of typed arrays
//   dispose(tensors)

const list = (one) => Array.isArray(one) ? one : [one];

function rendererOf(gl) {
  const {UNMASKED_RENDERER_WEBGL: name} = gl.getExtension('WEBGL_debug_renderer_info');
  return gl.getParameter(name);
}

// A result lives until the next one is there. Otherwise both would be drawn to the same texture,
// and llvmpipe drops draws that a later one to the same target covers.
async function queueDraws(library, f, inputs, count) {
  let last = null;
  for (let k = 0; k < count; ++k) {
    const next = library.run(f, inputs);
    if (last) library.dispose(last);
    last = next;
  }
  const value = await library.first(last);
  library.dispose(last);
  return value;
}

async function openTrigon() {
  const {Trigon} = await import('./site/trigon.mjs');
  const t = await Trigon.open({profile: 'webgl2'});
  return {
    name: 'Trigon', renderer: t.renderer,
    input: ({values, shape}) => t.tensor(values, shape),
    prepare({trigon, isCompiled = true}) {
      const f = (...inputs) => trigon(t, ...inputs);
      return isCompiled ? t.compile(f) : (...inputs) => t.scope(() => f(...inputs));
    },
    run(f, inputs) {
      const result = f(...inputs);
      t.eval(list(result)).catch(() => {});  // the read tells of an error, too
      return result;
    },
    first: (result) => t.scope(() => list(result)[0].ravel().at(0).get().item()),
    queue(...given) { return queueDraws(this, ...given); },
    values: (result) => t.data(list(result)),
    dispose: (tensors) => list(tensors).forEach((one) => one.dispose()),
  };
}

async function openTfjs() {
  const {tf} = globalThis;
  tf.enableProdMode();
  tf.env().set('WEBGL_CPU_FORWARD', false);  // small tensors are drawn, too
  await tf.setBackend('webgl');
  await tf.ready();
  if (tf.env().get('WEBGL_VERSION') !== 2) throw new Error('tfjs has no WebGL 2');
  return {
    name: `tfjs ${tf.version_core}`, renderer: rendererOf(tf.backend().gpgpu.gl),
    input: ({values, shape}) => tf.tensor(
        values instanceof Uint8Array ? Int32Array.from(values) : values, shape),
    prepare: ({tfjs}) => (...inputs) => tf.tidy(() => tfjs(tf, ...inputs)),
    run: (f, inputs) => f(...inputs),
    async first(result) {
      const one = tf.tidy(() => tf.slice(tf.reshape(list(result)[0], [-1]), [0], [1]));
      const [value] = await one.data();
      one.dispose();
      return value;
    },
    queue(...given) { return queueDraws(this, ...given); },
    values: (result) => Promise.all(list(result).map((one) => one.data())),
    dispose: (tensors) => tf.dispose(tensors),
  };
}

// Arguments are taken over, unless given as x.ref. Nothing is drawn before it is read, so numbers
// of all results are added up.
async function openJax() {
  const jax = await import('./jax/index.js');
  if (!(await jax.init('webgl')).includes('webgl')) throw new Error('jax-js has no WebGL');
  jax.defaultDevice('webgl');
  const {numpy: np} = jax;
  const element = (result) => list(result).map(
      (one) => one.ref.reshape([-1]).slice([0, 1]).astype(np.float32)).reduce((a, b) => a.add(b));
  return {
    name: 'jax-js', renderer: rendererOf(new OffscreenCanvas(1, 1).getContext('webgl2')),
    input: ({values, shape}) => np.array(
        values instanceof Uint8Array ? Int32Array.from(values) : values,
        {shape, dtype: values instanceof Float32Array ? np.float32 : np.int32}),
    prepare({jax: f, isCompiled = true, isJitted = isCompiled}) {
      const g = (...inputs) => f(jax, ...inputs);
      return isJitted ? jax.jit(g) : g;
    },
    run: (f, inputs) => f(...inputs.map((one) => one.ref)),
    first: async (result) => (await element(result).data())[0],
    async queue(f, inputs, count) {
      let sum = null;
      for (let k = 0; k < count; ++k) {
        const result = this.run(f, inputs);
        sum = sum ? sum.add(element(result)) : element(result);
        this.dispose(result);
      }
      return (await sum.data())[0];
    },
    values: (result) => Promise.all(list(result).map((one) => one.ref.data())),
    dispose: (tensors) => list(tensors).forEach((one) => one.dispose()),
  };
}

export const openings = {trigon: openTrigon, tfjs: openTfjs, jax: openJax};
