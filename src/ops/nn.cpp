// SPDX-License-Identifier: MIT
#include "trigon/nn.hpp"
#include "ops/shape.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "entries/entries.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "ops/as_float.hpp"
#include "trigon/create.hpp"
#include "trigon/grad.hpp"
#include "trigon/index.hpp"
#include "trigon/linalg.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon::nn {
namespace {

struct Stats {
  Tensor max;
  Tensor sum;
};

Stats max_and_sum(const Tensor& x, int axis, const std::optional<Scalar>& length) {
  const std::vector<Tensor> stats =
      detail::reduce(entries::named<"max_sumexp">(), x, axis, true, length ? &*length : nullptr);
  // Softmax does not depend on the shift, so the maximum needs no gradient.
  return {stop_gradient(stats[0]), stats[1]};
}

void check_ids(const Tensor& ids) {
  if (is_integer(ids.dtype())) return;
  graph::fail("ids are not integers: they are {}; cast with astype", name(ids.dtype()));
}

void check_channels(const char* what, const Tensor& x, const Tensor& w) {
  if (x.ndim() > 0 && (!w.has_value() || w.shape() == Shape{x.shape()[-1]})) return;
  if (x.ndim() == 0) {
    graph::fail("x is a scalar: x is (); must have an axis");
  }
  graph::fail("{} does not fit: {} is {}, x is {}; must be ({},)", what, what, to_string(w.shape()),
              to_string(x.shape()), x.shape()[-1]);
}

void check_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  if (q.ndim() >= 2 && k.ndim() >= 2 && v.ndim() >= 2) {
    const std::optional<Shape> scores = broadcast(ops::batch_of(q), ops::batch_of(k));
    const bool fits = q.shape()[-1] == k.shape()[-1] && k.shape()[-2] == v.shape()[-2] && scores &&
                      broadcast(*scores, ops::batch_of(v));
    if (fits) {
      return graph::check_floats({{"q", q}, {"k", k}, {"v", v}});
    }
  }
  graph::fail(
      "shapes do not fit: q is {}, k is {}, v is {}; must be (..., T, D), (..., S, D), (..., S, "
      "Dv), and the leading axes must broadcast",
      to_string(q.shape()), to_string(k.shape()), to_string(v.shape()));
}

// The number of keys in use: the cached ones and the new ones.
Scalar length_of(const Scalar& past, std::int64_t queries, std::int64_t keys) {
  const auto node = graph::whole_number("past", past.tensor());
  const auto text = [queries, keys](std::int64_t before) {
    return fmt::format(
        "past is out of range: past is {}, T is {}, S is {}; past must be in [0, S - T]", before,
        queries, keys);
  };
  graph::check_range(*node, 0, keys - queries, text);
  return past + queries;
}

// (T, S): whether query t sees key s. With a cache, query t is row past + t.
Tensor causal_mask(std::int64_t queries, std::int64_t keys, const std::optional<Scalar>& past) {
  const Tensor t = graph::positions(queries, 0, 2);
  const Tensor s = graph::positions(keys, 1, 2);
  return s <= (past ? t + past->tensor() : t);
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, const std::optional<Scalar>& length) {
  const graph::Named named("nn::softmax", {{"x", x}});
  const int k = graph::require_axis(axis, x.ndim());
  const Stats stats = max_and_sum(x, k, length);
  const Tensor y = exp(x - stats.max) / stats.sum;
  if (!length) return y;
  return where(graph::positions(x.shape()[k], k, x.ndim()) < length->tensor(), y, 0.0);
}

Tensor log_softmax(const Tensor& x, int axis) {
  const graph::Named named("nn::log_softmax", {{"x", x}});
  const int k = graph::require_axis(axis, x.ndim());
  const Stats stats = max_and_sum(x, k, {});
  const Tensor shifted = x - stats.max;
  return shifted - log(stats.sum);
}

template <class>
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const LayerNormOptions& options) {
  const graph::Named named("nn::layer_norm",
                           {{"x", x}, {"weight", weight, true}, {"bias", bias, true}});
  check_channels("weight", x, weight);
  check_channels("bias", x, bias);
  const std::vector<Tensor> stats = detail::reduce(entries::named<"moments">(), x, -1, true);
  const auto channels = static_cast<double>(x.shape()[-1]);
  const Tensor centred = (x - stats[0]) - stats[1];
  Tensor y = centred * rsqrt(stats[2] * (1.0 / channels) + options.eps);
  if (weight.has_value()) y = y * weight;
  return bias.has_value() ? y + bias : y;
}
template Tensor layer_norm<void>(const Tensor&, const Tensor&, const Tensor&,
                                 const LayerNormOptions&);

Tensor rms_norm(const Tensor& x, const Tensor& weight, double eps) {
  const graph::Named named("nn::rms_norm", {{"x", x}, {"weight", weight, true}});
  check_channels("weight", x, weight);
  const Tensor y = x * rsqrt(mean(square(x), -1, true) + eps);
  return weight.has_value() ? y * weight : y;
}

Tensor gelu(const Tensor& x, Gelu approximate) {
  const graph::Named named("nn::gelu", {{"x", x}});
  const Tensor half = 0.5 * x;
  if (approximate == Gelu::erf) return half * (1.0 + erf(x * std::sqrt(0.5)));
  const double scale = std::sqrt(2.0 / 3.14159265358979323846);
  return half * (1.0 + tanh(scale * (x + 0.044715 * (x * x * x))));
}

// sigmoid(x) would underflow before the product x * sigmoid(x) does.
Tensor silu(const Tensor& x) {
  const graph::Named named("nn::silu", {{"x", x}});
  return x / (1.0 + exp(-x));
}

Tensor embedding(const Tensor& ids, const Tensor& weight) {
  const graph::Named named("nn::embedding", {{"ids", ids}, {"weight", weight}});
  if (weight.ndim() != 2) {
    graph::fail("weight is not a matrix: weight is {}; must be (V, C)", to_string(weight.shape()));
  }
  check_ids(ids);
  if (weight.shape()[0] == 0 && ids.size() > 0) {
    graph::fail("no rows: weight is {}; V must be 1 or more", to_string(weight.shape()));
  }
  return take(weight, ids, 0);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const graph::Named named("nn::linear", {{"x", x}, {"weight", weight}, {"bias", bias, true}});
  if (x.ndim() == 0 || weight.ndim() != 2 || x.shape()[-1] != weight.shape()[-1]) {
    graph::fail("inner sizes differ: x is {}, weight is {}; must be (..., K) and (N, K)",
                to_string(x.shape()), to_string(weight.shape()));
  }
  if (bias.has_value() && !(bias.shape() == Shape{weight.shape()[0]})) {
    graph::fail("bias does not fit: bias is {}, weight is {}; must be ({},)",
                to_string(bias.shape()), to_string(weight.shape()), weight.shape()[0]);
  }
  graph::check_floats({{"x", x}, {"weight", weight}});
  const Tensor y = matmul(x, weight.T());
  return bias.has_value() ? y + bias : y;
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  const graph::Named named("nn::scaled_dot_product_attention", {{"q", q}, {"k", k}, {"v", v}});
  check_attention(q, k, v);
  const std::int64_t queries = q.shape()[-2];
  const std::int64_t keys = k.shape()[-2];
  const double scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(q.shape()[-1])));
  std::optional<Scalar> length;
  if (options.past) length = length_of(*options.past, queries, keys);
  Tensor scores = matmul(q, swapaxes(k, -1, -2), {.columns = length}) * scale;  // (..., T, S)
  // A single query after `past` others sees all keys in use.
  const bool masked = options.is_causal && !(options.past && queries == 1);
  if (masked) {
    const Tensor mask = causal_mask(queries, keys, options.past);
    scores = where(mask, scores, -std::numeric_limits<double>::infinity());
  }
  return matmul(softmax(scores, -1, length), v, {.inner = length});  // (..., T, Dv)
}

namespace {

Tensor reduced(const Tensor& losses, Reduction reduction, double count) {
  switch (reduction) {
    case Reduction::mean: return sum(losses) / count;
    case Reduction::sum: return sum(losses);
    case Reduction::none: break;
  }
  return losses;
}

}  // namespace

Tensor one_hot(const Tensor& ids, std::int64_t classes, DType dtype) {
  const graph::Named named("nn::one_hot", {{"ids", ids}});
  check_ids(ids);
  if (classes < 0) {
    graph::fail("negative count: {} classes; must be 0 or more", classes);
  }
  const Tensor column = expand_dims(ids, -1);
  return equal(column, iota(classes)).astype(dtype);
}

Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction) {
  const graph::Named named("nn::mse_loss", {{"x", x}, {"target", target}});
  // Raises Error in this function's words when they do not broadcast.
  graph::common_shape({{"x", x}, {"target", target}});
  const Tensor a = ops::as_float(x), b = ops::as_float(target);
  const Tensor losses = square(a - b);
  return reduced(losses, reduction, static_cast<double>(losses.size()));
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, Reduction reduction) {
  const graph::Named named("nn::cross_entropy", {{"logits", logits}, {"target", target}});
  if (logits.ndim() == 0) {
    graph::fail("logits are a scalar: (); must have an axis of classes");
  }
  const int axis = logits.ndim() == 1 ? 0 : 1;
  Shape without = logits.shape();
  without.erase(axis);
  const auto count = static_cast<double>(without.numel());
  const Tensor log_p = log_softmax(logits, axis);
  if (is_float(target.dtype()) && target.shape() == logits.shape()) {
    return reduced(-sum(log_p * target, axis), reduction, count);
  }
  if (is_float(target.dtype()) || target.dtype() == boolean || !(target.shape() == without)) {
    graph::fail(
        "target does not fit: logits are {}, target is {} {}; must be integers of {} or "
        "probabilities of the logits' shape",
        to_string(logits.shape()), name(target.dtype()), to_string(target.shape()),
        to_string(without));
  }
  const Tensor chosen = graph::take_labels(log_p, target, axis);
  const Tensor counts = target >= 0;
  const Tensor losses = where(counts, -chosen, 0.0);
  if (reduction != Reduction::mean) return reduced(losses, reduction, count);
  const Tensor total = sum(losses);
  return total / sum(counts.astype(float32));
}

}  // namespace trigon::nn
