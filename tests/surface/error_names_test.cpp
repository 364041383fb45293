// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>
#ifdef TRIGON_TEST_IMAGE
#include <trigon/image.hpp>
#endif

#include "core/internals.hpp"
#include "support/declared.hpp"
#include "support/graph_values.hpp"
#include "support/public_calls.hpp"

// Errors name the function that the user called and the operand. The table has calls of each public
// function that takes tensors; the headers list these functions.

namespace trigon {
namespace {

void put_on_a_device(const Tensor& x) {
  const auto held = std::make_shared<int>();  // never looked into
  detail::Internals::node(x)->device = {held, reinterpret_cast<run::DeviceState*>(held.get())};
}

std::string empty_text(const std::string& function, const std::string& operand) {
  return "trigon::" + function + ": empty handle: " + operand +
         " refers to no value; assign a tensor first";
}

std::size_t tensors_in(const std::string& parameters) {
  if (parameters.find("<const Tensor>") != std::string::npos) return 2;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = parameters.find("const Tensor&", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

// Whether it is refused for its operands, of which there are several, with the function's name.
bool refuses_operands(const PublicCall& row) {
  if (row.wrong.empty() || row.is_on_axis() || row.example.operands.size() < 2) return false;
  const std::string text = "trigon::" + row.name() + ": " + row.wrong;
  return error_of([&] { return row.call(leaves(row.example)); }).starts_with(text);
}

// ---- Tests

TEST(ErrorNames, EveryFunctionOfTensorsHasARow) {
  std::set<std::string> known, with_axis, with_unfit;
  for (const EmptyCall& call : calls_that_read()) known.insert(call.name);
  const std::set<std::string> reading = known;
  for (const PublicCall& row : public_calls()) {
    known.insert(row.name());
    if (row.is_on_axis()) with_axis.insert(row.name());
    if (refuses_operands(row)) with_unfit.insert(row.name());
  }
  const std::set<std::string> always_fit{"array_equal", "outer"};
  const std::regex axis(R"(\b(axis\w*|Axes|source)\b)");
  // glm_gl_test.cpp calls those of glm.hpp; the tensors of a tree may be empty handles; aliases
  // raise as their functions, reductions with an op's name.
  const std::vector<Declared> functions =
      declared({"glm.hpp", "tree.hpp", "aliases.hpp", "extend.hpp"});
  std::size_t count = 0;
  for (const Declared& one : functions) {
    if (one.parameters.find("Tensor") == std::string::npos) continue;
    ++count;
    EXPECT_TRUE(known.contains(one.name)) << one.name << "(" << one.parameters << ")";
    if (reading.contains(one.name)) continue;
    EXPECT_TRUE(with_axis.contains(one.name) || !std::regex_search(one.parameters, axis))
        << one.name << " takes an axis";
    EXPECT_TRUE(with_unfit.contains(one.name) || always_fit.contains(one.name) ||
                tensors_in(one.parameters) < 2)
        << one.name << " takes several tensors";
  }
  EXPECT_GT(count, 190u);
}

TEST(ErrorNames, EmptyHandles) {
  for (const PublicCall& row : public_calls()) {
    if (!row.wrong.empty()) continue;
    for (std::size_t k = 0; k < row.example.operands.size(); ++k) {
      if (row.example.operands[k].name.empty()) continue;
      std::vector<Tensor> operands = leaves(row.example);
      operands[k] = Tensor();
      EXPECT_EQ(error_of([&] { return row.call(operands); }),
                empty_text(row.name(), row.example.operands[k].name));
    }
  }
  for (const EmptyCall& one : calls_that_read()) {
    EXPECT_EQ(error_of([&] { return one.call(Tensor()); }), empty_text(one.name, one.operand));
  }
}

TEST(ErrorNames, RowsAreRight) {
  for (const PublicCall& row : public_calls()) {
    if (!row.wrong.empty()) continue;
    EXPECT_EQ(error_of([&] { return row.call(leaves(row.example)); }), "no error") << row.name();
  }
}

TEST(ErrorNames, Devices) {
  for (const PublicCall& row : public_calls()) {
    if (!row.wrong.empty()) continue;
    for (std::size_t k = 1; k < row.example.operands.size(); ++k) {
      if (row.example.operands[k].name.empty()) continue;
      const std::vector<Tensor> operands = leaves(row.example);
      put_on_a_device(operands[0]);
      put_on_a_device(operands[k]);
      EXPECT_EQ(error_of([&] { return row.call(operands); }),
                "trigon::" + row.name() + ": operands live on different devices: " +
                    row.example.operands[k].name + " is not where " + row.example.operands[0].name +
                    " is; move one with .to(device)");
    }
  }
}

// Without elements the kernel is not compiled for either device.
TEST(ErrorNames, DevicesOfAKernel) {
  const ElementwiseKernel added("T x, T y", "T z", "z = x + y", "added");
  const Tensor x = leaf({0}, float32), y = leaf({0}, float32);
  put_on_a_device(x);
  put_on_a_device(y);
  EXPECT_EQ(error_of([&] { return added(x, y); }),
            "trigon::added: operands live on different devices: operand 1 is not where those "
            "before it are; move one with .to(device)");
}

TEST(ErrorNames, DevicesOfACond) {
  const Tensor x = leaf({2}), y = leaf({2}), condition = leaf({}, boolean);
  put_on_a_device(x);
  put_on_a_device(y);
  const auto error = [&] {
    return error_of([&] {
      return cond(
          condition, [&] { return x; }, [&] { return y; });
    });
  };
  EXPECT_EQ(error(),
            "trigon::cond: operands live on different devices: tensor 0 from no is not where "
            "tensor 0 from yes is; move one with .to(device)");
  put_on_a_device(condition);
  EXPECT_EQ(error(),
            "trigon::cond: operands live on different devices: tensor 0 from yes is not where "
            "predicate is; move one with .to(device)");
}

TEST(ErrorNames, DevicesOfRoots) {
  const Tensor x = leaf({2}), y = leaf({2});
  put_on_a_device(x);
  put_on_a_device(y);
  const std::vector<Tensor> both{x, y};
  const std::string text =
      ": tensors live on different devices; evaluate those of each device on their own";
  EXPECT_EQ(error_of([&] { eval(both); }), "trigon::eval" + text);
  EXPECT_EQ(error_of([&] { return cost(both); }), "trigon::cost" + text);
  EXPECT_EQ(error_of([&] { return explain(both); }), "trigon::explain" + text);
  auto added = compile([](Tensor a, Tensor b) { return a + b; });
  EXPECT_EQ(error_of([&] { return added(x, y); }), "trigon::compile" + text);
}

constexpr std::int64_t half = std::int64_t{1} << 62;

TEST(ErrorNames, TooManyElements) {
  const Tensor x = zeros({half, half});
  const auto same = [](const Tensor&, const Tensor& y) { return y + 1.0; };
  const auto pass = [](const Tensor& s, const Tensor&) { return std::pair(s, s); };
  const ReductionKernel total("T x", "T y", "x", "a + b", "y = a / _in_ind_size", "0", "total");
  const std::vector<EmptyCall> calls = {
      {"Tensor::item", "", [](const Tensor& t) { return t.item(); }},
      {"Tensor::size", "", [](const Tensor& t) { return t.size(); }},
      {"cost", "", [](const Tensor& t) { return cost(t); }},
      {"explain", "", [](const Tensor& t) { return explain(t); }},
      {"to_string", "", [](const Tensor& t) { return to_string(t); }},
      {"to_string", "", [](const Tensor& t) { std::ostringstream() << t; }},
      {"tensor", "",
       [](const Tensor& t) { return tensor<float>(std::vector<float>{}, t.shape()); }},
      {"tensor", "", [](const Tensor& t) { return tensor<bool>(std::vector<bool>{}, t.shape()); }},
      {"total", "", [&](const Tensor& t) { return total(t); }},
      {"fori_loop", "", [&](const Tensor& t) { return fori_loop(0, 2, same, t); }},
      {"scan", "", [&](const Tensor& t) { return scan(pass, zeros({1}), t); }},
      {"scan", "", [&](const Tensor& t) { return scan(pass, t, zeros({1})); }},
  };
  const std::string text =
      ": too many elements: shape is (4611686018427387904, 4611686018427387904); their number must "
      "be below 2^63";
  for (const EmptyCall& one : calls) {
    EXPECT_EQ(error_of([&] { return one.call(x); }), "trigon::" + one.name + text);
  }
}

// The text has a shape that the user knows.
TEST(ErrorNames, ShapesOfResults) {
  const Tensor x = zeros({half, half});
  const std::string rule = "; their number must be below 2^63";
  EXPECT_EQ(error_of([&] {
              return stack({x, x});
            }),
            "trigon::stack: too many elements: shape is (2, 4611686018427387904, "
            "4611686018427387904)" +
                rule);
#ifdef TRIGON_TEST_IMAGE
  EXPECT_EQ(error_of([&] { return cm::viridis(x); }),
            "trigon::cm::viridis: too many elements: shape is (4611686018427387904, "
            "4611686018427387904, 3)" +
                rule);
#endif
}

TEST(ErrorNames, FilesOfTooManyElements) {
  const Tensor x = zeros({half, half});
  const std::string shape = "shape is (4611686018427387904, 4611686018427387904); ";
  const std::string rule = "must have less than 2^63 elements";
  EXPECT_EQ(error_of([&] { save_npy("x.npy", x); }),
            "trigon::save_npy: \"x.npy\": x is too large: " + shape + rule);
  EXPECT_EQ(error_of([&] {
              save_safetensors("x", {{"a", x}});
            }),
            "trigon::save_safetensors: \"x\": tensor \"a\" is too large: " + shape + rule);
#ifdef TRIGON_TEST_IMAGE
  EXPECT_EQ(
      error_of([&] { save_png("x.png", x); }),
      "trigon::save_png: bad shape: image is (4611686018427387904, 4611686018427387904); must "
      "be (height, width), or (height, width, channels) with 1 to 4 channels, and height and "
      "width from 1 to 1000000");
#endif
}

TEST(ErrorNames, ReadsAsAnotherDtype) {
  EXPECT_EQ(error_of([] { leaf({3}, float32).read(nullptr, int32); }),
            "trigon::Tensor::read: read as another dtype: tensor is float32, read as int32; must "
            "be float32\n  hint: cast with astype");
}

TEST(ErrorNames, WrongAxes) {
  for (const PublicCall& row : public_calls()) {
    if (!row.is_on_axis()) continue;
    const std::string text = "trigon::" + row.name() + ": axis out of range: axis is ";
    const std::string error = error_of([&] { return row.call(leaves(row.example)); });
    EXPECT_EQ(error.substr(0, text.size()), text);
  }
}

TEST(ErrorNames, ShapesThatDoNotFit) {
  for (const PublicCall& row : public_calls()) {
    if (row.wrong.empty() || row.is_on_axis()) continue;
    const std::string error = error_of([&] { return row.call(leaves(row.example)); });
    EXPECT_EQ(error.substr(0, error.find(": ")), "trigon::" + row.name()) << error;
  }
}

const std::string mean_text =
    "trigon::mean: axis out of range: axis is 5, rank is 1; must be in "
    "[-1, 1)";

TEST(ErrorNames, CodeOfUsers) {
  const auto wrong = [](const Tensor& x) { return mean(x, 5); };
  const auto in_a_loop = [&](const Tensor&, const Tensor& x) { return wrong(x); };
  EXPECT_EQ(error_of([&] { return fori_loop(0, 3, in_a_loop, leaf({2})); }), mean_text);
  EXPECT_EQ(error_of([&] { return grad(wrong, leaf({2})); }), mean_text);
  EXPECT_EQ(error_of([&] { return cond(leaf({}, boolean), wrong, wrong, leaf({2})); }), mean_text);

  UnarySpec spec = find_op("exp")->unary();
  spec.glsl = "exp_(x) * 1.0";  // an op of its own
  spec.vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return mean(g, 5); };
  const Op op(spec);
  const auto f = [&op](const Tensor& x) { return sum(detail::apply(op, x)); };
  EXPECT_EQ(error_of([&] { return grad(f, leaf({2})); }), mean_text);

  const auto rule = [](Tensors g, Tensors, Tensors) { return std::vector{mean(g[0], 5)}; };
  const ElementwiseKernel kernel("float x", "float y", "y = x * x", "square_all",
                                 {.gradient = rule});
  const auto of_kernel = [&kernel](const Tensor& x) { return sum(kernel(x)); };
  EXPECT_EQ(error_of([&] { return grad(of_kernel, leaf({2})); }), mean_text);
}

TEST(ErrorNames, AnErrorEndsTheCall) {
  EXPECT_EQ(error_of([] { return stddev(leaf({2}), 5); }),
            "trigon::stddev: axis out of range: axis is 5, rank is 1; must be in [-1, 1)");
  EXPECT_EQ(error_of([] { return mean(leaf({2}), 5); }), mean_text);
  EXPECT_EQ(error_of([] { Shape({2}).erase(5); }),
            "trigon::Shape::erase: axis out of range: axis is 5, rank is 1; must be in [-1, 1)");
}

TEST(ErrorNames, GradientsAreThoseOfGrad) {
  const auto f = [](const Tensor& x) {
    return sum(fori_loop(
        0, Scalar(3), [](const Tensor&, const Tensor& y) { return y * y; }, x));
  };
  EXPECT_EQ(error_of([&] { return grad(f, leaf({2})); }),
            "trigon::grad: no gradient: nothing bounds the iterations of fori_loop before it runs; "
            "its bounds must be plain numbers\n  hint: or wrap the function that calls the loop in "
            "custom_vjp(f, rule)");
}

TEST(ErrorNames, WhatUsersThrowStays) {
  EXPECT_EQ(error_of([] { throw Error("no such file: x"); }), "no such file: x");
  EXPECT_EQ(error_of([] { throw Error("trigon::mine: a: b"); }), "trigon::mine: a: b");
}

}  // namespace
}  // namespace trigon
