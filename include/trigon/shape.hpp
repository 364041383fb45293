// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace trigon {

/// Sizes of up to eight axes; () is a scalar. A value type that compares and copies cheaply.
class Shape {
 public:
  static constexpr int max_rank = 8;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  /// Raises Error past eight axes or for a negative size.
  explicit Shape(std::span<const std::int64_t> dims);

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return dims_[axis < 0 ? axis + rank_ : axis]; }
  std::int64_t& operator[](int axis) { return dims_[axis < 0 ? axis + rank_ : axis]; }
  /// Product of the sizes; 1 for a scalar.
  std::int64_t numel() const;

  const std::int64_t* begin() const { return dims_.data(); }
  const std::int64_t* end() const { return dims_.data() + rank_; }
  std::int64_t back() const { return dims_[rank_ - 1]; }
  void push_back(std::int64_t dim);
  void insert(int axis, std::int64_t dim);
  void erase(int axis);

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  std::array<std::int64_t, max_rank> dims_{};
  std::int8_t rank_ = 0;
};

/// "(2, 3)", "(4,)", "()", as NumPy prints it.
std::string to_string(const Shape& shape);

/// NumPy's broadcasting of two shapes. Raises Error, naming `function`, when an axis pair differs
/// and neither is 1.
Shape broadcast(const char* function, const Shape& a, const Shape& b);

/// `axis` counted from the front. Raises Error, naming `function`, when it is not in [-rank, rank).
int normalize_axis(const char* function, std::int64_t axis, int rank);

}  // namespace trigon
