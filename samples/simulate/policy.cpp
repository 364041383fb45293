// SPDX-License-Identifier: MIT
#include "policy.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include <trigon/trigon.hpp>

#include "keys.hpp"

namespace simulate {

using trigon::Scalar;
using trigon::Tensor;

Tensor Policy::operator()(const Tensor& x) const {
  const Tensor row = expand_dims(x, 1);                               // (elements, 1, inputs)
  const Tensor hidden = tanh(squeeze(matmul(row, in), 1) + in_bias);  // (elements, hidden)
  return squeeze(matmul(expand_dims(hidden, 1), out), 1) + out_bias;  // (elements, outputs)
}

std::vector<Value> Policy::inputs() const {
  return {{"in", in}, {"in_bias", in_bias}, {"out", out}, {"out_bias", out_bias}};
}

Policy random_policy(std::int64_t elements, const Layers& layers, std::int64_t seed) {
  const auto [inputs, hidden, outputs] = layers;
  const auto weights = [&](int k, const trigon::Shape& shape) {
    return trigon::random::normal(Scalar(4 * seed + k), shape);
  };
  Policy policy{weights(0, {elements, inputs, hidden}), weights(1, {elements, hidden}),
                weights(2, {elements, hidden, outputs}), weights(3, {elements, outputs})};
  trigon::eval(trigon::tree_leaves(policy));
  return policy;
}

Policy copies_of(const Policy& policy, const Tensor& element, std::int64_t copies) {
  const Tensor elements = broadcast_to(element, {copies});
  Policy result =
      trigon::tree_map([&](const Tensor& weights) { return take(weights, elements); }, policy);
  trigon::eval(trigon::tree_leaves(result));
  return result;
}

Policy breed(const Policy& parents, const Tensor& given, std::int64_t seed) {
  constexpr double changed = 0.1;
  constexpr double by = 0.5;
  const std::int64_t n = parents.elements();
  const Tensor fitness = where(isnan(given), -std::numeric_limits<float>::infinity(), given).eval();
  const Tensor seed_key = Scalar(seed);
  const auto key = [&](int k) { return fold_in(seed_key, k); };
  const auto winners = [&](int k) {
    const Tensor rivals = integers(key(k), {n, 4}, n);
    return squeeze(take_along_axis(rivals, argmax(take(fitness, rivals), 1, true), 1), 1);
  };
  const Tensor is_first = trigon::arange(n) == 0;
  const Tensor fittest = argmax(fitness);
  const Tensor mother = where(is_first, fittest, winners(0)).eval();
  // Half of them have one parent only, as weights of two networks seldom fit together.
  const Tensor alone = logical_or(is_first, uniform(key(2), {n}) < 0.5);
  const Tensor father = where(alone, mother, winners(1)).eval();
  int next_key = 3;
  Policy result = trigon::tree_map(
      [&](const Tensor& weights) {
        const trigon::Shape& shape = weights.shape();
        const Tensor coin = uniform(key(next_key), shape);
        const Tensor luck = uniform(key(next_key + 1), shape);
        const Tensor noise = normal(key(next_key + 2), shape) * by;
        next_key += 3;
        std::vector<std::int64_t> column(static_cast<std::size_t>(shape.rank()), 1);
        column[0] = n;
        const Tensor is_lucky = luck < changed;
        const Tensor changes = logical_and(is_lucky, logical_not(is_first).reshape(column));
        const Tensor of_mother = take(weights, mother);
        const Tensor of_father = take(weights, father);
        const Tensor child = where(coin < 0.5, of_mother, of_father);
        return child + where(changes, noise, 0.0);
      },
      parents);
  trigon::eval(trigon::tree_leaves(result));
  return result;
}

// Names and loops written out: an array whose index is not a constant is kept in memory.
std::string weights_glsl(const Layers& layers) {
  const auto [inputs, hidden, outputs] = layers;
  std::string text;
  const auto read = [&](const std::string& name, char input, std::int64_t size, std::int64_t first,
                        std::int64_t stride) {
    std::string pieces;
    for (int k = 0; k < 4; ++k) {
      pieces +=
          fmt::format("{}{}(i * {} + {})", k == 0 ? "" : ", ", input, size, first + k * stride);
    }
    text += fmt::format("vec4 {} = vec4({});\n", name, pieces);
  };
  for (std::int64_t q = 0; q < hidden / 4; ++q) {
    for (std::int64_t k = 0; k < inputs; ++k) {
      read(fmt::format("w{}x{}", k, q), 'A', inputs * hidden, k * hidden + 4 * q, 1);
    }
    read(fmt::format("b{}", q), 'B', hidden, 4 * q, 1);
    for (std::int64_t o = 0; o < outputs; ++o) {
      read(fmt::format("v{}x{}", o, q), 'C', hidden * outputs, 4 * q * outputs + o, outputs);
    }
  }
  for (std::int64_t o = 0; o < outputs; ++o) {
    text += fmt::format("float c{0} = D(i * {1} + {0});\n", o, outputs);
  }
  return text;
}

std::string policy_glsl(const Layers& layers) {
  const auto [inputs, hidden, outputs] = layers;
  std::string text;
  for (std::int64_t q = 0; q < hidden / 4; ++q) {
    std::string sum = fmt::format("b{}", q);
    for (std::int64_t k = 0; k < inputs; ++k) sum += fmt::format(" + seen[{0}] * w{0}x{1}", k, q);
    text += fmt::format("vec4 h{} = 1.0 - 2.0 / (exp(2.0 * ({})) + 1.0);  // tanh\n", q, sum);
  }
  text += fmt::format("float outcome[{}];\n", outputs);
  for (std::int64_t o = 0; o < outputs; ++o) {
    std::string sum = fmt::format("c{}", o);
    for (std::int64_t q = 0; q < hidden / 4; ++q)
      sum += fmt::format(" + dot(h{1}, v{0}x{1})", o, q);
    text += fmt::format("outcome[{}] = {};\n", o, sum);
  }
  return text;
}

}  // namespace simulate
