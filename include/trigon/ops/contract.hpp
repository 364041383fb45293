// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <trigon/tensor.hpp>

namespace trigon {

/// Lengths that change from run to run; each is an integer, clamped into its range by the device.
struct MatmulOptions {
  /// Only the first `inner` entries of the inner axis are read.
  std::optional<Scalar> inner{};
  /// Only the first `columns` columns of the result are computed. The others are 0, or the value
  /// that elementwise consumers make of 0.
  std::optional<Scalar> columns{};
};

/// NumPy's matmul: (..., M, K) x (..., K, N) -> (..., M, N) in float32.
///
/// The leading axes broadcast. A vector is taken for a matrix of one row (a) or column (b), and the
/// result lacks that axis. Views of an operand are read in place where whole texels can be fetched,
/// else copied once, which explain() shows. Elementwise consumers of the result are computed in the
/// same draw. Raises Error when the inner sizes differ, the leading axes do not broadcast, an
/// operand is a scalar or not a float, or an option is not an integer.
///
///   Tensor y = matmul(x, w.T()) + bias;  // one draw
Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options = {});

/// The products of all pairs of elements: a of M elements, b of N -> (M, N), in the promoted dtype.
Tensor outer(const Tensor& a, const Tensor& b);

/// NumPy's dot for b of up to two axes: matmul, or the product when an operand is a scalar. Raises
/// Error when b has more axes, and as matmul.
Tensor dot(const Tensor& a, const Tensor& b);

}  // namespace trigon
