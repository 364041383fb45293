// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <trigon/tensor.hpp>

// What networks are made of: plain functions of the ops, with PyTorch's names and semantics.
// Gradients and fusion follow from the ops.

namespace trigon::nn {

/// exp(x - max) / sum along `axis`, in two draws. `length`: only the first entries along the axis
/// count.
Tensor softmax(const Tensor& x, int axis = -1, const std::optional<Scalar>& length = {});
Tensor log_softmax(const Tensor& x, int axis = -1);

/// Over the last axis: (x - mean) / sqrt(var + eps) * weight + bias. weight and bias: (C,), or
/// empty handles.
Tensor layer_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);
/// Over the last axis: x / sqrt(mean(x^2) + eps) * weight.
Tensor rms_norm(const Tensor& x, const Tensor& weight = {}, double eps = 1e-6);

enum class Gelu { erf, tanh };
/// Hendrycks and Gimpel, arXiv:1606.08415; `tanh` is GPT-2's approximation.
Tensor gelu(const Tensor& x, Gelu approximate = Gelu::erf);
Tensor silu(const Tensor& x);

/// Rows of weight (V, C) at integer ids (...) -> (..., C).
Tensor embedding(const Tensor& ids, const Tensor& weight);

/// x (..., K) times weight (N, K) transposed, plus bias (N,) -> (..., N).
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

struct AttentionOptions {
  bool is_causal = false;
  /// 1 / sqrt(D) when not given.
  std::optional<double> scale{};
  /// Keys and values are caches of which the first past + T rows count, the queries being rows past
  /// ... past + T - 1. Rows beyond are never fetched.
  std::optional<Scalar> past{};
};
/// softmax(q k^T * scale + mask) v for q (..., T, D), k (..., S, D), v (..., S, Dv) -> (..., T,
/// Dv). Vaswani et al., arXiv:1706.03762. With is_causal, query t sees keys up to t (past + t with
/// a cache).
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

}  // namespace trigon::nn
