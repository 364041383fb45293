// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <trigon/tensor.hpp>

namespace trigon {

struct MatmulOptions {
  /// Only the first `inner` entries of the inner axis are read.
  std::optional<Scalar> inner{};
  /// Only the first `columns` columns of the result are computed; the rest are 0 or what an
  /// epilogue makes of 0.
  std::optional<Scalar> columns{};
};

/// NumPy's matmul: (..., M, K) x (..., K, N) -> (..., M, N), the leading axes broadcast; a vector
/// on either side loses its axis again. Computed in float32. Views of either operand are read in
/// place where a whole texel can be fetched, otherwise copied once, which explain() shows.
/// Elementwise consumers of the result are computed in the same draw. Raises Error when the inner
/// sizes differ or an operand is a scalar or not a float.
Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options = {});

Tensor outer(const Tensor& a, const Tensor& b);
/// NumPy's dot of vectors and matrices.
Tensor dot(const Tensor& a, const Tensor& b);

}  // namespace trigon
