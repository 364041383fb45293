// SPDX-License-Identifier: MIT
// A program that calls each template, and has functions with the names of the library's rooms. It
// must compile without a warning, also with -Wshadow and -Wconversion.
#include <trigon/extend.hpp>  // before all others, so that these see its names
#include <trigon/trigon.hpp>

using namespace trigon;

namespace {

int core() { return 1; }
int emit() { return 2; }
int gl() { return 3; }
int graph() { return 4; }
int io() { return 5; }
int lower() { return 6; }
int plan() { return 7; }
int rewrite() { return 8; }
int run() { return 9; }
int schedule() { return 10; }

}  // namespace

int named() {
  return core() + emit() + gl() + graph() + io() + lower() + plan() + rewrite() + run() +
         schedule();
}

TRIGON_UNARY(bump) = {
    .name = "bump",
    .glsl = "exp(-x * x)",
    .result = Result::floating,
    .ref = [](double x) { return x; },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor& y) { return g * y * x * -2.0; },
    .domain = Range{-3, 3},
    .tolerance = Ulp{16},
};

Tensor own(const Tensor& x) {
  const ElementwiseKernel twice("T x", "T y", "y = 2 * x", "twice");
  const ReductionKernel norm2("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0", "norm2");
  const Kernel one({.name = "one", .inputs = {"image"}, .body = "out = 1.0;"});
  return bump(x) + twice(x) + norm2(x, 0) + one(x);
}

struct Pair {
  Tensor a, b;
  int steps = 3;
};

Tensor made(const Device& device) {
  Tensor x =
      zeros(3) + ones(2, 3U) + full(3, 1) + empty(2L, 2) + zeros(3, int32) + ones(2, 3, int32);
  x += tensor<float>({1, 2, 3}, {3}, device) + tensor({1.0, 2.0}) + tensor<std::int64_t>({1});
  x += tensor(std::vector<bool>{true}, {1}, device) + Tensor{{1, 2}, {3, 4}} + Tensor(3U);
  x += arange(3) + arange(0, 3U) + arange(0.0, 1.0, 0.1) + random::normal(7U, {2, 3});
  return x;
}

Tensor read(Tensor x, const Tensor& y) {
  const auto [a, b] = split<2>(x);
  const auto [rows, columns] = x.shape().sizes<2>();
  const auto [k1, k2] = random::split<2>(7);
  const std::size_t position = 2;
  x(0, Slice{1, position}) += x[position] + x(rows - columns);
  x = stack(x, y) + concatenate(a, b, y) + einsum("ij,jk->ik", x, y) + vstack(x, y) + hstack(x, y) +
      concat(x, y) + meshgrid(x, y)[0] + broadcast_arrays(x, y)[0];
  x = x.reshape(2, 3U).transpose(1, 0).sum(0).max({0, 1}, true).clip(0, 1.5) % 3;
  x = (x && 1) || !y || (true && x);
  x = pad(x, 1) + pad(x, {1, 2}, 3.0) + pad(x, {{1, 1}, {0, 2}}) + pad(x, 1U, "edge");
  x = reshape(x, 2, 3U) + reshape(x, -1) + transpose(x, 1, 0) + linspace(0, 1);
  x = x + x.size(0) + x.to_vector()[position];
  x = stack(std::vector{x(0), x(1)}) + random::normal(k1, {2, 3}) + random::normal(k2, {2, 3});
  for (const Tensor& row : x) x += row;
  return sum(x, -1) + x.item<int>() + x.item() + static_cast<float>(x.to_vector<double>()[0]) +
         static_cast<float>(x.to_vector<std::int64_t>()[0]) + x.read_async<std::uint8_t>().get()[0];
}

Scalar counted(Scalar s) {
  s += 1;
  s -= 2.5;
  s *= 3U;
  s /= 4;
  return 2 / s + s / 2 - s * 2 + minimum(s, 1) + maximum(2.0, s);
}

Tensor looped(Tensor x, Pair state) {
  state = fori_loop(
      0, 10,
      [](Tensor i, Pair p) {
        p.a = p.a + i;
        return p;
      },
      state);
  auto [last, pieces] = scan([](Tensor s, Tensor v) { return std::pair(s + v, v(0)); }, x(0), x);
  x = while_loop([](const Tensor& s) { return all(s < 3); }, [](const Tensor& s) { return s + 1; },
                 last, 10);
  return cond(
      any(pieces), [](Tensor v) { return v(0); }, [](Tensor v) { return v + 1; }, x);
}

Tensor trained(const Tensor& x, Pair p) {
  const auto loss = [&](const Pair& each) { return mean(square(each.a * x - each.b)); };
  const auto with_pieces = [&](const Pair& each) { return std::pair(sum(each.a), each.b); };
  auto [value, gradients] = value_and_grad(loss)(p);
  auto [now, slopes] = value_and_grad(loss, p);
  eval(now, slopes);
  eval(x, value);
  auto [both, aux] = grad(with_pieces, has_aux)(p);
  auto [y, pullback] = vjp([](const Tensor& a, const Tensor& b) { return a * b; }, p.a, p.b);
  p = tree_map([](Tensor w, const Tensor& g) { return w - 0.1 * g; }, p, gradients);
  p = tree_unflatten(both, tree_leaves(std::move(p)));
  auto step = compile([](Tensor v, Scalar rate, Pair q) { return std::tuple(v * rate, q, rate); });
  auto [next, same, rate] = step(x, 0.5F, p);
  return next * rate + value + aux + y + std::get<0>(pullback(y));
}
