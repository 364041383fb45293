// SPDX-License-Identifier: MIT
// Elementwise ops, reductions and the cost of an evaluation, each against the same work unfused;
// and each declared op by itself.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "common.hpp"

namespace {

using bench::Bench;
using trigon::Scalar;
using trigon::Slice;
using trigon::Tensor;

struct Variant {
  const char* name;
  std::function<Tensor()> make;  // a new graph, not evaluated
  double bytes = 0;              // that its draws read and write at least
};

// Times the variants in turns, after each result agrees with `expected` at some places. The others'
// ratio_to_unfused refers to the first variant.
struct Case {
  const char* name;
  std::string shape;
  std::vector<Variant> variants;
  std::function<double(std::size_t)> expected;
  double tolerance;  // relative and absolute
};

bool right(const Case& one, const std::vector<float>& found) {
  const std::size_t steps = std::min<std::size_t>(found.size(), 1009);
  for (std::size_t k = 0; k < steps; ++k) {
    const std::size_t i = steps == 1 ? 0 : k * (found.size() - 1) / (steps - 1);
    const double expected = one.expected(i);
    if (!(std::abs(found[i] - expected) <= one.tolerance * (1 + std::abs(expected)))) return false;
  }
  return true;
}

void measure(Bench& bench, const Case& one) {
  if (!bench.wanted(one.name, one.shape)) return;
  std::vector<std::function<void()>> works;
  for (const Variant& variant : one.variants) {
    if (!right(one, variant.make().to_vector<float>())) {
      bench.wrong(fmt::format("{} {}, {}", one.name, one.shape, variant.name));
    }
    works.emplace_back([&bench, &variant] {
      variant.make().eval();
      trigon::synchronize(bench.device());
    });
  }
  const std::vector<double> ms = bench::best_ms(works, 25, 6);
  for (std::size_t k = 0; k < ms.size(); ++k) {
    bench::Entry line{one.name, one.shape, one.variants[k].name, ms[k]};
    line.figures.emplace_back("gbs", one.variants[k].bytes / ms[k] * 1e-6);
    if (ms.size() > 1) line.figures.emplace_back("ratio_to_unfused", ms[0] / ms[k]);
    bench.add(line);
  }
}

constexpr std::int64_t many = 4 << 20;
constexpr double many_bytes = 4.0 * many;

void elementwise(Bench& bench) {
  const std::vector<float> a = bench::numbers(many, 1), b = bench::numbers(many, 2);
  const Tensor x = trigon::tensor<float>(a, {many}), y = trigon::tensor<float>(b, {many});
  measure(bench, {"add",
                  "4M",
                  {{"one draw", [=] { return x + y; }, 3 * many_bytes}},
                  [&](std::size_t i) { return double(a[i]) + b[i]; },
                  1e-6});
  const auto chain = [=](bool fused) {
    const auto step = [fused](const Tensor& t) { return fused ? t : t.eval(); };
    Tensor t = step(x * y);
    t = step(t + 0.5);
    t = step(abs(t));
    t = step(t - y);
    t = step(maximum(t, x));
    return t * 2.0;
  };
  measure(bench, {"chain of six",
                  "4M",
                  {{"six draws", [=] { return chain(false); }, 15 * many_bytes},
                   {"one draw", [=] { return chain(true); }, 3 * many_bytes}},
                  [&](std::size_t i) {
                    const double t = std::abs(double(a[i]) * b[i] + 0.5) - b[i];
                    return 2 * std::max(t, double(a[i]));
                  },
                  1e-5});
  double total = 0;
  for (const float v : a) total += v;
  measure(bench, {"sum",
                  "4M",
                  {{"all", [=] { return sum(x); }, many_bytes}},
                  [=](std::size_t) { return total; },
                  1e-3});
}

constexpr std::int64_t side = 1024;
constexpr double square_bytes = 4.0 * side * side;

struct Row {
  double max = -1e30, sum = 0, mean = 0, variance = 0;
};

Row row_of(const std::vector<float>& x, std::size_t row) {
  Row r;
  const float* at = &x[row * side];
  for (int k = 0; k < side; ++k) {
    r.max = std::max<double>(r.max, at[k]);
    r.mean += at[k] / double(side);
  }
  for (int k = 0; k < side; ++k) {
    r.sum += std::exp(at[k] - r.max);
    r.variance += (at[k] - r.mean) * (at[k] - r.mean) / side;
  }
  return r;
}

void rows(Bench& bench) {
  const std::vector<float> values = bench::numbers(side * side, 3);
  const Tensor x = trigon::tensor<float>(values, {side, side});
  std::vector<Row> expected;
  for (std::size_t k = 0; k < side; ++k) expected.push_back(row_of(values, k));
  const auto column = [](const Tensor& t) { return reshape(t, {side, 1}); };

  // One draw per op, as a library without fusion does it.
  const auto softmax = [=] {
    const Tensor shifted = (x - column(max(x, -1).eval())).eval();
    const Tensor powers = exp(shifted).eval();
    return powers / column(sum(powers, -1).eval());
  };
  measure(bench, {"softmax",
                  "1024x1024",
                  {{"a draw an op", softmax, 8 * square_bytes},
                   {"nn::softmax", [=] { return trigon::nn::softmax(x); }, 3 * square_bytes}},
                  [&](std::size_t i) {
                    const Row& r = expected[i / side];
                    return std::exp(values[i] - r.max) / r.sum;
                  },
                  1e-5});

  const Tensor weight = trigon::tensor<float>(bench::numbers(side, 4), {side});
  const Tensor bias = trigon::tensor<float>(bench::numbers(side, 5), {side});
  const auto w = bench::numbers(side, 4), b = bench::numbers(side, 5);
  const auto norm = [=] {
    const Tensor centred = (x - column(mean(x, -1).eval())).eval();
    const Tensor squares = (centred * centred).eval();
    const Tensor scale = column(sqrt(mean(squares, -1).eval() + 1e-5).eval());
    const Tensor scaled = (centred / scale).eval();
    return (scaled * weight).eval() + bias;
  };
  measure(bench, {"layer_norm",
                  "1024x1024",
                  {{"a draw an op", norm, 12 * square_bytes},
                   {"nn::layer_norm", [=] { return trigon::nn::layer_norm(x, weight, bias); },
                    3 * square_bytes}},
                  [&](std::size_t i) {
                    const Row& r = expected[i / side];
                    const double unit = (values[i] - r.mean) / std::sqrt(r.variance + 1e-5);
                    return unit * w[i % side] + b[i % side];
                  },
                  1e-4});
}

// A mean of each element and its four neighbours, four times.
void stencils(Bench& bench) {
  const std::vector<float> values = bench::numbers(side * side, 6);
  const Tensor x = trigon::tensor<float>(values, {side, side});
  const auto steps = [=](bool stores) {
    Tensor t = x;
    for (int k = 0; k < 4; ++k) {
      const Tensor p = pad(t, std::vector<trigon::PadWidth>{{1, 1}, {1, 1}});
      const auto at = [&](std::int64_t row, std::int64_t column) {
        return p.at(Slice{row, row + side}, Slice{column, column + side}).get();
      };
      t = tanh(0.5 * t + 0.125 * (at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2)));
      if (stores) t.eval();
    }
    return t;
  };
  std::vector<double> expected(values.begin(), values.end());
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> last = expected;
    const auto at = [&](std::int64_t row, std::int64_t column) {
      const bool inside = row >= 0 && row < side && column >= 0 && column < side;
      return inside ? last[static_cast<std::size_t>(row * side + column)] : 0;
    };
    for (std::int64_t i = 0; i < side * side; ++i) {
      const std::int64_t row = i / side, column = i % side;
      expected[static_cast<std::size_t>(i)] =
          std::tanh(0.5 * at(row, column) + 0.125 * (at(row - 1, column) + at(row + 1, column) +
                                                     at(row, column - 1) + at(row, column + 1)));
    }
  }
  measure(bench, {"four stencils",
                  "1024x1024",
                  {{"each stored by hand", [=] { return steps(true); }, 8 * square_bytes},
                   {"one expression", [=] { return steps(false); }, 8 * square_bytes}},
                  [&](std::size_t i) { return expected[i]; },
                  1e-5});
}

// sum_k f(a)[i, k] f(b)[k, j] by broadcasting, f being four functions.
void broadcast_sum(Bench& bench) {
  constexpr std::int64_t n = 256;
  const std::vector<float> a = bench::numbers(n * n, 7), b = bench::numbers(n * n, 8);
  const Tensor x = trigon::tensor<float>(a, {n, n}), y = trigon::tensor<float>(b, {n, n});
  const auto f = [](const Tensor& t) { return tanh(exp(sin(t)) + sigmoid(t)); };
  const auto product = [=](bool stores) {
    const auto kept = [stores](const Tensor& t) { return stores ? t.eval() : t; };
    return sum(expand_dims(kept(f(x)), 2) * expand_dims(kept(f(y)), 0), 1);
  };
  const auto g = [](double t) { return std::tanh(std::exp(std::sin(t)) + 1 / (1 + std::exp(-t))); };
  std::vector<double> expected(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double left = g(a[i * n + k]);
      for (std::size_t j = 0; j < n; ++j) expected[i * n + j] += left * g(b[k * n + j]);
    }
  }
  constexpr double bytes = 3 * 4.0 * n * n;
  measure(bench, {"broadcast sum",
                  "256x256x256",
                  {{"factors stored by hand", [=] { return product(true); }, bytes},
                   {"one expression", [=] { return product(false); }, bytes}},
                  [&](std::size_t i) { return expected[i]; },
                  1e-5});
}

// ---- Every declared op --------------------------------------------------------------------------

struct Operand {
  std::vector<float> values;
  Tensor tensor;
};

// n numbers in the range; integers for integer dtypes, 0 and 1 for bools.
Operand operand(trigon::Range range, trigon::DType dtype, const trigon::Shape& shape,
                std::uint32_t seed) {
  Operand x{bench::numbers(static_cast<std::size_t>(shape.numel()), seed), {}};
  for (float& v : x.values) {
    const double at = range.low + (range.high - range.low) * (0.5 + 0.5 * v);
    v = static_cast<float>(trigon::is_float(dtype) ? at : std::floor(at));
  }
  x.tensor = trigon::tensor<float>(std::span<const float>(x.values), shape).astype(dtype).eval();
  return x;
}

std::vector<double> doubles(const Tensor& y) {
  const auto widen = [](const auto& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  if (y.dtype() == trigon::boolean) return widen(y.to_vector<bool>());
  if (y.dtype() == trigon::int32) return widen(y.to_vector<std::int32_t>());
  if (y.dtype() == trigon::uint32) return widen(y.to_vector<std::uint32_t>());
  return widen(y.to_vector<float>());
}

// One unit in the last place more than declared: the reference is not rounded to float32.
bool agrees(double found, double expected, const trigon::Tolerance& tolerance) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return true;
  const double allowed = (tolerance.ulp + 1) * 0x1p-23 * std::abs(expected) + tolerance.absolute;
  return std::abs(found - expected) <= allowed + 0x1p-126;
}

void time_op(Bench& bench, const trigon::Op& op, const char* shape, const char* variant,
             const std::function<Tensor()>& make, double bytes) {
  const double ms = bench::best_ms(
      [&] {
        make().eval();
        trigon::synchronize(bench.device());
      },
      15, 2);
  bench.add({std::string(op.name), shape, variant, ms, {{"gbs", bytes / ms * 1e-6}}});
}

std::vector<Operand> operands_of(const trigon::Op& op, const trigon::Shape& shape) {
  using trigon::Range, trigon::float32;
  switch (op.family) {
    case trigon::Family::unary: return {operand(op.unary().domain, float32, shape, 11)};
    case trigon::Family::binary: {
      const auto dtype = op.binary().integers_only ? trigon::uint32 : float32;
      return {operand(op.binary().domain_a, dtype, shape, 12),
              operand(op.binary().domain_b, dtype, shape, 13)};
    }
    default: {
      const trigon::TernarySpec& spec = op.ternary();
      return {spec.condition_first ? operand({0, 2}, trigon::boolean, shape, 14)
                                   : operand(spec.domain, float32, shape, 14),
              operand(spec.domain, float32, shape, 15), operand(spec.domain, float32, shape, 16)};
    }
  }
}

Tensor apply(const trigon::Op& op, const std::vector<Operand>& x) {
  if (x.size() == 1) return trigon::detail::apply(op, x[0].tensor);
  if (x.size() == 2) return trigon::detail::apply(op, x[0].tensor, x[1].tensor);
  return trigon::detail::apply(op, x[0].tensor, x[1].tensor, x[2].tensor);
}

double reference(const trigon::Op& op, const std::vector<Operand>& x, std::size_t i) {
  if (x.size() == 1) return op.unary().ref.get()(x[0].values[i]);
  if (x.size() == 2) return op.binary().ref.get()(x[0].values[i], x[1].values[i]);
  return op.ternary().ref.get()(x[0].values[i], x[1].values[i], x[2].values[i]);
}

void elementwise_op(Bench& bench, const trigon::Op& op) {
  if (!bench.wanted(op.name, "1M")) return;
  const std::vector<Operand> x = operands_of(op, {1 << 20});
  const Tensor y = apply(op, x);
  const auto tolerance = op.visit([](const auto& spec) { return spec.tolerance.get(); });
  const std::vector<double> found = doubles(y);
  double bytes = static_cast<double>(size_of(y.dtype())) * (1 << 20);
  for (const Operand& one : x)
    bytes += static_cast<double>(size_of(one.tensor.dtype())) * (1 << 20);
  for (std::size_t i = 0; i < found.size(); i += 1009) {
    if (agrees(found[i], reference(op, x, i), tolerance)) continue;
    bench.wrong(fmt::format("{}: element {} is {:.9g} in place of {:.9g}", op.name, i, found[i],
                            reference(op, x, i)));
    break;
  }
  time_op(
      bench, op, "1M", "element-wise", [&] { return apply(op, x); }, bytes);
}

// All with the same sign, so that no digits cancel in sums.
void reduction_op(Bench& bench, const trigon::Op& op) {
  if (!bench.wanted(op.name, "1024x1024")) return;
  const trigon::ReduceSpec& spec = op.reduce();
  const trigon::Range range{std::max(spec.domain.get().low, 0.0), spec.domain.get().high};
  const Operand x = operand(range, trigon::float32, {side, side}, 17);
  for (const int axis : {1, 0}) {
    const char* const variant = axis == 1 ? "of each row" : "of each column";
    const auto make = [&] { return trigon::detail::reduce(op, x.tensor, axis, false); };
    std::vector<std::vector<double>> found;
    for (const Tensor& result : make()) found.push_back(doubles(result));
    for (std::size_t i = 0; i < side; i += 31) {
      std::vector<double> line(side);
      for (std::size_t k = 0; k < side; ++k) {
        line[k] = x.values[axis == 1 ? i * side + k : k * side + i];
      }
      double expected[4] = {};
      spec.ref.get()(line, expected);
      for (int k = 0; k < spec.outputs; ++k) {
        const double got = found[static_cast<std::size_t>(k)][i];
        if (agrees(got, expected[k], spec.tolerance)) continue;
        bench.wrong(fmt::format("{} {}: output {} of {} is {:.9g} in place of {:.9g}", op.name,
                                variant, k, i, got, expected[k]));
      }
    }
    time_op(
        bench, op, "1024x1024", variant, [&] { return make()[0]; }, square_bytes);
  }
}

void every_op(Bench& bench) {
  for (const trigon::Op* op : trigon::registry()) {
    if (op->family == trigon::Family::reduce) {
      reduction_op(bench, *op);
    } else {
      elementwise_op(bench, *op);
    }
  }
}

// ---- The cost of an evaluation ------------------------------------------------------------------

// A new graph whose plan is known: only hashing, uniforms and the draw remain.
void overhead(Bench& bench) {
  constexpr int evals = 512;
  if (!bench.wanted("eval of a tiny op", "16")) return;
  const Tensor x = trigon::tensor<float>(bench::numbers(16, 6), {16});
  const auto run = [&](int ops) {
    for (int k = 0; k < evals; ++k) {
      Tensor t = x;
      for (int i = 0; i < ops; ++i) t = t + Scalar(k);
      t.eval();
    }
    trigon::synchronize(bench.device());
  };
  run(1);
  run(16);
  const trigon::Counters before = counters(bench.device());
  const double one = bench::best_ms([&] { run(1); }, 9) / evals;
  const double sixteen = bench::best_ms([&] { run(16); }, 9) / evals;
  const trigon::Counters cost = counters(bench.device()) - before;
  if (cost.plans_made != 0) bench.wrong(fmt::format("{} plans made, not 0", cost.plans_made));
  bench.add({"eval of a tiny op", "16", "plan known, one op", one, {{"us", one * 1e3}}});
  bench.add(
      {"eval of a tiny op", "16", "plan known, 16 fused ops", sixteen, {{"us", sixteen * 1e3}}});
}

// An expression that no cache has: the clock gives the order of the ops.
Tensor new_chain(const Tensor& x, std::uint64_t order) {
  Tensor t = x;
  for (int k = 0; k < 24; ++k, order /= 5) {
    switch (order % 5) {
      case 0: t = abs(t) + 0.5; break;
      case 1: t = exp(minimum(t, 1.0)); break;
      case 2: t = t * x; break;
      case 3: t = maximum(t, x); break;
      default: t = t - x; break;
    }
  }
  return t;
}

void compile(Bench& bench) {
  if (!bench.wanted("compile", "24 steps")) return;
  const auto clock = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t order = static_cast<std::uint64_t>(clock) * 0x9e3779b97f4a7c15u;
  const std::vector<float> values = bench::numbers(4096, 7);
  const auto first_eval = [&](const trigon::Device& device) {
    const Tensor x = trigon::tensor<float>(std::span<const float>(values), {4096}, device);
    (x + 1.0).eval();
    trigon::synchronize(device);
    return bench::time_ms([&] {
      new_chain(x, order).eval();
      trigon::synchronize(device);
    });
  };
  bench.add({"compile", "24 steps", "new to the driver", first_eval(bench.device())});
  bench.add({"compile", "24 steps", "known to the driver's cache", first_eval(trigon::Device())});
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("ops", "Times every op, chains of them, reductions and the cost of an evaluation",
              {"gbs", "ratio_to_unfused", "us"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    elementwise(bench);
    rows(bench);
    stencils(bench);
    broadcast_sum(bench);
    every_op(bench);
    overhead(bench);
    compile(bench);
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
