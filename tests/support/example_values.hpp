// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <trigon/extend.hpp>

#include "support/declared.hpp"
#include "table/example.hpp"
#include "table/table.hpp"

// Values for the operands of the table's examples.

namespace trigon::support {

using detail::table::Example;
using detail::table::Row;

/// The library's rows that evaluate nothing, without ops that tests declare.
inline std::vector<const Row*> library_rows() {
  std::set<std::string> names;
  for (const Declared& one : declared()) names.insert(one.name);
  std::vector<const Row*> rows = detail::table::rows();
  std::erase_if(rows, [&](const Row* row) {
    const Op* const op = find_op(row->name);
    const bool is_a_tests = row->op != nullptr && (row->op != op || !names.contains(row->name));
    return is_a_tests || row->facts.reads;
  });
  return rows;
}

inline Range domain_of(const Row& row, std::size_t operand) {
  if (row.op == nullptr) return {0, 1};
  switch (row.op->family) {
    case Family::unary: return row.op->unary().domain;
    case Family::binary:
      return operand == 0 ? row.op->binary().domain_a : row.op->binary().domain_b;
    default: return row.op->ternary().domain;
  }
}

/// Different numbers between 0 and 1, where each row has its gradient, or from where an op's domain
/// begins; 0 and 1 for dtypes other than floats.
inline std::vector<double> example_values(const Row& row, const Example& example, std::size_t k) {
  const Range domain = domain_of(row, k);
  const double low = domain.low < 1 && domain.high > 0 ? std::max(0.0, domain.low) : domain.low;
  const bool is_real = is_float(example.operands[k].dtype);
  std::vector<double> all(static_cast<std::size_t>(example.operands[k].shape.numel()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double at = std::fmod(0.618 * static_cast<double>(i) + 0.37 * static_cast<double>(k), 1);
    all[i] = is_real ? low + 0.1 + 0.8 * at : static_cast<double>(i % 2);
  }
  return all;
}

}  // namespace trigon::support
