// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "support/golden_calls.hpp"

// PyTorch's golden gradients: rows of the table, and compositions for functions that the library
// lacks.

namespace trigon::support::torch {

using Inputs = std::span<const Tensor>;

using Composition = Tensor (*)(Inputs x, const Json& kw);
using Compositions = std::map<std::string, Composition>;

inline Tensor elu(const Tensor& x, double alpha, double scale) {
  const Tensor below = alpha * expm1(x);
  return scale * where(x > 0.0, x, below);
}

inline Tensor relu6(const Tensor& x) { return clip(x, 0.0, 6.0); }

// ---- Convolutions and pools, over views of windows

// The movement of a window over the axes after (N, C).
struct Moves {
  std::int64_t stride, dilation, padding;

  explicit Moves(const Json& kw)
      : stride(kw.value("stride", 1)),
        dilation(kw.value("dilation", 1)),
        padding(kw.value("padding", 0)) {}
};

// x with `before` elements of `value` before and `after` elements after each axis except the first
// two.
inline Tensor padded(const Tensor& x, std::int64_t before, std::int64_t after, double value) {
  std::vector<PadWidth> widths(static_cast<std::size_t>(x.ndim()), PadWidth{before, after});
  widths[0] = widths[1] = {0, 0};
  return pad(x, widths, value);
}

// (N, C, places..., window...) of a padded x.
inline Tensor windows(const Tensor& x, std::span<const std::int64_t> sizes, const Moves& moves) {
  std::vector<std::int64_t> reach;
  std::vector<int> axes;
  for (const std::int64_t size : sizes) {
    axes.push_back(2 + static_cast<int>(reach.size()));
    reach.push_back((size - 1) * moves.dilation + 1);
  }
  std::vector<Index> steps{Slice{}, Slice{}};
  steps.resize(2 + sizes.size(), Slice{.step = moves.stride});
  steps.resize(2 + 2 * sizes.size(), Slice{.step = moves.dilation});
  return index(sliding_window_view(x, reach, axes), steps);
}

// x (N, C, d...), weight (O, C / groups, k...) -> (N, O, places...).
inline Tensor convolution(const Tensor& x, const Tensor& weight, const Json& kw) {
  const Moves moves(kw);
  const int spatial = x.ndim() - 2;
  const Shape& w = weight.shape();
  const Tensor seen = windows(padded(x, moves.padding, moves.padding, 0.0),
                              std::span(w.begin() + 2, w.end()), moves);
  std::vector<int> order{0};  // (N, places..., C, window...)
  for (int k = 0; k < spatial; ++k) order.push_back(2 + k);
  order.push_back(1);
  for (int k = 0; k < spatial; ++k) order.push_back(2 + spatial + k);
  const std::int64_t groups = kw.value("groups", 1);
  const std::int64_t inner = weight.size() / w[0];
  const Tensor rows = transpose(seen, order).reshape(x.shape()[0], -1, groups, inner);
  const Tensor columns = weight.reshape(groups, w[0] / groups, inner);
  // (N, G, P, O / G)
  const Tensor y = matmul(transpose(rows, {0, 2, 1, 3}), swapaxes(columns, -1, -2));
  Shape shape{x.shape()[0], w[0]};
  for (int k = 0; k < spatial; ++k) shape.push_back(seen.shape()[2 + k]);
  return transpose(y, {0, 1, 3, 2}).reshape(shape);
}

inline Tensor biased(const Tensor& y, const Tensor& bias) {
  return y + bias.reshape(bias.size(), 1, 1);
}

// The gradient of the convolution with the same weight towards its input, of twice x's size.
inline Tensor transposed_convolution(Inputs x, const Json& kw) {
  const Shape& s = x[0].shape();
  const Tensor from = zeros({s[0], x[1].shape()[1], s[2] * 2, s[3] * 2});
  const auto forward = [&](Tensor in) { return convolution(in, x[1], kw); };
  return biased(vjp(forward, from).pullback(x[0]), x[2]);
}

// Elements past the padding that a last, partial window needs.
inline std::int64_t beyond(const Json& kw, std::int64_t n, const Moves& moves) {
  if (!kw.value("ceil_mode", false)) return 0;
  const std::int64_t rest = n + 2 * moves.padding - kw["kernel_size"].get<std::int64_t>();
  return (moves.stride - rest % moves.stride) % moves.stride;
}

// All windows of a pool over (N, C, H, W), padded with `value` and past that with `outside`.
inline Tensor pool_windows(const Tensor& x, const Json& kw, double value, double outside) {
  Json moved = kw;
  if (!kw.contains("stride")) moved["stride"] = kw["kernel_size"];
  const Moves moves(moved);
  const std::vector<PadWidth> more{
      {0, 0}, {0, 0}, {0, beyond(kw, x.shape()[2], moves)}, {0, beyond(kw, x.shape()[3], moves)}};
  const Tensor whole = pad(padded(x, moves.padding, moves.padding, value), more, outside);
  const std::vector<std::int64_t> sizes(2, kw["kernel_size"].get<std::int64_t>());
  return windows(whole, sizes, moves);
}

inline Tensor average_pool(const Tensor& x, const Json& kw) {
  const Tensor counted = pool_windows(ones(x.shape()), kw, 1.0, 0.0);
  const Tensor total = sum(pool_windows(x, kw, 0.0, 0.0), {4, 5});
  return total / sum(counted, {4, 5});
}

inline Tensor max_pool(const Tensor& x, const Json& kw) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  return max(pool_windows(x, kw, lowest, lowest), {4, 5});
}

inline void add_windows(Compositions& t) {
  t["conv1d"] = [](Inputs x, const Json& kw) {
    const Tensor y = convolution(x[0], x[1], kw);
    return y + x[2].reshape(x[2].size(), 1);
  };
  t["conv2d"] = [](Inputs x, const Json& kw) { return biased(convolution(x[0], x[1], kw), x[2]); };
  t["conv_transpose2d"] = transposed_convolution;
  t["avg_pool2d"] = [](Inputs x, const Json& kw) { return average_pool(x[0], kw); };
  t["max_pool2d"] = [](Inputs x, const Json& kw) { return max_pool(x[0], kw); };
}

// Two layers with a relu between them.
inline Tensor chain_mlp(Inputs x, const Json& kw) {
  const auto targets = kw["targets"].get<std::vector<std::int32_t>>();
  const Tensor hidden = relu(matmul(x[0], x[1]) + x[2]);
  const Tensor index = tensor<std::int32_t>(targets, {x[0].shape()[0]});
  return nn::cross_entropy(matmul(hidden, x[3]) + x[4], index);
}

inline void add_activations(Compositions& t) {
  t["leaky_relu"] = [](Inputs x, const Json&) {
    const Tensor below = x[0] * 0.1;
    return where(x[0] > 0.0, x[0], below);
  };
  t["elu"] = [](Inputs x, const Json&) { return elu(x[0], 1, 1); };
  t["selu"] = [](Inputs x, const Json&) {
    return elu(x[0], 1.6732632423543772848, 1.0507009873554804934);
  };
  t["hardswish"] = [](Inputs x, const Json&) { return x[0] * relu6(x[0] + 3.0) / 6.0; };
  t["hardsigmoid"] = [](Inputs x, const Json&) { return relu6(x[0] + 3.0) / 6.0; };
  t["relu6"] = [](Inputs x, const Json&) { return relu6(x[0]); };
  t["mish"] = [](Inputs x, const Json&) { return x[0] * tanh(softplus(x[0])); };
}

inline void add_networks(Compositions& t) {
  t["chain_mlp"] = chain_mlp;
  t["bce_with_logits"] = [](Inputs x, const Json&) {
    const Tensor grown = softplus(x[0]);
    return mean(grown - x[0] * sigmoid(x[1]));
  };
  t["smooth_l1"] = [](Inputs x, const Json&) {
    const Tensor d = abs(x[0] - x[1]);
    const Tensor near = 0.5 * d * d, far = d - 0.5;
    return mean(where(d < 1.0, near, far));
  };
}

inline const Compositions& compositions() {
  static const Compositions all = [] {
    Compositions t;
    add_activations(t);
    add_networks(t);
    add_windows(t);
    return t;
  }();
  return all;
}

/// Cases that only differ by a note, not by their inputs.
inline Tensor noted(const std::string& note, Inputs x) {
  if (note == "x*x same tensor") return x[0] * x[0];
  if (note == "x + x.T") return x[0] + x[0].T();
  return x[0] / sum(x[0], -1, true);  // x/x.sum(-1)
}

inline bool knows(const Json& c) {
  return compositions().count(c["op"]) != 0 || support::row_of(c["op"]) != nullptr;
}

inline Tensor compute(const Json& c, Inputs x) {
  const std::string op = c["op"];
  const auto found = compositions().find(op);
  if (found != compositions().end()) return found->second(x, c["kw"]);
  const Op* declared = support::row_of(op)->op;
  if (declared != nullptr && declared->family == Family::binary && x.size() == 1) {
    return noted(c["note"], x);
  }
  Json in_order = Json::array(), keywords = c["kw"];
  keywords.erase("ignore_index");  // no class below 0 counts, whichever is named
  for (std::size_t k = 0; k < x.size(); ++k) in_order.push_back({{"tensor", k}});
  return support::call(op, x, in_order, keywords)[0];
}

/// The gradients of a case by the inputs that have one, in order, then its value.
inline std::vector<Tensor> gradients_and_value(const Json& c, const GoldenLeaf& leaf) {
  std::vector<Tensor> inputs;
  std::vector<Tensor> differentiated;
  for (std::size_t k = 0; k < c["inputs"].size(); ++k) {
    inputs.push_back(leaf(c["inputs"][k]));
    if (!c["grads"][k].is_null()) differentiated.push_back(inputs.back());
  }
  const bool is_viewed = c["note"] == "of x.T[::2]";
  const Vjp vjp = trigon::vjp(
      [&](Inputs x) {
        std::vector<Tensor> all = inputs;
        std::size_t next = 0;
        for (std::size_t k = 0; k < all.size(); ++k) {
          if (!c["grads"][k].is_null()) all[k] = x[next++];
        }
        if (is_viewed) all[0] = all[0].T()[Slice{{}, {}, 2}];
        return compute(c, all);
      },
      differentiated);
  std::vector<Tensor> results = vjp.pullback(leaf(c["dy"]));
  results.push_back(vjp.value);
  return results;
}

}  // namespace trigon::support::torch
