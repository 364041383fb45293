// SPDX-License-Identifier: MIT
// A training step: the network of README.md, which learns the sine.
export async function run(t, print) {
  const x = t.linspace(-3, 3, 64).reshape([64, 1]), y = x.sin();
  const loss = ({w1, b1, w2, b2}) => {
    const hidden = t.nn.linear(x, w1, b1).tanh();  // (64, 16)
    return t.nn.linear(hidden, w2, b2).subtract(y).square().mean();
  };
  const step = t.compile((network, rate) => {
    const {value, gradients} = t.value_and_grad(loss)(network);
    const next = t.tree_map((w, g) => w.subtract(g.multiply(rate)), network, gradients);
    return [value, next];
  }, {donate: [0]});
  let value, network = {w1: t.ones([16, 1]), b1: t.linspace(-3, 3, 16), w2: t.zeros([1, 16]),
                        b2: t.zeros([1])};
  for (let k = 0; k <= 200; ++k) {
    [value, network] = step(network, t.scalar(0.02));
    if (k % 50 === 0) print(`${k}: ${(await value.item()).toFixed(3)}`);
  }
}
