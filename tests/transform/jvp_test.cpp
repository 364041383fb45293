// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "core/walk.hpp"
#include "support/graph_values.hpp"
#include "support/loop_cases.hpp"

// Forward mode, by the reference on the CPU: against reverse mode, and of loops against their
// unrolled form.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Function = std::function<Tensor(const Tensor&)>;

double value_of(const Tensor& x) { return values(x).at(0); }

// <w, J dx> by forward mode against <J^T w, dx> by reverse mode.
void expect_same_as_reverse(const Function& f, const Tensor& x) {
  const Tensor dx = noise(x.shape(), 0.7);
  const auto [y, dy] = jvp(f, x, dx);
  EXPECT_EQ(values(y), values(f(x)));
  EXPECT_EQ(dy.shape(), y.shape());
  EXPECT_EQ(dy.dtype(), float32);
  const Tensor w = noise(y.shape(), 0.2);
  const double reverse = value_of(sum(vjp(f, x).pullback(w) * dx));
  EXPECT_NEAR(value_of(sum(w * dy)), reverse, 1e-5);
}

TEST(Jvp, AgreesWithReverseModeOnEachKind) {
  const Tensor x = noise({3, 4}, 1);
  const Tensor rows({2, 0, 2});
  const std::vector<std::pair<const char*, Function>> functions{
      {"map", [](const Tensor& v) { return exp(v) * sin(v) / (v * v + 1.0); }},
      {"where", [](const Tensor& v) { return where(v > 0.0, v * v, sin(v)); }},
      {"clip", [](const Tensor& v) { return clip(v, -0.5, v * 0.5); }},
      {"cast", [](const Tensor& v) { return v.astype(float16).astype(float32) * v; }},
      {"views",
       [](const Tensor& v) {
         return reshape(v.T()(Slice{1, 4}), {9}) * 2.0;
       }},
      {"broadcast", [](const Tensor& v) { return v(0) + v; }},
      {"pad",
       [](const Tensor& v) {
         return pad(v, {{1, 2}, {0, 1}}, 7.0);
       }},
      {"take", [&](const Tensor& v) { return take(v, rows, 0); }},
      {"take_along",
       [&](const Tensor& v) {
         return take_along_axis(v, Tensor({{3, 1}, {0, 0}, {2, 3}}), 1);
       }},
      {"affine", [](const Tensor& v) { return diagonal(v); }},
      {"sum", [](const Tensor& v) { return sum(v * v, 1); }},
      {"max", [](const Tensor& v) { return max(v, 0); }},
      {"prod", [](const Tensor& v) { return prod(v, 0); }},
      {"var", [](const Tensor& v) { return var(v, 1); }},
      {"softmax", [](const Tensor& v) { return nn::softmax(v); }},
      {"layer_norm", [](const Tensor& v) { return nn::layer_norm(v); }},
      {"contract", [](const Tensor& v) { return matmul(v, v.T()); }},
      {"write", [](const Tensor& v) { return v.at(1).set(v(0) * 2.0); }},
      {"write of a constant", [](const Tensor& v) { return v.at(1).set(3.0); }},
      {"scatter_add",
       [&](const Tensor& v) {
         return scatter_add(zeros({4, 4}), rows, v, 0);
       }},
      {"argument",
       [](const Tensor& v) { return grad([](const Tensor& u) { return sum(sin(u) * u); }, v); }}};
  for (const auto& [name, f] : functions) {
    SCOPED_TRACE(name);
    expect_same_as_reverse(f, x);
  }
}

TEST(Jvp, OfSeveralArgumentsAndAnyTrees) {
  using Params = std::map<std::string, Tensor>;
  const Tensor a({1.0, 2.0}), b({3.0, 5.0}), da({1.0, 0.0}), db({0.0, 10.0});
  const auto [z, dz] = jvp([](const Tensor& x, const Tensor& y) { return x * y; }, std::tuple(a, b),
                           std::tuple(da, db));
  EXPECT_EQ(values(z), (Doubles{3, 10}));
  EXPECT_EQ(values(dz), (Doubles{3, 20}));
  const auto both = [](const Params& p) {
    return Params{{"sum", p.at("a") + p.at("b")}, {"index", argmax(p.at("a"))}};
  };
  const auto [y, dy] = jvp(both, Params{{"a", a}, {"b", b}}, Params{{"a", da}, {"b", db}});
  EXPECT_EQ(values(dy.at("sum")), (Doubles{1, 10}));
  EXPECT_EQ(y.at("index").dtype(), int32);
  EXPECT_EQ(values(dy.at("index")), (Doubles{0}));
}

TEST(Jvp, IsZeroWhereTheValueDoesNotDependOnTheArgument) {
  const auto [y, dy] = jvp([](const Tensor& x) { return stop_gradient(x) * floor(x) + 1.0; },
                           Tensor({1.5, 2.5}), ones({2}));
  EXPECT_EQ(values(y), (Doubles{2.5, 6}));
  EXPECT_EQ(values(dy), (Doubles{0, 0}));
}

TEST(Jvp, OfAnyOrder) {
  const auto slope = [](const Function& f) {
    return [f](const Tensor& x) { return jvp(f, x, ones(x.shape())).tangent; };
  };
  const Function cube = [](const Tensor& x) { return x * x * x; };
  const Tensor x({2.0, -1.0});
  EXPECT_EQ(values(slope(slope(cube))(x)), (Doubles{12, -6}));
  EXPECT_EQ(values(slope(slope(slope(cube)))(x)), (Doubles{6, 6}));
  // Both orders of the modes give the product of a Hessian and a vector.
  const auto f = [](const Tensor& v) { return sum(v * v * v); };
  const Tensor dx({1.0, 10.0});
  const auto forward_over_reverse = jvp([&](const Tensor& v) { return grad(f, v); }, x, dx).tangent;
  const Tensor reverse_over_forward =
      grad([&](const Tensor& v) { return jvp(f, v, dx).tangent; }, x);
  EXPECT_EQ(values(forward_over_reverse), (Doubles{12, -60}));
  EXPECT_EQ(values(reverse_over_forward), (Doubles{12, -60}));
}

TEST(Jvp, LinearizeCallsTheFunctionOnce) {
  int calls = 0;
  const auto [y, df] = linearize(
      [&](const Tensor& x) {
        ++calls;
        return x * x;
      },
      Tensor({1.0, 2.0}));
  EXPECT_EQ(values(df(Tensor({1.0, 0.0}))), (Doubles{2, 0}));
  EXPECT_EQ(values(df(Tensor({0.0, 1.0}))), (Doubles{0, 4}));
  EXPECT_EQ(calls, 1);
}

// ---- Loops --------------------------------------------------------------------------------------

/// The tangents of a case's results, along a direction for all that it captures.
std::vector<Doubles> tangents(const support::LoopCase& one, bool is_unrolled) {
  const auto f = [&](const Tensor& s) {
    const support::LoopForm form{
        is_unrolled, [&](const Tensor& x) {
          return is_float(x.dtype()) ? (x + s * noise(x.shape(), 0.3)).astype(x.dtype()) : x;
        }};
    return one.run(form);
  };
  std::vector<Doubles> all;
  for (const Tensor& t : jvp(f, Tensor(0.0), Tensor(1.0)).tangent) all.push_back(values(t));
  return all;
}

class JvpOfLoops : public testing::TestWithParam<support::LoopCase> {};

TEST_P(JvpOfLoops, IsThatOfTheUnrolledForm) {
  const std::vector<Doubles> rolled = tangents(GetParam(), false);
  const std::vector<Doubles> unrolled = tangents(GetParam(), true);
  ASSERT_EQ(rolled.size(), unrolled.size());
  for (std::size_t k = 0; k < rolled.size(); ++k) {
    ASSERT_EQ(rolled[k].size(), unrolled[k].size());
    for (std::size_t i = 0; i < rolled[k].size(); ++i) {
      EXPECT_NEAR(rolled[k][i], unrolled[k][i], 1e-9 * (1 + std::abs(unrolled[k][i])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, JvpOfLoops, testing::ValuesIn(support::loop_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(JvpOfALoop, CarriesTangents) {
  const auto power = [](const Tensor& x) {
    return fori_loop(
        0, 5, [&](Tensor, Tensor y) { return y * x; }, ones(x.shape()));
  };
  const auto [y, dy] = jvp(power, Tensor({2.0, 3.0}), ones({2}));
  EXPECT_EQ(values(y), (Doubles{32, 243}));
  EXPECT_EQ(values(dy), (Doubles{80, 405}));
}

// One loop computes values and tangents.
TEST(JvpOfALoop, IsOneLoop) {
  const auto f = [](const Tensor& x) {
    return sin(fori_loop(
        0, 5, [](Tensor, Tensor y) { return y * y; }, x * 2.0));
  };
  const auto [y, dy] = jvp(f, Tensor({0.1, 0.2}), ones({2}));
  const Tensor both = y + dy;
  int loops = 0;
  core::Walk<graph::NodePtr> walk({detail::Internals::node(both)});
  for (const graph::NodePtr& node : walk) {
    if (node->kind == graph::Kind::loop) ++loops;
    walk.add(graph::inputs_of(*node));
  }
  EXPECT_EQ(loops, 1);
}

TEST(JvpOfALoop, MayBeEmptyNestedAndADerivativeAgain) {
  const auto none = [](const Tensor& x) {
    return fori_loop(
        0, 0, [](Tensor, Tensor y) { return y * y; }, x);
  };
  EXPECT_EQ(values(jvp(none, Tensor({2.0}), Tensor({3.0})).tangent), (Doubles{3}));
  const auto nested = [](const Tensor& x) {
    return fori_loop(
        0, 2,
        [](Tensor, Tensor y) {
          return fori_loop(
              0, 2, [](Tensor, Tensor z) { return z * z; }, y);
        },
        x);
  };
  EXPECT_EQ(values(jvp(nested, Tensor({1.0}), Tensor({1.0})).tangent), (Doubles{16}));
  const auto first = [&](const Tensor& x) { return jvp(nested, x, ones({1})).tangent; };
  EXPECT_EQ(values(jvp(first, Tensor({1.0}), Tensor({1.0})).tangent), (Doubles{16 * 15}));
}

// ---- Rules of users -----------------------------------------------------------------------------

TEST(CustomJvp, HasTheTangentOfTheRuleAlsoInReverse) {
  const auto f = custom_jvp([](const Tensor& x) { return x * x; },
                            [](const Tensor& dx, const Tensor& x) { return 10.0 * x * dx; });
  const Tensor x({1.0, 2.0});
  EXPECT_EQ(values(jvp(f, x, Tensor({1.0, 100.0})).tangent), (Doubles{10, 2000}));
  EXPECT_EQ(values(grad([&](const Tensor& v) { return sum(f(v) * 2.0); }, x)), (Doubles{20, 40}));
  EXPECT_EQ(values(f(x)), (Doubles{1, 4}));
}

TEST(CustomJvp, OfSeveralArgumentsAndResults) {
  using Two = std::pair<Tensor, Tensor>;
  const auto f = custom_jvp(
      [](const Tensor& a, const Tensor& b) { return Two(a + b, a * b); },
      [](const std::tuple<Tensor, Tensor>& d, const Tensor& a, const Tensor& b, const Two& y) {
        const auto& [da, db] = d;
        return Two(da + db, da * b + db * a + 0.0 * y.first * da);
      });
  const auto g = [&](const Tensor& a, const Tensor& b) { return f(a, b).second; };
  EXPECT_EQ(
      value_of(jvp(g, std::tuple(Tensor(2.0), Tensor(3.0)), std::tuple(Tensor(1.0), Tensor(0.0)))
                   .tangent),
      3);
  const auto [da, db] = grad(g, Tensor(2.0), Tensor(3.0));
  EXPECT_EQ(value_of(da), 3);
  EXPECT_EQ(value_of(db), 2);
}

TEST(CustomJvp, FollowsFromTheRuleOfAGradient) {
  const auto f = custom_vjp([](const Tensor& x) { return x * x; },
                            [](const Tensor& dy, const Tensor& x) { return dy * x * 7.0; });
  EXPECT_EQ(values(jvp(f, Tensor({1.0, 2.0}), Tensor({1.0, 10.0})).tangent), (Doubles{7, 140}));
  const auto clipped = custom_vjp([](const Tensor& x) { return x; },
                                  [](const Tensor& dy, Tensor) { return clip(dy, -1.0, 1.0); });
  EXPECT_EQ(
      error_of([&] { (void)jvp(clipped, Tensor({1.0}), Tensor({1.0})); }),
      "trigon::jvp: the rule of custom_vjp is not linear in the gradients that it is given, so "
      "no tangents follow from it\n  hint: give the function a rule of its own with "
      "custom_jvp(f, rule)");
}

// ---- Errors -------------------------------------------------------------------------------------

TEST(JvpError, SaysWhatIsWrong) {
  const auto f = [](const Tensor& x) { return x * 2.0; };
  EXPECT_EQ(error_of([&] { (void)jvp(f, ones({2}), ones({3})); }),
            "trigon::jvp: shapes differ: dx is (3,), x is (2,); must be equal");
  EXPECT_EQ(error_of([&] { (void)jvp(f, ones({2}, int32), ones({2})); }),
            "trigon::jvp: argument 0 is not float32: its leaf 0 is int32; cast it with astype, or "
            "capture it");
  EXPECT_EQ(error_of([&] { (void)jvp(f, ones({2}), Tensor()); }),
            "trigon::jvp: empty handle: dx refers to no value; assign a tensor first");
  EXPECT_EQ(error_of([&] { (void)linearize(f, ones({2})).jvp(ones({3})); }),
            "trigon::linearize: shapes differ: dx is (3,), x is (2,); must be equal");
  EXPECT_EQ(
      error_of([&] { (void)jvp([](const Tensor&) { return Tensor(); }, ones({2}), ones({2})); }),
      "trigon::jvp: empty handle: the result of f refers to no value; assign a tensor first");
}

}  // namespace
}  // namespace trigon
