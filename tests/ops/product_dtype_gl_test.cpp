// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/kernels.hpp"

// Sums of products of small integers and bools, on the device.

namespace trigon {
namespace {

class ProductDtype : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, ProductDtype,
                         ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(ProductDtype, OfUint8IsUint32) {
  const Tensor x = floats({200, 200, 200, 200, 200}, {5}).astype(uint8);
  const Tensor row = x.reshape(1, 5);
  for (const Tensor& y :
       {inner(x, x), vecdot(x, x), tensordot(x, x, 1), einsum("i,i->", {x, x}), inner(row, row),
        tensordot(row, row.T(), 1), einsum("ij,kj->ik", {row, row}), sum(dot(x, x[0]))}) {
    EXPECT_EQ(y.dtype(), uint32);
    EXPECT_EQ(y.item<double>(), 200'000);
  }
  EXPECT_EQ(einsum("i,j->", {x, x}).item<double>(), 1'000'000);
}

TEST_P(ProductDtype, OfBoolIsInt32) {
  const Tensor x = floats({1, 0, 2, 3, 0}, {5}) > 0;
  for (const Tensor& y : {inner(x, x), vecdot(x, x), tensordot(x, x, 1), einsum("i,i->", {x, x}),
                          sum(dot(x, x[0]))}) {
    EXPECT_EQ(y.dtype(), int32);
    EXPECT_EQ(y.item<double>(), 3);
  }
}

}  // namespace
}  // namespace trigon
