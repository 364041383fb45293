// SPDX-License-Identifier: MIT
#include "core/affine.hpp"

#include <utility>

#include "core/item.hpp"

namespace trigon::detail::core {

void Affine::add(const Affine& other, std::int64_t factor) {
  if (factor == 0) return;
  constant += other.constant * factor;
  if (other.terms.empty()) return;
  if (terms.empty() || terms.back().id < other.terms.front().id) {
    terms.reserve(terms.size() + other.terms.size());
    for (const Term& term : other.terms) terms.push_back({term.id, term.factor * factor});
    return;
  }
  std::vector<Term> sum;
  sum.reserve(terms.size() + other.terms.size());
  auto i = terms.begin();
  auto j = other.terms.begin();
  while (i != terms.end() || j != other.terms.end()) {
    if (j == other.terms.end() || (i != terms.end() && i->id < j->id)) {
      sum.push_back(*i++);
    } else if (i == terms.end() || j->id < i->id) {
      sum.push_back({j->id, j->factor * factor});
      ++j;
    } else {
      const std::int64_t both = i->factor + j->factor * factor;
      if (both != 0) sum.push_back({i->id, both});
      ++i, ++j;
    }
  }
  terms = std::move(sum);
}

Affine operator+(Affine a, const Affine& b) {
  a.add(b);
  return a;
}

Affine operator+(Affine a, std::int64_t constant) {
  a.constant += constant;
  return a;
}

Affine operator*(Affine a, std::int64_t factor) {
  if (factor == 0) return {};
  for (auto& term : a.terms) term.factor *= factor;
  a.constant *= factor;
  return a;
}

Affine linear(const Shape& shape, const std::vector<Affine>& index) {
  Affine sum;
  std::int64_t stride = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    sum.add(item(index, k), stride);
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
