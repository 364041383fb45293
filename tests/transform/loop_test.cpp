// SPDX-License-Identifier: MIT
#include "graph/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/graph_values.hpp"

// The graphs built by loop functions.

namespace trigon {
namespace {

using graph::Kind;
using graph::LoopAttrs;
using graph::LoopBody;
using graph::Node;
using graph::NodePtr;
using Two = std::pair<Tensor, Tensor>;

/// The loop of which x is a result.
const Node& loop_of(const NodePtr& x) {
  EXPECT_EQ(x->kind, Kind::output);
  EXPECT_EQ(x->inputs[0]->kind, Kind::loop);
  return *x->inputs[0];
}
const Node& loop_of(const Tensor& x) { return loop_of(detail::Internals::node(x)); }
const LoopBody& body_of(const Tensor& x) { return *loop_of(x).body; }

std::int32_t number_of(const Tensor& x) {
  return detail::Internals::node(x)->as<graph::OutputAttrs>().number;
}

/// All nodes below, the roots among them.
std::vector<const Node*> below(const std::vector<NodePtr>& roots) {
  std::vector<const Node*> open;
  for (const NodePtr& root : roots) open.push_back(root.get());
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> all;
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    all.push_back(node);
    for (const NodePtr& input : node->inputs) open.push_back(input.get());
  }
  return all;
}

int count(const LoopBody& body, Kind kind) {
  int found = 0;
  for (const Node* node : below(body.results)) found += node->kind == kind ? 1 : 0;
  return found;
}

// The nodes that a call makes, by their ids.
std::uint64_t nodes_made(const std::function<void()>& call) {
  const std::uint64_t first = Node(Kind::constant, float32, {}).id;
  call();
  return Node(Kind::constant, float32, {}).id - first - 1;
}

Tensor decay(std::int64_t steps, const Tensor& x, double rate = 0.9) {
  return fori_loop(
      0, steps, [&](Tensor i, Tensor s) { return s * rate + i; }, x);
}

TEST(Loop, IsOneNodeOfSeveralResults) {
  const auto body = [](Tensor i, Two s) { return Two(s.second + i, s.first * 2.0); };
  const Two last = fori_loop(3, 10, body, Two(leaf({4}), leaf({4})));
  const Node& a = loop_of(last.first);
  EXPECT_EQ(&a, &loop_of(last.second));
  EXPECT_EQ(a.inputs.size(), 2u);
  EXPECT_EQ(number_of(last.first), 0);
  EXPECT_EQ(number_of(last.second), 1);
  EXPECT_EQ(a.as<graph::LoopAttrs>().first, 3);
  EXPECT_EQ(a.as<graph::LoopAttrs>().iterations, 7);
  EXPECT_EQ(a.as<graph::LoopAttrs>().first_scalar.number, -1);
  EXPECT_EQ(a.as<graph::LoopAttrs>().iterations_scalar.number, -1);
  EXPECT_EQ(last.first.shape(), (Shape{4}));
}

TEST(Loop, MakesAsManyNodesForAnyNumberOfSteps) {
  const Tensor x = leaf({8});
  const auto made = [&](std::int64_t steps) { return nodes_made([&] { decay(steps, x); }); };
  EXPECT_EQ(made(10), 23u);
  EXPECT_EQ(made(1500), made(10));
  EXPECT_EQ(below({detail::Internals::node(decay(1500, x))}).size(), 3u);
}

TEST(Loop, CallsTheBodyOnce) {
  int calls = 0;
  static_cast<void>(fori_loop(
      0, 100,
      [&](Tensor, Tensor s) {
        ++calls;
        return s + 1.0;
      },
      leaf({2})));
  EXPECT_EQ(calls, 1);
}

TEST(Loop, ParametersAreStepCarriesSlicesAndCaptured) {
  const Tensor w = leaf({3});
  const auto [last, ys] =
      scan([&](Tensor s, Tensor x) { return Two(s * w + x, s > 0.0); }, leaf({3}), leaf({7, 3}));
  const LoopBody& body = body_of(last);
  EXPECT_EQ(body.carries, 1);
  EXPECT_EQ(body.slices, 1);
  EXPECT_EQ(body.captured, 1);
  EXPECT_EQ(body.outputs, 1);
  EXPECT_FALSE(body.has_condition);
  ASSERT_EQ(body.parameters.size(), 4u);
  EXPECT_EQ(body.parameters[0]->dtype, int32);
  EXPECT_EQ(body.parameters[0]->shape, Shape{});
  EXPECT_EQ(body.parameters[2]->shape, (Shape{3}));
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(body.parameters[k]->kind, Kind::parameter);
    EXPECT_EQ(body.parameters[k]->as<graph::ParameterAttrs>().number, static_cast<int>(k));
  }
  EXPECT_EQ(loop_of(last).inputs[2], detail::Internals::node(w));
  EXPECT_EQ(ys.shape(), (Shape{7, 3}));
  EXPECT_EQ(ys.dtype(), boolean);
  EXPECT_EQ(body.results.size(), 2u);
}

TEST(Loop, BodyRefersToNothingOutside) {
  const Tensor w = leaf({4});
  const Tensor table = iota(4) * 2;  // only of numbers
  const auto body = [&](Tensor i, Tensor s) { return s * exp(w) + w + table + i; };
  const Tensor last = fori_loop(0, 5, body, leaf({4}));
  const std::vector<const Node*> outside =
      below({detail::Internals::node(w), detail::Internals::node(table)});
  for (const Node* node : below(body_of(last).results)) {
    EXPECT_EQ(std::count(outside.begin(), outside.end(), node), 0);
    EXPECT_NE(node->kind, Kind::leaf);
    EXPECT_EQ(node->device, nullptr);
    for (const NodePtr& input : node->inputs) EXPECT_LT(input->id, node->id);
  }
}

TEST(Loop, LiftsWhatDependsOnNoCarry) {
  const Tensor w = leaf({4});
  const auto body = [&](Tensor, Tensor s) { return s * exp(w * 2.0) + s * exp(w * 2.0 + 1.0); };
  const Tensor last = fori_loop(0, 5, body, leaf({4}));
  EXPECT_EQ(body_of(last).captured, 2);
  for (const Node* node : below(body_of(last).results)) {
    EXPECT_TRUE(node->op == nullptr || node->op->name != "exp");
  }
  EXPECT_EQ(loop_of(last).inputs[1]->op->name, "exp");
}

TEST(Loop, KeepsViewsOfCapturedTensorsInTheBody) {
  const Tensor weights = leaf({6, 8});
  const auto body = [&](Tensor, Tensor s) {  // (100, 8)
    return s * weights[2] + s * weights.at(Slice{0, 1}).get();
  };
  const Tensor last = fori_loop(0, 5, body, leaf({100, 8}));
  ASSERT_EQ(body_of(last).captured, 1);
  EXPECT_EQ(loop_of(last).inputs[1], detail::Internals::node(weights));
  EXPECT_EQ(count(body_of(last), Kind::slice), 2);
}

TEST(Loop, CapturesATensorOnce) {
  const Tensor w = leaf({4});
  const auto body = [&](Tensor, Two s) { return Two(s.first * w, s.second + w); };
  EXPECT_EQ(body_of(fori_loop(0, 5, body, Two(leaf({4}), leaf({4}))).first).captured, 1);
}

TEST(Loop, KeepsScalarsInTheBody) {
  const Scalar rate(0.5), start(2), steps(9);
  const Tensor w = leaf({10});
  const auto body = [&](Tensor, Tensor s) { return s * rate + w.at(Window{start, 4}).get(); };
  const Tensor last = fori_loop(0, steps, body, leaf({4}));
  const Node& node = loop_of(last);
  ASSERT_EQ(node.inputs.size(), 5u);  // carry, captured, rate, start, steps
  EXPECT_EQ(node.inputs[1], detail::Internals::node(w));
  EXPECT_EQ(node.inputs[2], detail::Internals::node(rate.tensor()));
  EXPECT_EQ(node.inputs[3], detail::Internals::node(start.tensor()));
  EXPECT_EQ(node.inputs[4], detail::Internals::node(steps.tensor()));
  EXPECT_EQ(node.as<graph::LoopAttrs>().iterations_scalar.number, 4);
  EXPECT_EQ(node.as<graph::LoopAttrs>().iterations, 0);
  EXPECT_EQ(count(*node.body, Kind::scalar), 2);
}

TEST(Loop, ACarryThatIsReturnedUnchangedIsCaptured) {
  const Tensor w = leaf({4});
  const auto body = [](Tensor, Two s) { return Two(s.first * s.second, s.second); };
  const Two last = fori_loop(0, 5, body, Two(leaf({4}), w));
  EXPECT_EQ(detail::Internals::node(last.second), detail::Internals::node(w));
  EXPECT_EQ(body_of(last.first).carries, 1);
  EXPECT_EQ(body_of(last.first).captured, 1);
  EXPECT_EQ(loop_of(last.first).inputs[1], detail::Internals::node(w));
}

TEST(Loop, WithoutIterationsIsItsFirstValue) {
  const Tensor x = leaf({4});
  EXPECT_EQ(detail::Internals::node(decay(0, x)), detail::Internals::node(x));
}

TEST(Loop, LeavesOutWhatHasNoElements) {
  const auto f = [](std::array<Tensor, 2> s, Tensor x) {
    const std::array<Tensor, 2> next{s[0] + 1.0, s[1] * 2.0};
    return std::pair(next, std::array<Tensor, 3>{x, s[1], s[0]});
  };
  const auto [last, ys] = scan(f, std::array<Tensor, 2>{leaf({0, 3}), leaf({4})}, leaf({7, 0}));
  EXPECT_EQ(body_of(last[1]).carries, 1);
  EXPECT_EQ(body_of(last[1]).slices, 0);
  EXPECT_EQ(body_of(last[1]).outputs, 1);
  EXPECT_EQ(number_of(ys[1]), 1);
  EXPECT_EQ(last[0].shape(), (Shape{0, 3}));
  EXPECT_EQ(ys[0].shape(), (Shape{7, 0}));
  EXPECT_EQ(ys[1].shape(), (Shape{7, 4}));
  EXPECT_EQ(ys[2].shape(), (Shape{7, 0, 3}));
}

TEST(Loop, EqualBodiesHaveEqualKeys) {
  const auto key = [](const Tensor& x) { return body_of(x).key; };
  const auto first = key(decay(10, leaf({8})));
  EXPECT_EQ(key(decay(1500, leaf({8}))), first);
  EXPECT_NE(key(decay(10, leaf({8}), 0.8)), first);
  EXPECT_NE(key(decay(10, leaf({9}))), first);
  EXPECT_NE(key(decay(10, leaf({8}, float16).astype(float32).reshape(8, 1))), first);
  const Tensor w = leaf({8}), v = leaf({8});
  const auto with = [&](const Tensor& a, const Tensor& b) {
    return key(fori_loop(
        0, 3, [&](Tensor, Tensor s) { return s * a - b; }, leaf({8})));
  };
  EXPECT_EQ(with(w, v), with(v, w));
  EXPECT_NE(with(w, v), with(w, w));
  const auto swapped = [&](bool is_swapped) {
    const auto body = [&](Tensor, Two s) {
      return is_swapped ? Two(s.second * 2.0, s.first * 2.0) : Two(s.first * 2.0, s.second * 2.0);
    };
    return key(fori_loop(0, 3, body, Two(leaf({8}), leaf({8}))).first);
  };
  EXPECT_NE(swapped(true), swapped(false));
}

TEST(Loop, KeysOfScalarsDependOnWhichAreEqual) {
  const auto key = [](const Scalar& a, const Scalar& b) {
    const auto body = [&](Tensor, Tensor s) { return s * a + b; };
    return body_of(fori_loop(0, 3, body, leaf({8}))).key;
  };
  const Scalar one(0.5), two(0.5);
  EXPECT_EQ(key(one, two), key(0.25, 0.75));
  EXPECT_NE(key(one, two), key(one, one));
}

TEST(Loop, Nests) {
  const Tensor w = leaf({4});
  const auto run = [&](double rate) {
    const auto outer = [&](Tensor i, Tensor x) {
      const auto inner = [&](Tensor j, Tensor y) { return y * rate + w + x + (i + j); };
      return fori_loop(0, 3, inner, x);
    };
    return fori_loop(0, 5, outer, leaf({4}));
  };
  const Tensor last = run(0.5);
  const LoopBody& body = body_of(last);
  EXPECT_EQ(count(body, Kind::loop), 1);
  EXPECT_EQ(body.captured, 1);
  EXPECT_EQ(loop_of(body.results[0]).body->captured, 3);  // w, x and i
  EXPECT_EQ(body_of(run(0.5)).key, body.key);
  EXPECT_NE(body_of(run(0.25)).key, body.key);
}

TEST(Loop, InnerLoopsThatDependOnNoCarryRunOnce) {
  const Tensor w = leaf({4});
  const auto body = [&](Tensor, Tensor x) { return x + decay(3, w); };
  const Tensor last = fori_loop(0, 5, body, leaf({4}));
  EXPECT_EQ(count(body_of(last), Kind::loop), 0);
  EXPECT_EQ(loop_of(last).inputs[1]->kind, Kind::output);
}

TEST(Loop, ConditionIsAResultAndSelectsElements) {
  const auto holds = [](Tensor x) { return x > 1.0; };
  const Tensor last = while_loop(
      holds, [](Tensor x) { return x * 0.5; }, leaf({4}), 100);
  const LoopBody& body = body_of(last);
  EXPECT_TRUE(body.has_condition);
  ASSERT_EQ(body.results.size(), 2u);
  EXPECT_EQ(body.results[1]->dtype, boolean);
  EXPECT_EQ(body.results[0]->op->name, "where");
  EXPECT_EQ(loop_of(last).as<graph::LoopAttrs>().iterations, 100);
  const Tensor all = while_loop([](Tensor x) { return max(x) > 1.0; },
                                [](Tensor x) { return x * 0.5; }, leaf({4}));
  EXPECT_EQ(body_of(all).results[0]->op->name, "multiply");
  EXPECT_EQ(loop_of(all).as<graph::LoopAttrs>().iterations, LoopAttrs::unbounded);
}

TEST(Loop, CompiledFunctionsInABodyAreCalled) {
  const auto twice = compile([](Tensor x) { return x * 2.0; });
  const Tensor last = fori_loop(
      0, 5, [&](Tensor, Tensor x) { return twice(x); }, leaf({4}));
  EXPECT_EQ(body_of(last).results[0]->op->name, "multiply");
}

TEST(Loop, ADeepBodyAndALongChainOfLoopsNeedNoStack) {
  const auto body = [](Tensor, Tensor x) {
    for (int k = 0; k < 50'000; ++k) x = x + 1.0;
    return x;
  };
  Tensor x = fori_loop(0, 5, body, leaf({2}));
  EXPECT_GT(below(body_of(x).results).size(), 50'000u);
  for (int k = 0; k < 20'000; ++k) x = decay(3, x);
  x = Tensor();
}

TEST(Loop, DoesNotKeepTheTracedNodes) {
  std::weak_ptr<Node> inner;
  const Tensor last = fori_loop(
      0, 5,
      [&](Tensor, Tensor x) {
        const Tensor y = x * 2.0;
        inner = detail::Internals::node(y);
        return y + 1.0;
      },
      leaf({2}));
  EXPECT_TRUE(inner.expired());
}

}  // namespace
}  // namespace trigon
