// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace trigon {

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

  /// Number of axes.
  int rank() const { return rank_; }
  /// The size of an axis in [-rank, rank), which is not checked; -1 is the last.
  std::int64_t operator[](int axis) const { return dims_[axis < 0 ? axis + rank_ : axis]; }
  std::int64_t& operator[](int axis) { return dims_[axis < 0 ? axis + rank_ : axis]; }
  /// Number of elements: the product of the sizes, 1 for a scalar. Raises Error from 2^63 on.
  std::int64_t numel() const;

  const std::int64_t* begin() const { return dims_.data(); }
  const std::int64_t* end() const { return dims_.data() + rank_; }
  /// The size of the last axis; there must be one.
  std::int64_t back() const { return dims_[rank_ - 1]; }
  /// Adds an axis at the end. Raises Error past eight axes or for a negative size.
  void push_back(std::int64_t dim);
  /// Adds an axis before `axis`, in [-rank - 1, rank]. Raises Error when it is out of range, past
  /// eight axes or for a negative size.
  void insert(int axis, std::int64_t dim);
  /// Removes an axis. Raises Error when it is out of range.
  void erase(int axis);

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  std::array<std::int64_t, max_rank> dims_{};
  std::int8_t rank_ = 0;
};

/// "(2, 3)", "(4,)", "()", as NumPy prints it.
std::string to_string(const Shape& shape);

/// The shape that a and b broadcast to by NumPy's rule: axes are matched from the last, and a size
/// of 1 stretches. Raises Error, naming `function`, when two sizes differ and neither is 1.
Shape broadcast(const char* function, const Shape& a, const Shape& b);

/// `axis` counted from the front: -1 becomes rank - 1. Raises Error, naming `function`, when it is
/// not in [-rank, rank).
int normalize_axis(const char* function, std::int64_t axis, int rank);

}  // namespace trigon
