// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/kernels.hpp"

// Indices that are known at run time follow one rule, in both profiles: a negative one counts from
// the end, then all are clamped.

namespace trigon {
namespace {

using support::Floats;
using support::Ints;

class DynamicIndex : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, DynamicIndex,
                         ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

constexpr int n = 6;
const Ints indices{0, 3, 5, 6, 100, -1, -4, -6, -7, -100};

// The first of `size` elements out of n.
int place(int index, int size = 1) {
  return std::clamp(index < 0 ? index + n : index, 0, n - size);
}

TEST_P(DynamicIndex, OfAScalarIsThatOfTake) {
  const Tensor x = counting({n});
  const Tensor taken = take(x, ints(indices, {10}));
  const Tensor along = take_along_axis(x, ints(indices, {10}), 0);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const auto want = static_cast<float>(place(indices[k]));
    const Scalar index(indices[k]);
    EXPECT_EQ(x[index].item(), want) << indices[k];
    EXPECT_EQ(taken[k].item(), want) << indices[k];
    EXPECT_EQ(along[k].item(), want) << indices[k];
  }
}

TEST_P(DynamicIndex, OfRowsIsTheSame) {
  const Tensor x = counting({n, 4});
  for (const int index : indices) {
    const auto first = static_cast<float>(4 * place(index));
    EXPECT_EQ(x(Scalar(index), Slice{0, 2}).to_vector<float>(), (Floats{first, first + 1}));
  }
}

TEST_P(DynamicIndex, OfAWindowKeepsItInside) {
  const Tensor x = counting({n});
  for (const int index : indices) {
    const auto first = static_cast<float>(place(index, 4));
    EXPECT_EQ(x(Window{Scalar(index), 4}).to_vector<float>(),
              (Floats{first, first + 1, first + 2, first + 3}))
        << index;
  }
}

TEST_P(DynamicIndex, OfAWriteIsThatOfARead) {
  for (const int index : indices) {
    Floats want(n * 4);
    for (std::size_t k = 0; k < want.size(); ++k) want[k] = static_cast<float>(k);
    for (int k = 0; k < 8; ++k) want[static_cast<std::size_t>(4 * place(index, 2) + k)] = -1;
    Tensor rows = counting({n, 4});  // whole texels are written in place, others are not
    rows(Window{Scalar(index), 2}) = -1;
    EXPECT_EQ(rows.to_vector<float>(), want) << index;
    Floats line(n);
    for (std::size_t k = 0; k < line.size(); ++k) line[k] = static_cast<float>(k);
    line[static_cast<std::size_t>(place(index))] = -1;
    Tensor x = counting({n});
    x(Scalar(index)) = -1;
    EXPECT_EQ(x.to_vector<float>(), line) << index;
  }
}

TEST_P(DynamicIndex, OfAScatterDropsThoseOutOfRange) {
  const Tensor x = scatter_add(zeros({3}).to(device()), ints({0, 2, 3, -1, -3, -4}, {6}), 1.0, 0);
  EXPECT_EQ(x.to_vector<float>(), (Floats{2, 0, 2}));
}

// Statements with another Scalar each become a loop over a table of them.
TEST_P(DynamicIndex, OfALongLoopIsTheSame) {
  const Tensor x = counting({n});
  Tensor y = zeros({4}).to(device());
  double want = 0;
  for (int t = 0; t < 400; ++t) {
    const int index = (t * 7) % 29 - 14;
    y = y * 0.5 + x[Scalar(index)];
    want = want * 0.5 + place(index);
  }
  EXPECT_FLOAT_EQ(y.to_vector<float>()[3], static_cast<float>(want));
}

}  // namespace
}  // namespace trigon
