// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/tensor.hpp>

// Making tensors, with NumPy's names and semantics. None of these functions draws: a reader
// computes the value where it needs it.

namespace trigon {

/// A tensor of `shape` filled with `value`, which is cut to a whole number for an integer dtype. It
/// is a constant of the graph: it takes no memory until something is written into it. Raises Error
/// when an integer dtype cannot hold the value.
[[nodiscard]] Tensor full(const Shape& shape, double value, DType dtype = float32);
/// A tensor of zeros; a constant, as full.
[[nodiscard]] Tensor zeros(const Shape& shape, DType dtype = float32);
/// A tensor of ones; a constant, as full.
[[nodiscard]] Tensor ones(const Shape& shape, DType dtype = float32);

namespace detail {

/// Sizes, of which the last one may be a dtype instead.
template <class Last, class... More>
inline constexpr bool are_sizes = HostScalar<Last> || std::is_same_v<Last, DType>;
template <class First, class Second, class... More>
inline constexpr bool are_sizes<First, Second, More...> =
    HostScalar<First>&& are_sizes<Second, More...>;

struct SizesAndDType {
  std::vector<std::int64_t> sizes{};
  DType dtype = float32;
};

template <class... N>
  requires are_sizes<N...>
[[nodiscard]] SizesAndDType sizes_and_dtype(const core::Called&, N... arguments) {
  SizesAndDType result;
  const auto add = [&]<class T>(T argument) {
    if constexpr (std::is_same_v<T, DType>) {
      result.dtype = argument;
    } else {
      static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                    "trigon: a size is a whole number; write zeros(2, 3), not zeros(2.0, 3)");
      result.sizes.push_back(checked<std::int64_t>(argument));
    }
  };
  (add(arguments), ...);
  return result;
}

}  // namespace detail

/// The same for these sizes: `zeros(2, 3)`, `zeros(2, 3, int32)`, `full(3, 7.0)`.
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor zeros(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype(detail::core::Called("zeros"), size, more...);
  return zeros(Shape(sizes), dtype);
}
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor ones(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype(detail::core::Called("ones"), size, more...);
  return ones(Shape(sizes), dtype);
}
template <HostScalar N>
[[nodiscard]] Tensor full(N size, double value, DType dtype = float32) {
  return full(Shape(detail::sizes_and_dtype(detail::core::Called("full"), size).sizes), value,
              dtype);
}
/// A shape of several sizes needs braces: this does not compile.
template <HostScalar A, HostScalar B, HostScalar C, HostScalar... More>
[[nodiscard]] Tensor full(A, B, C, More...) {
  static_assert(detail::never<A>,
                "trigon: full takes a shape, then a value; write full({2, 3}, 7.0)");
  return {};
}
/// Zeros of x's shape and dtype.
[[nodiscard]] Tensor zeros_like(const Tensor& x);
/// Ones of x's shape and dtype.
[[nodiscard]] Tensor ones_like(const Tensor& x);
/// 0, 1, ..., n - 1 as int32, computed where it is read. Raises Error unless 0 <= n < 2^31.
[[nodiscard]] Tensor iota(std::int64_t n);

namespace detail {
Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step);
Tensor arange(double start, double stop, double step);
}  // namespace detail

/// start, start + step, ... below stop (above it for a negative step): int32 if all three are of
/// integer types, else float32. Raises Error when step is 0, for 2^31 elements or more, and for
/// integers that int32 cannot hold.
template <HostScalar A, HostScalar B, HostScalar C = int>
[[nodiscard]] Tensor arange(A start, B stop, C step = 1) {
  constexpr bool integral = std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<C>;
  if constexpr (integral) {
    const detail::core::Called called("arange");
    const auto whole = [](auto number) { return detail::checked<std::int64_t>(number); };
    return detail::arange(whole(start), whole(stop), whole(step));
  } else {
    return detail::arange(static_cast<double>(start), static_cast<double>(stop),
                          static_cast<double>(step));
  }
}
/// 0, 1, ... below stop. Raises as above.
template <HostScalar B>
[[nodiscard]] Tensor arange(B stop) {
  return arange(0, stop);
}
/// n evenly spaced float32 numbers from start to stop, without stop itself if `endpoint` is false.
/// Up to n = 2^24 each is within 0.51 ulp of NumPy's float64 number. Raises Error unless
/// 0 <= n < 2^31.
[[nodiscard]] Tensor linspace(double start, double stop, std::int64_t n = 50, bool endpoint = true);
struct EyeOptions {
  /// The diagonal of ones: above the main one for k > 0.
  int k = 0;
  DType dtype = float32;
};
/// (n, m) with ones on a diagonal and zeros elsewhere; m = -1 means n. Raises Error for another
/// negative size.
///
///   eye(2, 3, {.k = 1});
[[nodiscard]] Tensor eye(std::int64_t n, std::int64_t m = -1, const EyeOptions& options = {});
TRIGON_POSITIONAL_(, eye, "(3, 3, {.k = 1})", std::int64_t, std::int64_t)
template <std::same_as<DType> D>
[[nodiscard]] Tensor eye(std::int64_t, D) {
  static_assert(detail::never<D>, "trigon: options have names; write eye(3, 3, {.dtype = int32})");
  return {};
}
template <std::same_as<DType> D>
[[nodiscard]] Tensor eye(std::int64_t, std::int64_t, D dtype) {
  return eye(0, dtype);
}
/// The lower triangle of the last two axes: zeros above the k-th diagonal. Raises Error for fewer
/// than two axes.
[[nodiscard]] Tensor tril(const Tensor& x, int k = 0);
/// The upper triangle of the last two axes: zeros below the k-th diagonal. Raises Error for fewer
/// than two axes.
[[nodiscard]] Tensor triu(const Tensor& x, int k = 0);

/// `value` in x's shape; in x's dtype unless one is given. Raises as full.
[[nodiscard]] Tensor full_like(const Tensor& x, double value, std::optional<DType> dtype = {});
/// Zeros, since textures are never handed out with their old content. NumPy's empty.
[[nodiscard]] Tensor empty(const Shape& shape, DType dtype = float32);
/// The same for these sizes: `empty(2, 3)`.
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor empty(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype(detail::core::Called("empty"), size, more...);
  return empty(Shape(sizes), dtype);
}
/// empty of x's shape and dtype.
[[nodiscard]] Tensor empty_like(const Tensor& x);
struct LogspaceOptions {
  /// Whether the last exponent is stop itself.
  bool endpoint = true;
  double base = 10.0;
};
/// `n` float32 powers of the base whose exponents are linspace(start, stop, n, endpoint). Raises as
/// linspace.
[[nodiscard]] Tensor logspace(double start, double stop, std::int64_t n = 50,
                              const LogspaceOptions& options = {});
TRIGON_POSITIONAL_(, logspace, "(0, 1, 50, {.endpoint = false})", double, double, std::int64_t)
/// The index along each axis of a shape: int32 of (rank, shape...). Raises Error for eight axes.
[[nodiscard]] Tensor indices(const Shape& shape);
/// The coordinates of a grid, one tensor for each vector x_k of n_k elements.
///
/// indexing: "xy" (n_1, n_0, n_2, ...), as images are indexed, or "ij" (n_0, n_1, n_2, ...).
/// Raises Error for another indexing, for more than eight vectors and for more than one axis; a
/// number counts as a vector of one.
///
///   meshgrid({arange(3), arange(2)})[0];  // 0 1 2, 0 1 2
[[nodiscard]] std::vector<Tensor> meshgrid(const TensorList& xs, std::string_view indexing = "xy");
/// The same with tensors as separate arguments: `meshgrid(u, v)`.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
[[nodiscard]] std::vector<Tensor> meshgrid(const First& first, const More&... more) {
  return meshgrid({first, more...});
}

}  // namespace trigon
