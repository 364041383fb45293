// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <trigon/shape.hpp>

namespace trigon::plan {

/// An index as an affine function of a kernel's index instructions.
struct Affine {
  struct Term {
    std::int32_t id;
    std::int64_t factor;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms{};  ///< by id
  std::int64_t constant = 0;

  friend bool operator==(const Affine&, const Affine&) = default;
};
/// One entry an axis.
using Indices = std::vector<Affine>;

Affine operator+(const Affine& a, const Affine& b);
Affine operator+(const Affine& a, std::int64_t constant);
Affine operator*(const Affine& a, std::int64_t factor);

/// The C-order number of an index in a shape.
Affine linear(const Shape& shape, const std::vector<Affine>& index);

/// Indices of the axes of size 1 are 0, the others those of `index` in order.
std::vector<Affine> spread_index(const Shape& shape, const std::vector<Affine>& index);

}  // namespace trigon::plan
