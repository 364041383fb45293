// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/golden_calls.hpp"
#include "support/torch_ops.hpp"

// PyTorch's values and gradients, computed in float64.

namespace trigon {
namespace {

using support::Failures;
using support::Golden;
using support::Json;
using support::torch::knows;

const Golden& torch_golden() {
  static const Golden file("torch", "autograd.json", "autograd.safetensors");
  return file;
}

// Values of single ops to the op's tolerance, gradients and composites to 1e-4.
std::string value_difference(const Json& c, const Tensor& y) {
  const std::vector<double> want = torch_golden().values(c["y"]);
  if (y.shape() != torch_golden().shape(c["y"])) return "shape " + to_string(y.shape());
  const std::vector<double> got = support::read_doubles(y);
  const support::Row* row = support::row_of(c["op"]);
  if (row != nullptr && row->op != nullptr && c["note"] != "x/x.sum(-1)") {
    return support::difference(got, want, support::tolerance_of(*row->op), y.dtype());
  }
  return support::difference(got, want, 1e-4, 1e-5);
}

void check(const Json& c, Failures& failures) {
  const std::vector<Tensor> results = support::torch::gradients_and_value(
      c, [](const std::string& name) { return torch_golden().tensor(name); });
  eval(results);
  const auto say = [&](const std::string& what, const std::string& wrong) {
    if (wrong.empty()) return;
    failures.add(fmt::format("{} {} {} {}: {}: {}", c["op"].get<std::string>(),
                             c["note"].get<std::string>(), c["kw"].dump(),
                             to_string(torch_golden().shape(c["inputs"][0])), what, wrong));
  };
  say("value", value_difference(c, results.back()));
  std::size_t next = 0;
  for (std::size_t k = 0; k < c["inputs"].size(); ++k) {
    if (c["grads"][k].is_null()) continue;
    const Tensor& g = results[next++];
    const std::string wrong =
        g.shape() != torch_golden().shape(c["inputs"][k])
            ? "shape " + to_string(g.shape())
            : support::difference(support::read_doubles(g), torch_golden().values(c["grads"][k]),
                                  1e-4, 1e-5);
    say(fmt::format("gradient {}", k), wrong);
  }
}

// Runs every fourth case from `shard` on, so that the shards run beside each other.
void run(std::size_t shard) {
  Failures failures("autograd");
  const Json& cases = torch_golden().cases();
  for (std::size_t i = shard; i < cases.size(); i += 4) {
    if (!knows(cases[i])) continue;
    try {
      check(cases[i], failures);
    } catch (const std::exception& error) {
      failures.add(fmt::format("{} {}: {}", cases[i]["op"].get<std::string>(),
                               cases[i]["kw"].dump(), error.what()));
    }
  }
}

TEST(GoldenTorch, FirstQuarter) { run(0); }
TEST(GoldenTorch, SecondQuarter) { run(1); }
TEST(GoldenTorch, ThirdQuarter) { run(2); }
TEST(GoldenTorch, FourthQuarter) { run(3); }

// The functions that the library lacks are listed with their numbers of cases, and printed. A new
// function must be removed from the list.
TEST(GoldenTorch, TheRestIsKnown) {
  std::map<std::string, int> missing;
  for (const Json& c : torch_golden().cases()) {
    if (!knows(c)) ++missing[c["op"]];
  }
  for (const auto& [op, count] : missing) {
    std::printf("not covered: %s: %d cases\n", op.c_str(), count);
  }
  const std::map<std::string, int> known = {
      {"cumsum", 8},     {"batch_norm_eval", 1},     {"batch_norm_train", 1},
      {"group_norm", 2}, {"adaptive_avg_pool2d", 1}, {"upsample_nearest", 1},
      {"diamond", 1}};
  EXPECT_EQ(missing, known);
}

}  // namespace
}  // namespace trigon
