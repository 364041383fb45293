// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <trigon/detail/integer.hpp>

namespace trigon {
namespace detail {

/// Raises Error, naming what is called, for an unsigned size from 2^63 on.
template <std::integral T>
std::vector<std::int64_t> sizes_of(const std::vector<T>& sizes) {
  std::vector<std::int64_t> result;
  result.reserve(sizes.size());
  for (const T size : sizes) result.push_back(checked<std::int64_t>(size));
  return result;
}

}  // namespace detail

/// Sizes of up to eight axes; () is a scalar. A small value: copying and comparing allocate
/// nothing.
class Shape {
 public:
  static constexpr int max_rank = 8;

  /// The shape of a scalar.
  Shape() = default;
  /// The sizes of the axes: `Shape{2, 3}`. Raises Error past eight axes or for a negative size.
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  /// Raises Error past eight axes or for a negative size.
  explicit Shape(std::span<const std::int64_t> dims);
  /// The sizes of the axes, of any integer type: `zeros(std::vector<int>{2, 3})`. Raises as above.
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  Shape(const std::vector<T>& dims) {
    const detail::core::Called called("Shape");
    *this = Shape(std::span<const std::int64_t>(detail::sizes_of(dims)));
  }

  /// Number of axes.
  [[nodiscard]] int rank() const { return rank_; }
  /// The size of an axis in [-rank, rank); -1 is the last. Raises Error when it is out of range.
  [[nodiscard]] std::int64_t operator[](int axis) const { return dims_[position(axis)]; }
  [[nodiscard]] std::int64_t& operator[](int axis) { return dims_[position(axis)]; }
  /// The sizes of a tensor of N axes: `auto [rows, columns] = x.shape().sizes<2>()`. Raises Error
  /// when there are not N.
  template <std::size_t N>
  [[nodiscard]] std::array<std::int64_t, N> sizes() const {
    if (N != static_cast<std::size_t>(rank_)) refuse_sizes(static_cast<int>(N));
    std::array<std::int64_t, N> result{};
    for (std::size_t k = 0; k < N; ++k) result[k] = dims_[k];
    return result;
  }
  /// Number of elements: the product of the sizes, 1 for a scalar. Raises Error from 2^63 on.
  [[nodiscard]] std::int64_t numel() const;

  [[nodiscard]] const std::int64_t* begin() const { return dims_.data(); }
  [[nodiscard]] const std::int64_t* end() const { return dims_.data() + rank_; }
  /// The size of the last axis; there must be one.
  [[nodiscard]] std::int64_t back() const { return dims_[static_cast<std::size_t>(rank_ - 1)]; }
  /// Adds an axis at the end. Raises Error past eight axes or for a negative size.
  void push_back(std::int64_t dim);
  /// Adds an axis before `axis`, in [-rank - 1, rank]. Raises Error when it is out of range, past
  /// eight axes or for a negative size.
  void insert(int axis, std::int64_t dim);
  /// Removes an axis. Raises Error when it is out of range.
  void erase(int axis);

  [[nodiscard]] friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  std::size_t position(int axis) const {
    if (axis < -rank_ || axis >= rank_) refuse_axis(axis);
    return static_cast<std::size_t>(axis < 0 ? axis + rank_ : axis);
  }
  [[noreturn]] void refuse_axis(int axis) const;
  [[noreturn]] void refuse_sizes(int count) const;

  // Compilers show this line for `auto [rows, columns] = x.shape()`.
  std::array<std::int64_t, max_rank> dims_{};  // write auto [rows, columns] = x.shape().sizes<2>()
  std::int8_t rank_ = 0;
};

/// The sizes for reshape: like a Shape, but one size may be -1, which is inferred. Converts from a
/// Shape, braces, or a vector or span of integers.
class Dims {
 public:
  Dims(const Shape& shape) : Dims(std::span(shape.begin(), shape.end())) {}
  Dims(std::initializer_list<std::int64_t> sizes) : Dims(std::span(sizes.begin(), sizes.size())) {}
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  Dims(const std::vector<T>& sizes) : Dims(std::span<const std::int64_t>(converted(sizes))) {}
  /// Raises Error past eight axes.
  Dims(std::span<const std::int64_t> sizes);

  [[nodiscard]] const std::int64_t* begin() const { return sizes_.data(); }
  [[nodiscard]] const std::int64_t* end() const { return sizes_.data() + rank_; }

 private:
  template <std::integral T>
  static std::vector<std::int64_t> converted(const std::vector<T>& sizes) {
    const detail::core::Called called("reshape");
    return detail::sizes_of(sizes);
  }

  std::array<std::int64_t, Shape::max_rank> sizes_{};
  std::int8_t rank_ = 0;
};

/// "(2, 3)", "(4,)", "()", as NumPy prints it.
[[nodiscard]] std::string to_string(const Shape& shape);

/// The shape that a and b broadcast to by NumPy's rule: axes are matched from the last, and a size
/// of 1 stretches. Nothing when two sizes differ and neither is 1.
[[nodiscard]] std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// `axis` counted from the front: -1 becomes rank - 1. Raises Error when it is not in
/// [-rank, rank).
[[nodiscard]] int normalize_axis(std::int64_t axis, int rank);

}  // namespace trigon
