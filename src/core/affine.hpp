// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <trigon/detail/shape_class.hpp>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// An index as an affine function of index instructions of a kernel: constant + the sum over terms
/// of factor * the instruction with the number `id`.
struct Affine {
  struct Term {
    std::int32_t id;
    std::int64_t factor;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms{};  ///< sorted by id, no factor is 0
  std::int64_t constant = 0;

  /// Adds `factor` times another one.
  void add(const Affine& other, std::int64_t factor = 1);
  friend bool operator==(const Affine&, const Affine&) = default;
};
/// One index per axis.
using Indices = std::vector<Affine>;

Affine operator+(Affine a, const Affine& b);
Affine operator+(Affine a, std::int64_t constant);
Affine operator*(Affine a, std::int64_t factor);

/// The position of an element in C order.
Affine linear(const Shape& shape, const std::vector<Affine>& index);

/// One index per axis of the shape: 0 for axes of size 1, those of `index` in order for the others.
std::vector<Affine> spread_index(const Shape& shape, const std::vector<Affine>& index);

}  // namespace trigon::detail::core
