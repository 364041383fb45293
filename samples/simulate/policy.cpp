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
  const Tensor row = expand_dims(x, 1);                               // (lanes, 1, inputs)
  const Tensor hidden = tanh(squeeze(matmul(row, in), 1) + in_bias);  // (lanes, hidden)
  return squeeze(matmul(expand_dims(hidden, 1), out), 1) + out_bias;  // (lanes, outputs)
}

Policy random_policy(std::int64_t lanes, const Layers& layers, std::int64_t seed) {
  const auto [inputs, hidden, outputs] = layers;
  const auto weights = [&](int k, const trigon::Shape& shape) {
    return trigon::random::normal(Scalar(4 * seed + k), shape);
  };
  Policy policy{weights(0, {lanes, inputs, hidden}), weights(1, {lanes, hidden}),
                weights(2, {lanes, hidden, outputs}), weights(3, {lanes, outputs})};
  trigon::eval(trigon::tree_leaves(policy));
  return policy;
}

Policy copies_of(const Policy& policy, const Tensor& lane, std::int64_t copies) {
  const Tensor lanes = broadcast_to(lane, {copies});
  Policy result =
      trigon::tree_map([&](const Tensor& weights) { return take(weights, lanes); }, policy);
  trigon::eval(trigon::tree_leaves(result));
  return result;
}

Policy breed(const Policy& parents, const Tensor& given, std::int64_t seed) {
  constexpr double changed = 0.1;
  constexpr double by = 0.5;
  const std::int64_t n = parents.lanes();
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
  const Tensor father = where(is_first, fittest, winners(1)).eval();
  int next_key = 2;
  Policy result = trigon::tree_map(
      [&](const Tensor& weights) {
        const trigon::Shape& shape = weights.shape();
        const Tensor coin = uniform(key(next_key), shape);
        const Tensor luck = uniform(key(next_key + 1), shape);
        const Tensor noise = normal(key(next_key + 2), shape) * by;
        next_key += 3;
        std::vector<std::int64_t> column(static_cast<std::size_t>(shape.rank()), 1);
        column[0] = n;
        const Tensor changes = logical_and(luck < changed, logical_not(is_first).reshape(column));
        const Tensor child = where(coin < 0.5, take(weights, mother), take(weights, father));
        return child + where(changes, noise, 0.0);
      },
      parents);
  trigon::eval(trigon::tree_leaves(result));
  return result;
}

std::string weights_glsl(const Layers& layers) {
  const auto [inputs, hidden, outputs] = layers;
  return fmt::format(R"(
    float in_weights[{0}], in_bias[{1}], out_weights[{2}], out_bias[{3}];
    for (int k = 0; k < {0}; ++k) in_weights[k] = A(i * {0} + k);
    for (int k = 0; k < {1}; ++k) in_bias[k] = B(i * {1} + k);
    for (int k = 0; k < {2}; ++k) out_weights[k] = C(i * {2} + k);
    for (int k = 0; k < {3}; ++k) out_bias[k] = D(i * {3} + k);)",
                     inputs * hidden, hidden, hidden * outputs, outputs);
}

std::string policy_glsl(const Layers& layers) {
  return fmt::format(R"(
    float outcome[{2}];
    for (int o = 0; o < {2}; ++o) outcome[o] = out_bias[o];
    for (int h = 0; h < {1}; ++h) {{
      float v = in_bias[h];
      for (int k = 0; k < {0}; ++k) v += seen[k] * in_weights[k * {1} + h];
      v = 1.0 - 2.0 / (exp(2.0 * v) + 1.0);  // tanh
      for (int o = 0; o < {2}; ++o) outcome[o] += v * out_weights[h * {2} + o];
    }})",
                     layers.inputs, layers.hidden, layers.outputs);
}

}  // namespace simulate
