// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/loop_cases.hpp"

// Functions of a batch, by the reference on the CPU: against a C++ loop over the batch.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;
using Function = std::function<Tensor(const Tensor&)>;
constexpr std::nullopt_t none = std::nullopt;

void expect_near(const Tensor& found, const Tensor& wanted) {
  ASSERT_EQ(found.shape(), wanted.shape());
  EXPECT_EQ(found.dtype(), wanted.dtype());
  const Doubles a = values(found), b = values(wanted);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(b[i]))) << "element " << i;
  }
}

Tensor looped(const Function& f, const Tensor& xs) {
  Tensors all;
  for (std::int64_t k = 0; k < xs.shape()[0]; ++k) all.push_back(f(xs[k]));
  return stack(all);
}

TEST(Vmap, IsALoopOverTheBatchForEachKind) {
  const Tensor xs = noise({5, 3, 4}, 1), w = noise({4, 2}, 2);
  const Tensor rows({2, 0, -1});
  const auto index = [](const Tensor& x) { return argmax(x, 0); };  // (4,), differs in the batch
  const std::vector<std::pair<const char*, Function>> functions{
      {"map", [](const Tensor& x) { return exp(x) * 2.0 + x; }},
      {"constant", [](const Tensor&) { return ones({2}); }},
      {"where", [](const Tensor& x) { return where(x > 0.0, x, -1.0); }},
      {"cast", [](const Tensor& x) { return (x * 10.0).astype(int32); }},
      {"views",
       [](const Tensor& x) {
         return reshape(x.T()(Slice{1, 4}), {9});
       }},
      {"flip", [](const Tensor& x) { return flip(x, 1); }},
      {"broadcast", [](const Tensor& x) { return x(0) + x; }},
      {"column",
       [](const Tensor& x) {
         return broadcast_to(x(Slice{}, Slice{0, 1}), {2, 3, 4});
       }},
      {"pad",
       [](const Tensor& x) {
         return pad(x, {{1, 2}, {0, 1}}, 7.0);
       }},
      {"take", [&](const Tensor& x) { return take(x, rows, 0); }},
      {"take of a batch of indices", [&](const Tensor& x) { return take(w, index(x) - 3, 0); }},
      {"take of both", [&](const Tensor& x) { return take(x, index(x), 0); }},
      {"take of both along the last axis",
       [&](const Tensor& x) {
         return take(x, reshape(index(x), {2, 2}), 1);
       }},
      {"take_along",
       [&](const Tensor& x) {
         return take_along_axis(x, reshape(index(x), {1, 4}), 0);
       }},
      {"diagonal", [](const Tensor& x) { return diagonal(x); }},
      {"windows", [](const Tensor& x) { return sliding_window_view(x, {2}, {1}); }},
      {"sum", [](const Tensor& x) { return sum(x, 1); }},
      {"sum of all", [](const Tensor& x) { return sum(x); }},
      {"argmax", [](const Tensor& x) { return argmax(x, 1); }},
      {"layer_norm", [](const Tensor& x) { return nn::layer_norm(x); }},
      {"softmax", [](const Tensor& x) { return nn::softmax(x); }},
      {"matmul", [&](const Tensor& x) { return matmul(x, w); }},
      {"matmul from the left", [&](const Tensor& x) { return matmul(w.T(), x.T()); }},
      {"matmul of both", [](const Tensor& x) { return matmul(x, x.T()); }},
      {"write", [](const Tensor& x) { return x.at(1).set(x(0) * 2.0); }},
      {"write into a constant",
       [](const Tensor& x) {
         return zeros({3, 4}).at(1).set(x(0));
       }},
      {"scatter_add",
       [&](const Tensor& x) {
         return scatter_add(zeros({4, 4}), rows, x, 0);
       }},
      {"scatter_add of a batch of indices",
       [&](const Tensor& x) {
         return scatter_add(zeros({3, 3}), index(x), x.T(), 0);
       }},
      {"scatter_add along the last axis",
       [&](const Tensor& x) {
         return scatter_add(zeros({3, 5}), index(x) * 2, x, 1);
       }},
      {"gradient",
       [](const Tensor& x) { return grad([](const Tensor& v) { return sum(sin(v) * v); }, x); }},
      {"gradient of take",
       [&](const Tensor& x) {
         return grad([&](const Tensor& v) { return sum(square(take(v, index(x), 0))); }, x);
       }},
      {"jvp",
       [](const Tensor& x) { return jvp([](const Tensor& v) { return v * v; }, x, x).tangent; }},
      {"cond",
       [](const Tensor& x) {
         return cond(
             sum(x) > 0.0, [](const Tensor& v) { return exp(v); },
             [](const Tensor& v) { return -v; }, x);
       }},
      {"vmap", [](const Tensor& x) { return vmap([](const Tensor& r) { return sum(r); })(x); }},
      {"custom_vjp",
       [](const Tensor& x) {
         return grad(
             [](const Tensor& v) {
               return sum(
                   custom_vjp([](const Tensor& u) { return u * u; },
                              [](const Tensor& dy, const Tensor& u) { return dy * u * 7.0; })(v));
             },
             x);
       }},
      {"checkpoint", [&](const Tensor& x) {
         return checkpoint([&](const Tensor& v) { return tanh(matmul(v, w)); })(x);
       }}};
  for (const auto& [name, f] : functions) {
    SCOPED_TRACE(name);
    expect_near(vmap(f)(xs), looped(f, xs));
  }
}

TEST(Vmap, MapsTheAxesThatAreNamed) {
  const Tensor x = noise({3, 5}, 1), y = noise({5, 2}, 2);
  const auto f = [](const Tensor& a, const Tensor& b) { return sum(a) * b; };
  const Tensor wanted = sum(x, 0, true).T() * y;
  expect_near(vmap(f, {1, 0})(x, y), wanted);
  expect_near(vmap(f, {-1, 0}, 1)(x, y), wanted.T());
  expect_near(vmap(f, {none, 0})(x, y), sum(x) * y);
  const auto [first, second] =
      vmap([](const Two& p) { return Two(p.first * 2.0, p.second); }, 0, {0, 1})(Two(y, y));
  expect_near(first, y * 2.0);
  expect_near(second, y.T());
}

TEST(Vmap, CallsTheFunctionOnce) {
  int calls = 0;
  const auto f = [&](const Tensor& x) {
    ++calls;
    return x * 2.0;
  };
  EXPECT_EQ(values(vmap(f)(Tensor({1.0, 2.0, 3.0}))), (Doubles{2, 4, 6}));
  EXPECT_EQ(calls, 1);
}

TEST(Vmap, InsideDerivatives) {
  const Tensor xs = noise({4, 3}, 1), w = noise({3}, 2);
  const auto each = [](const Tensor& factor, const Tensor& x) { return sum(sin(x * factor) * x); };
  const auto total = [&](const Tensor& factor) {
    return sum(square(vmap(each, {none, 0})(factor, xs)));
  };
  const auto plain = [&](const Tensor& factor) {
    return sum(square(sum(sin(xs * factor) * xs, 1)));
  };
  expect_near(grad(total, w), grad(plain, w));
  expect_near(jvp(total, w, w).tangent, jvp(plain, w, w).tangent);
  const auto ruled = custom_vjp([](const Tensor& a, const Tensor& x) { return a * x; },
                                [](const Tensor& dy, const Tensor& a, const Tensor& x) {
                                  return std::tuple(dy * x * 10.0, dy * a);
                                });
  const auto mapped = [&](const Tensor& a) { return sum(vmap(ruled, {none, 0})(a, xs)); };
  expect_near(grad(mapped, w), sum(xs, 0) * 10.0);
}

// ---- Loops

class VmapOfLoops : public testing::TestWithParam<support::LoopCase> {};

/// Each element of a batch of factors changes what a case captures.
TEST_P(VmapOfLoops, IsALoopOverTheBatch) {
  const auto at = [&](const Tensor& s) {
    const support::LoopForm form{
        false, [&](const Tensor& x) {
          return is_float(x.dtype()) ? (x + s * noise(x.shape(), 0.3)).astype(x.dtype()) : x;
        }};
    return GetParam().run(form);
  };
  const Tensor factors({0.0, 0.25, -0.5});
  std::vector<Tensors> each;
  for (int k = 0; k < 3; ++k) each.push_back(at(factors[k]));
  std::optional<Tensors> all;
  const std::string error = error_of([&] { all = vmap(at)(factors); });
  if (error.find("too many axes") != std::string::npos) return;
  ASSERT_EQ(error, "no error");
  ASSERT_EQ(all->size(), each[0].size());
  for (std::size_t k = 0; k < all->size(); ++k) {
    SCOPED_TRACE(k);
    expect_near((*all)[k], stack(Tensors{each[0][k], each[1][k], each[2][k]}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, VmapOfLoops, testing::ValuesIn(support::loop_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

// An output of the inner loop differs within the batch, another does not.
TEST(VmapOfALoop, MayHoldALoopWithResultsThatAreNotMapped) {
  const Tensor xs = noise({4}, 2), seconds = noise({5, 3}, 1);
  const auto f = [&](const Tensor& x) {
    return scan(
               [&](const Tensor& s, const Tensor& v) {
                 const auto [a, b] = fori_loop(
                     0, 2,
                     [&](const Tensor&, const Two& p) { return Two(p.first * x, p.second * 2.0); },
                     Two(s, v));
                 return std::pair(a, Two(b, a));
               },
               broadcast_to(x, {3}), seconds)
        .outputs;
  };
  const auto first = [&](const Tensor& x) { return f(x).first; };
  const auto second = [&](const Tensor& x) { return f(x).second; };
  expect_near(vmap(first)(xs), looped(first, xs));
  expect_near(vmap(second)(xs), looped(second, xs));
}

TEST(VmapOfALoop, ItsConditionMayDifferInTheBatch) {
  const auto doubled = [](const Tensor& x) {
    return while_loop([](const Tensor& s) { return s < 10.0; },
                      [](const Tensor& s) { return s * 2.0; }, x);
  };
  EXPECT_EQ(values(vmap(doubled)(Tensor({1.0, 4.0, 20.0}))), (Doubles{16, 16, 20}));
}

// ---- Errors

TEST(VmapError, SaysWhatIsWrong) {
  const auto f = [](const Tensor& x) { return x * 2.0; };
  const auto two = [](const Tensor& a, const Tensor& b) { return a + b; };
  EXPECT_EQ(
      error_of([&] { (void)vmap(two)(ones({3}), ones({4})); }),
      "trigon::vmap: sizes of mapped axes differ: leaf 1 of the arguments has 4 along axis 0, "
      "those before it 3; must be equal");
  EXPECT_EQ(
      error_of([&] { (void)vmap(f)(Tensor(1.0)); }),
      "trigon::vmap: leaf 0 of the arguments has shape (): there is no axis to map; give it one, "
      "or none in in_axes");
  EXPECT_EQ(error_of([&] {
              (void)vmap(two, {none, none})(ones({3}), ones({3}));
            }),
            "trigon::vmap: no argument is mapped; in_axes must name an axis of one");
  EXPECT_EQ(error_of([&] { (void)vmap(two, {0})(ones({3}), ones({3})); }),
            "trigon::vmap: wrong number of axes: in_axes has 1, and there are 2; must be equal");
  EXPECT_EQ(error_of([&] { (void)vmap(f, 1)(ones({3})); }),
            "trigon::vmap: axis out of range: axis is 1, rank is 1; must be in [-1, 1)");
  EXPECT_EQ(
      error_of([&] {
        (void)vmap([](const Tensor& x) {
          return reshape(x, {1, 1, 1, 1, 1, 1, 1, 2});
        })(ones({3, 2}));
      }),
      "trigon::vmap: too many axes: a value of reshape would be (1, 1, 1, 1, 1, 1, 1, 2), and "
      "one more; at most 8");
  EXPECT_EQ(
      error_of([&] { (void)vmap([](const Tensor& x) { return Tensor(x.item()); })(ones({3})); }),
      "trigon::vmap: inside a function that is mapped a tensor has no value: asked for is one "
      "that depends on an argument (() float32)\n  hint: return it, and read the result of "
      "vmap");
}

}  // namespace
}  // namespace trigon
