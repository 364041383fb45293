// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/host_device.hpp"
#include "support/rewritten.hpp"

// Each rule of simplification: the user's nodes before, the entries after, and the values.

namespace trigon {
namespace {

using support::after;
using support::after_of;
using support::before;
using support::HostDevice;

class Simplify : public support::Rewritten {};

// ---- Constants ----------------------------------------------------------------------------------

TEST_F(Simplify, ExactOpsOnConstantsFold) {
  const Tensor a = full({4}, 0.1), b = full({4}, 0.7);
  const std::vector<Tensor> roots{a + b, a - b, a * b, -a, maximum(a, b), minimum(a, b)};
  EXPECT_EQ(after(roots),
            "0: constant 0.10000000149011612 ()\n"
            "1: view 0 [] (4,)\n"
            "2: constant 0.699999988079071 ()\n"
            "3: view 2 [] (4,)\n"
            "4: constant 0.800000011920929 ()\n"
            "5: view 4 [] (4,)\n"
            "6: constant -0.5999999642372131 ()\n"
            "7: view 6 [] (4,)\n"
            "8: constant 0.07000000029802322 ()\n"
            "9: view 8 [] (4,)\n"
            "10: constant -0.10000000149011612 ()\n"
            "11: view 10 [] (4,)\n");
  const float x = 0.1F, y = 0.7F;
  HostDevice device(core::h200(), core::gpu_costs);
  device.evaluate(roots);
  const float results[] = {x + y, x - y, x * y, -x, y, x};
  for (std::size_t k = 0; k < roots.size(); ++k) {
    EXPECT_EQ(device.read(roots[k])[3].value, results[k]) << k;
  }
}

TEST_F(Simplify, InexactOpsOnConstantsDoNotFold) {
  EXPECT_EQ(after(exp(full({2}, 1.5)) / 3.0),
            "0: constant 1.5 ()\n"
            "1: view 0 [] (2,)\n"
            "2: map exp 1 (2,)\n"
            "3: constant 3 ()\n"
            "4: view 3 [] (2,)\n"
            "5: map divide 2 4 (2,)\n");
}

TEST_F(Simplify, WholeConstantsDoNotFold) {
  EXPECT_EQ(after_of(add, full({2}, 3, int32), [] { return full({2}, 4, int32); }),
            "0: constant 3 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 4 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map add 1 3 (2,)\n");
}

TEST_F(Simplify, ConstantsThatOverflowOrVanishDoNotFold) {
  EXPECT_EQ(after_of(multiply, full({2}, 3e38), [] { return full({2}, 10); }),
            "0: constant 3.0000000054977558e+38 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 10 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map multiply 1 3 (2,)\n");
  EXPECT_EQ(after_of(multiply, full({2}, 1e-38), [] { return full({2}, 0.01); }),
            "0: constant 9.999999350456404e-39 ()\n"
            "1: view 0 [] (2,)\n"
            "2: constant 0.009999999776482582 ()\n"
            "3: view 2 [] (2,)\n"
            "4: map multiply 1 3 (2,)\n");
}

// ---- Identities ---------------------------------------------------------------------------------

TEST_F(Simplify, ExactIdentitiesGo) {
  const Tensor x = leaf({7});
  for (const Tensor& y : {x * 1.0, 1.0 * x, x / 1.0, x - 0.0, x + -0.0, -0.0 + x}) {
    EXPECT_EQ(after(abs(y)), "0: leaf (7,)\n1: map abs 0 (7,)\n");
    expect_values(y);
  }
}

TEST_F(Simplify, OpsOfUsersHaveTheFactsThatTheyDeclare) {
  BinarySpec spec = find_op("add")->binary();
  spec.name = "known_sum";
  spec.identity_a = std::nullopt;
  const Op known(spec);
  spec.name = "plain_sum";
  spec.identity_b = std::nullopt;
  spec.folds_exactly = false;
  const Op plain(spec);
  const auto sum = [](const Op& op, const Tensor& a, const Tensor& b) {
    return detail::apply(op, a, b);
  };
  const Tensor x = leaf({7});
  EXPECT_EQ(after(abs(sum(known, x, -0.0))), "0: leaf (7,)\n1: map abs 0 (7,)\n");
  EXPECT_NE(after(sum(known, -0.0, x)).find("known_sum"), std::string::npos);
  EXPECT_NE(after(sum(plain, x, -0.0)).find("plain_sum"), std::string::npos);
  const auto three = [&](const Op& op) { return sum(op, full({}, 1.0), 2.0); };
  EXPECT_NE(after(x * three(known)).find("constant 3"), std::string::npos);
  EXPECT_NE(after(x * three(plain)).find("plain_sum"), std::string::npos);
}

TEST_F(Simplify, WhatChangesABitStays) {
  const Tensor x = leaf({7});
  const std::vector<Tensor> roots{x + 0.0, 0.0 + x, x - -0.0, x * 0.0, x * -1.0, 1.0 / x, 0.0 - x};
  for (const Tensor& y : roots) EXPECT_NE(after(y).find(": map "), std::string::npos) << after(y);
  expect_values({roots[0], roots[1], roots[2], roots[3], roots[4], roots[6]});
}

TEST_F(Simplify, AnIdentityThatConvertsIsACast) {
  const Tensor x = leaf({4}).astype(int32);
  EXPECT_EQ(after(x / 1.0),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n"
            "2: cast 1 (4,)\n");
  expect_values(x / 1.0);
}

TEST_F(Simplify, IdleCastsGo) {
  const Tensor x = leaf({4});
  EXPECT_EQ(after(x.astype(int32).astype(int32)),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n");
  expect_values(x.astype(int32).astype(int32));
}

TEST_F(Simplify, CastsThereAndBackStay) {
  const Tensor x = leaf({4});
  EXPECT_EQ(after(x.astype(int32).astype(float32)),
            "0: leaf (4,)\n"
            "1: cast 0 (4,)\n"
            "2: cast 1 (4,)\n");
  expect_values(x.astype(int32).astype(float32));
}

// ---- Products -----------------------------------------------------------------------------------

TEST_F(Simplify, ATurnedProductIsTheProductOfTurnedOperands) {
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const Tensor y = matmul(a, b).T();
  EXPECT_EQ(before(y), "contract permute");
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: view 1 [i1, i0] (7, 5)\n"
            "3: view 0 [i1, i0] (5, 3)\n"
            "4: contract 2 3 (7, 3)\n");
  expect_values(y);
}

TEST_F(Simplify, ATurnedProductOfBatchesToo) {
  const Tensor a = leaf({2, 3, 5}), b = leaf({2, 5, 7});
  const Tensor y = transpose(matmul(a, b), {0, 2, 1});
  EXPECT_EQ(after(y),
            "0: leaf (2, 3, 5)\n"
            "1: leaf (2, 5, 7)\n"
            "2: view 1 [i0, i2, i1] (2, 7, 5)\n"
            "3: view 0 [i0, i2, i1] (2, 5, 3)\n"
            "4: contract 2 3 (2, 7, 3)\n");
  expect_values(y);
}

TEST_F(Simplify, AProductWhoseBatchesAreTurnedStays) {
  const Tensor a = leaf({2, 3, 5}), b = leaf({2, 5, 7});
  const Tensor y = transpose(matmul(a, b), {1, 0, 2});
  EXPECT_EQ(after(y),
            "0: leaf (2, 3, 5)\n"
            "1: leaf (2, 5, 7)\n"
            "2: contract 0 1 (2, 3, 7)\n"
            "3: view 2 [i1, i0, i2] (3, 2, 7)\n");
  expect_values(y);
}

TEST_F(Simplify, ATurnedProductOfFewColumnsStays) {
  // The limit is on columns, which would become rows.
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const Tensor y = matmul(a, b, {.columns = Scalar(4)}).T();
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: contract 0 1 (3, 7)\n"
            "3: view 2 [i1, i0] (7, 3)\n");
  expect_values(y);
}

TEST_F(Simplify, BothWaysToWriteOneProductAreOne) {
  const Tensor a = leaf({3, 5}), b = leaf({5, 7});
  const std::vector<Tensor> roots{matmul(a, b).T(), matmul(b.T(), a.T())};
  EXPECT_EQ(after(roots),
            "0: leaf (3, 5)\n"
            "1: leaf (5, 7)\n"
            "2: view 1 [i1, i0] (7, 5)\n"
            "3: view 0 [i1, i0] (5, 3)\n"
            "4: contract 2 3 (7, 3)\n");
  expect_values(roots);
}

}  // namespace
}  // namespace trigon
