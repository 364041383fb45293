// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <trigon/trigon.hpp>

#include "cases.hpp"
#include "support/draw_table.hpp"
#include "support/golden_calls.hpp"
#include "support/loop_cases.hpp"
#include "support/plans.hpp"
#include "support/random_loop.hpp"
#include "support/random_plans.hpp"
#include "support/random_runs.hpp"
#include "support/tiny_target.hpp"
#include "support/torch_ops.hpp"

namespace trigon::replay {
namespace {

using support::Golden;
using support::Json;
using Tensors = std::vector<Tensor>;

void plan(const std::string& title, const Tensors& roots, const Target& target, PlanText& text) {
  text.title(title);
  try {
    text.add(pipeline::make_plan(graph_of(roots, target.target), target.target, target.costs));
  } catch (const DeviceError& error) {
    text.add_refusal(error.what());
  }
}

support::GoldenLeaf host_leaves(const Golden& golden) {
  return [&golden](const std::string& name) {
    return golden.tensor(name,
                         [](DType dtype, const Shape& shape) { return host_leaf(shape, dtype); });
  };
}

/// A case for each group of golden cases. `key_of`: the name of a case's group, or "" to leave it
/// out. `roots_of`: the results of a case.
template <class KeyOf, class RootsOf>
void add_golden(const std::string& folder, const Golden& golden, KeyOf key_of, RootsOf roots_of,
                std::vector<Case>& cases) {
  std::map<std::string, std::vector<const Json*>> groups;
  for (const Json& c : golden.cases()) {
    if (const std::string key = key_of(c); !key.empty()) groups[key].push_back(&c);
  }
  for (const auto& [key, group] : groups) {
    const auto run = [&golden, roots_of, group = group](const Target& target, PlanText& text) {
      for (const Json* c : group) {
        plan(c->dump(), roots_of(*c, host_leaves(golden)), target, text);
      }
    };
    cases.push_back({folder + "." + key, run});
  }
}

void add_golden_cases(std::vector<Case>& cases) {
  static const Golden numpy("numpy", "cases.json", "tensors.safetensors");
  add_golden(
      "numpy", numpy,
      [](const Json& c) -> std::string {
        if (c.contains("error") || support::row_of(c["op"]) == nullptr) return "";
        if (c["op"] == "nonzero") return "";  // reads values, so it is among the programs
        const std::string group = c["group"];
        return group.substr(0, group.find(':'));
      },
      [](const Json& c, const support::GoldenLeaf& leaf) { return support::compute(c, leaf); },
      cases);
  static const Golden torch("torch", "autograd.json", "autograd.safetensors");
  add_golden(
      "torch", torch,
      [](const Json& c) -> std::string {
        if (!support::torch::knows(c)) return "";
        return c["op"];
      },
      support::torch::gradients_and_value, cases);
}

/// Cases of `count` seeds each. `run`: plans that of a seed.
template <class Run>
void add_blocks(const std::string& name, std::uint32_t seeds, std::uint32_t count, Run run,
                std::vector<Case>& cases) {
  for (std::uint32_t first = 0; first < seeds; first += count) {
    const auto block = [=](const Target& target, PlanText& text) {
      for (std::uint32_t seed = first; seed < first + count; ++seed) run(seed, target, text);
    };
    cases.push_back({fmt::format("{}.{}", name, first), block});
  }
}

void plan_random_graph(std::uint32_t seed, const Target& target, PlanText& text) {
  const bool is_webgl1 = target.target.dialect == core::Dialect::es100;
  const support::RandomGraph graph = random_host_graph(
      seed, support::random_steps(seed), is_webgl1 ? Profile::webgl1 : Profile::webgl2);
  Tensors roots;
  for (const support::RandomValue* value : graph.roots()) roots.push_back(value->tensor);
  plan(fmt::format("seed {}", seed), roots, target, text);
}

void plan_random_loop(std::uint32_t seed, const Target& target, PlanText& text) {
  const auto leaf = [](const std::vector<double>&, DType dtype, const Shape& shape) {
    return host_leaf(shape, dtype);
  };
  plan(fmt::format("seed {}", seed), support::RandomLoop(seed).run(leaf), target, text);
}

/// Users' loops with lazy inputs, with stored inputs, and as plain C++ loops.
void add_loops(const std::string& name, std::span<const support::LoopCase> loops,
               std::vector<Case>& cases) {
  const auto stored = [](const Tensor& x) { return host_leaf(x.shape(), x.dtype()); };
  const std::pair<const char*, support::LoopForm> forms[] = {
      {"lazy", {}}, {"stored", {.stored = stored}}, {"plain", {.is_unrolled = true}}};
  for (const auto& [form_name, form] : forms) {
    const auto run = [loops, form = form](const Target& target, PlanText& text) {
      for (const support::LoopCase& one : loops) plan(one.name, one.run(form), target, text);
    };
    cases.push_back({fmt::format("{}.{}", name, form_name), run});
  }
}

}  // namespace

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const NamedTarget& one : trigon::targets()) {
    all.push_back({one.name, one.target, costs_of(one.target)});
  }
  const core::Target tiny = support::tiny_target();
  all.push_back({"tiny", tiny, costs_of(tiny)});
  // A name is a word of expected.txt and a file's name.
  for (Target& one : all) {
    std::erase_if(one.name, [](char c) { return c == '\'' || c == ','; });
    std::replace(one.name.begin(), one.name.end(), ' ', '-');
  }
  return all;
}

std::vector<Case> graph_cases() {
  std::vector<Case> cases;
  add_golden_cases(cases);
  add_blocks("random_graphs", 300, 50, plan_random_graph, cases);
  add_blocks("random_loops", 400, 100, plan_random_loop, cases);
  add_loops("loops", support::loop_cases(), cases);
  add_loops("scans", support::scan_cases(), cases);
  add_loops("stencils", support::stencil_cases(), cases);
  for (const draw_table::Row& row : draw_table::rows()) {
    const auto run = [row](const Target& target, PlanText& text) {
      plan(row.name, row.roots(), target, text);
    };
    cases.push_back({std::string("draw_table.") + row.name, run});
  }
  return cases;
}

}  // namespace trigon::replay
