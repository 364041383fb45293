// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/graph_values.hpp"
#include "trigon/trigon.hpp"

// The methods that numpy.ndarray (1.24) and torch.Tensor (2.0) share, and the elementwise ones of
// torch.Tensor, are members of Tensor. They equal the functions of the same names.

namespace trigon {
namespace {

using Function = std::function<Tensor(const Tensor&)>;

struct Method {
  std::string name;
  Function member;
  Function function;
  DType dtype = float32;
};

#define METHOD(NAME, ...)                                                                        \
  Method {                                                                                       \
#NAME, [](const Tensor&                                                                      \
                  x) { return x.NAME(__VA_ARGS__); },                                            \
                                                   [](const Tensor&                              \
                                                          x) { return NAME(CALL(__VA_ARGS__)); } \
  }
#define CALL(...) x __VA_OPT__(, ) __VA_ARGS__
#define UNARY(NAME) METHOD(NAME)

std::vector<Method> reductions() {
  return {METHOD(all),    METHOD(all, 1, true),
          METHOD(any),    METHOD(any, 1, true),
          METHOD(argmax), METHOD(argmax, 1, true),
          METHOD(argmin), METHOD(argmin, 1, true),
          METHOD(max),    METHOD(max, 1, true),
          METHOD(mean),   METHOD(mean, 1, true),
          METHOD(min),    METHOD(min, 1, true),
          METHOD(prod),   METHOD(prod, 1, true),
          METHOD(stddev), METHOD(stddev, 1, {.keepdims = true, .ddof = 1}),
          METHOD(sum),    METHOD(sum, 1, true),
          METHOD(var),    METHOD(var, {.ddof = 1})};
}

std::vector<Method> others() {
  std::vector<Method> methods = {METHOD(clip, -0.5, 0.25),
                                 METHOD(diagonal),
                                 METHOD(diagonal, 1, {1, 0}),
                                 METHOD(dot, arange(3) * 1.0),
                                 METHOD(ravel),
                                 METHOD(reshape, {3, 2}),
                                 METHOD(squeeze),
                                 METHOD(squeeze, {}),
                                 METHOD(swapaxes, 0, 1),
                                 METHOD(take, Tensor(1), 0),
                                 METHOD(take, arange(2), 1),
                                 METHOD(trace),
                                 METHOD(trace, 1, {1, 0}),
                                 METHOD(transpose)};
  methods.push_back({"flatten", [](const Tensor& x) { return x.flatten(); }, ravel});
  methods.push_back({"transpose", [](const Tensor& x) { return x.transpose(1, 0); },
                     [](const Tensor& x) {
                       return transpose(x, {1, 0});
                     }});
  return methods;
}

std::vector<Method> elementwise() {
  std::vector<Method> methods = {
      UNARY(abs),        UNARY(arccos),   UNARY(arccosh), UNARY(arcsin),      UNARY(arcsinh),
      UNARY(arctan),     UNARY(arctanh),  UNARY(ceil),    UNARY(cos),         UNARY(cosh),
      UNARY(erf),        UNARY(erfinv),   UNARY(exp),     UNARY(exp2),        UNARY(expm1),
      UNARY(floor),      UNARY(isfinite), UNARY(isinf),   UNARY(isnan),       UNARY(log),
      UNARY(log10),      UNARY(log1p),    UNARY(log2),    UNARY(logical_not), UNARY(negative),
      UNARY(reciprocal), UNARY(relu),     UNARY(round),   UNARY(rsqrt),       UNARY(sigmoid),
      UNARY(sign),       UNARY(signbit),  UNARY(sin),     UNARY(sinh),        UNARY(sqrt),
      UNARY(square),     UNARY(tan),      UNARY(tanh),    UNARY(trunc)};
  methods.push_back(UNARY(bitwise_not));
  methods.back().dtype = int32;
  return methods;
}

void expect_same(const Method& method, const Tensor& x) {
  const Tensor member = method.member(x);
  const Tensor function = method.function(x);
  EXPECT_EQ(member.shape(), function.shape()) << method.name;
  EXPECT_EQ(member.dtype(), function.dtype()) << method.name;
  const std::vector<double> got = values(member);
  const std::vector<double> wanted = values(function);
  ASSERT_EQ(got.size(), wanted.size()) << method.name;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const bool both_nan = std::isnan(got[k]) && std::isnan(wanted[k]);
    EXPECT_TRUE(both_nan || got[k] == wanted[k])
        << method.name << " " << k << ": " << got[k] << " " << wanted[k];
  }
}

TEST(Members, DoAsTheFunctionsOfTheirNames) {
  for (const Method& method : reductions()) expect_same(method, noise({2, 3}, 1));
  for (const Method& method : others()) expect_same(method, noise({2, 3}, 2));
}

TEST(Members, OfElementsDoAsTheFunctionsOfTheirNames) {
  const Tensor x = noise({16}, 3) * 3;
  for (const Method& method : elementwise()) expect_same(method, x.astype(method.dtype));
}

TEST(Members, SqueezeTakesAxes) {
  const Tensor x = noise({1, 3, 1}, 4);
  EXPECT_EQ(x.squeeze().shape(), Shape{3});
  EXPECT_EQ(x.squeeze(0).shape(), (Shape{3, 1}));
}

/// The class's methods whose result is a Tensor, by its header.
std::set<std::string> methods_of_header() {
  std::ifstream file(TRIGON_SOURCE_DIR "/include/trigon/detail/tensor_class.hpp");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::regex method(R"(\[\[nodiscard\]\] Tensor (\w+)\()");
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), method), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

// The lists above have every method of the header that has a function's name.
TEST(Members, AreThoseOfTheHeader) {
  std::set<std::string> names{"T", "astype", "operator", "to"};
  for (const auto& methods : {reductions(), others(), elementwise()}) {
    for (const Method& method : methods) names.insert(method.name);
  }
  // nonzero is counted on the host (tests/tensor/tensor_gl_test.cpp); std is C++'s namespace;
  // tolist is to_vector. Left out: repeat, which differs between the two; argsort, cumprod, cumsum
  // and sort, which Trigon has not; conj; put, resize and view, which write or alias.
  EXPECT_EQ(names, methods_of_header());
  static_assert(std::is_same_v<decltype(Tensor().nonzero()), std::vector<Tensor>>);
  static_assert(std::is_same_v<decltype(Tensor().item()), float>);
  static_assert(std::is_same_v<decltype(Tensor().to_vector<float>()), std::vector<float>>);
}

TEST(Members, AreNamedByErrorsAsTheirFunctions) {
  EXPECT_EQ(error_of([] {
              return leaf({2, 3}).sum(2);
            }),
            error_of([] {
              return sum(leaf({2, 3}), 2);
            }));
  EXPECT_EQ(error_of([] { return Tensor().exp(); }),
            "trigon::exp: empty handle: x refers to no value; assign a tensor first");
}

// ---- Rows

TEST(Rows, AreThePartsAlongTheFirstAxis) {
  const Tensor x = arange(6).reshape(2, 3);
  std::vector<std::vector<double>> rows;
  for (Tensor row : x) rows.push_back(values(row));
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{0, 1, 2}, {3, 4, 5}}));
  const std::vector<Tensor> kept(x.begin(), x.end());
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(values(kept[1]), (std::vector<double>{3, 4, 5}));
}

TEST(Rows, OfATemporaryAndOfNothing) {
  double total = 0;
  for (const Tensor& row : arange(4) * 2) total += values(row)[0];
  EXPECT_EQ(total, 12);
  for (const Tensor& row : zeros(0, 3)) FAIL() << row.size();
}

TEST(Rows, AreThoseOfTheValueAtTheStart) {
  Tensor x = arange(3);
  double total = 0;
  for (const Tensor& row : x) {
    x = x + row + 10;
    total += values(row)[0];
  }
  EXPECT_EQ(total, 3);
  EXPECT_EQ(values(x), (std::vector<double>{33, 34, 35}));
}

TEST(Rows, OfAScalarThrow) {
  EXPECT_EQ(error_of([] {
              for (const Tensor& row : Tensor(2.0)) values(row);
            }),
            "trigon::Tensor::begin: no axis to go along: shape is (); must have one axis or more");
  EXPECT_EQ(error_of([] {
              for (const Tensor& row : Tensor()) values(row);
            }),
            "trigon::Tensor::begin: empty handle: it refers to no value; assign a tensor first");
}

template <class T>
concept HasContainerTypes = requires {
  typename T::iterator;
}
|| requires { typename T::const_iterator; }
|| requires { typename T::value_type; };

TEST(Rows, MakeNoContainerOfATensor) {
  static_assert(!HasContainerTypes<Tensor>);
  static_assert(!HasContainerTypes<Selection>);
  static_assert(HasContainerTypes<std::vector<Tensor>>);
}

}  // namespace
}  // namespace trigon
