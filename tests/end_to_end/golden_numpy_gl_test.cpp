// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/golden_calls.hpp"

// NumPy's results. Expected values were computed in float64 and rounded once.

namespace trigon {
namespace {

using support::Failures;
using support::Golden;
using support::Json;

const Golden& numpy_golden() {
  static const Golden file("numpy", "cases.json", "tensors.safetensors");
  return file;
}

std::vector<Tensor> compute(const Json& c) {
  return support::compute(c, [](const std::string& name) { return numpy_golden().tensor(name); });
}

std::string describe(const Json& c) {
  std::string text = c["op"].get<std::string>() + "(";
  for (const Json& argument : c["args"]) {
    if (argument.contains("t")) {
      text += fmt::format("{} {}, ", argument["t"].get<std::string>(),
                          to_string(numpy_golden().shape(argument["t"])));
    }
  }
  for (const Json& argument : c["args"]) {
    if (argument.contains("view")) text += argument["view"].dump() + ", ";
    if (argument.contains("v")) text += argument["v"].dump() + ", ";
  }
  return text + c["kw"].dump() + ")";
}

DType dtype_of_name(const std::string& tensor) {
  if (tensor[0] == 'b') return DType::boolean;
  return tensor[0] == 'i' ? DType::int32 : DType::float32;
}

// ---- Numbers that a GPU may treat otherwise

// A device may treat a subnormal operand as 0. Returns the positions of all elements of the
// expected tensor that are then right for element i. Binary cases are grids (n, 1) x (1, n).
std::vector<std::size_t> allowed_positions(const Json& c, std::size_t i) {
  const auto flushed = [](const std::vector<double>& x, std::size_t k) {
    if (!support::is_subnormal(x[k])) return k;
    for (std::size_t z = 0; z < x.size(); ++z) {
      if (x[z] == 0 && std::signbit(x[z]) == std::signbit(x[k])) return z;
    }
    return k;
  };
  const std::vector<double> a = numpy_golden().values(c["args"][0]["t"]);
  if (c["args"].size() == 1) return {i, flushed(a, i)};
  const std::vector<double> b = numpy_golden().values(c["args"][1]["t"]);
  const std::size_t row = i / b.size();
  const std::size_t column = i % b.size();
  std::vector<std::size_t> all;
  for (const std::size_t r : {row, flushed(a, row)}) {
    for (const std::size_t k : {column, flushed(b, column)}) all.push_back(r * b.size() + k);
  }
  return all;
}

// sin and cos promise digits up to 1e5.
bool is_lost_angle(const Json& c, std::size_t i, double got) {
  if (c["op"] != "sin" && c["op"] != "cos") return false;
  const double x = std::abs(numpy_golden().values(c["args"][0]["t"])[i]);
  return x > 1e5 && std::isfinite(x) && std::abs(got) <= 1;
}

// GLSL does not define the sign of max(-0, 0) and the like.
bool fits_special(const Json& c, double got, double want, const Tolerance& tolerance) {
  if (!support::within(got, want, tolerance)) return false;
  const bool is_open = c["op"] == "relu" || c["op"] == "maximum" || c["op"] == "minimum" ||
                       c["op"] == "fmax" || c["op"] == "fmin";
  return is_open || got != 0 || want != 0 || std::signbit(got) == std::signbit(want);
}

std::string special_difference(const Json& c, const std::vector<double>& got,
                               const std::vector<double>& want, const Tolerance& tolerance) {
  std::string wrong;
  for (std::size_t i = 0; i < want.size() && got.size() == want.size(); ++i) {
    if (is_lost_angle(c, i, got[i])) continue;
    const std::vector<std::size_t> positions = allowed_positions(c, i);
    const bool fits = std::any_of(positions.begin(), positions.end(), [&](std::size_t k) {
      return fits_special(c, got[i], want[k], tolerance);
    });
    if (!fits) wrong += fmt::format(" [{}] {:.9g} for {:.9g}", i, got[i], want[i]);
  }
  return wrong;
}

// ---- Running a group

struct Pending {
  const Json* c;
  std::vector<Tensor> results;
};

std::string check(const Json& c, const Tensor& y, const std::string& expected) {
  const Shape shape = numpy_golden().shape(expected);
  if (y.shape() != shape) {
    return fmt::format("shape {} in place of {}", to_string(y.shape()), to_string(shape));
  }
  if (y.dtype() != dtype_of_name(expected) && c["group"] != "create") {
    return fmt::format("dtype {} in place of {}", name(y.dtype()), name(dtype_of_name(expected)));
  }
  const std::vector<double> got = support::read_doubles(y);
  const std::vector<double> want = numpy_golden().values(expected);
  const support::Row& row = *support::row_of(c["op"]);
  const Tolerance tolerance = support::tolerance_of(row);
  if (c["group"] == "special" && row.op != nullptr) {
    return special_difference(c, got, want, tolerance);
  }
  return support::difference(got, want, tolerance, y.dtype());
}

// One plan for many cases; if it fails, each case runs alone to find the wrong one.
void finish(std::vector<Pending>& pending, Failures& failures) {
  std::vector<Tensor> roots;
  for (const Pending& p : pending) {
    for (const Tensor& y : p.results) roots.push_back(y);
  }
  try {
    eval(roots);
  } catch (const std::exception& error) {
    failures.add(fmt::format("{} cases in one evaluation: {}", pending.size(), error.what()));
  }
  for (const Pending& p : pending) {
    for (std::size_t k = 0; k < p.results.size(); ++k) {
      try {
        const std::string wrong = check(*p.c, p.results[k], (*p.c)["out"][k]);
        if (!wrong.empty()) failures.add(describe(*p.c) + ": " + wrong);
      } catch (const std::exception& error) {
        failures.add(describe(*p.c) + ": " + error.what());
      }
    }
  }
  pending.clear();
}

// A shader can't throw: an index out of range is clamped instead.
bool is_clamped(const Json& c) { return c["op"] == "take" && c["error"] == "IndexError"; }

void check_clamped(const Json& c, Failures& failures) {
  const Tensor x = numpy_golden().tensor(c["args"][0]["t"]),
               at = numpy_golden().tensor(c["args"][1]["t"]);
  const auto last = static_cast<double>(x.shape()[0]) - 1;
  const Tensor inside = clip(where(at < 0, at + last + 1.0, at), 0.0, last);
  const Tensor want = take(x, inside.astype(int32), 0);
  const Tensor got = compute(c)[0];
  if (got.to_vector<float>() != want.to_vector<float>()) failures.add(describe(c));
}

void check_error(const Json& c, Failures& failures) {
  if (is_clamped(c)) return check_clamped(c, failures);
  try {
    const std::vector<Tensor> results = compute(c);
    failures.add(describe(c) + ": no error in place of " + c["error"].get<std::string>());
  } catch (const Error& error) {
    const std::string text = error.what();
    // The library refuses it, not the reader of arguments.
    const bool is_of_reader = text.find("bad argument") != std::string::npos;
    if (is_of_reader || text.rfind("trigon::", 0) != 0) failures.add(describe(c) + ": " + text);
  }
}

void start(const Json& c, std::vector<Pending>& pending, Failures& failures) {
  try {
    std::vector<Tensor> results = compute(c);
    if (results.size() != c["out"].size()) {
      failures.add(fmt::format("{}: {} results", describe(c), results.size()));
      return;
    }
    pending.push_back({&c, std::move(results)});
  } catch (const std::exception& error) {
    failures.add(describe(c) + ": " + error.what());
  }
}

bool is_picked(const Json& c, const std::string& prefix, const std::string& op) {
  const std::string group = c["group"];
  return op.empty() ? group.rfind(prefix, 0) == 0 : group == prefix && c["op"] == op;
}

// Runs all cases whose group starts with `prefix`, or those of one op in the group of that name.
// Returns, by name, the number of cases for which the library has no function.
std::map<std::string, int> run(const std::string& prefix, const std::string& op = "") {
  Failures failures(prefix);
  std::map<std::string, int> missing;
  std::vector<Pending> pending;
  int count = 0;
  for (const Json& c : numpy_golden().cases()) {
    if (!is_picked(c, prefix, op)) continue;
    ++count;
    if (support::row_of(c["op"]) == nullptr) {
      ++missing[c["op"]];
    } else if (c.contains("error")) {
      check_error(c, failures);
    } else {
      start(c, pending, failures);
    }
    if (pending.size() == 64) finish(pending, failures);
  }
  finish(pending, failures);
  EXPECT_GT(count, 0) << prefix;
  return missing;
}

using Missing = std::map<std::string, int>;

TEST(GoldenNumpy, UnaryOfShapes) { EXPECT_EQ(run("unary_shape"), Missing{}); }
TEST(GoldenNumpy, UnaryOfViews) { EXPECT_EQ(run("unary_view"), Missing{}); }
TEST(GoldenNumpy, SpecialValues) { EXPECT_EQ(run("special"), Missing{}); }
TEST(GoldenNumpy, BinaryBroadcasts) { EXPECT_EQ(run("binary_bcast"), Missing{}); }
TEST(GoldenNumpy, BinaryErrors) { EXPECT_EQ(run("binary_error"), Missing{}); }
TEST(GoldenNumpy, BinaryOfViews) { EXPECT_EQ(run("binary_view"), Missing{}); }
TEST(GoldenNumpy, BinaryOfOneTensorTwice) { EXPECT_EQ(run("binary_alias"), Missing{}); }
TEST(GoldenNumpy, ReductionErrors) { EXPECT_EQ(run("reduce_error"), Missing{}); }
TEST(GoldenNumpy, ReductionsOfViews) { EXPECT_EQ(run("reduce_view"), Missing{}); }
TEST(GoldenNumpy, LongReductions) { EXPECT_EQ(run("reduce_acc"), Missing{}); }
TEST(GoldenNumpy, Softmax) { EXPECT_EQ(run("softmax"), Missing{}); }
TEST(GoldenNumpy, LayerNorm) { EXPECT_EQ(run("layernorm"), Missing{}); }
TEST(GoldenNumpy, Matmul) { EXPECT_EQ(run("matmul"), Missing{}); }
TEST(GoldenNumpy, Where) { EXPECT_EQ(run("where"), Missing{}); }
TEST(GoldenNumpy, Take) { EXPECT_EQ(run("take"), Missing{}); }
TEST(GoldenNumpy, Join) { EXPECT_EQ(run("join"), Missing{}); }
TEST(GoldenNumpy, Split) { EXPECT_EQ(run("split"), Missing{}); }
TEST(GoldenNumpy, Reshape) { EXPECT_EQ(run("reshape"), Missing{}); }
TEST(GoldenNumpy, Transpose) { EXPECT_EQ(run("transpose"), Missing{}); }
TEST(GoldenNumpy, Shape) { EXPECT_EQ(run("shape"), Missing{}); }
TEST(GoldenNumpy, Flip) { EXPECT_EQ(run("flip"), Missing{}); }
TEST(GoldenNumpy, Roll) { EXPECT_EQ(run("roll"), Missing{}); }
TEST(GoldenNumpy, Getitem) { EXPECT_EQ(run("getitem"), Missing{}); }

// The group is half of all cases, so each op has a test.
class GoldenReductions : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenReductions, OfShapes) {
  const std::string op = GetParam();
  EXPECT_EQ(run("reduce", op), Missing{});
}

INSTANTIATE_TEST_SUITE_P(Numpy, GoldenReductions,
                         ::testing::Values("sum", "mean", "prod", "max", "min", "argmax", "argmin",
                                           "any", "all", "var", "std", "ptp", "logsumexp", "norm2",
                                           "count_nonzero", "nansum", "nanmax", "nanmean"),
                         [](const auto& test) { return std::string(test.param); });

// The functions that the library lacks are listed with their numbers of cases, and printed. A new
// function must be removed from the list.
TEST(GoldenNumpy, TheRestIsKnown) {
  Missing missing;
  for (const char* group :
       {"tri", "pad", "create", "tile", "scan", "sort", "mask", "index", "einsum"}) {
    for (const auto& [op, count] : run(group)) missing[op] += count;
  }
  for (const auto& [op, count] : missing)
    std::printf("not covered: %s: %d cases\n", op.c_str(), count);
  const Missing known = {
      {"cumsum", 12}, {"cumprod", 11},     {"argsort", 6}, {"sort", 4},
      {"unique", 1},  {"boolean_mask", 2}, {"fancy2", 2},
  };
  EXPECT_EQ(missing, known);
}

}  // namespace
}  // namespace trigon
