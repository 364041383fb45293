// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include <trigon/tensor.hpp>

// Building blocks of networks: plain functions over the ops, with PyTorch's names and semantics.
// Gradients and fusion follow from the ops.

namespace trigon::nn {

/// exp(x - max) / sum(exp(x - max)) along `axis`, of x's shape. With `length`, an integer, only the
/// first `length` entries along the axis count and the others give 0. Raises Error when the axis is
/// out of range or the length is not an integer.
[[nodiscard]] Tensor softmax(const Tensor& x, int axis = -1,
                             const std::optional<Scalar>& length = {});
/// log(softmax(x)) along `axis` without overflow, of x's shape. Raises Error when the axis is out
/// of range.
[[nodiscard]] Tensor log_softmax(const Tensor& x, int axis = -1);

/// Options of layer_norm.
struct LayerNormOptions {
  double eps = 1e-5;  ///< added to the variance
};
/// (x - mean) / sqrt(var + eps) * weight + bias over the last axis of x (..., C). weight and bias
/// are (C,); an empty handle leaves them out. Raises Error when x is a scalar, or weight or
/// bias has another shape. Source: Ba, Kiros and Hinton, arXiv:1607.06450.
template <class = void>  // g++ would take {.eps = 1e-6} for a tensor
[[nodiscard]] Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                                const LayerNormOptions& options = {});
/// The same without bias.
[[nodiscard]] inline Tensor layer_norm(const Tensor& x, const Tensor& weight,
                                       const LayerNormOptions& options) {
  return layer_norm(x, weight, {}, options);
}
/// The same without weight and bias.
[[nodiscard]] inline Tensor layer_norm(const Tensor& x, const LayerNormOptions& options = {}) {
  return layer_norm(x, {}, {}, options);
}
TRIGON_POSITIONAL_(, layer_norm, "(x, weight, bias, {.eps = 1e-6})", const Tensor&, const Tensor&,
                   const Tensor&)
/// x / sqrt(mean(x^2) + eps) * weight over the last axis of x (..., C). weight is (C,) or an empty
/// handle. Raises Error when x is a scalar or weight has another shape. Source:
/// Zhang and Sennrich, arXiv:1910.07467.
[[nodiscard]] Tensor rms_norm(const Tensor& x, const Tensor& weight = {}, double eps = 1e-6);

/// How gelu is computed: x / 2 * (1 + erf(x / sqrt(2))), or the approximation by tanh that GPT-2
/// uses.
enum class Gelu { erf, tanh };
/// Gaussian error linear unit of each element. Source: Hendrycks and Gimpel, arXiv:1606.08415.
[[nodiscard]] Tensor gelu(const Tensor& x, Gelu approximate = Gelu::erf);
/// x * sigmoid(x) of each element. Source: Elfwing, Uchibe and Doya, arXiv:1702.03118.
[[nodiscard]] Tensor silu(const Tensor& x);

/// Rows of weight (V, C) at integer ids (...) -> (..., C), in weight's dtype. A negative id counts
/// from the end; an id out of range is clamped, or with TRIGON_CHECK=1 the evaluation raises Error.
/// Raises Error when weight is not a matrix, V is 0, or ids are not integers.
[[nodiscard]] Tensor embedding(const Tensor& ids, const Tensor& weight);

/// x (..., K) times weight (N, K) transposed, plus bias (N,) unless it is empty -> (..., N). Raises
/// Error when the shapes do not fit or x or weight is not a float.
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

/// Options of scaled_dot_product_attention. T is the number of queries, D the size of a key.
struct AttentionOptions {
  /// Query t sees keys up to t (up to past + t with `past`).
  bool is_causal = false;
  /// Factor of the scores; 1 / sqrt(D) if not given.
  std::optional<double> scale{};
  /// Keys and values are caches with room for S rows: only the first past + T rows are used, and
  /// query t is row past + t. Rows after these are not fetched.
  std::optional<Scalar> past{};
};
/// softmax(q k^T * scale + mask) v for q (..., T, D), k (..., S, D), v (..., S, Dv) -> (..., T,
/// Dv); the leading axes broadcast. Raises Error when the shapes do not fit, an operand is not a
/// float, or `past` is not an integer in [0, S - T]. Source: Vaswani et al., arXiv:1706.03762.
[[nodiscard]] Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const AttentionOptions& options = {});

/// 1 at the index that each id names along a new last axis of `classes`, 0 elsewhere: (...) ->
/// (..., classes). An id out of range gives zeros. Raises Error when ids are not integers, when
/// `classes` is negative, and for ids of eight axes.
[[nodiscard]] Tensor one_hot(const Tensor& ids, std::int64_t classes, DType dtype = float32);

/// The result of a loss: the mean of its elements, their sum, or each of them.
enum class Reduction { mean, sum, none };
/// The mean of (x - target)^2, or the sum or each of them, in float32. Raises Error when the shapes
/// do not broadcast.
[[nodiscard]] Tensor mse_loss(const Tensor& x, const Tensor& target,
                              Reduction reduction = Reduction::mean);
/// -log(softmax(logits)) at the target's class. logits: (C,), (N, C) or (N, C, ...). target:
/// integer classes, without the axis of C, or probabilities of the logits' shape. A negative class,
/// such as PyTorch's -100, leaves its element out: its loss is 0, and the mean is over the others.
/// A class past the last counts as the last one; with TRIGON_CHECK=1 the evaluation raises Error.
/// Raises Error for a scalar and when the shapes do not fit.
///
///   Tensor loss = nn::cross_entropy(nn::linear(x, w), labels);
[[nodiscard]] Tensor cross_entropy(const Tensor& logits, const Tensor& target,
                                   Reduction reduction = Reduction::mean);

}  // namespace trigon::nn
