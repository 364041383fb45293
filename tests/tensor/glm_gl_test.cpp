// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <vector>

#include <trigon/glm.hpp>
#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/on_profile.hpp"

namespace trigon {
namespace {

using support::error_of;

template <class T>
Tensor of(const std::vector<T>& values) {
  return to_tensor(std::span<const T>(values));
}

TEST(Glm, VectorsAreRows) {
  const std::vector<glm::vec3> values = {{1, 2, 3}, {4, 5, 6}};
  const Tensor x = of(values);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_vectors<glm::vec3>(x * 2.0), (std::vector<glm::vec3>{{2, 4, 6}, {8, 10, 12}}));
}

TEST(Glm, VectorsKeepTheirIntegers) {
  const support::OnWebGL2 only("integers past 2^24");
  const std::vector<glm::ivec2> values = {{1, -2}, {2147483647, 5}};
  EXPECT_EQ(of(values).dtype(), int32);
  EXPECT_EQ(to_vectors<glm::ivec2>(of(values)), values);
  const std::vector<glm::uvec4> large = {{4294967295U, 0, 1, 2}};
  EXPECT_EQ(of(large).dtype(), uint32);
  EXPECT_EQ(to_vectors<glm::uvec4>(of(large)), large);
}

TEST(Glm, MatricesHaveRowsFirst) {
  // Two columns of three rows.
  const std::vector<glm::mat2x3> values = {glm::mat2x3(1, 2, 3, 4, 5, 6)};
  const Tensor x = of(values);
  EXPECT_EQ(x.shape(), (Shape{1, 3, 2}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(to_vectors<glm::mat2x3>(x), values);
}

TEST(Glm, ProductsAreThoseOfGlm) {
  const glm::mat4 m = glm::perspective(0.8F, 1.5F, 0.1F, 10.0F) *
                      glm::lookAt(glm::vec3(1, 2, 3), glm::vec3(0), glm::vec3(0, 1, 0));
  const std::vector<glm::vec4> points = {{1, 0, 0, 1}, {0.5F, -0.25F, 2, 1}};
  const std::vector<glm::vec4> moved = to_vectors<glm::vec4>(matmul(of(points), to_tensor(m).T()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const glm::vec4 expected = m * points[k];
    for (int axis = 0; axis < 4; ++axis) EXPECT_NEAR(moved[k][axis], expected[axis], 1e-5);
  }
}

TEST(Glm, OneValueHasNoFirstAxis) {
  EXPECT_EQ(to_tensor(glm::vec2(3, 4)).shape(), (Shape{2}));
  EXPECT_EQ(to_tensor(glm::mat4(1)).shape(), (Shape{4, 4}));
  EXPECT_EQ(to_tensor(glm::mat2(1, 2, 3, 4)).to_vector<float>(), (std::vector<float>{1, 3, 2, 4}));
}

TEST(Glm, NoValuesAreAnEmptyTensor) {
  EXPECT_EQ(of(std::vector<glm::vec3>{}).shape(), (Shape{0, 3}));
  EXPECT_TRUE(to_vectors<glm::vec3>(zeros({0, 3})).empty());
}

TEST(Glm, NamesAShapeThatDoesNotFit) {
  EXPECT_EQ(error_of([] {
              return to_vectors<glm::vec3>(zeros({2, 4}));
            }),
            "trigon::to_vectors: shape does not fit: x is (2, 4); it must be (2, 3)");
  EXPECT_EQ(error_of([] {
              return to_vectors<glm::mat2x3>(zeros({5, 2, 3}));
            }),
            "trigon::to_vectors: shape does not fit: x is (5, 2, 3); it must be (5, 3, 2)");
  EXPECT_EQ(error_of([] { return to_vectors<glm::vec2>(zeros({})); }),
            "trigon::to_vectors: shape does not fit: x is (); it must be (0, 2)");
}

TEST(Glm, RefusesAnEmptyHandle) {
  EXPECT_EQ(error_of([] { return to_vectors<glm::vec2>(Tensor()); }),
            "trigon::to_vectors: empty handle: x refers to no value; assign a tensor first");
}

TEST(Glm, KnowsItsValues) {
  static_assert(GlmValue<glm::vec2> && GlmValue<glm::mat4x3> && GlmValue<glm::uvec3>);
  static_assert(!GlmValue<glm::dvec3> && !GlmValue<glm::bvec2> && !GlmValue<float>);
}

}  // namespace
}  // namespace trigon
