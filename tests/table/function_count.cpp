// SPDX-License-Identifier: MIT
// Prints the public functions, one per line, with the tests, row and documents that each has and
// lacks: tests/function_count.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/declared.hpp"
#include "support/golden_rows.hpp"

namespace {

using trigon::detail::table::Row;
using Counts = std::map<const Row*, int>;

// Golden cases by the row that they call.
Counts count_cases(const std::string& path) {
  std::ifstream file(path);
  Counts counts;
  for (const auto& one : nlohmann::json::parse(file)) ++counts[trigon::support::row_of(one["op"])];
  return counts;
}

class Report {
 public:
  void print(const Row& row) {
    const auto& facts = row.facts;
    if (facts.of_pages) return;
    const bool has_gradient = !facts.gradient.empty();
    const bool in_js = row.function != nullptr && *facts.left_out == '\0';
    print_line(row.name,
               {row.function != nullptr, numpy_.contains(&row), has_gradient, torch_.contains(&row),
                in_js, !facts.refused.empty(), !facts.examples.empty()},
               has_gradient ? gradient_text(facts) : "");
  }

  void print_line(const std::string& name, const std::vector<bool>& has,
                  const std::string& domain) {
    fmt::print("{:34}", name);
    for (std::size_t k = 0; k < has.size(); ++k) {
      fmt::print(" {:>9}", has[k] ? "yes" : "-");
      totals_[k] += has[k] ? 1 : 0;
    }
    fmt::print("  {}\n", domain);
    ++functions_;
  }

  void print_totals() const {
    fmt::print("{:34}", fmt::format("{} functions", functions_));
    for (const int one : totals_) fmt::print(" {:>9}", one);
    fmt::print("\n");
  }

 private:
  Counts numpy_ = count_cases(TRIGON_TEST_DATA "/numpy/cases.json");
  Counts torch_ = count_cases(TRIGON_TEST_DATA "/torch/autograd.json");
  std::vector<int> totals_ = std::vector<int>(7);
  int functions_ = 0;
};

}  // namespace

int main() {
  Report report;
  fmt::print("{:34}", "function");
  for (const char* one : {"call", "golden", "gradient", "its cases", "js", "refusals", "example"}) {
    fmt::print(" {:>9}", one);
  }
  fmt::print("  gradient's domain\n");
  std::set<std::string> names;
  for (const Row* row : trigon::detail::table::rows()) {
    report.print(*row);
    names.insert(row->name);
  }
  report.print_totals();
  // Members, too, which have no row.
  std::set<std::string> without;
  for (const trigon::Declared& one : trigon::declared()) {
    if (!names.contains(one.name)) without.insert(one.name);
  }
  for (const std::string& one : without) fmt::print("no row: {}\n", one);
}
