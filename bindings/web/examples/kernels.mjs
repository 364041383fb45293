// SPDX-License-Identifier: MIT
// Kernels in GLSL.
export async function run(t, print) {
  const squaredDifference = t.ElementwiseKernel('T x, T y', 'T z', 'z = (x - y) * (x - y)',
                                                'squared_difference');
  const reversed = t.ElementwiseKernel('raw T x', 'T y', 'y = x[_ind_size - 1 - i]', 'reversed');
  const l2norm = t.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0.0', 'l2norm');
  const blur = t.Kernel({name: 'blur', inputs: ['image'], uniforms: {radius: 1}, body: `
    float sum = 0.0;
    for (int k = -8; k <= 8; ++k) {
      if (k >= -radius && k <= radius) sum += image(_out_0, _out_1 + k);
    }
    out = sum / float(2 * radius + 1);`});
  const x = t.tensor([3, 0, 0, 9, 0, 6], [2, 3]);
  const show = async (y) => print(Array.from(await y.data(), (v) => +v.toPrecision(6)).join(' '));
  await show(squaredDifference(x, 1).multiply(2));  // one draw
  await show(reversed.call([x], {shape: [6]})[0]);
  await show(l2norm(x, 0));
  await show(blur(x));
  try {
    await show(t.ElementwiseKernel('T x', 'T y', 'T s = x;\ny = s * rate;', 'wrong')(x));
  } catch (error) {
    print(error.message);
  }
}
