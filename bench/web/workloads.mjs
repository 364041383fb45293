// SPDX-License-Identifier: MIT
// Sixteen everyday workloads as rows; rows.mjs describes these.
import {floats, integers, make} from './inputs.mjs';

const small = (...shape) => make(...shape)((random) => 0.1 * random() - 0.05);
const digits = 10;

// ---- Networks

const mlp = {
  name: 'MLP inference, batch 64',
  inputs: [floats(64, 784), small(784, 256), small(256), small(256, 128), small(128),
           small(128, digits), small(digits)],
  trigon(t, x, w1, b1, w2, b2, w3, b3) {
    const h1 = x.matmul(w1).add(b1).relu();
    const h2 = h1.matmul(w2).add(b2).relu();
    return t.nn.softmax(h2.matmul(w3).add(b3), -1);
  },
  tfjs(tf, x, w1, b1, w2, b2, w3, b3) {
    const h1 = tf.fused.matMul({a: x, b: w1, bias: b1, activation: 'relu'});
    const h2 = tf.fused.matMul({a: h1, b: w2, bias: b2, activation: 'relu'});
    return tf.softmax(tf.fused.matMul({a: h2, b: w3, bias: b3}));
  },
  jax({numpy: np, nn}, x, w1, b1, w2, b2, w3, b3) {
    const h1 = nn.relu(np.matmul(x, w1).add(b1));
    const h2 = nn.relu(np.matmul(h1, w2).add(b2));
    return nn.softmax(np.matmul(h2, w3).add(b3), -1);
  },
};

// A step of gradient descent for a network of two layers: the loss and the new parameters.
const training = {
  name: 'MLP training step, batch 64',
  inputs: [floats(64, 784), integers(digits, 64), small(784, 128), small(128),
           small(128, digits), small(digits)],
  trigon(t, x, labels, ...params) {
    const {value, gradients} = t.value_and_grad((w1, b1, w2, b2) => t.nn.cross_entropy(
        x.matmul(w1).add(b1).relu().matmul(w2).add(b2), labels))(...params);
    return [value, ...params.map((one, k) => one.subtract(gradients[k].multiply(0.1)))];
  },
  tfjs(tf, x, labels, ...params) {
    const wanted = tf.oneHot(labels, digits).toFloat();
    const {value, grads} = tf.valueAndGrads((w1, b1, w2, b2) => {
      const hidden = tf.fused.matMul({a: x, b: w1, bias: b1, activation: 'relu'});
      return tf.losses.softmaxCrossEntropy(wanted, tf.fused.matMul({a: hidden, b: w2, bias: b2}));
    })(params);
    return [value, ...params.map((one, k) => tf.sub(one, tf.mul(grads[k], 0.1)))];
  },
  jax({numpy: np, nn, valueAndGrad}, x, labels, ...params) {
    const wanted = nn.oneHot(labels, digits);
    const [value, grads] = valueAndGrad(([w1, b1, w2, b2]) => {
      const hidden = nn.relu(np.matmul(x, w1).add(b1));
      const logits = np.matmul(hidden, w2).add(b2);
      return nn.logSoftmax(logits, -1).mul(wanted).sum().mul(-1 / 64);
    })(params.map((one) => one.ref));
    return [value, ...params.map((one, k) => one.sub(grads[k].mul(0.1)))];
  },
};

const logistic = {
  name: 'logistic regression step, 8192 x 64',
  inputs: [floats(8192, 64), make(8192, 1)((random) => random() < 0.5 ? 0 : 1), small(64, 1)],
  trigon(t, x, y, w) {
    const gradient = t.grad((one) => {
      const z = x.matmul(one);
      return z.softplus().subtract(z.multiply(y)).mean();
    })(w);
    return w.subtract(gradient.multiply(0.5));
  },
  tfjs(tf, x, y, w) {
    const gradient = tf.grad((one) => {
      const z = tf.matMul(x, one);
      return tf.mean(tf.sub(tf.softplus(z), tf.mul(z, y)));
    })(w);
    return tf.sub(w, tf.mul(gradient, 0.5));
  },
  jax({numpy: np, nn, grad}, x, y, w) {
    const gradient = grad((one) => {
      const z = np.matmul(x, one);
      return nn.softplus(z.ref).sub(z.mul(y)).mean();
    })(w.ref);
    return w.sub(gradient.mul(0.5));
  },
};

const attention = {
  name: 'attention, 8 heads of 256 x 64',
  inputs: [floats(8, 256, 64), floats(8, 256, 64), floats(8, 256, 64),
           make(256, 256)((_, k) => k % 256 > Math.floor(k / 256) ? -1e9 : 0)],
  trigon: (t, q, k, v) => t.nn.scaled_dot_product_attention(q, k, v, {is_causal: true}),
  tfjs: (tf, q, k, v, mask) => tf.matMul(
      tf.softmax(tf.add(tf.mul(tf.matMul(q, k, false, true), 1 / 8), mask)), v),
  jax({numpy: np, nn}, q, k, v, mask) {
    mask.dispose();
    const turned = [q, k, v].map((one) => np.transpose(one, [1, 0, 2]));
    return np.transpose(nn.dotProductAttention(...turned, {isCausal: true}), [1, 0, 2]);
  },
};

const embedding = {
  name: 'means of 64 x 32 embeddings',
  inputs: [floats(10000, 128), integers(10000, 64, 32)],
  trigon: (t, table, ids) => t.nn.embedding(ids, table).mean(1),
  tfjs: (tf, table, ids) => tf.mean(tf.gather(table, ids), 1),
  jax: ({numpy: np}, table, ids) => np.mean(np.take(table, ids, 0), 1),
};

const convolution = {
  name: 'convolution 3 x 3, 16 to 32 channels',
  inputs: [floats(128, 128, 16), small(3, 3, 16, 32)],
  trigon: (t, x, w) => t.einsum('hwcij,ijco->hwo', [x.sliding_window_view([3, 3], [0, 1]), w]),
  tfjs: (tf, x, w) => tf.conv2d(x, w, 1, 'valid'),
  jax({numpy: np, lax}, x, w) {
    const image = np.transpose(x, [2, 0, 1]).reshape([1, 16, 128, 128]);
    const y = lax.conv(image, np.transpose(w, [3, 2, 0, 1]), [1, 1], 'VALID');
    return np.transpose(y.reshape([32, 126, 126]), [1, 2, 0]);
  },
};

// ---- Search and statistics

const search = {
  name: 'cosine search, 16 in 10,000 x 256', tolerance: 0,
  inputs: [floats(10000, 256), floats(16, 256)],
  trigon(t, base, query) {
    const unit = (x) => x.divide(x.norm(1, true));
    return unit(query).matmul(unit(base).T).argmax(1);
  },
  tfjs(tf, base, query) {
    const unit = (x) => tf.div(x, tf.norm(x, 'euclidean', 1, true));
    return tf.argMax(tf.matMul(unit(query), unit(base), false, true), 1);
  },
  jax({numpy: np}, base, query) {
    const unit = (x) => x.ref.div(np.sqrt(np.square(x).sum(1, {keepdims: true})));
    return np.argmax(np.matmul(unit(query), np.transpose(unit(base))), 1);
  },
};

const clusters = 32;
const kMeans = {
  name: 'k-means step, 8192 x 16, 32 clusters',
  inputs: [floats(8192, 16), floats(clusters, 16)],
  trigon(t, x, centers) {
    const scores = centers.square().sum(1).subtract(x.matmul(centers.T).multiply(2));
    const members = t.nn.one_hot(scores.argmin(1), clusters);
    return members.T.matmul(x).divide(members.sum(0).maximum(1).reshape([clusters, 1]));
  },
  tfjs(tf, x, centers) {
    const scores = tf.sub(tf.sum(tf.square(centers), 1),
                          tf.mul(tf.matMul(x, centers, false, true), 2));
    const members = tf.oneHot(tf.argMin(scores, 1), clusters).toFloat();
    const counts = tf.reshape(tf.maximum(tf.sum(members, 0), 1), [clusters, 1]);
    return tf.div(tf.matMul(members, x, true), counts);
  },
  jax({numpy: np, nn}, x, centers) {
    const scores = np.square(centers.ref).sum(1).sub(
        np.matmul(x.ref, np.transpose(centers)).mul(2));
    const members = nn.oneHot(np.argmin(scores, 1), clusters);
    const counts = np.maximum(members.ref.sum(0), 1).reshape([clusters, 1]);
    return np.matmul(np.transpose(members), x).div(counts);
  },
};

const powerIteration = {
  name: 'power iteration, 512 squared, 10 steps',
  inputs: [make(512, 512)((random) => random()), make(512, 1)(() => 1)],
  trigon(t, a, v) {
    let x = v;
    for (let k = 0; k < 10; ++k) {
      const y = a.matmul(x);
      x = y.divide(y.norm());
    }
    return x;
  },
  tfjs(tf, a, v) {
    let x = v;
    for (let k = 0; k < 10; ++k) {
      const y = tf.matMul(a, x);
      x = tf.div(y, tf.norm(y));
    }
    return x;
  },
  jax({numpy: np}, a, v) {
    let x = v;
    for (let k = 0; k < 10; ++k) {
      const y = np.matmul(a.ref, x);
      x = y.ref.div(np.sqrt(np.square(y).sum()));
    }
    a.dispose();
    return x;
  },
};

const distances = {
  name: 'distances of 1024 to 1024 points',
  inputs: [floats(1024, 64), floats(1024, 64)],
  trigon(t, a, b) {
    const sizes = (x) => x.square().sum(1);
    return sizes(a).reshape([-1, 1]).add(sizes(b)).subtract(a.matmul(b.T).multiply(2))
        .maximum(0).sqrt();
  },
  tfjs(tf, a, b) {
    const sizes = (x) => tf.sum(tf.square(x), 1);
    const products = tf.mul(tf.matMul(a, b, false, true), 2);
    return tf.sqrt(tf.maximum(tf.sub(tf.add(tf.reshape(sizes(a), [-1, 1]), sizes(b)), products),
                              0));
  },
  jax({numpy: np}, a, b) {
    const sizes = (x) => np.square(x).sum(1);
    const products = np.matmul(a.ref, np.transpose(b.ref)).mul(2);
    return np.sqrt(np.maximum(sizes(a).reshape([-1, 1]).add(sizes(b)).sub(products), 0));
  },
};

const bins = 256;
const histogram = {
  name: 'histogram of 100,000 values', tolerance: 0,
  inputs: [make(100000)((random) => random())],
  trigon: (t, x) => t.nn.one_hot(x.multiply(bins).floor().astype('int32'), bins).sum(0),
  // bincount runs on the processor; a sum of oneHot takes a hundred times as long.
  tfjs: (tf, x) => tf.bincount(tf.cast(tf.floor(tf.mul(x, bins)), 'int32'), [], bins),
  jax: ({numpy: np, nn}, x) => nn.oneHot(np.floor(x.mul(bins)).astype(np.int32), bins).sum(0),
};

// ---- Pictures and simulations

const normalisation = {
  name: 'normalising a picture of 512 x 512',
  inputs: [make(512, 512, 3)((random) => Math.floor(256 * random()), Uint8Array),
           make(3)((_, k) => [0.485, 0.456, 0.406][k]),
           make(3)((_, k) => [0.229, 0.224, 0.225][k])],
  trigon: (t, x, mean, deviation) =>
      x.astype('float32').divide(255).subtract(mean).divide(deviation),
  tfjs: (tf, x, mean, deviation) => tf.div(tf.sub(tf.div(tf.cast(x, 'float32'), 255), mean),
                                           deviation),
  jax: ({numpy: np}, x, mean, deviation) =>
      x.astype(np.float32).div(255).sub(mean).div(deviation),
};

const blur = {
  name: 'box blur 5 x 5 of 1024 x 1024',
  inputs: [floats(1024, 1024)],
  trigon(t, x) {
    const sum = (parts) => parts.reduce((a, b) => a.add(b));
    const spans = [0, 1, 2, 3, 4].map((k) => `${k}:${1020 + k}`);
    const rows = sum(spans.map((span) => x.at(span).get()));
    return sum(spans.map((span) => rows.at(':', span).get())).divide(25);
  },
  tfjs(tf, x) {
    const rows = tf.avgPool(tf.reshape(x, [1024, 1024, 1]), [5, 1], 1, 'valid');
    return tf.reshape(tf.avgPool(rows, [1, 5], 1, 'valid'), [1020, 1020]);
  },
  jax({lax, numpy: np}, x) {
    const mean = (window) => np.mean(window);
    return lax.reduceWindow(lax.reduceWindow(x, mean, [5, 1]), mean, [1, 5]);
  },
};

const side = 512;
const lifeSteps = 10;
const life = {
  name: 'game of life, 512 x 512, 10 steps', tolerance: 0, isJitted: false,
  inputs: [make(side, side)((random) => random() < 0.3 ? 1 : 0)],
  trigon(t, start) {
    const three = (x, axis) => x.add(x.roll(1, axis)).add(x.roll(-1, axis));
    let x = start;
    for (let k = 0; k < lifeSteps; ++k) {
      const sum = three(three(x, 0), 1);  // with the cell itself
      x = sum.equal(3).logical_or(sum.equal(4).logical_and(x.equal(1))).astype('float32');
    }
    return x;
  },
  tfjs(tf, start) {
    const three = (x, axis) => {
      const part = (from, count) => axis === 0 ? tf.slice(x, [from, 0], [count, side]) :
                                                 tf.slice(x, [0, from], [side, count]);
      const before = tf.concat([part(side - 1, 1), part(0, side - 1)], axis);
      const after = tf.concat([part(1, side - 1), part(0, 1)], axis);
      return tf.add(tf.add(x, before), after);
    };
    let x = start;
    for (let k = 0; k < lifeSteps; ++k) {
      const sum = three(three(x, 0), 1);
      x = tf.cast(tf.logicalOr(tf.equal(sum, 3),
                               tf.logicalAnd(tf.equal(sum, 4), tf.equal(x, 1))), 'float32');
    }
    return x;
  },
  jax({numpy: np, jit}, start) {
    life.step ??= jit((x) => {
      const three = (y, axis) => y.ref.add(np.roll(y.ref, 1, axis)).add(np.roll(y, -1, axis));
      const sum = three(three(x.ref, 0), 1);
      return np.where(np.equal(sum.ref, 3), 1, np.where(np.equal(sum, 4), x, 0));
    });
    let x = start;
    for (let k = 0; k < lifeSteps; ++k) x = life.step(x);
    return x;
  },
};

const iterations = 50;
const mandelbrot = {
  name: 'Mandelbrot, 256 x 256, 50 iterations', isJitted: false,
  tolerance: 1 / iterations,  // roundings end a point one iteration earlier or later
  inputs: [make(256, 256)((_, k) => -2 + 2.5 * (k % 256) / 256),
           make(256, 256)((_, k) => -1.25 + 2.5 * Math.floor(k / 256) / 256)],
  trigon: (t, cx, cy) => t.fori_loop(0, iterations, (i, [x, y, count]) => {
    const inside = x.square().add(y.square()).less(4);
    return [t.where(inside, x.square().subtract(y.square()).add(cx), x),
            t.where(inside, x.multiply(y).multiply(2).add(cy), y), count.add(inside)];
  }, [cx, cy, t.zeros_like(cx)])[2],
  tfjs(tf, cx, cy) {
    let [x, y, count] = [cx, cy, tf.zerosLike(cx)];
    for (let k = 0; k < iterations; ++k) {
      const inside = tf.less(tf.add(tf.square(x), tf.square(y)), 4);
      const next = tf.add(tf.sub(tf.square(x), tf.square(y)), cx);
      y = tf.where(inside, tf.add(tf.mul(tf.mul(x, y), 2), cy), y);
      x = tf.where(inside, next, x);
      count = tf.add(count, tf.cast(inside, 'float32'));
    }
    return count;
  },
  jax({numpy: np, jit}, cx, cy) {
    mandelbrot.step ??= jit((a, b, x, y, count) => {
      const inside = np.less(np.square(x.ref).add(np.square(y.ref)), 4);
      const next = np.square(x.ref).sub(np.square(y.ref)).add(a);
      return [np.where(inside.ref, next, x.ref),
              np.where(inside.ref, x.mul(y.ref).mul(2).add(b), y),
              count.add(inside.astype(np.float32))];
    });
    let [x, y, count] = [cx.ref, cy.ref, np.zerosLike(cx.ref)];
    for (let k = 0; k < iterations; ++k) {
      [x, y, count] = mandelbrot.step(cx.ref, cy.ref, x, y, count);
    }
    [cx, cy, x, y].forEach((one) => one.dispose());
    return count;
  },
};

const million = 1 << 20;
const options = {
  name: 'Black-Scholes, 1 M options',
  inputs: [make(million)((random) => 50 + 100 * random()),
           make(million)((random) => 50 + 100 * random()),
           make(million)((random) => 0.1 + 2 * random())],
  trigon(t, price, strike, time) {
    const cdf = (x) => x.multiply(Math.SQRT1_2).erf().add(1).multiply(0.5);
    const spread = time.sqrt().multiply(0.2);
    const d = price.divide(strike).log().add(time.multiply(0.05)).divide(spread);
    return price.multiply(cdf(d)).subtract(
        strike.multiply(time.multiply(-0.03).exp()).multiply(cdf(d.subtract(spread))));
  },
  tfjs(tf, price, strike, time) {
    const cdf = (x) => tf.mul(tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1), 0.5);
    const spread = tf.mul(tf.sqrt(time), 0.2);
    const d = tf.div(tf.add(tf.log(tf.div(price, strike)), tf.mul(time, 0.05)), spread);
    return tf.sub(tf.mul(price, cdf(d)),
                  tf.mul(tf.mul(strike, tf.exp(tf.mul(time, -0.03))), cdf(tf.sub(d, spread))));
  },
  jax({numpy: np, lax}, price, strike, time) {
    const cdf = (x) => lax.erf(x.mul(Math.SQRT1_2)).add(1).mul(0.5);
    const spread = np.sqrt(time.ref).mul(0.2);
    const d = np.log(price.ref.div(strike.ref)).add(time.ref.mul(0.05)).div(spread.ref);
    return price.mul(cdf(d.ref)).sub(strike.mul(np.exp(time.mul(-0.03))).mul(cdf(d.sub(spread))));
  },
};

export const workloads = [
  mlp, training, logistic, attention, embedding, convolution, search, kMeans, powerIteration,
  distances, histogram, normalisation, blur, life, mandelbrot, options,
];
