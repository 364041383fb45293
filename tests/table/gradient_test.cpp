// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/example_values.hpp"
#include "support/graph_values.hpp"
#include "support/public_calls.hpp"
#include "table/table.hpp"

// The gradients that the table promises, against differences of values, by the interpreter, which
// computes in doubles: at points within each domain, and where elements are equal or 0, since a row
// says where a function has kinks.

namespace trigon {
namespace {

using detail::table::Domain;
using detail::table::Example;
using detail::table::Json;
using detail::table::Row;

/// Whether an argument is the tensor of this number, or a list that has it.
bool has_operand(const Json& argument, std::size_t k) {
  if (argument.is_object() && argument.contains("tensor")) return argument["tensor"] == k;
  return argument.is_array() && std::ranges::any_of(argument, [k](const Json& one) {
           return one.is_object() && one.value("tensor", -1) == static_cast<int>(k);
         });
}

/// What the row promises about an operand; null: no gradient.
const Domain* domain_of(const Row& row, const Example& example, std::size_t operand) {
  for (std::size_t k = 0; k < row.parameters.size(); ++k) {
    if (!has_operand(example.arguments[k], operand)) continue;
    for (const Domain& one : row.facts.gradient) {
      if (*one.parameter == '\0' || row.parameters[k].name == one.parameter) return &one;
    }
  }
  return nullptr;
}

/// Different numbers within a domain.
std::vector<double> numbers(const Domain& domain, std::size_t operand, std::int64_t count) {
  const double low = std::max(domain.low, std::min(-1.0, domain.high - 2));
  const double high = std::min(domain.high, low + 2);
  std::vector<double> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const double at = 0.618 * static_cast<double>(i) + 0.37 * static_cast<double>(operand);
    all.push_back(low + (high - low) * (0.05 + 0.9 * std::fmod(at, 1)));
  }
  return all;
}

/// A whole example as a function of its operands' elements.
class Gradient {
 public:
  Gradient(const Row& row, const Example& example)
      : row_(row), example_(example), operands_(leaves(example)) {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (is_float(operands_[k].dtype())) floats_.push_back(k);
    }
    set(std::nullopt);
    std::vector<Tensor> differentiated;
    for (const std::size_t k : floats_) differentiated.push_back(operands_[k]);
    const auto total = [&](Tensors x) {
      std::vector<Tensor> all = operands_;
      for (std::size_t n = 0; n < floats_.size(); ++n) all[floats_[n]] = x[n];
      return weighted(detail::table::call(row, example, all));
    };
    value_ = total(differentiated);
    if (!has_result_ || floats_.empty()) return;
    gradients_ = vjp(total, differentiated).pullback(Tensor(1.0));
    for (const Tensor& x : differentiated) directions_.push_back(noise(x.shape(), 2.0));
    tangent_ = jvp(total, differentiated, directions_).tangent;
  }

  bool has_any() const { return !gradients_.empty(); }

  /// The point: all elements of floats `value`, or different numbers within their domains. False
  /// where a domain does not have the value.
  bool set(std::optional<double> value) {
    constexpr Domain any{.low = 0, .high = 1};
    bool is_inside = true;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const auto count = operands_[k].size();
      std::vector<double>& all = known_[detail::Internals::node(operands_[k])->id];
      const Domain* const domain = domain_of(row_, example_, k);
      all.clear();
      if (!is_float(operands_[k].dtype())) {
        for (std::int64_t i = 0; i < count; ++i) all.push_back(static_cast<double>(i % 2));
      } else if (value) {
        all.assign(static_cast<std::size_t>(count), *value);
        is_inside = is_inside && (!domain || (domain->low < *value && *value < domain->high));
      } else {
        all = numbers(domain ? *domain : any, k, count);
      }
    }
    return is_inside;
  }

  /// "", or the first element whose gradient is not that of differences, those to each side.
  std::string difference(bool of_each_side) const {
    constexpr double step = 1e-6;
    for (std::size_t n = 0; n < floats_.size(); ++n) {
      const bool is_promised = domain_of(row_, example_, floats_[n]) != nullptr;
      const auto& leaf = *detail::Internals::node(operands_[floats_[n]]);
      const std::vector<double> gradient = values_of(gradients_[n], known_);
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        const auto value_at = [&](double moved) {
          graph::KnownValues known = known_;
          known[leaf.id][i] += moved;
          return values_of(value_, known)[0];
        };
        std::vector<double> wanted{(value_at(step) - value_at(-step)) / (2 * step)};
        if (!is_promised) wanted = {0};
        if (is_promised && of_each_side) {
          const double here = value_at(0);
          wanted = {(value_at(step) - here) / step, (here - value_at(-step)) / step};
        }
        for (const double want : wanted) {
          if (std::abs(gradient[i] - want) <= 1e-4 * std::max(1.0, std::abs(want))) continue;
          return fmt::format("operand {}, element {}: {} in place of {}", floats_[n], i,
                             gradient[i], want);
        }
      }
    }
    return "";
  }

  /// "", or the derivative along a direction if it is not that of the gradients.
  std::string difference_of_tangent() const {
    double wanted = 0, size = 1;
    for (std::size_t n = 0; n < floats_.size(); ++n) {
      const std::vector<double> slopes = values_of(gradients_[n], known_);
      const std::vector<double> along = values_of(directions_[n], known_);
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        wanted += slopes[i] * along[i];
        size += std::abs(slopes[i] * along[i]);
      }
    }
    const double found = values_of(tangent_, known_)[0];
    if (std::abs(found - wanted) <= 1e-5 * size) return "";
    return fmt::format("{} in place of {}", found, wanted);
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
  const Example& example_;
  std::vector<Tensor> operands_;
  std::vector<std::size_t> floats_;  ///< operands that are differentiated
  graph::KnownValues known_;
  bool has_result_ = false;
  Tensor value_;
  std::vector<Tensor> gradients_, directions_;
  Tensor tangent_;
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
    int checked = 0;
    for (const char* one : row->facts.examples) {
      const Example example = read_example(*row, one);
      const Gradient gradient(*row, example);
      if (!gradient.has_any()) continue;
      ++checked;
      EXPECT_EQ(gradient.difference(false), "") << row->name << "(" << one << ")";
    }
    if (!row->facts.gradient.empty()) {
      EXPECT_GT(checked, 0) << row->name;
    }
  }
}

TEST(TableGradients, GiveTheTangents) {
  for (const Row* row : tested_rows()) {
    for (const char* one : row->facts.examples) {
      const Example example = read_example(*row, one);
      const Gradient gradient(*row, example);
      if (!gradient.has_any()) continue;
      EXPECT_EQ(gradient.difference_of_tangent(), "") << row->name << "(" << one << ")";
    }
  }
}

// Where all elements are equal, functions have kinks that their rows tell of, and no others. Specs
// of ops do not tell of theirs.
TEST(TableGradients, EndAtKinksAlone) {
  for (const Row* row : tested_rows()) {
    if (row->facts.gradient.empty() || row->op != nullptr) continue;
    std::string kinks;
    for (const char* one : row->facts.examples) {
      const Example example = read_example(*row, one);
      Gradient gradient(*row, example);
      if (!gradient.has_any()) continue;
      for (const double value : {0.0, 0.5, 1.0}) {
        if (!gradient.set(value)) continue;
        const std::string found = gradient.difference(true);
        if (!found.empty()) kinks += fmt::format("({}) at {}: {}\n", one, value, found);
      }
    }
    EXPECT_EQ(kinks.empty(), *row->facts.kinks == '\0') << row->name << "\n" << kinks;
  }
}

TEST(TableGradients, NameTheirParameters) {
  for (const Row* row : tested_rows()) {
    for (const Domain& one : row->facts.gradient) {
      EXPECT_TRUE(*one.parameter == '\0' ||
                  std::ranges::any_of(
                      row->parameters,
                      [&](const auto& parameter) { return parameter.name == one.parameter; }))
          << row->name << ": " << one.parameter;
    }
  }
}

}  // namespace
}  // namespace trigon
