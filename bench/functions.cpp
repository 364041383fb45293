// SPDX-License-Identifier: MIT
// Every function in the table of functions, at its examples: draws, and the time of an evaluation
// whose plan is known.
#include <fmt/format.h>

#include <cmath>
#include <trigon/trigon.hpp>

#include "common.hpp"
#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "table/example.hpp"
#include "table/table.hpp"

namespace {

using bench::Bench;
using trigon::Tensor;
using trigon::detail::table::Example;
using trigon::detail::table::Row;

// Numbers in (0, 1), where every function is defined; 0 and 1 for integers and bools.
std::vector<Tensor> operands_of(const Example& example) {
  std::vector<Tensor> all;
  for (const auto& one : example.operands) {
    const auto count = static_cast<std::size_t>(one.shape.numel());
    std::vector<float> values = bench::numbers(count, static_cast<std::uint32_t>(all.size()) + 1);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = is_float(one.dtype) ? 0.5F + 0.4F * values[i] : static_cast<float>(i % 2);
    }
    all.push_back(trigon::tensor(values, one.shape).astype(one.dtype).eval());
  }
  return all;
}

bool agrees(const Tensor& y) {
  const std::vector<double> wanted =
      trigon::detail::graph::interpret(trigon::detail::Internals::node(y));
  const std::vector<double> found = y.astype(trigon::float32).to_vector<double>();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_same = found[i] == wanted[i] || (std::isnan(found[i]) && std::isnan(wanted[i]));
    if (!is_same && !(std::abs(found[i] - wanted[i]) <= 1e-4 * (1 + std::abs(wanted[i])))) {
      return false;
    }
  }
  return true;
}

void measure(Bench& bench, const Row& row, const char* arguments) {
  if (!bench.wanted(row.name, arguments)) return;
  const Example example = read_example(row, arguments);
  const std::vector<Tensor> operands = operands_of(example);
  const auto results = [&] { return call(row, example, operands); };
  for (const Tensor& y : results()) {
    if (!agrees(y)) bench.wrong(fmt::format("{}({})", row.name, arguments));
  }
  const auto evaluate = [&] {
    trigon::eval(results());
    trigon::synchronize(bench.device());
  };
  evaluate();
  const trigon::Counters before = counters(bench.device());
  evaluate();
  const trigon::Counters cost = counters(bench.device()) - before;
  const double ms = bench::best_ms(evaluate, 15, 1);
  bench.add({row.name,
             arguments,
             "plan known",
             ms,
             {{"us", ms * 1e3}, {"draws", static_cast<double>(cost.draws)}}});
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("functions", "Times every function at the examples of the table of functions",
              {"us", "draws"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    for (const Row* row : trigon::detail::table::rows()) {
      if (row->facts.reads || row->facts.of_pages) continue;
      for (const char* one : row->facts.examples) measure(bench, *row, one);
    }
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
