// SPDX-License-Identifier: MIT
// Prints the public functions, one a line, with what each has and lacks: tests/function_count.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/declared.hpp"
#include "table/table.hpp"

namespace {

using trigon::detail::table::Row;
using Counts = std::map<std::string, int>;

// Golden cases by the function that they call.
Counts count_cases(const std::string& path) {
  static const std::map<std::string, std::string> renamed{
      {"neg", "negative"},
      {"sub", "subtract"},
      {"mul", "multiply"},
      {"div", "divide"},
      {"pow", "power"},
      {"asin", "arcsin"},
      {"acos", "arccos"},
      {"atan", "arctan"},
      {"asinh", "arcsinh"},
      {"acosh", "arccosh"},
      {"atanh", "arctanh"},
      {"atan2", "arctan2"},
      {"std", "stddev"},
      {"norm2", "norm"},
      {"amax", "max"},
      {"amin", "min"},
      {"gelu_tanh", "gelu"},
      {"gelu_erf", "gelu"},
      {"getitem", "index"},
      {"slice", "index"},
      {"clamp", "clip"},
      {"gather", "take_along_axis"},
      {"index_select", "take"},
      {"linspace_noend", "linspace"},
      {"attention", "scaled_dot_product_attention"},
      {"attention_causal", "scaled_dot_product_attention"}};
  std::ifstream file(path);
  const nlohmann::json cases = nlohmann::json::parse(file);
  Counts counts;
  for (const auto& one : cases) {
    const std::string name = one.at("op").get<std::string>();
    const auto found = renamed.find(name);
    ++counts[found == renamed.end() ? name : found->second];
  }
  return counts;
}

int count_of(const Counts& counts, const std::string& name) {
  if (name.starts_with("random::")) return 0;  // no case has the values of a generator
  const std::size_t colons = name.rfind("::");
  const auto found = counts.find(colons == name.npos ? name : name.substr(colons + 2));
  return found == counts.end() ? 0 : found->second;
}

class Report {
 public:
  void print(const Row& row) {
    const auto& facts = row.facts;
    if (facts.of_pages) return;
    const bool has_gradient = *facts.gradient != '\0';
    const bool in_js = row.function != nullptr && *facts.left_out == '\0';
    const int numpy = count_of(numpy_, row.name), torch = count_of(torch_, row.name);
    print_line(row.name, {row.function != nullptr, numpy > 0, has_gradient, torch > 0, in_js,
                          !facts.refused.empty(), !facts.examples.empty()});
  }

  void print_line(const std::string& name, const std::vector<bool>& has) {
    fmt::print("{:34}", name);
    for (std::size_t k = 0; k < has.size(); ++k) {
      fmt::print(" {:>9}", has[k] ? "yes" : "-");
      totals_[k] += has[k] ? 1 : 0;
    }
    fmt::print("\n");
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
  fmt::print("\n");
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
