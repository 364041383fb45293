// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "emit/emit.hpp"
#include "emit/points.hpp"
#include "glsl_text/chunks.hpp"
#include "support/errors.hpp"
#include "support/plans.hpp"
#include "support/statistics.hpp"

// The shaders of some graphs, word for word, and whether a compiler accepts the shaders of all ops.

namespace trigon {
namespace {

namespace fs = std::filesystem;

struct Device {
  const char* name;
  core::Target target;
};

/// One for each way of writing: texelFetch, texture() and GLSL ES 1.00.
std::vector<Device> devices() {
  return {
      {"es300", core::h200()}, {"sampled", core::llvmpipe()}, {"es100", core::webgl1_minimum()}};
}

struct Case {
  const char* name;
  Tensor root;
  bool integers = false;  ///< features that GLSL ES 1.00 lacks
  bool is_cut = false;    ///< planned with few instructions a draw
};

plan::Plan plan_of_case(const Case& one, core::Target target) {
  if (one.is_cut) target.instructions = 12;
  return plan_of(one.root, target);
}

Tensor written_row() {
  Tensor cache = host_leaf({32, 16});
  cache = cache.at(Window{Scalar(5), 1}).set(host_leaf({1, 16}));
  return cache;
}

Tensor kernel_of_two() {
  const ElementwiseKernel kernel("T x, T y, bool b", "T z", "T d = x - y;\nz = b ? helper(d) : d",
                                 "mine",
                                 {.preamble = "float helper(float v) {\n  return v * v;\n}"});
  return kernel(host_leaf({16, 64}), host_leaf({64}), host_leaf({16, 1}, boolean)) + 1.0;
}

Tensor raw_kernel() {
  const ElementwiseKernel kernel("raw T x, rawnd T y", "T z", "z = x(i) + y(_z_1, _z_0)", "turned");
  return kernel.call({host_leaf({64, 16}).T(), host_leaf({64, 16})}, Shape{16, 64})[0];
}

Tensor integer_kernel() {
  const ElementwiseKernel kernel("raw T n, bool b", "T m", "m = b ? n(i) / T(2) : n(0)", "halved");
  return kernel(host_leaf({40}, int32), host_leaf({40}, boolean)) + 1;
}

Tensor reduction_kernel() {
  const ReductionKernel kernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0", "l2norm");
  return kernel(host_leaf({16, 61}), 1);
}

/// A plain C++ loop that becomes one of the shader, with a row of `x` and a number of a table each
/// step.
Tensor rolled_loop() {
  Tensor s = host_leaf({16, 64});
  const Tensor x = host_leaf({20, 64});
  for (int t = 0; t < 20; ++t) s = (s + x[t]) * (1.0 / (t + 2));
  return s;
}

std::vector<Case> cases() {
  const Tensor x = host_leaf({16, 64});
  return {
      {"negative_of_sum", -(host_leaf({16, 64}) + host_leaf({16, 64}))},
      {"bias_of_odd_rows", host_leaf({6, 5}) + host_leaf({5})},
      {"transpose", host_leaf({16, 64}).T() * 2.0},
      {"run_time_row", host_leaf({16, 64}).at(Scalar(3)).get() * Scalar(0.5)},
      {"pad", pad(host_leaf({16, 61}), std::vector<PadWidth>{{1, 0}, {0, 3}}, 7.0)},
      {"take", take(host_leaf({100, 64}), host_leaf({8}, int32))},
      {"where", where(x > 0.0, x, 0.0)},
      {"int32", host_leaf({16, 64}, int32) * 3 + iota(64), true},
      {"bytes", host_leaf({16, 64}, uint8) + host_leaf({16, 64}, uint8), true},
      {"row_sums", sum(host_leaf({16, 61}), 1)},
      {"column_argmax", argmax(host_leaf({16, 64}), 0)},
      {"softmax", nn::softmax(host_leaf({16, 64}))},
      {"matmul", matmul(host_leaf({2, 32}), host_leaf({32, 64})) + host_leaf({64})},
      {"linear_of_one_row", nn::linear(host_leaf({1, 62}), host_leaf({64, 62}))},
      {"write_in_place", written_row()},
      {"kernel", kernel_of_two()},
      {"raw_kernel", raw_kernel()},
      {"integer_kernel", integer_kernel()},
      {"reduction_kernel", reduction_kernel()},
      {"rolled_loop", rolled_loop(), false, true},
  };
}

/// All draws of a graph, one after the other, with only the names of the chunks of glsl/ in them.
std::string text_of(const plan::Plan& plan) {
  std::string text;
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    text += fmt::format("// draw {}: {}\n{}", k, plan.steps[k].label,
                        emit::emit(*plan.steps[k].kernel).fragment);
  }
  for (const core::Chunk& chunk : glsl_text::chunks()) {
    const std::string name = fmt::format("// glsl/{}.glsl\n", chunk.name);
    for (std::size_t at; (at = text.find(chunk.text)) != std::string::npos;) {
      text.replace(at, chunk.text.size(), name);
    }
  }
  return text;
}

// ---- Word for word

const fs::path golden = fs::path(TRIGON_SOURCE_DIR) / "tests/emit/golden";

void expect_golden(const std::string& name, const std::string& text) {
  const fs::path path = golden / (name + ".glsl");
  if (std::getenv("TRIGON_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(golden);
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; TRIGON_UPDATE_GOLDEN=1 writes it";
  const std::string want{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, want) << path << " differs; TRIGON_UPDATE_GOLDEN=1 writes it again";
}

TEST(Emit, WritesTheExpectedText) {
  for (const auto& [device, target] : devices()) {
    for (const Case& one : cases()) {
      if (one.integers && target.dialect == core::Dialect::es100) continue;
      // The third way differs from the first in the computation of texel coordinates.
      if (target.sampler_fetch && std::string(one.name) != "matmul" &&
          std::string(one.name) != "bias_of_odd_rows") {
        continue;
      }
      expect_golden(fmt::format("{}.{}", one.name, device), text_of(plan_of_case(one, target)));
    }
  }
}

TEST(Emit, HasNoExpectedTextThatNothingWrites) {
  std::set<std::string> names;
  for (const Case& one : cases()) names.insert(one.name);
  for (const auto& entry : fs::directory_iterator(golden)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(names.contains(name.substr(0, name.find('.')))) << name;
  }
}

TEST(Emit, GivesEqualTextForEqualKernels) {
  for (const Case& one : cases()) {
    const plan::Plan a = plan_of(one.root);
    const plan::Plan b = plan_of(one.root);
    EXPECT_EQ(text_of(a), text_of(b)) << one.name;
  }
}

TEST(Emit, PastesNoNumberThatAGraphHolds) {
  const Tensor x = host_leaf({16, 48});
  const Tensor y = pad(x * 1234.5, std::vector<PadWidth>{{17, 3}, {5, 6}}, 0.625);
  const std::string text = emit::emit(*plan_of(y).steps[0].kernel).fragment;
  for (const char* number : {"1234", "17", "48", "59", "625", "36"}) {
    EXPECT_FALSE(std::regex_search(text, std::regex(fmt::format("\\b{}\\b", number)))) << number;
  }
}

TEST(Emit, WritesAnOpOnceHoweverOftenItIsUsed) {
  Tensor x = host_leaf({16, 64});
  for (int k = 0; k < 20; ++k) x = x * x + x;
  const std::string text = text_of(plan_of(x));
  const std::size_t first = text.find("vec4 op_multiply_f(");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("vec4 op_multiply_f(", first + 1), std::string::npos);
}

TEST(Emit, ComputesOnceWhatEqualPadsHaveInCommon) {
  const Tensor x = host_leaf({16, 48}), y = cos(x * 0.5);
  const auto padded = [](const Tensor& z) { return pad(z, std::vector<PadWidth>{{1, 0}, {0, 3}}); };
  const std::vector<Tensor> roots{padded(x * y), padded(x + y)};
  const std::string text = text_of(plan_of(roots, core::llvmpipe()));
  const std::string call = "= op_cos_f(";
  const std::size_t first = text.find(call);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find(call, first + 1), std::string::npos);
}

TEST(Emit, GrowsLinearlyWithADiamond) {
  const auto size = [](int depth) {
    Tensor x = host_leaf({16, 64});
    for (int k = 0; k < depth; ++k) x = x * x + x;
    return text_of(plan_of(x)).size();
  };
  EXPECT_LE(size(32), 2 * size(16));
}

TEST(Emit, LoopsWithAConstantBoundInGlslEs100) {
  const std::string text = text_of(plan_of(sum(host_leaf({16, 64}), 1), core::webgl1_minimum()));
  EXPECT_NE(text.find("for (int i = 0; i < 65535; ++i) {"), std::string::npos);
  EXPECT_EQ(text.find("ivec"), std::string::npos);
  EXPECT_EQ(text.find("texelFetch"), std::string::npos);
}

TEST(Emit, RefusesIntegerOpsInGlslEs100) {
  const Tensor x = host_leaf({16}, int32);
  EXPECT_EQ(
      support::error_of<DeviceError>([&] { plan_of(bitwise_and(x, 3), core::webgl1_minimum()); }),
      "trigon::bitwise_and: not available in GLSL ES 1.00, which has no integers; use "
      "profile webgl2");
}

// ---- Acceptance by a compiler

/// One op on leaves of a dtype.
Tensor applied(const Op& op, DType dtype) {
  const Shape shape{8, 20};
  const Tensor x = host_leaf(shape, dtype);
  switch (op.family) {
    case Family::unary: return detail::apply(op, x);
    case Family::binary: return detail::apply(op, x, host_leaf({20}, dtype));
    case Family::ternary:
      return detail::apply(op, op.ternary().condition_first ? host_leaf(shape, boolean) : x,
                           host_leaf({8, 1}, dtype), x);
    case Family::reduce:
    case Family::kernel: break;
  }
  return detail::reduce(op, x, 1, false)[0];
}

Tensor branch_in_nested_loops() {
  const Tensor w = host_leaf({40}), p = host_leaf({}, boolean);
  const auto waves = [&](const Tensor& x) { return sin(x * 3.0 + w) * exp(-x * x); };
  const auto inner = [&](const Tensor& i, const Tensor& x) {
    return cond(
        logical_xor(i < 3, p), waves, [](const Tensor& v) { return v * 0.5; }, x);
  };
  const auto body = [&](const Tensor&, const Tensor& x) { return fori_loop(0, 5, inner, x); };
  return fori_loop(0, 7, body, host_leaf({40}));
}

/// Further graphs, for features without an op.
std::vector<Tensor> further() {
  const Tensor q = host_leaf({2, 3, 5, 8});
  std::vector<Tensor> roots = {
      nn::layer_norm(host_leaf({7, 33}), host_leaf({33}), host_leaf({33})),
      nn::scaled_dot_product_attention(q, q, q, {.is_causal = true}),
      nn::gelu(nn::linear(host_leaf({9, 30}), host_leaf({50, 30}), host_leaf({50}))),
      sum(host_leaf({3'000'000})),
      moments(host_leaf({200'000, 3}), 0)[0],
      argmax(host_leaf({1'000'000})),
      matmul(host_leaf({8, 1'000'000}), host_leaf({1'000'000, 8})),
      concatenate({host_leaf({3, 5}), host_leaf({4, 5}), host_leaf({1, 5})}),
      flip(host_leaf({7, 9}).T())[Slice{1, {}, 2}],
      host_leaf({12, 10}).at(Slice{1, 9, 3}, Slice{2, 7}).set(host_leaf({3, 5})),
      take(host_leaf({9, 5}), host_leaf({2, 2}, int32), 1),
      host_leaf({3, 5}).astype(float16) * 2.0,
      host_leaf({3, 5}).astype(boolean),
      host_leaf({3, 5}).astype(int32),
      host_leaf({3, 5}, int32).astype(boolean),
      host_leaf({3, 5}, int32).astype(float32),
      host_leaf({3, 5}, boolean).astype(float32) + host_leaf({5}, int32),
      tril(host_leaf({5, 5})),
      any(host_leaf({4, 6}, boolean), 1),
      branch_in_nested_loops(),
      random::normal(random::fold_in(3, Scalar(5)), {100}),
      random::uniform(3, {10, 10}, -1, 1),
      random::integers(3, {10, 10}, -5, 9),
  };
  return roots;
}

/// Those that need GLSL ES 3.00.
std::vector<Tensor> further_integers() {
  return {host_leaf({3, 5}).astype(uint8), host_leaf({3, 5}).astype(uint32),
          host_leaf({3, 5}, uint32).astype(int32) + host_leaf({5}, uint8),
          argmax(host_leaf({7, 5}, uint32), 0), min(host_leaf({7, 50}, int32), 1)};
}

void add_shaders(const plan::Plan& plan, const std::string& what,
                 std::map<std::string, std::string>& shaders) {
  for (const plan::Step& step : plan.steps) {
    const emit::Source source = emit::emit(*step.kernel);
    shaders.emplace(source.fragment, fmt::format("{}: {}", what, step.label));
  }
}

/// Fragment shaders of everything, by text.
std::map<std::string, std::string> all_shaders(const Device& device) {
  std::map<std::string, std::string> shaders;
  const bool integers = device.target.dialect == core::Dialect::es300;
  for (const Case& one : cases()) {
    if (integers || !one.integers) {
      add_shaders(plan_of_case(one, device.target), one.name, shaders);
    }
  }
  for (const Tensor& root : further()) {
    add_shaders(plan_of(root, device.target), "further", shaders);
  }
  if (integers) {
    for (const Tensor& root : further_integers()) {
      add_shaders(plan_of(root, device.target), "further", shaders);
    }
  }
  for (const Op* op : registry()) {
    if (op->name.starts_with("intern_")) continue;  // registry_test.cpp's, which nothing draws
    const bool whole = op->family == Family::binary && op->binary().integers_only;
    for (DType dtype : {float32, int32, uint32, uint8, boolean}) {
      if (!integers && (whole || dtype == uint32 || dtype == uint8)) continue;
      Tensor root;
      try {
        root = applied(*op, dtype);
      } catch (const Error&) {
        continue;  // the op refuses this dtype
      }
      try {
        const std::string what = fmt::format("{} of {}", op->name, name(dtype));
        add_shaders(plan_of(root, device.target), what, shaders);
      } catch (const DeviceError& e) {
        ADD_FAILURE() << op->name << " of " << name(dtype) << ": " << e.what();
      }
    }
  }
  return shaders;
}

class Validator : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(std::system("glslangValidator --version > /dev/null 2>&1"), 0)
        << "glslangValidator is not installed; tests/run installs it";
    folder_ = fs::temp_directory_path() / fmt::format("trigon-emit-{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  void add(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    files_ += " " + name;
  }

  /// The compiler's messages; empty if it accepts the text.
  std::string complaints() const {
    const std::string command =
        fmt::format("cd '{}' && glslangValidator{} > log 2>&1", folder_.string(), files_);
    const int status = std::system(command.c_str());
    std::ifstream log(folder_ / "log");
    std::string errors, name;
    for (std::string line; std::getline(log, line);) {
      const bool is_error = line.starts_with("ERROR");
      if (is_error) errors += fmt::format("{}: {}\n", name, line);
      if (!is_error) name = line;
    }
    return status != 0 && errors.empty() ? "it failed without a reason" : errors;
  }

 private:
  fs::path folder_;
  std::string files_;
};

TEST_F(Validator, TakesAllShaders) {
  for (const Device& device : devices()) {
    const auto shaders = all_shaders(device);
    EXPECT_GT(shaders.size(), 80u);
    std::size_t number = 0;
    for (const auto& [text, what] : shaders) {
      // The name of the file is what the compiler shows with an error.
      std::string name = fmt::format("{}-{}-{}", device.name, number++, what);
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
      add(name + ".frag", text);
    }
    const plan::Plan plan = plan_of(cases()[0].root, device.target);
    for (const std::size_t guards : {0, 1, 4, 8}) {
      add(fmt::format("{}-{}.vert", device.name, guards),
          emit::emit(*plan.steps[0].kernel, guards).vertex);
    }
  }
  EXPECT_EQ(complaints(), "");
}

TEST_F(Validator, TakesAllPoints) {
  for (int k = 0; k < 32; ++k) {
    const emit::Source source =
        emit::emit_points({.whole_texels = (k & 1) != 0,
                           .index = (k & 2) != 0 ? core::Type::u : core::Type::i,
                           .layered_values = (k & 4) != 0,
                           .layered_indices = (k & 8) != 0},
                          (k & 16) != 0 ? 2 : 0);
    add(fmt::format("points-{}.vert", k), source.vertex);
    add(fmt::format("points-{}.frag", k), source.fragment);
  }
  EXPECT_EQ(complaints(), "");
}

TEST_F(Validator, RefusesWhatIsWrong) {
  add("wrong.frag", "#version 300 es\nprecision highp float;\nvoid main() { colour = 1.0; }\n");
  EXPECT_NE(complaints(), "");
}

}  // namespace
}  // namespace trigon
