// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "ir/graph.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"

// Each rule of rewriting: the user's nodes before, the entries after, and the values.

namespace trigon {
namespace {

using ir::Graph;
using ir::Kind;
using support::HostDevice;

/// "2*i0 + s1 + 3": the index along one axis of a view's input, from its own indices and scalars.
std::string text_of(const ir::ViewAxis& axis) {
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

std::string text_of(const Graph& graph, std::int32_t k) {
  const Graph::Entry& entry = graph[k];
  std::string text = fmt::format("{}: {}", k, ir::name(entry.kind));
  if (entry.op != nullptr) text += fmt::format(" {}", entry.op->name);
  if (entry.kind == Kind::constant) text += fmt::format(" {}", entry.value);
  for (const std::int32_t input : entry.inputs) text += fmt::format(" {}", input);
  if (entry.kind == Kind::view) {
    std::string index;
    for (const ir::ViewAxis& axis : entry.view) {
      index += (index.empty() ? "" : ", ") + text_of(axis);
    }
    text += fmt::format(" [{}]", index);
  }
  return text + fmt::format(" {}\n", to_string(entry.shape));
}

/// The graph that is planned, an entry a line: number, kind, op or value, inputs, shape.
std::string after(const std::vector<Tensor>& roots) {
  const Graph graph = pipeline::canonical_graph(graph_of(roots, core::h200()), core::h200());
  std::string text;
  for (std::int32_t k = 0; k < graph.size(); ++k) text += text_of(graph, k);
  return text;
}
std::string after(const Tensor& root) { return after(std::vector<Tensor>{root}); }
/// For op(a, b()): b is made after a, so its entry comes after a's.
template <class Op, class Make>
std::string after_of(Op op, const Tensor& a, Make b) {
  return after(op(a, b()));
}

/// The kinds of the user's nodes, leaves left out.
std::string before(const std::vector<Tensor>& roots) {
  const graph::Collected graph = graph_of(roots, core::h200());
  std::string text;
  for (const auto& entry : graph.entries) {
    if (entry.stored) continue;
    text += (text.empty() ? "" : " ") + std::string(graph::info(entry.node->kind).name);
  }
  return text;
}
std::string before(const Tensor& root) { return before(std::vector<Tensor>{root}); }

class Rewrite : public ::testing::Test {
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
      const std::vector<support::Number> got = stored_.read(roots[k]);
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

// ---- Equal entries ------------------------------------------------------------------------------

TEST_F(Rewrite, EqualNodesAreOne) {
  const Tensor x = leaf({3, 5});
  const std::vector<Tensor> roots{abs(x.T()) + 2.0, abs(x.T()) + 2.0};
  EXPECT_EQ(before(roots), "permute map constant broadcast map permute map constant broadcast map");
  EXPECT_EQ(after(roots),
            "0: leaf (3, 5)\n"
            "1: view 0 [i1, i0] (5, 3)\n"
            "2: map abs 1 (5, 3)\n"
            "3: constant 2 ()\n"
            "4: view 3 [] (5, 3)\n"
            "5: map add 2 4 (5, 3)\n");
  expect_values(roots);
}

TEST_F(Rewrite, EqualLoopsAreOneWhicheverResultsAreRead) {
  using Two = std::pair<Tensor, Tensor>;
  const Tensor x = leaf({3}), y = leaf({3});
  const auto loop = [&] {
    const auto body = [](const Tensor&, const Two& s) { return Two(s.second, s.first + s.second); };
    return fori_loop(0, 5, body, Two(x, y));
  };
  const std::vector<Tensor> roots{loop().first, loop().second};
  EXPECT_EQ(after(roots),
            "0: leaf (3,)\n"
            "1: leaf (3,)\n"
            "2: loop 0 1 ()\n"
            "3: output 2 (3,)\n"
            "4: output 2 (3,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, NodesThatDifferAreNotMerged) {
  const Tensor x = leaf({3});
  const std::vector<Tensor> roots{x + 2.0, x + 3.0, x - 2.0, x[Slice{1}], x[Slice{0, 2}]};
  EXPECT_EQ(after(roots),
            "0: leaf (3,)\n"
            "1: constant 2 ()\n"
            "2: view 1 [] (3,)\n"
            "3: map add 0 2 (3,)\n"
            "4: constant 3 ()\n"
            "5: view 4 [] (3,)\n"
            "6: map add 0 5 (3,)\n"
            "7: map subtract 0 2 (3,)\n"
            "8: view 0 [i0 + 1] (2,)\n"
            "9: view 0 [i0] (2,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, ZeroesOfBothSignsAreNotMerged) {
  const Tensor x = leaf({4});
  const std::vector<Tensor> roots{x * 0.0, x * -0.0};
  EXPECT_EQ(after(roots),
            "0: leaf (4,)\n"
            "1: constant 0 ()\n"
            "2: view 1 [] (4,)\n"
            "3: map multiply 0 2 (4,)\n"
            "4: constant -0 ()\n"
            "5: view 4 [] (4,)\n"
            "6: map multiply 0 5 (4,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, DeadEntriesAreLeftOut) {
  const Tensor x = leaf({3, 5});
  const Tensor y = abs(x.T() * 1.0);
  EXPECT_EQ(before(y), "permute constant broadcast map map");
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: view 0 [i1, i0] (5, 3)\n"
            "2: map abs 1 (5, 3)\n");
  expect_values(y);
}

// ---- Constants ----------------------------------------------------------------------------------

TEST_F(Rewrite, ExactOpsOnConstantsFold) {
  const Tensor a = full({4}, 0.1), b = full({4}, 0.7);
  const std::vector<Tensor> roots{a + b, a - b, a * b, -a, maximum(a, b), minimum(a, b)};
  EXPECT_EQ(after(roots),
            "0: constant 0.10000000149011612 ()\n"
            "1: view 0 [] (4,)\n"
            "2: constant 0.699999988079071 ()\n"
            "3: view 2 [] (4,)\n"
            "4: constant 0.800000011920929 ()\n"
            "5: view 4 [] (4,)\n"
            "6: constant -0.5999999642372131 ()\n"
            "7: view 6 [] (4,)\n"
            "8: constant 0.07000000029802322 ()\n"
            "9: view 8 [] (4,)\n"
            "10: constant -0.10000000149011612 ()\n"
            "11: view 10 [] (4,)\n");
  const float x = 0.1F, y = 0.7F;
  HostDevice device(core::h200(), core::gpu_costs);
  device.evaluate(roots);
  const float results[] = {x + y, x - y, x * y, -x, y, x};
  for (std::size_t k = 0; k < roots.size(); ++k) {
    EXPECT_EQ(device.read(roots[k])[3].value, results[k]) << k;
  }
}

TEST_F(Rewrite, InexactOpsOnConstantsDoNotFold) {
  EXPECT_EQ(after(exp(full({2}, 1.5)) / 3.0),
            "0: constant 1.5 ()\n"
            "1: view 0 [] (2,)\n"
            "2: map exp 1 (2,)\n"
            "3: constant 3 ()\n"
            "4: view 3 [] (2,)\n"
            "5: map divide 2 4 (2,)\n");
}

TEST_F(Rewrite, WholeConstantsDoNotFold) {
  EXPECT_EQ(after_of(add, full({2}, 3, int32), [] { return full({2}, 4, int32); }),
            "0: constant 3 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 4 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map add 1 3 (2,)\n");
}

TEST_F(Rewrite, ConstantsThatOverflowOrVanishDoNotFold) {
  EXPECT_EQ(after_of(multiply, full({2}, 3e38), [] { return full({2}, 10); }),
            "0: constant 3.0000000054977558e+38 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 10 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map multiply 1 3 (2,)\n");
  EXPECT_EQ(after_of(multiply, full({2}, 1e-38), [] { return full({2}, 0.01); }),
            "0: constant 9.999999350456404e-39 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 0.009999999776482582 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map multiply 1 3 (2,)\n");
}

// ---- Identities ---------------------------------------------------------------------------------

TEST_F(Rewrite, ExactIdentitiesGo) {
  const Tensor x = leaf({7});
  for (const Tensor& y : {x * 1.0, 1.0 * x, x / 1.0, x - 0.0, x + -0.0, -0.0 + x}) {
    EXPECT_EQ(after(abs(y)), "0: leaf (7,)\n1: map abs 0 (7,)\n");
    expect_values(y);
  }
}

TEST_F(Rewrite, OpsOfUsersHaveTheFactsThatTheyDeclare) {
  BinarySpec spec = find_op("add")->binary();
  spec.name = "known_sum";
  spec.identity_a = std::nullopt;
  const Op known(spec);
  spec.name = "plain_sum";
  spec.identity_b = std::nullopt;
  spec.folds_exactly = false;
  const Op plain(spec);
  const auto sum = [](const Op& op, const Tensor& a, const Tensor& b) {
    return detail::apply(op, a, b);
  };
  const Tensor x = leaf({7});
  EXPECT_EQ(after(abs(sum(known, x, -0.0))), "0: leaf (7,)\n1: map abs 0 (7,)\n");
  EXPECT_NE(after(sum(known, -0.0, x)).find("known_sum"), std::string::npos);
  EXPECT_NE(after(sum(plain, x, -0.0)).find("plain_sum"), std::string::npos);
  const auto three = [&](const Op& op) { return sum(op, full({}, 1.0), 2.0); };
  EXPECT_NE(after(x * three(known)).find("constant 3"), std::string::npos);
  EXPECT_NE(after(x * three(plain)).find("plain_sum"), std::string::npos);
}

TEST_F(Rewrite, WhatChangesABitStays) {
  const Tensor x = leaf({7});
  const std::vector<Tensor> roots{x + 0.0, 0.0 + x, x - -0.0, x * 0.0, x * -1.0, 1.0 / x, 0.0 - x};
  for (const Tensor& y : roots) EXPECT_NE(after(y).find(": map "), std::string::npos) << after(y);
  expect_values({roots[0], roots[1], roots[2], roots[3], roots[4], roots[6]});
}

TEST_F(Rewrite, AnIdentityThatConvertsIsACast) {
  const Tensor x = leaf({4}).astype(int32);
  EXPECT_EQ(after(x / 1.0),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n"
            "2: cast 1 (4,)\n");
  expect_values(x / 1.0);
}

TEST_F(Rewrite, IdleCastsGo) {
  const Tensor x = leaf({4});
  EXPECT_EQ(after(x.astype(int32).astype(int32)),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n");
  expect_values(x.astype(int32).astype(int32));
}

TEST_F(Rewrite, CastsThereAndBackStay) {
  const Tensor x = leaf({4});
  EXPECT_EQ(after(x.astype(int32).astype(float32)),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n"
            "2: cast 1 (4,)\n");
  expect_values(x.astype(int32).astype(float32));
}

TEST_F(Rewrite, ABarrierDisappears) {
  const Tensor x = leaf({4});
  const Tensor y = abs(stop_gradient(x));
  EXPECT_EQ(before(y), "call output map");
  EXPECT_EQ(after(y), "0: leaf (4,)\n1: map abs 0 (4,)\n");
  expect_values(y);
}

// ---- Views --------------------------------------------------------------------------------------

TEST_F(Rewrite, ViewsCompose) {
  const Tensor x = leaf({6, 8});
  const Tensor y = flip(x.T()[Slice{1, 7, 2}], 0);
  EXPECT_EQ(before(y), "permute slice slice");
  EXPECT_EQ(after(y),
            "0: leaf (6, 8)\n"
            "1: view 0 [i1, -2*i0 + 5] (3, 6)\n");
  expect_values(y);
}

TEST_F(Rewrite, ABroadcastViewForgetsItsAxis) {
  const Tensor x = leaf({3, 1});
  const Tensor y = broadcast_to(x, {2, 3, 4});
  EXPECT_EQ(after(y),
            "0: leaf (3, 1)\n"
            "1: view 0 [i1, 0] (2, 3, 4)\n");
  expect_values(y);
}

TEST_F(Rewrite, RunTimeStartsAreClampedEachOnItsOwn) {
  const Tensor x = leaf({9});
  const Tensor y = x.at(Window{Scalar(3), 5}).get().at(Window{Scalar(-2), 2}).get();
  EXPECT_EQ(after(y),
            "0: leaf (9,)\n"
            "1: view 0 [i0 + 1*clamp(s0, 0, 4) + 1*clamp(s1, 0, 3)] (2,)\n");
  expect_values(y);
}

TEST_F(Rewrite, AReshapeThatSplitsAxesIsAView) {
  const Tensor x = leaf({6, 8});
  EXPECT_EQ(after(reshape(x, {2, 3, 4, 2})),
            "0: leaf (6, 8)\n"
            "1: view 0 [3*i0 + i1, 2*i2 + i3] (2, 3, 4, 2)\n");
  expect_values(reshape(x, {2, 3, 4, 2}));
}

TEST_F(Rewrite, AReshapeThatDropsAndAddsOnesIsAView) {
  const Tensor x = leaf({1, 6, 1, 8});
  EXPECT_EQ(after(reshape(x, {6, 1, 8, 1})),
            "0: leaf (1, 6, 1, 8)\n"
            "1: view 0 [0, i0, 0, i2] (6, 1, 8, 1)\n");
  expect_values(reshape(x, {6, 1, 8, 1}));
}

TEST_F(Rewrite, AReshapeThatMergesAxesStaysOne) {
  const Tensor x = leaf({6, 8});
  const Tensor y = reshape(reshape(x.T(), {4, 12}), {48});
  EXPECT_EQ(before(y), "permute reshape reshape");
  EXPECT_EQ(after(y),
            "0: leaf (6, 8)\n"
            "1: view 0 [i1, i0] (8, 6)\n"
            "2: reshape 1 (48,)\n");
  expect_values(y);
}

TEST_F(Rewrite, ReshapesThereAndBackVanish) {
  const Tensor x = leaf({6, 8});
  EXPECT_EQ(after(abs(reshape(reshape(x, {48}), {6, 8}))), "0: leaf (6, 8)\n1: map abs 0 (6, 8)\n");
}

// ---- Products -----------------------------------------------------------------------------------

TEST_F(Rewrite, ATurnedProductIsTheProductOfTurnedOperands) {
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const Tensor y = matmul(a, b).T();
  EXPECT_EQ(before(y), "contract permute");
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: view 1 [i1, i0] (7, 5)\n"
            "3: view 0 [i1, i0] (5, 3)\n"
            "4: contract 2 3 (7, 3)\n");
  expect_values(y);
}

TEST_F(Rewrite, ATurnedProductOfBatchesToo) {
  const Tensor a = leaf({2, 3, 5}), b = leaf({2, 5, 7});
  const Tensor y = transpose(matmul(a, b), {0, 2, 1});
  EXPECT_EQ(after(y),
            "0: leaf (2, 3, 5)\n"
            "1: leaf (2, 5, 7)\n"
            "2: view 1 [i0, i2, i1] (2, 7, 5)\n"
            "3: view 0 [i0, i2, i1] (2, 5, 3)\n"
            "4: contract 2 3 (2, 7, 3)\n");
  expect_values(y);
}

TEST_F(Rewrite, AProductWhoseBatchesAreTurnedStays) {
  const Tensor a = leaf({2, 3, 5}), b = leaf({2, 5, 7});
  const Tensor y = transpose(matmul(a, b), {1, 0, 2});
  EXPECT_EQ(after(y),
            "0: leaf (2, 3, 5)\n"
            "1: leaf (2, 5, 7)\n"
            "2: contract 0 1 (2, 3, 7)\n"
            "3: view 2 [i1, i0, i2] (3, 2, 7)\n");
  expect_values(y);
}

TEST_F(Rewrite, ATurnedProductOfFewColumnsStays) {
  // The limit is on columns, which would become rows.
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const Tensor y = matmul(a, b, {.columns = Scalar(4)}).T();
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: contract 0 1 (3, 7)\n"
            "3: view 2 [i1, i0] (7, 3)\n");
  expect_values(y);
}

TEST_F(Rewrite, BothWaysToWriteOneProductAreOne) {
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const std::vector<Tensor> roots{matmul(a, b).T(), matmul(b.T(), a.T())};
  EXPECT_EQ(after(roots),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: view 1 [i1, i0] (7, 5)\n"
            "3: view 0 [i1, i0] (5, 3)\n"
            "4: contract 2 3 (7, 3)\n");
  expect_values(roots);
}

}  // namespace
}  // namespace trigon
