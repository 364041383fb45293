// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/targets.hpp"
#include "emit/emit.hpp"
#include "kernel/builder.hpp"
#include "support/host_device.hpp"
#include "support/packed.hpp"
#include "support/plans.hpp"

// Kernels that read sixteen elements a texel.

namespace trigon {
namespace {

using support::HostDevice;
using support::Number;
using support::packed_layout;

using Doubles = std::vector<double>;

Doubles bytes(std::int64_t count) {
  Doubles values;
  for (std::int64_t k = 0; k < count; ++k) {
    values.push_back(static_cast<double>((k * 37 + 11) % 256 - 128));
  }
  return values;
}

/// Its plan, if all leaves lie in that layout.
plan::Plan plan_of_packed(const Tensor& root, const core::Layout& layout,
                          const core::Target& target) {
  const graph::Collected graph =
      graph::collect(nodes_of(std::span(&root, 1)), [&](const graph::Node& node) {
        return graph::LeafStorage{node.storage.get(), layout, node.storage.use_count() == 1};
      });
  return pipeline::make_plan(graph, target, costs_of(target));
}

std::string main_of(const plan::Plan& plan) {
  EXPECT_EQ(plan.steps.size(), 1u);
  const std::string text = emit::emit(*plan.steps[0].kernel).fragment;
  return text.substr(text.find("void main()"));
}

TEST(Packed, ReadsAGroupOfAlignedLanes) {
  const core::Layout layout = packed_layout(3, 32);
  const plan::Plan plan = plan_of_packed(host_leaf({3, 32}) * 2.0, layout, core::h200());
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_EQ(plan.steps[0].w * plan.steps[0].h, 3 * 32 / 4);
  EXPECT_EQ(plan.steps[0].outputs[0].layout.elements_per_texel, 4);
  EXPECT_EQ(main_of(plan), R"(void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  int v2 = v0 >> 4;
  int v3 = v1;
  vec4 v4 = int8_lanes_(texelFetch(u_t0, ivec2(v2, v3), 0), v0 >> 2 & 3);
  vec4 v5 = vec4(u_f[0].x);
  vec4 v6 = op_multiply_f(v4, v5);
  o0 = v6;
}
)");
}

TEST(Packed, ReadsTexelsByTexture) {
  const std::string text =
      main_of(plan_of_packed(host_leaf({3, 32}) * 2.0, packed_layout(3, 32), core::llvmpipe()));
  EXPECT_EQ(text, R"(void main() {
  int v0 = 4 * int(gl_FragCoord.x);
  int v1 = int(gl_FragCoord.y);
  float v2 = (float(v0 >> 4) + 0.5) * u_f[0].x;
  float v3 = (float(v1) + 0.5) * u_f[0].y;
  vec4 v4 = int8_lanes_(texture(u_t0, vec2(v2, v3)), v0 >> 2 & 3);
  vec4 v5 = vec4(u_f[0].z);
  vec4 v6 = op_multiply_f(v4, v5);
  o0 = v6;
}
)");
}

TEST(Packed, ReadsEachLaneOfATransposedTensor) {
  const plan::Plan plan =
      plan_of_packed(host_leaf({3, 32}).T() * 2.0, packed_layout(3, 32), core::h200());
  EXPECT_EQ(plan.steps[0].fetches, 4);
  const std::string text = main_of(plan);
  // Element k of a row: texel k / 16, group k / 4 % 4, lane k % 4.
  EXPECT_NE(text.find("  ivec4 v3 = v1 >> 4;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("pick_(int8_lanes_(texelFetch(u_t0, ivec2(v3.y, v4.y), 0), v1.y >> 2 & 3), "
                      "v1.y & 3)"),
            std::string::npos)
      << text;
}

TEST(Packed, ReadsTheBytesOfAnInputOfAUsersKernel) {
  const ElementwiseKernel kernel("raw T x", "T y", "y = x(i)", "copied");
  const Tensor y = kernel.call({host_leaf({3, 32})}, Shape{96})[0];
  const plan::Plan plan = plan_of_packed(y, packed_layout(3, 32), core::h200());
  const std::string text = emit::emit(*plan.steps[0].kernel).fragment;
  EXPECT_NE(text.find("  return pick_(int8_lanes_(texelFetch(u_t0, ivec2(x >> 4, y), 0), "
                      "x >> 2 & 3), x & 3);\n"),
            std::string::npos)
      << text;
}

TEST(Packed, IsRefusedWithoutIntegers) {
  const core::Layout layout = packed_layout(1, 32);
  kernel::KernelBuilder b(core::webgl1_minimum());
  const core::Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, 32));
  b.output(b.load(b.input(0, layout), layout, x4), core::Type::f);
  EXPECT_TRUE(b.is_too_large());
  kernel::Bound bound;
  EXPECT_FALSE(b.finish(bound));
}

TEST(Packed, IncludesTheFunctionThatDecodes) {
  for (const core::EncodingInfo* encoding : support::packed_encodings()) {
    const core::Layout layout = packed_layout(3, 32, 1, encoding);
    const plan::Plan plan = plan_of_packed(host_leaf({3, 32}) * 2.0, layout, core::h200());
    const std::string text = emit::emit(*plan.steps[0].kernel).fragment;
    const std::string name(encoding->decode);
    EXPECT_NE(text.find("vec4 " + name + "(uvec4 "), std::string::npos) << name << "\n" << text;
  }
}

/// How many rows share a texture row, and the encoding.
using Packing = std::tuple<std::int64_t, const core::EncodingInfo*>;

class PackedValues : public ::testing::TestWithParam<Packing> {
 protected:
  /// A function of a packed tensor must give the same as of a plain one.
  void expect_same(std::int64_t rows, std::int64_t columns, Tensor (*f)(const Tensor&)) {
    for (const core::Target& target : {core::h200(), core::llvmpipe()}) {
      HostDevice device(target, costs_of(target));
      const Doubles x = bytes(rows * columns);
      const std::vector<Number> want = device.read(f(device.upload(x, float32, {rows, columns})));
      const auto [rows_together, encoding] = GetParam();
      const core::Layout layout = packed_layout(rows, columns, rows_together, encoding);
      const std::vector<Number> got = device.read(f(device.upload(x, layout)));
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k) {
        ASSERT_FALSE(got[k].is_poison || want[k].is_poison) << k;
        ASSERT_EQ(got[k].value, want[k].value) << k;
      }
    }
  }
};

TEST_P(PackedValues, Elementwise) {
  for (const std::int64_t columns : {1, 5, 16, 40}) {
    expect_same(6, columns, [](const Tensor& x) { return x * 2.0 + 1.0; });
  }
}

TEST_P(PackedValues, Views) {
  expect_same(6, 40, [](const Tensor& x) { return x.T() * 2.0; });
  expect_same(6, 40, [](const Tensor& x) { return x.reshape(-1) * 2.0; });
  expect_same(6, 40, [](const Tensor& x) { return x.reshape(40, 6) * 2.0; });
  expect_same(6, 40, [](const Tensor& x) { return flip(x) * 2.0; });
  expect_same(6, 40, [](const Tensor& x) { return x.at(ellipsis, Slice{3, 30}).get() * 2.0; });
  expect_same(6, 40, [](const Tensor& x) { return x.at(2).get() + x.at(3, 21).get(); });
  expect_same(6, 40, [](const Tensor& x) { return pad(x, std::vector<PadWidth>{{1, 2}, {3, 1}}); });
}

TEST_P(PackedValues, Reductions) {
  expect_same(6, 40, [](const Tensor& x) { return sum(x, 0); });
  expect_same(6, 40, [](const Tensor& x) { return sum(x, 1); });
  expect_same(6, 40, [](const Tensor& x) { return max(x); });
}

TEST_P(PackedValues, Products) {
  expect_same(12, 40, [](const Tensor& x) { return matmul(x, x.T()); });
  expect_same(12, 40, [](const Tensor& x) { return matmul(x.T(), x); });
  expect_same(12, 40, [](const Tensor& x) { return matmul(x.at(3).get(), x.T()); });
}

TEST_P(PackedValues, Writes) {
  expect_same(6, 40, [](const Tensor& x) {
    Tensor y = x;
    return std::move(y).at(2).set(x.at(1).get() * 2.0);
  });
  expect_same(6, 40, [](const Tensor& x) {
    return scatter_add(x, arange(0, 6, 2), x.at(Slice{1, 4}).get(), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(EachEncoding, PackedValues,
                         ::testing::Combine(::testing::Values(1, 2, 3),
                                            ::testing::ValuesIn(support::packed_encodings())));

}  // namespace
}  // namespace trigon
