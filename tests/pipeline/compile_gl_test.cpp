// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/counted.hpp"
#include "support/errors.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using support::evaluated;
using support::filled;
using Floats = std::vector<float>;
using support::counted;
using support::error_of;

struct Layer {
  Tensor weight, bias;
  bool is_last = false;
};
using Params = std::map<std::string, std::vector<Layer>>;

Params params() {
  return {
      {"mlp", {{filled({3, 2}, 0.5), filled({3}, 1)}, {filled({1, 3}, 2), filled({1}, -1), true}}}};
}

Tensor forward(const Params& p, Tensor x) {
  for (const Layer& layer : p.at("mlp")) {
    x = nn::linear(x, layer.weight, layer.bias);
    if (!layer.is_last) x = maximum(x, 0.0);
  }
  return x;
}

TEST(Compile, GivesWhatTheFunctionGives) {
  const auto f = compile(forward);
  const Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(f(params(), x).to_vector<float>(), forward(params(), x).to_vector<float>());
}

TEST(Compile, CallsTheFunctionOnceForArgumentsOfOneKind) {
  int calls = 0;
  const auto f = compile([&](const Tensor& x) {
    ++calls;
    return x * 2.0 + 1.0;
  });
  for (int k = 0; k < 3; ++k) {
    const auto value = static_cast<float>(k);
    EXPECT_EQ(f(filled({4}, value)).to_vector<float>(), Floats(4, 2 * value + 1));
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(f(filled({5}, 1)).to_vector<float>(), Floats(5, 3));
  EXPECT_EQ(calls, 2);
  static_cast<void>(f(tensor<std::int32_t>({1, 2, 3, 4})));
  EXPECT_EQ(calls, 3);
}

TEST(Compile, ConstantsAndResultsAreOfOneKind) {
  int calls = 0;
  const auto step = compile([&](const Tensor& x) {
    ++calls;
    return x * 0.5 + 1.0;
  });
  const Tensor start = zeros({3}).eval(), loaded = filled({3}, 2), one = ones({3});
  const Tensor once = step(start), twice = step(once);
  EXPECT_EQ(twice.to_vector<float>(), Floats(3, 1.5));
  EXPECT_EQ(step(loaded).to_vector<float>(), Floats(3, 2));
  EXPECT_EQ(step(one).to_vector<float>(), Floats(3, 1.5));
  EXPECT_EQ(calls, 1);

  Tensor state = zeros({2, 2}).eval();  // handed over from call to call
  for (int k = 0; k < 3; ++k) state = step(std::move(state));
  EXPECT_EQ(state.to_vector<float>(), Floats(4, 1.75));
  EXPECT_EQ(calls, 2);

  const auto other_way_round = compile([&](const Tensor& x) {
    ++calls;
    return x + 1.0;
  });
  EXPECT_EQ(other_way_round(loaded).to_vector<float>(), Floats(3, 3));
  EXPECT_EQ(other_way_round(start).to_vector<float>(), Floats(3, 1));
  EXPECT_EQ(calls, 3);
}

TEST(Compile, APlainNumberIsPartOfTheKindAndAScalarIsNot) {
  int calls = 0;
  const auto by_number = compile([&](const Tensor& x, double rate) {
    ++calls;
    return x * rate;
  });
  const Tensor x = filled({4}, 2);
  EXPECT_EQ(by_number(x, 3.0).to_vector<float>(), Floats(4, 6));
  EXPECT_EQ(by_number(x, 4.0).to_vector<float>(), Floats(4, 8));
  EXPECT_EQ(by_number(x, 3.0).to_vector<float>(), Floats(4, 6));
  EXPECT_EQ(calls, 2);

  calls = 0;
  const auto by_scalar = compile([&](const Tensor& y, const Scalar& rate) {
    ++calls;
    return y * rate;
  });
  EXPECT_EQ(by_scalar(x, Scalar(3.0)).to_vector<float>(), Floats(4, 6));
  EXPECT_EQ(by_scalar(x, Scalar(4.0)).to_vector<float>(), Floats(4, 8));
  EXPECT_EQ(by_scalar(x, Scalar(-0.5)).to_vector<float>(), Floats(4, -1));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(by_scalar(x, Scalar(2)).to_vector<float>(), Floats(4, 4));
  EXPECT_EQ(calls, 2);  // int32, so its dtype differs
}

TEST(Compile, ATracedCallMakesNoPlan) {
  const auto f = compile([](const Tensor& x) { return sum(exp(x)); });
  const Tensor x = filled({6}, 0), y = filled({6}, 1);
  static_cast<void>(f(x));
  const Counters cost = counted([&] { return f(y); });
  EXPECT_EQ(cost.plans_made + cost.plan_cache_hits, 0);
  EXPECT_GT(cost.draws, 0);
}

// The network of README.md. tests/web/functions_test.mjs counts the same step in JavaScript.
TEST(Compile, DrawsOfATrainingStep) {
  struct Network {
    Tensor w1, b1, w2, b2;
  };
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const support::OnProfile on(profile);
    const Tensor x = linspace(-3, 3, 64).reshape(64, 1), y = sin(x);
    eval(x, y);
    const auto loss = [&](const Network& p) {
      const Tensor hidden = tanh(nn::linear(x, p.w1, p.b1));
      return mean(square(nn::linear(hidden, p.w2, p.b2) - y));
    };
    const auto step = compile([&](const Network& p, Scalar rate) {
      return tree_map([&](const Tensor& w, const Tensor& g) { return w - rate * g; }, p,
                      grad(loss)(p));
    });
    Network network{ones({16, 1}), linspace(-3, 3, 16), zeros({1, 16}), zeros({1})};
    const auto run = [&] {
      network = step(std::move(network), Scalar(0.02));
      eval(network);
    };
    for (int warm = 0; warm < 3; ++warm) run();
    const Counters cost = counted(run);
    EXPECT_EQ(cost.draws, profile == Profile::webgl2 ? 7 : 8);
    EXPECT_EQ(cost.plans_made + cost.textures_created + cost.programs_compiled, 0);
  }
}

TEST(Compile, ResultsAreTreesWithTheirNumbers) {
  struct Out {
    std::vector<Tensor> pieces;
    std::pair<int, Scalar> count;
    Tensor none;
  };
  const auto f = compile([](const Tensor& x, const Scalar& n) {
    return Out{{x + 1.0, x, x + 1.0 + 1.0}, {7, n * 2 + 1}, {}};
  });
  for (int n : {3, 4}) {
    const Tensor x = filled({2}, 5);
    const Out out = f(x, Scalar(n));
    EXPECT_EQ(out.pieces[0].to_vector<float>(), Floats(2, 6));
    EXPECT_EQ(detail::Internals::node(out.pieces[1]), detail::Internals::node(x));
    EXPECT_EQ(out.pieces[2].to_vector<float>(), Floats(2, 7));
    EXPECT_EQ(out.count.first, 7);
    EXPECT_EQ(out.count.second.value(), 2 * n + 1);
    EXPECT_FALSE(out.none.has_value());
  }
}

TEST(Compile, OneResultTwiceIsOneTensor) {
  const auto f = compile([](const Tensor& x) {
    const Tensor y = x * 3.0;
    return std::pair(y, y);
  });
  const auto [a, b] = f(filled({3}, 2));
  EXPECT_EQ(detail::Internals::node(a), detail::Internals::node(b));
  EXPECT_EQ(a.to_vector<float>(), Floats(3, 6));
}

TEST(Compile, EvaluatesItsArgumentsFirst) {
  const auto f = compile([](const Tensor& x, const Tensor& y) { return x + y; });
  for (int k = 0; k < 2; ++k) {
    const Tensor lazy = filled({4}, 1) * 2.0;
    EXPECT_EQ(f(lazy, zeros({4})).to_vector<float>(), Floats(4, 2));
    const Counters cost = counted([&] { lazy.eval(); });
    EXPECT_EQ(cost.draws, 0);
  }
}

TEST(Compile, ArgumentsAndResultsWithoutElements) {
  const auto f =
      compile([](const Tensor& x, const Tensor& y) { return std::pair(x + 1.0, sum(y)); });
  const auto [a, b] = f(zeros({0, 3}), filled({2}, 4));
  EXPECT_EQ(a.shape(), (Shape{0, 3}));
  EXPECT_EQ(b.item(), 8);
}

TEST(Compile, AResultOfNumbersAlone) {
  const auto f = compile([](const Scalar& n) { return iota(3) + n; });
  EXPECT_EQ(f(Scalar(2)).to_vector<std::int32_t>(), (std::vector<std::int32_t>{2, 3, 4}));
  EXPECT_EQ(f(Scalar(5)).to_vector<std::int32_t>(), (std::vector<std::int32_t>{5, 6, 7}));
}

// ---- Captures

TEST(Compile, CapturedTensorsAreFixedAtTheTrace) {
  Tensor captured = filled({2}, 1) * 10.0;
  const auto f = compile([&](const Tensor& x) { return x + captured; });
  EXPECT_EQ(f(filled({2}, 1)).to_vector<float>(), Floats(2, 11));
  captured = filled({2}, 500);
  EXPECT_EQ(f(filled({2}, 2)).to_vector<float>(), Floats(2, 12));
}

TEST(Compile, CapturedTensorsAreComputedOnce) {
  const Tensor x = filled({8}, 1);
  const Tensor captured = sum(exp(x));
  const auto f = compile([&](const Tensor& y) { return y + captured; });
  static_cast<void>(f(x));
  const Counters cost = counted([&] { return f(x); });
  EXPECT_EQ(cost.draws, 1);
}

TEST(Compile, ACapturedTensorIsNotWritten) {
  Tensor captured = filled({4, 4}, 1) + 1.0;
  captured.eval();
  const auto f = compile([&](const Tensor& v) { return captured.at(1).set(v); });
  captured = captured.at(0).set(5.0);
  const Tensor row = filled({4}, 9);
  const Floats once = f(row).to_vector<float>();
  captured = captured.at(2).set(7.0);
  captured.eval();
  EXPECT_EQ(f(row).to_vector<float>(), once);
}

TEST(Compile, ACapturedTensorThatIsAnArgumentOnceIsNotOneLater) {
  const Tensor captured = evaluated({4, 4}, 1);
  const Tensor view = captured.reshape(2, 8).eval();
  const auto f = compile([=](const Tensor& x, const Tensor& y) {
    return std::pair(x + captured * 10.0, y + view * 10.0);
  });
  const auto call = [&](const Tensor& x, const Tensor& y) {
    const auto [a, b] = f(x, y);
    return std::pair(a.to_vector<float>(), b.to_vector<float>());
  };
  const Tensor other = evaluated({4, 4}, 2), other_view = evaluated({2, 8}, 3);
  EXPECT_EQ(call(captured, other_view), std::pair(Floats(16, 11), Floats(16, 13)));
  EXPECT_EQ(call(other, other_view), std::pair(Floats(16, 12), Floats(16, 13)));
  EXPECT_EQ(call(other, view), std::pair(Floats(16, 12), Floats(16, 11)));
}

// ---- Values that share texels

TEST(Compile, AResultThatIsAViewOfAnArgumentDrawsNothing) {
  const auto f = compile([](const Tensor& x) { return x.reshape(4, 4); });
  Tensor x = tensor<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {2, 8});
  static_cast<void>(f(x));
  Tensor y;
  EXPECT_EQ(counted([&] { y = f(x); }).draws, 0);
  const Floats before = x.to_vector<float>();
  EXPECT_EQ(y.shape(), (Shape{4, 4}));
  EXPECT_EQ(y.to_vector<float>(), before);
}

TEST(Compile, AnArgumentWhoseTexelsAViewHoldsIsNotWritten) {
  const auto write = compile([](const Tensor& x) { return x.at(0).set(9.0); });
  Tensor x = (filled({2, 8}, 1) + 0.0).eval();
  const Tensor y = x.reshape(4, 4).eval();
  const Tensor written = write(std::move(x));
  EXPECT_EQ(y.to_vector<float>(), Floats(16, 1));
  EXPECT_EQ(written.to_vector<float>()[0], 9);
}

TEST(Compile, TwoViewsOfOneTextureAreAKindOfTheirOwn) {
  const auto f = compile(
      [](const Tensor& x, const Tensor& y) { return std::pair(x.at(0).set(9.0), y + 0.0); });
  const auto call = [&](bool shared) {
    Tensor x = (filled({2, 8}, 1) + 0.0).eval();
    Tensor y = shared ? x.reshape(4, 4).eval() : (filled({4, 4}, 1) + 0.0).eval();
    return f(std::move(x), std::move(y)).second.to_vector<float>();
  };
  for (const bool shared : {false, true, false, true}) EXPECT_EQ(call(shared), Floats(16, 1));
}

TEST(Compile, NumbersAndRecipesAsArguments) {
  const auto f = compile(
      [](const Tensor& a, const Tensor& b, const Tensor& c) { return a + b + c.astype(float32); });
  for (int k = 0; k < 2; ++k) {
    const Tensor number = k, counted_up = iota(4);
    const Tensor y = f(filled({4}, 1), number.astype(float32), counted_up);
    const auto first = static_cast<float>(1 + k);
    EXPECT_EQ(y.to_vector<float>(), (Floats{first, first + 1, first + 2, first + 3}));
  }
}

// ---- Ownership

TEST(Compile, AnArgumentThatIsMovedInIsWrittenInPlace) {
  const auto f = compile(
      [](Tensor cache, const Tensor& row, const Scalar& at) { return cache.at(at).set(row); });
  const Tensor row = filled({8}, 3);
  Tensor cache = evaluated({16, 8}, 0);
  cache = f(std::move(cache), row, Scalar(0));
  for (int k = 1; k < 4; ++k) {
    const Counters cost = counted([&] { cache = f(std::move(cache), row, Scalar(k)); });
    EXPECT_EQ(cost.draws, 1);
    EXPECT_EQ(cost.textures_created, 0);
  }
  Floats expected(16 * 8, 0);
  std::fill(expected.begin(), expected.begin() + 4 * 8, 3.0F);
  EXPECT_EQ(cache.to_vector<float>(), expected);
}

TEST(Compile, AnArgumentThatTheCallerKeepsIsNotWritten) {
  const auto f = compile([](const Tensor& x) { return x.at(0).set(9.0); });
  Tensor x = evaluated({4, 4}, 1);
  Tensor other = x;
  static_cast<void>(f(std::move(x)));
  EXPECT_EQ(other.to_vector<float>(), Floats(16, 1));
  static_cast<void>(f(other));
  EXPECT_EQ(other.to_vector<float>(), Floats(16, 1));
  const Tensor written = f(std::move(other));
  Floats expected(16, 1);
  std::fill(expected.begin(), expected.begin() + 4, 9.0F);
  EXPECT_EQ(written.to_vector<float>(), expected);
}

TEST(Compile, OneTensorAsTwoArgumentsIsAKindOfItsOwn) {
  int calls = 0;
  const auto f = compile([&](Tensor x, const Tensor& y) {
    ++calls;
    return std::pair(x.at(0).set(9.0), y + 0.0);
  });
  Tensor a = evaluated({4, 4}, 1), b = evaluated({4, 4}, 2);
  static_cast<void>(f(std::move(a), std::move(b)));
  Tensor c = evaluated({4, 4}, 1);
  Tensor d = c;
  const auto [written, read] = f(std::move(c), std::move(d));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(read.to_vector<float>(), Floats(16, 1));
  EXPECT_EQ(written.to_vector<float>()[0], 9);
}

TEST(Compile, AnOwnedArgumentThatIsReturnedToo) {
  const auto f = compile([](Tensor x) { return std::pair(x, x.at(0).set(9.0)); });
  for (int k = 0; k < 2; ++k) {
    const auto [before, after] = f(evaluated({4, 4}, 1));
    EXPECT_EQ(before.to_vector<float>(), Floats(16, 1));
    EXPECT_EQ(after.to_vector<float>()[0], 9);
  }
}

// ---- Scalars

TEST(Compile, ScalarArithmeticIsComputedAtEachCall) {
  const auto f = compile([](const Tensor& x, const Scalar& n) {
    const Scalar last = minimum(maximum(n * 2 - 3, 0), 5);
    return x.at(last).get() * (1.5 - Scalar(0.5) * n);
  });
  const Tensor x = tensor<float>({0, 1, 2, 3, 4, 5});
  for (int n : {0, 2, 3, 4, 7}) {
    const int last = std::min(std::max(n * 2 - 3, 0), 5);
    EXPECT_EQ(f(x, Scalar(n)).item(), static_cast<float>(last * (1.5 - 0.5 * n)));
  }
}

TEST(Compile, RangesOfScalarsAreCheckedAtEachCall) {
  const auto f = compile([](const Tensor& q, const Tensor& k, const Scalar& past) {
    return nn::scaled_dot_product_attention(q, k, k, {.is_causal = true, .past = past});
  });
  const Tensor q = filled({1, 4}, 1), k = filled({8, 4}, 1);
  for (int past : {0, 3, 7}) {
    EXPECT_EQ(f(q, k, Scalar(past)).to_vector<float>(), Floats(4, 1));
  }
  EXPECT_EQ(error_of([&] { return f(q, k, Scalar(8)); }),
            "trigon::nn::scaled_dot_product_attention: past is out of range: past is 8, T is 1, S "
            "is 8; past must be in [0, S - T]");
  EXPECT_EQ(f(q, k, Scalar(1)).to_vector<float>(), Floats(4, 1));
}

TEST(Compile, ScalarsOverflowAtTheCall) {
  const auto f = compile([](const Tensor& x, const Scalar& n) { return x + n * 2; });
  static_cast<void>(f(filled({1}, 1), Scalar(1)));
  EXPECT_EQ(error_of([&] { return f(filled({1}, 1), Scalar(2000000000)); }),
            "trigon::Scalar: integer out of range: 4000000000; must be in [-2147483648, "
            "2147483647]");
}

// ---- Inside a trace

TEST(Compile, ValuesCannotBeReadInsideATrace) {
  const std::string unread =
      "trigon::compile: a value is asked for while the function is traced: the tensor is (2,) "
      "float32; it has no value yet\n  hint: return it, and read the result";
  const Tensor x = filled({2}, 1);
  const auto refused = [&](auto f) { return error_of([&] { return compile(f)(x); }); };
  EXPECT_EQ(refused([](const Tensor& y) { return y * y.to_vector<float>()[0]; }), unread);
  EXPECT_EQ(refused([](const Tensor& y) { return (y + 1.0).eval(); }), unread);
  EXPECT_EQ(refused([](const Tensor& y) { return static_cast<void>(explain(y)), y; }), unread);
  const auto f = compile([](const Tensor& y, const Scalar& n) { return y * n.value(); });
  EXPECT_EQ(error_of([&] { return f(x, Scalar(2)); }),
            "trigon::compile: the value of a Scalar is asked for while the function is traced; it "
            "changes from call to call\n  hint: compute with the Scalar itself, or pass a plain "
            "number");
  EXPECT_EQ((x + 1.0).to_vector<float>(), Floats(2, 2));
}

TEST(Compile, CapturedValuesCanBeReadInsideATrace) {
  const Tensor captured = filled({2}, 3);
  const Scalar number = 4;
  const auto f =
      compile([&](const Tensor& x) { return x * captured.to_vector<float>()[0] + number.value(); });
  EXPECT_EQ(f(filled({2}, 2)).to_vector<float>(), Floats(2, 10));
}

TEST(Compile, AFunctionThatThrowsIsTracedAgain) {
  bool fails = true;
  const auto f = compile([&](const Tensor& x) {
    if (fails) throw Error("no");
    return x + 1.0;
  });
  const Tensor x = filled({2}, 1);
  EXPECT_EQ(error_of([&] { return f(x); }), "no");
  fails = false;
  EXPECT_EQ(f(x).to_vector<float>(), Floats(2, 2));
}

TEST(Compile, InsideAnotherTraceItIsThePlainFunction) {
  int calls = 0;
  const auto inner = compile([&](const Tensor& x) {
    ++calls;
    return x + 1.0;
  });
  const auto outer = compile([&](const Tensor& x) { return inner(inner(x)) * 2.0; });
  const Tensor x = filled({3}, 1);
  static_cast<void>(outer(x));
  EXPECT_EQ(calls, 2);
  const Counters cost = counted([&] { return outer(x); });
  EXPECT_EQ(cost.draws, 1);
  EXPECT_EQ(outer(x).to_vector<float>(), Floats(3, 6));
}

TEST(Compile, GradientsGoThroughItAndAreCompiled) {
  const auto square_of = compile([](const Tensor& x) { return x * x; });
  const Tensor x = tensor<float>({1, 2, 3});
  const auto loss = [&](const Tensor& y) { return sum(square_of(y)); };
  EXPECT_EQ(grad(loss, x).to_vector<float>(), (Floats{2, 4, 6}));
  const auto step = compile([&](Tensor p, const Scalar& rate) { return p - rate * grad(loss, p); });
  Tensor p = x + 0.0;
  p = step(std::move(p), Scalar(0.5));
  EXPECT_EQ(p.to_vector<float>(), (Floats{0, 0, 0}));
  EXPECT_EQ(step(x, Scalar(0.25)).to_vector<float>(), (Floats{0.5, 1, 1.5}));
}

// ---- Many calls

TEST(Compile, KeepsTheLast64Kinds) {
  int calls = 0;
  const auto f = compile([&](const Tensor& x, int number) {
    ++calls;
    return x + number;
  });
  const Tensor x = filled({2}, 1);
  for (int k = 0; k < 64; ++k) static_cast<void>(f(x, k));
  static_cast<void>(f(x, 0));
  EXPECT_EQ(calls, 64);
  static_cast<void>(f(x, 64));  // 1 is the longest unused
  static_cast<void>(f(x, 0));
  EXPECT_EQ(calls, 65);
  static_cast<void>(f(x, 1));
  EXPECT_EQ(calls, 66);
}

}  // namespace
}  // namespace trigon
