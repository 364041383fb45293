// SPDX-License-Identifier: MIT
#include "core/affine.hpp"

#include "core/item.hpp"

namespace trigon::detail::core {

Affine operator+(const Affine& a, const Affine& b) {
  Affine sum;
  sum.constant = a.constant + b.constant;
  auto i = a.terms.begin();
  auto j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    if (j == b.terms.end() || (i != a.terms.end() && i->id < j->id)) {
      sum.terms.push_back(*i++);
    } else if (i == a.terms.end() || j->id < i->id) {
      sum.terms.push_back(*j++);
    } else {
      if (i->factor + j->factor != 0) sum.terms.push_back({i->id, i->factor + j->factor});
      ++i, ++j;
    }
  }
  return sum;
}

Affine operator+(const Affine& a, std::int64_t constant) {
  Affine sum = a;
  sum.constant += constant;
  return sum;
}

Affine operator*(const Affine& a, std::int64_t factor) {
  if (factor == 0) return {};
  Affine product = a;
  for (auto& term : product.terms) term.factor *= factor;
  product.constant *= factor;
  return product;
}

Affine linear(const Shape& shape, const std::vector<Affine>& index) {
  Affine sum;
  std::int64_t stride = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    sum = sum + item(index, k) * stride;
    stride *= shape[k];
  }
  return sum;
}

std::vector<Affine> spread_index(const Shape& shape, const std::vector<Affine>& index) {
  auto result = vector_of<Affine>(shape.rank());
  std::size_t next = 0;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] != 1) item(result, k) = index[next++];
  }
  return result;
}

}  // namespace trigon::detail::core
