// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "pipeline/make_plan.hpp"
#include "reroll/roll.hpp"
#include "rewrite/batch.hpp"
#include "schedule/schedule.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"

// Plain C++ loops, the loops of the graph that they become, and their values.

namespace trigon {

using core::Target;
using ir::Graph;
using ir::Kind;
using Tensors = std::vector<Tensor>;
/// Makes tensors from stored ones. They are made again for each device.
using Leaf = std::function<Tensor(const Shape&, DType)>;
using Program = std::function<Tensors(const Leaf&)>;

inline Tensor planned_leaf(const Shape& shape, DType dtype) { return host_leaf(shape, dtype); }

/// A device on which even eight iterations do not fit a draw.
inline Target small_draws(std::int64_t instructions = 12) {
  Target target = core::h200();
  target.instructions = instructions;
  return target;
}

inline std::string text_of(const Graph& graph, const std::string& indent = "") {
  std::string text;
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    const Graph::Entry& entry = graph[k];
    text += fmt::format("{}{}: {}", indent, k, ir::name(entry.kind));
    if (entry.op != nullptr) text += fmt::format(" {}", entry.op->name);
    if (entry.kind == Kind::constant) text += fmt::format(" {}", entry.value);
    if (entry.kind == Kind::parameter)
      text += fmt::format(" {}", entry.as<ir::ParameterAttrs>().input);
    if (entry.kind == Kind::output) text += fmt::format(" {}", entry.as<ir::OutputAttrs>().number);
    for (const std::int32_t input : entry.inputs) text += fmt::format(" {}", input);
    text += fmt::format(" {}\n", to_string(entry.shape));
    if (entry.body == nullptr) continue;
    text += fmt::format("{}  {} iterations of\n", indent, loop_attrs(entry).iterations);
    text += text_of(*entry.body, indent + "    ");
  }
  return text;
}

/// "200 x 3, 2 carried": the iterations, their operations and carries of each loop of a graph.
inline std::string loops_in(const Graph& graph) {
  std::string text;
  for (const Graph::Entry& entry : graph.entries) {
    if (entry.kind != Kind::loop) continue;
    EXPECT_GE(rewrite::loop_batch(entry).axes, 0) << "the loop is not element by element";
    const ir::LoopAttrs numbers = loop_attrs(entry);
    int ops = 0;
    for (const Graph::Entry& one : entry.body->entries) ops += one.kind == Kind::map ? 1 : 0;
    text += fmt::format("{}{} x {}, {} carried", text.empty() ? "" : "; ", numbers.iterations, ops,
                        numbers.carries);
  }
  return text;
}
inline std::string loops_in(const Tensors& roots, const Target& target = small_draws()) {
  return loops_in(pipeline::canonical_graph(graph_of(roots, target), target));
}
inline std::string loops_of(const Program& program, const Target& target = small_draws()) {
  return loops_in(program(planned_leaf), target);
}

using Values = std::vector<std::vector<support::Number>>;

inline Values values_on(const Program& program, const Target& target,
                        const core::Costs& costs = core::gpu_costs) {
  support::HostDevice device(target, costs);
  int made = 0;
  const Tensors roots = program([&](const Shape& shape, DType dtype) {
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = is_float(dtype) ? 0.25 * static_cast<double>((k * 7 + made) % 11) - 1
                                  : static_cast<double>((k * 5 + made) % 4);
    }
    ++made;
    return device.upload(values, dtype, shape);
  });
  device.evaluate(roots);
  Values values;
  for (const Tensor& root : roots) values.push_back(device.read(root));
  return values;
}

/// Devices on which the loops of these tests are rolled, with few iterations a draw as well.
inline std::vector<Target> rolling_targets() {
  std::vector<Target> all{core::h200(), small_draws(), core::webgl1_minimum(),
                          core::llvmpipe_webgl1(), core::llvmpipe()};
  all[3].instructions = all[4].instructions = 12;
  for (const std::size_t k : {1, 3}) {
    all.push_back(all[k]);
    all.back().trip_limit = 16;
  }
  return all;
}

inline void expect_equal(const Values& got, const Values& want) {
  for (std::size_t k = 0; k < want.size(); ++k) {
    for (std::size_t i = 0; i < want[k].size(); ++i) {
      EXPECT_FALSE(got[k][i].is_poison) << k << ", " << i;
      EXPECT_EQ(got[k][i].value, want[k][i].value) << k << ", " << i;
      EXPECT_EQ(std::signbit(got[k][i].value), std::signbit(want[k][i].value)) << k << ", " << i;
    }
  }
}

/// The values are those of one draw without a loop, to the bit, in GLSL ES 3.00 and 1.00.
inline void expect_values(const Program& program) {
  for (const Target& rolled : rolling_targets()) {
    Target target = rolled;
    target.instructions = std::numeric_limits<std::int64_t>::max();
    target.uniform_vectors = 4096;
    expect_equal(values_on(program, rolled), values_on(program, target));
  }
}

/// x = body(x, step), so many times.
template <class Body>
Program repeated(int steps, Body body, DType dtype = float32) {
  return [=](const Leaf& leaf) {
    Tensor x = leaf({13}, dtype);
    const Tensor y = leaf({13}, dtype);
    for (int step = 0; step < steps; ++step) x = body(x, y, step);
    return Tensors{x};
  };
}

}  // namespace trigon
