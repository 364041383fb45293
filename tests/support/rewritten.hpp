// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "ir/graph.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"

// The user's nodes before rewriting, the entries after it, and their values.

namespace trigon::support {

/// "2*i0 + s1 + 3": the index along one axis of a view's input, from its own indices and scalars.
inline std::string text_of(const ir::ViewAxis& axis) {
  std::string text;
  const auto add = [&](const std::string& term) { text += (text.empty() ? "" : " + ") + term; };
  for (std::size_t k = 0; k < axis.factors.size(); ++k) {
    const std::int64_t factor = axis.factors[k];
    if (factor != 0) add(factor == 1 ? fmt::format("i{}", k) : fmt::format("{}*i{}", factor, k));
  }
  for (const auto& [scalar, factor, high, size] : axis.terms) {
    add(fmt::format("{}*clamp(s{}, 0, {})", factor, scalar, high));
  }
  if (axis.start != 0 || text.empty()) add(fmt::format("{}", axis.start));
  return text;
}

inline std::string text_of(const ir::Graph& graph, std::int32_t k) {
  const ir::Graph::Entry& entry = graph[k];
  std::string text = fmt::format("{}: {}", k, ir::name(entry.kind));
  if (entry.op != nullptr) text += fmt::format(" {}", entry.op->name);
  if (entry.kind == ir::Kind::constant) text += fmt::format(" {}", entry.value);
  for (const std::int32_t input : entry.inputs) text += fmt::format(" {}", input);
  if (entry.kind == ir::Kind::view) {
    std::string index;
    for (const ir::ViewAxis& axis : entry.view) {
      index += (index.empty() ? "" : ", ") + text_of(axis);
    }
    text += fmt::format(" [{}]", index);
  }
  return text + fmt::format(" {}\n", to_string(entry.shape));
}

/// The graph that is planned, an entry a line: number, kind, op or value, inputs, shape.
inline std::string after(const std::vector<Tensor>& roots) {
  const ir::Graph graph = pipeline::canonical_graph(graph_of(roots, core::h200()), core::h200());
  std::string text;
  for (std::int32_t k = 0; k < graph.size(); ++k) text += text_of(graph, k);
  return text;
}
inline std::string after(const Tensor& root) { return after(std::vector<Tensor>{root}); }
/// For op(a, b()): b is made after a, so its entry comes after a's.
template <class Op, class Make>
std::string after_of(Op op, const Tensor& a, Make b) {
  return after(op(a, b()));
}

/// The kinds of the user's nodes, leaves left out.
inline std::string before(const std::vector<Tensor>& roots) {
  const graph::Collected graph = graph_of(roots, core::h200());
  std::string text;
  for (const auto& entry : graph.entries) {
    if (entry.stored) continue;
    text += (text.empty() ? "" : " ") + std::string(graph::info(entry.node->kind).name);
  }
  return text;
}
inline std::string before(const Tensor& root) { return before(std::vector<Tensor>{root}); }

/// Tests of the graph that is planned.
class Rewritten : public ::testing::Test {
 protected:
  /// A leaf of small whole numbers and halves, one of them -0.
  Tensor leaf(const Shape& shape) {
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = k % 5 == 2 ? -0.0 : 0.5 * static_cast<double>((k * 7 + made_) % 23) - 5;
    }
    ++made_;
    const Tensor x = stored_.upload(values, DType::float32, shape);
    known_.emplace(detail::Internals::node(x)->id, std::move(values));
    return x;
  }

  /// The values of all, computed with one plan for each device, are the reference's bit for bit.
  void expect_values(const std::vector<Tensor>& roots) {
    std::vector<std::vector<double>> want;
    for (const Tensor& root : roots)
      want.push_back(graph::interpret(detail::Internals::node(root), known_));
    stored_.evaluate(roots);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const std::vector<Number> got = stored_.read(roots[k]);
      ASSERT_EQ(got.size(), want[k].size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_FALSE(got[i].is_poison) << i;
        EXPECT_EQ(got[i].value, want[k][i]) << i;
        EXPECT_EQ(std::signbit(got[i].value), std::signbit(want[k][i])) << i;
      }
    }
  }
  void expect_values(const Tensor& root) { expect_values(std::vector<Tensor>{root}); }

 private:
  HostDevice stored_{core::h200(), core::gpu_costs};
  graph::KnownValues known_;
  std::size_t made_ = 0;
};

}  // namespace trigon::support
