// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

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
/// result lacks that axis. Views of an operand are read in place if whole texels can be fetched,
/// and otherwise copied once, which explain() shows. Elementwise consumers of the result are
/// computed in the same draw. Raises Error when the inner sizes differ, the leading axes do not
/// broadcast, an operand is a scalar or not a float, or an option is not an integer.
///
///   Tensor y = matmul(x, w.T()) + bias;  // one draw
[[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options = {});

/// The products of all pairs of elements: a of M elements, b of N -> (M, N), in the promoted dtype.
[[nodiscard]] Tensor outer(const Tensor& a, const Tensor& b);

/// NumPy's dot for b of up to two axes: matmul, or the product when an operand is a scalar, in the
/// dtype that inner has. Raises Error when b has more axes, and as matmul.
[[nodiscard]] Tensor dot(const Tensor& a, const Tensor& b);

// The products below are sums over pairs of axes. Each is a matmul of views if both operands have
// axes of their own, and otherwise a sum; the products of elements are never stored. Integers are
// multiplied and summed in the dtype that `sum` gives for the promoted dtype of all operands, also
// if no axis is summed over. Bools and int32 give int32, uint8 and uint32 give uint32. Integers
// beside floats are floats.

/// NumPy's einsum: for each index of the result, the sum over all other indices of the product of
/// the operands' elements.
///
/// subscripts: a letter for each axis of each operand, operands separated by commas, and after "->"
///     the letters of the result. Without "->" the result has the letters that occur once, in
///     alphabetical order. A letter twice in one operand is its diagonal; "..." stands for leading
///     axes that broadcast; axes of size 1 stretch. Spaces count for nothing.
/// "..." that the result does not name is summed over, as PyTorch does. With more than two
/// operands, the pair whose product adds the fewest elements is multiplied first. Raises Error for
/// an expression that makes no sense, when it does not fit the operands, and if an intermediate
/// product would have more than eight axes. Summed axes count as well for integers, and if neither
/// operand has an axis of its own.
///
///   einsum("bhqd,bhkd->bhqk", {q, k});  // one matmul
[[nodiscard]] Tensor einsum(std::string_view subscripts, const TensorList& operands);
/// The same with operands as separate arguments: `einsum("ij,jk->ik", x, y)`.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
[[nodiscard]] Tensor einsum(std::string_view subscripts, const First& first, const More&... more) {
  return einsum(subscripts, {first, more...});
}
/// The sum over the last `axes` of a and the first of b: 2 is NumPy's default. Raises Error when
/// their sizes differ or there are fewer.
[[nodiscard]] Tensor tensordot(const Tensor& a, const Tensor& b, int axes = 2);
/// The axes that tensordot sums over, each of a with one of b.
struct SummedAxes {
  IntegerList<int> of_a;
  IntegerList<int> of_b;
};
/// The sum over axes of a, each with its axis of b; the result has the other axes of a, then those
/// of b. Raises Error when their numbers or sizes differ, one is out of range or occurs twice.
///
///   tensordot(x, y, {{0, 1}, {1, 0}});
[[nodiscard]] Tensor tensordot(const Tensor& a, const Tensor& b, const SummedAxes& axes);
/// The sum over the last axes of both, or the product when one is a scalar. Raises Error when their
/// sizes differ.
[[nodiscard]] Tensor inner(const Tensor& a, const Tensor& b);
/// The sum of a * b along an axis, after they broadcast. Raises Error when they do not, when the
/// axis is out of range, and when the sizes along it differ.
[[nodiscard]] Tensor vecdot(const Tensor& a, const Tensor& b, int axis = -1);
/// The cross products of vectors of three elements along an axis; other axes broadcast. Raises
/// Error when they do not, when the axis is out of range, and for another size.
[[nodiscard]] Tensor cross(const Tensor& a, const Tensor& b, int axis = -1);

/// The sum along a diagonal, as sum(diagonal(x, offset, options), -1). Raises as diagonal.
[[nodiscard]] Tensor trace(const Tensor& x, std::int64_t offset = 0,
                           const DiagonalOptions& options = {});
TRIGON_POSITIONAL_(, trace, "(x, 0, {.axis1 = 1, .axis2 = 2})", const Tensor&, std::int64_t)
/// The Kronecker product: each element of a times the whole of b. The one with fewer axes gets
/// leading ones. Raises Error for more than four axes, since an intermediate value has two for
/// each.
[[nodiscard]] Tensor kron(const Tensor& a, const Tensor& b);

namespace linalg {

/// x multiplied by itself, n - 1 times, by repeated squaring; n = 0 gives unit matrices. x:
/// (..., N, N) -> float32 of the same shape. Raises Error for a negative n, for other shapes, and
/// unless x is a float.
[[nodiscard]] Tensor matrix_power(const Tensor& x, std::int64_t n);
/// The product of all matrices, in the order of least multiplications. The first and the last may
/// be vectors, as in matmul. Raises Error for fewer than two, and as matmul.
[[nodiscard]] Tensor multi_dot(const TensorList& xs);

}  // namespace linalg

}  // namespace trigon
