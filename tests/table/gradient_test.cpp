// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/declared.hpp"
#include "support/example_values.hpp"
#include "support/graph_values.hpp"
#include "support/public_calls.hpp"
#include "table/table.hpp"

// The gradients that the table promises, against differences of values, by the interpreter, which
// computes in doubles.

namespace trigon {
namespace {

using detail::table::Example;
using detail::table::Row;

/// A whole example as a function of its operands' elements.
class Gradient {
 public:
  Gradient(const Row& row, const Example& example) : row_(row), operands_(leaves(example)) {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (is_float(operands_[k].dtype())) floats_.push_back(k);
      known_[detail::Internals::node(operands_[k])->id] = support::example_values(row, example, k);
    }
    std::vector<Tensor> differentiated;
    for (const std::size_t k : floats_) differentiated.push_back(operands_[k]);
    const auto total = [&](Tensors x) {
      std::vector<Tensor> all = operands_;
      for (std::size_t n = 0; n < floats_.size(); ++n) all[floats_[n]] = x[n];
      return weighted(detail::table::call(row, example, all));
    };
    value_ = total(differentiated);
    if (has_result_ && !floats_.empty())
      gradients_ = vjp(total, differentiated).pullback(Tensor(1.0));
  }

  bool has_any() const { return !gradients_.empty(); }
  bool is_zero() const {
    return std::ranges::all_of(gradients_, [&](const Tensor& one) {
      return std::ranges::all_of(values_of(one, known_), [](double v) { return v == 0; });
    });
  }

  /// "" or the first element whose gradient differs.
  std::string difference() const {
    constexpr double step = 1e-5;
    for (std::size_t n = 0; n < floats_.size(); ++n) {
      const auto& leaf = *detail::Internals::node(operands_[floats_[n]]);
      const std::vector<double> gradient = values_of(gradients_[n], known_);
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        const auto value_at = [&](double moved) {
          graph::KnownValues known = known_;
          known[leaf.id][i] += moved;
          return values_of(value_, known)[0];
        };
        const double want = (value_at(step) - value_at(-step)) / (2 * step);
        if (std::abs(gradient[i] - want) <= 1e-5 * std::max(1.0, std::abs(want))) continue;
        return fmt::format("operand {}, element {}: {} in place of {}", floats_[n], i, gradient[i],
                           want);
      }
    }
    return "";
  }

 private:
  static std::vector<double> values_of(const Tensor& x, graph::KnownValues known) {
    return graph::interpret(detail::Internals::node(x), known);
  }

  Tensor weighted(const std::vector<Tensor>& results) {
    Tensor total(0.0);
    for (const Tensor& one : results) {
      if (!is_float(one.dtype())) continue;
      has_result_ = true;
      total = total + sum(one * noise(one.shape(), 1.0));
    }
    return total;
  }

  const Row& row_;
  std::vector<Tensor> operands_;
  std::vector<std::size_t> floats_;  ///< operands that are differentiated
  graph::KnownValues known_;
  bool has_result_ = false;
  Tensor value_;
  std::vector<Tensor> gradients_;
};

/// Reductions that count from their first value have a gradient only where it does not matter.
std::vector<const Row*> tested_rows() {
  std::vector<const Row*> rows = support::library_rows();
  std::erase_if(rows, [](const Row* row) {
    const Op* const op = find_op(row->name);
    return op && op->family == Family::reduce && op->reduce().first_is_shift;
  });
  return rows;
}

TEST(TableGradients, AreThoseOfDifferences) {
  for (const Row* row : tested_rows()) {
    if (*row->facts.gradient == '\0') continue;
    int checked = 0;
    for (const char* one : row->facts.examples) {
      const Gradient gradient(*row, read_example(*row, one));
      if (!gradient.has_any()) continue;
      ++checked;
      EXPECT_EQ(gradient.difference(), "") << row->name << "(" << one << ")";
    }
    EXPECT_GT(checked, 0) << row->name;
  }
}

TEST(TableGradients, Are0WhereARowHasNone) {
  for (const Row* row : tested_rows()) {
    if (*row->facts.gradient != '\0') continue;
    for (const char* one : row->facts.examples) {
      EXPECT_TRUE(Gradient(*row, read_example(*row, one)).is_zero()) << row->name;
    }
  }
}

}  // namespace
}  // namespace trigon
