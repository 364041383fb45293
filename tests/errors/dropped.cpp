// SPDX-License-Identifier: MIT
#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

// Dropped results: CASE 1 and up must warn. CASE 0 is called for its effects.

namespace trigon {

TRIGON_UNARY(bump) = {
    .name = "bump",
    .glsl = "exp(-x * x)",
    .result = Result::floating,
    .ref = [](double x) { return x; },
    .vjp = nullptr,
    .domain = Range{-3, 3},
    .tolerance = Ulp{16},
};

void use(Tensor x, const Tensor& y, const Device& device) {
  const auto loss = [](const Tensor& v) { return sum(v * v); };
  const auto body = [](Tensor, Tensor s) { return s + 1.0; };
  const auto holds = [](const Tensor& s) { return s < 8.0; };
  const auto step = compile(loss);
  ElementwiseKernel twice("T x", "T y", "y = x + x", "twice");
#if CASE == 0
  x.eval();
  eval({x, y});
  eval(x, y);
  eval(std::pair(x, y));
  x += y;
  x(0) = y(1);
  x(0) -= 1;
  x = y;
  KernelOptions options;
  options.with_gradient(twice);
  Device::default_device();
  save_npy("x.npy", x);
  synchronize(device);
  static_cast<void>(exp(x));
  const DeviceGuard guard(device);
#elif CASE == 1
  x.at(0).set(y);
#elif CASE == 2
  x.astype(int32);
#elif CASE == 3
  exp(x);
#elif CASE == 4
  compile(loss);
#elif CASE == 5
  step(x);
#elif CASE == 6
  random::normal(7, {2, 3});
#elif CASE == 7
  fori_loop(0, 3, body, x);
#elif CASE == 8
  scan([](Tensor s, Tensor v) { return std::pair(s + v, s); }, y, x);
#elif CASE == 9
  while_loop(
      holds, [](Tensor s) { return s * 2.0; }, x);
#elif CASE == 10
  cond(
      x > 0.0, [] { return Tensor(1); }, [] { return Tensor(2); });
#elif CASE == 11
  load_npy("x.npy");
#elif CASE == 12
  SafeTensors("x.safetensors").load("x");
#elif CASE == 13
  x + y;
#elif CASE == 14
  sum(x, 0);
#elif CASE == 15
  concatenate({x, y});
#elif CASE == 16
  grad(loss)(x);
#elif CASE == 17
  value_and_grad(loss)(x);
#elif CASE == 18
  x.read_async<float>();
#elif CASE == 19
  bump(x);
#elif CASE == 20
  twice(x);
#elif CASE == 21
  x.to(device);
#elif CASE == 22
  x(0);
#elif CASE == 23
  tree_map([](const Tensor& leaf) { return leaf * 0.5; }, x);
#elif CASE == 24
  DeviceGuard{device};  // which is left at once
#elif CASE == 25
  where(x > 0.0, x, y);
#elif CASE == 26
  -x;
#elif CASE == 27
  explain(x);
#elif CASE == 28
  SafeTensors("x.safetensors");
#elif CASE == 29
  value_and_grad(loss, x);
#endif
}

}  // namespace trigon
