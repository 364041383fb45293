// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/trace.hpp"
#include "support/graph_values.hpp"
#include "support/plans.hpp"

// The texts of all errors of loops.

namespace trigon {
namespace {

using Two = std::pair<Tensor, Tensor>;

template <class Body, class State>
std::string error_of_loop(Body body, State init) {
  return error_of([&] { return fori_loop(0, 3, body, init); });
}

TEST(LoopError, ShapeOfACarry) {
  EXPECT_EQ(error_of_loop([](Tensor, Tensor x) { return sum(x); }, leaf({4})),
            "trigon::fori_loop: the body changes the shape of a carry: carry 0 is (4,) in init, () "
            "after an iteration; must be equal\n  hint: broadcast_to the first value");
  const auto body = [](Tensor, std::pair<Tensor, std::vector<Tensor>> s) {
    s.second[1] = expand_dims(s.second[1], 0);
    return s;
  };
  EXPECT_EQ(error_of_loop(body, std::pair(leaf({4}), std::vector{leaf({2}), leaf({3})})),
            "trigon::fori_loop: the body changes the shape of a carry: carry 2 (state[1][1]) is "
            "(3,) in init, (1, 3) after an iteration; must be equal\n"
            "  hint: broadcast_to the first value");
}

TEST(LoopError, DtypeOfACarry) {
  const auto body = [](Tensor, std::map<std::string, Tensor> s) {
    s["hits"] = s["hits"] + 0.5;
    return s;
  };
  const std::map<std::string, Tensor> init{{"hits", leaf({4}, int32)}};
  EXPECT_EQ(error_of_loop(body, init),
            "trigon::fori_loop: the body changes the dtype of a carry: carry 0 (state[\"hits\"]) "
            "is int32 in init, float32 after an iteration; must be equal\n"
            "  hint: cast one of them with astype");
  EXPECT_EQ(error_of([] {
              return scan([](Tensor s, Tensor x) { return Two(s + x, x); }, Tensor(0), leaf({3}));
            }),
            "trigon::scan: the body changes the dtype of a carry: carry 0 is int32 in init, "
            "float32 after an iteration; must be equal\n  hint: cast one of them with astype");
  EXPECT_EQ(error_of_loop([](Tensor, Tensor) { return Tensor(300); }, leaf({}, uint8)),
            "trigon::fori_loop: number out of range: 300 as uint8; must be in [0, 255]");
}

TEST(LoopError, StructureOfTheState) {
  const auto grow = [](Tensor, std::vector<Tensor> s) {
    s.push_back(s[0]);
    return s;
  };
  EXPECT_EQ(error_of_loop(grow, std::vector{leaf({2})}),
            "trigon::fori_loop: the body changes the structure of the state: init has 1 tensors, "
            "the body returns 2; containers and empty handles must stay as they are");
  const auto drop = [](Tensor, Two s) { return Two(s.second, Tensor()); };
  EXPECT_EQ(error_of_loop(drop, Two(leaf({2}), leaf({2}))),
            "trigon::fori_loop: the body changes the structure of the state: init has 2 tensors, "
            "the body returns 1; containers and empty handles must stay as they are");
  EXPECT_EQ(error_of([] {
              return while_loop([](Two s) { return s.first > 0.0; },
                                [](Two s) { return Two(Tensor(), s.first); },
                                Two(leaf({2}), Tensor()));
            }),
            "trigon::while_loop: the body changes the structure of the state: init has 1 tensors, "
            "the body returns 1; containers and empty handles must stay as they are");
}

TEST(LoopError, NumbersOfTheState) {
  const std::string changed =
      "trigon::fori_loop: the body changes a number of the state: numbers, Scalars and the keys of "
      "maps must stay as they are\n  hint: make it a tensor of shape ()";
  const auto step = [](Tensor, std::pair<Tensor, int> s) {
    return std::pair(s.first, s.second + 1);
  };
  EXPECT_EQ(error_of_loop(step, std::pair(leaf({2}), 0)), changed);
  const auto scalar = [](Tensor, std::pair<Tensor, Scalar> s) {
    return std::pair(s.first, s.second * 2);
  };
  EXPECT_EQ(error_of_loop(scalar, std::pair(leaf({2}), Scalar(3))), changed);
  EXPECT_EQ(error_of_loop(scalar, std::pair(leaf({2}), Scalar(0))), "no error");
}

TEST(LoopError, NegativeCount) {
  const auto error = [](const LoopBound& lower, const LoopBound& upper) {
    return error_of([&] {
      return fori_loop(
          lower, upper, [](Tensor, Tensor x) { return x + 1; }, leaf({2}));
    });
  };
  const std::string negative =
      "trigon::fori_loop: negative number of iterations: upper - lower is -2; must be at least 0";
  EXPECT_EQ(error(3, 1), "no error");
  EXPECT_EQ(error(0, Scalar(-2)), negative);
  EXPECT_EQ(error(Scalar(3), 1), negative);
  EXPECT_EQ(error(-2'000'000'000, 2'000'000'000),
            "trigon::fori_loop: too many iterations: upper - lower is 4000000000; must be at most "
            "2147483647");
  EXPECT_EQ(error(0, 3'000'000'000),
            "trigon::fori_loop: upper is out of range: 3000000000; must be in [-2147483648, "
            "2147483647]");
  EXPECT_EQ(error(0, leaf({2}, int32)),
            "trigon::fori_loop: upper is not an integer: it is (2,) int32; must be of an integer "
            "type and of shape ()");
  EXPECT_EQ(error(Scalar(0.5), 3),
            "trigon::fori_loop: lower is not an integer: it is () float32; must be of an integer "
            "type and of shape ()");
  EXPECT_EQ(error_of([] {
              return while_loop([](Tensor x) { return x > 0.0; }, [](Tensor x) { return x; },
                                leaf({2}), -1);
            }),
            "trigon::while_loop: negative number of iterations: max_iterations is -1; must be at "
            "least 0");
}

TEST(LoopError, NegativeCountOfALaterCall) {
  graph::Trace trace;
  const Scalar steps = detail::Internals::scalar(trace.add_argument(0, 4, int32));
  static_cast<void>(fori_loop(
      1, steps, [](Tensor, Tensor x) { return x + 1.0; }, leaf({2})));
  trace.stop();
  const std::array<double, 1> fine{1}, wrong{0};
  EXPECT_EQ(error_of([&] { trace.program().run(fine); }), "no error");
  EXPECT_EQ(
      error_of([&] { trace.program().run(wrong); }),
      "trigon::fori_loop: negative number of iterations: upper - lower is -1; must be at least 0");
}

TEST(LoopError, Condition) {
  const auto error = [](auto condition) {
    return error_of([&] {
      return while_loop(
          condition, [](Two s) { return Two(s.first * 2.0, s.second); },
          Two(leaf({4, 2}), leaf({4})));
    });
  };
  EXPECT_EQ(error([](Two s) { return sum(s.first); }),
            "trigon::while_loop: the condition is not bool: it is () float32; must be the result "
            "of a comparison, or cast with astype\n  hint: while_loop(condition, body, init)");
  EXPECT_EQ(error([](Two s) { return s.first > 0.0; }),
            "trigon::while_loop: the condition does not fit a carry: it is (4, 2), carry 1 "
            "(state[1]) is (4,); must be () or have the carry's leading axes, or 1 for an axis");
  EXPECT_EQ(error([](Two s) { return s.second > 0.0; }), "no error");
  EXPECT_EQ(error([](Two s) { return s.second.at(Slice{0, 1}).get() > 0.0; }), "no error");
}

TEST(LoopError, Slices) {
  const auto error = [](auto xs) {
    return error_of(
        [&] { return scan([](Tensor s, auto x) { return std::pair(s, x); }, leaf({}), xs); });
  };
  EXPECT_EQ(error(Two(leaf({5, 2}), leaf({4}))),
            "trigon::scan: first axes differ: leaf 0 of xs is (5, 2), leaf 1 is (4,); must be "
            "equal, as each iteration takes one slice of all");
  EXPECT_EQ(
      error(leaf({})),
      "trigon::scan: xs has a scalar: leaf 0 is (); must have an axis, that of the iterations\n"
      "  hint: scan(f, init, xs)");
  EXPECT_EQ(
      error(std::vector<Tensor>()),
      "trigon::scan: xs has no tensors: nothing says how many iterations there are; xs must have "
      "at least one\n  hint: pass iota(n)");
}

TEST(LoopError, ValuesInsideABody) {
  const std::string hint = "\n  hint: return it from the body, and read the result of the loop";
  const std::string text =
      "trigon::fori_loop: inside the body of a loop a tensor has no value: asked for is one that "
      "depends on ";
  EXPECT_EQ(error_of_loop([](Tensor, Tensor x) { return x * values(x + 1.0)[0]; }, leaf({2})),
            text + "a carry or slice ((2,) float32)" + hint);
  EXPECT_EQ(error_of_loop([](Tensor i, Tensor x) { return x * values(i + 1)[0]; }, leaf({2})),
            text + "the step (() int32)" + hint);
  EXPECT_EQ(error_of_loop([](Tensor, Tensor x) { return x * plan_of(x + 1.0).slots; }, leaf({2})),
            text + "a carry or slice ((2,) float32)" + hint);
  Tensor escaped;
  static_cast<void>(fori_loop(
      0, 3, [&](Tensor, Tensor x) { return escaped = x + 1.0; }, leaf({2})));
  EXPECT_EQ(error_of([&] { values(escaped * 2.0); }),
            "trigon::fori_loop: a tensor that the body of a loop made has no value after the loop: "
            "asked for is one that depends on a carry or slice ((2,) float32)" +
                hint);
  const auto keep = [&](Tensor s, Tensor x) { return Two(s + x, escaped = s * x); };
  static_cast<void>(scan(keep, leaf({2}), leaf({5, 2})));
  EXPECT_EQ(error_of([&] { values(escaped); }),
            "trigon::scan: a tensor that the body of a loop made has no value after the loop: "
            "asked for is one that depends on a carry or slice ((2,) float32)" +
                hint);
}

TEST(LoopError, IterationsPastTheShadersIntegers) {
  const Tensor y = fori_loop(
      0, 4'194'305, [](Tensor, Tensor x) { return x * 0.5; }, host_leaf({8}));
  EXPECT_EQ(
      support::error_of<DeviceError>([&] { plan_of(y, core::webgl1_minimum()); }),
      "trigon::eval: too many iterations of a loop: 4194305; at most 4194304; put a loop around "
      "it");
}

TEST(LoopError, ElementsPastALayer) {
  core::Target target = core::h200();
  target.max_side = 64;
  const Tensor y = fori_loop(
      0, 5, [](Tensor, Tensor x) { return x * sum(x, -1, true); }, host_leaf({40'000, 3}));
  EXPECT_EQ(support::error_of<DeviceError>([&] { plan_of(y, target); }),
            "trigon::eval: too many elements of a loop for the device: shape (40000,)");
}

TEST(LoopError, MovesInABody) {
  const auto text = [](const std::string& function, const std::string& what) {
    return "trigon::" + function +
           ": the body moves a tensor to another device: asked for is one that depends on " + what +
           "; a loop runs on one device\n  hint: call .to(device) on what the loop reads before "
           "it, or on its results after it";
  };
  const auto held = std::make_shared<int>();  // never looked into
  const Device there =
      detail::Internals::device({held, reinterpret_cast<run::DeviceState*>(held.get())});
  EXPECT_EQ(error_of_loop([&](Tensor, Tensor x) { return (x * 2.0).to(there); }, leaf({2})),
            text("fori_loop", "a carry or slice ((2,) float32)"));
  EXPECT_EQ(error_of_loop([&](Tensor i, Tensor x) { return x * i.to(there); }, leaf({2})),
            text("fori_loop", "the step (() int32)"));
  EXPECT_EQ(error_of([&] {
              return while_loop([](Tensor s) { return sum(s) > 0.0; },
                                [&](Tensor s) { return s.to(there); }, leaf({2}));
            }),
            text("while_loop", "a carry or slice ((2,) float32)"));
}

TEST(LoopError, Devices) {
  const auto on_a_device = [](const Shape& shape) {
    const auto held = std::make_shared<int>();  // never looked into
    const Tensor x = leaf(shape);
    detail::Internals::node(x)->device = {held, reinterpret_cast<run::DeviceState*>(held.get())};
    return x;
  };
  const Tensor w = on_a_device({3});
  EXPECT_EQ(error_of_loop([&](Tensor, Tensor x) { return x * w; }, on_a_device({3})),
            "trigon::multiply: operands live on different devices: b is not where a is; move one "
            "with .to(device)\n  hint: this is in the body of trigon::fori_loop; move what the "
            "loop reads before it");
  const auto on_two = [&](Tensor, Two s) { return Two(s.first * 2.0, s.second + w); };
  EXPECT_EQ(error_of_loop(on_two, Two(on_a_device({2}), leaf({3}))),
            "trigon::fori_loop: the loop reads tensors of different devices: a carry (2,) float32 "
            "and a captured tensor (3,) float32 are not in the same place; move one with "
            ".to(device)");
  const auto pass = [](Tensor s, Tensor x) { return Two(s * 2.0, x); };
  EXPECT_EQ(error_of([&] { return scan(pass, on_a_device({2}), w); }),
            "trigon::scan: the loop reads tensors of different devices: a carry (2,) float32 and a "
            "leaf of xs (3,) float32 are not in the same place; move one with .to(device)");
}

TEST(LoopError, GradientsOfUncountedLoopsNameTheLoopThatWasCalled) {
  const Tensor x = leaf({4});
  const auto error = [&](const auto& f) { return error_of([&] { return grad(f, x); }); };
  const auto text = [](const std::string& name, const std::string& remedy) {
    return "trigon::grad: no gradient: nothing bounds the iterations of " + name +
           " before it runs; " + remedy +
           "\n  hint: or wrap the function that calls the loop in custom_vjp(f, rule)";
  };
  const auto doubled = [](Tensor, Tensor s) { return s * 2.0; };
  const auto by_while = [](const Tensor& v) {
    return sum(while_loop([](Tensor s) { return s < 8.0; }, [](Tensor s) { return s * 2.0; }, v));
  };
  EXPECT_EQ(error(by_while), text("while_loop", "pass max_iterations, or write fori_loop or scan"));
  const auto to = [&](const LoopBound& bound) {
    return [&](const Tensor& v) { return sum(fori_loop(0, bound, doubled, v)); };
  };
  EXPECT_EQ(error(to(leaf({}, int32))), text("fori_loop", "its bounds must be plain numbers"));
  EXPECT_EQ(error(to(Scalar(3))), text("fori_loop", "its bounds must be plain numbers"));
  EXPECT_EQ(error([&](const Tensor& v) { return sum(v) + stop_gradient(by_while(v)); }),
            "no error");
}

TEST(LoopError, Cond) {
  const auto same = [](Tensor x) { return x; };
  const auto error = [&](const Tensor& predicate, auto yes) {
    return error_of([&] { return cond(predicate, yes, same, leaf({4, 2})); });
  };
  EXPECT_EQ(error(leaf({}), same),
            "trigon::cond: the predicate is not bool: it is () float32; must be the result of a "
            "comparison, or cast with astype");
  EXPECT_EQ(error(leaf({2}, boolean), same),
            "trigon::cond: the predicate does not fit a result: it is (2,), tensor 0 is (4, 2); "
            "must be () or have the result's leading axes, or 1 for an axis");
  EXPECT_EQ(error(leaf({}, boolean), [](Tensor x) { return sum(x, 1); }),
            "trigon::cond: the results differ: tensor 0 is (4,) float32 from yes, (4, 2) float32 "
            "from no; must have the same shape and dtype");
  EXPECT_EQ(error(leaf({}, boolean), [](Tensor x) { return x.astype(int32); }),
            "trigon::cond: the results differ: tensor 0 is (4, 2) int32 from yes, (4, 2) float32 "
            "from no; must have the same shape and dtype");
  EXPECT_EQ(error(leaf({}, boolean), [](Tensor) { return Tensor(); }),
            "trigon::cond: the results differ in structure: yes returns 0 tensors, no returns 1; "
            "containers, empty handles and numbers must be the same");
}

}  // namespace
}  // namespace trigon
