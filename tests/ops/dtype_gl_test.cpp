// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/kernels.hpp"

// The dtype and the values of operations on all pairs of dtypes, in both profiles. Files of
// expected values hold no float16 and no uint32, so these were worked out by hand.

namespace trigon {
namespace {

using support::error_of;
using support::read_doubles;
using Doubles = std::vector<double>;

// The operands of a dtype: two elements to the left of an operator, two to its right.
struct Operands {
  DType dtype;
  Doubles left, right;
};
const std::array<Operands, dtype_count> operands = {{
    {float32, {0.25, 3}, {2.5, -1}},
    {float16, {1.5, -2}, {0.5, 4}},
    {int32, {-6, 100}, {-9, 5}},
    {uint32, {9, 7}, {20, 3}},
    {uint8, {250, 3}, {10, 4}},
    {boolean, {1, 0}, {1, 1}},
}};

struct Pair {
  DType a, b;
  DType result;  // of arithmetic
  Doubles sum, product, quotient, is_less;
  Doubles bits = {};  // of a & b; empty for floats
};
// `result` equals result_type, except for bool with bool.
const std::vector<Pair> pairs = {
    {boolean, boolean, int32, {2, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 0}},
    {boolean, uint8, uint8, {11, 4}, {10, 0}, {0.1, 0}, {1, 1}, {0, 0}},
    {boolean, uint32, uint32, {21, 3}, {20, 0}, {0.05, 0}, {1, 1}, {0, 0}},
    {boolean, int32, int32, {-8, 5}, {-9, 0}, {-1 / 9.0, 0}, {0, 1}, {1, 0}},
    {boolean, float16, float32, {1.5, 4}, {0.5, 0}, {2, 0}, {0, 1}},
    {boolean, float32, float32, {3.5, -1}, {2.5, 0}, {0.4, 0}, {1, 0}},
    {uint8, boolean, uint8, {251, 4}, {250, 3}, {250, 3}, {0, 0}, {0, 1}},
    {uint8, uint8, uint8, {4, 7}, {196, 12}, {25, 0.75}, {0, 1}, {10, 0}},
    {uint8, uint32, uint32, {270, 6}, {5000, 9}, {12.5, 1}, {0, 0}, {16, 3}},
    {uint8, int32, int32, {241, 8}, {-2250, 15}, {-250 / 9.0, 0.6}, {0, 1}, {242, 1}},
    {uint8, float16, float32, {250.5, 7}, {125, 12}, {500, 0.75}, {0, 1}},
    {uint8, float32, float32, {252.5, 2}, {625, -3}, {100, -3}, {0, 0}},
    {uint32, boolean, uint32, {10, 8}, {9, 7}, {9, 7}, {0, 0}, {1, 1}},
    {uint32, uint8, uint32, {19, 11}, {90, 28}, {0.9, 1.75}, {1, 0}, {8, 4}},
    {uint32, uint32, uint32, {29, 10}, {180, 21}, {0.45, 7 / 3.0}, {1, 0}, {0, 3}},
    {uint32, int32, int32, {0, 12}, {-81, 35}, {-1, 1.4}, {0, 0}, {1, 5}},
    {uint32, float16, float32, {9.5, 11}, {4.5, 28}, {18, 1.75}, {0, 0}},
    {uint32, float32, float32, {11.5, 6}, {22.5, -7}, {3.6, -7}, {0, 0}},
    {int32, boolean, int32, {-5, 101}, {-6, 100}, {-6, 100}, {1, 0}, {0, 0}},
    {int32, uint8, int32, {4, 104}, {-60, 400}, {-0.6, 25}, {1, 0}, {10, 4}},
    {int32, uint32, int32, {14, 103}, {-120, 300}, {-0.3, 100 / 3.0}, {1, 0}, {16, 0}},
    {int32, int32, int32, {-15, 105}, {54, 500}, {6 / 9.0, 20}, {0, 0}, {-14, 4}},
    {int32, float16, float32, {-5.5, 104}, {-3, 400}, {-12, 25}, {1, 0}},
    {int32, float32, float32, {-3.5, 99}, {-15, -100}, {-2.4, -100}, {1, 0}},
    {float16, boolean, float32, {2.5, -1}, {1.5, -2}, {1.5, -2}, {0, 1}},
    {float16, uint8, float32, {11.5, 2}, {15, -8}, {0.15, -0.5}, {1, 1}},
    {float16, uint32, float32, {21.5, 1}, {30, -6}, {0.075, -2 / 3.0}, {1, 1}},
    {float16, int32, float32, {-7.5, 3}, {-13.5, -10}, {-1.5 / 9, -0.4}, {0, 1}},
    {float16, float16, float32, {2, 2}, {0.75, -8}, {3, -0.5}, {0, 1}},
    {float16, float32, float32, {4, -3}, {3.75, 2}, {0.6, 2}, {1, 1}},
    {float32, boolean, float32, {1.25, 4}, {0.25, 3}, {0.25, 3}, {1, 0}},
    {float32, uint8, float32, {10.25, 7}, {2.5, 12}, {0.025, 0.75}, {1, 1}},
    {float32, uint32, float32, {20.25, 6}, {5, 9}, {0.0125, 1}, {1, 0}},
    {float32, int32, float32, {-8.75, 8}, {-2.25, 15}, {-0.25 / 9, 0.6}, {0, 1}},
    {float32, float16, float32, {0.75, 7}, {0.125, 12}, {0.5, 0.75}, {1, 1}},
    {float32, float32, float32, {2.75, 2}, {0.625, -3}, {0.1, -3}, {1, 0}},
};

const Operands& of(DType dtype) {
  for (const Operands& one : operands) {
    if (one.dtype == dtype) return one;
  }
  return operands[0];
}

class DTypes : public support::KernelTest {
 protected:
  // Float textures carry the values, a cast gives them their dtype.
  static Tensor typed(const Doubles& values, DType dtype) {
    const support::Floats rounded(values.begin(), values.end());
    return floats(rounded, {static_cast<std::int64_t>(values.size())}).astype(dtype).eval();
  }
  static void expect(const Tensor& y, DType dtype, const Doubles& want, const std::string& what) {
    EXPECT_EQ(y.dtype(), dtype) << what;
    const Doubles got = read_doubles(y);
    ASSERT_EQ(got.size(), want.size()) << what;
    for (std::size_t k = 0; k < want.size(); ++k) {
      EXPECT_FLOAT_EQ(static_cast<float>(got[k]), static_cast<float>(want[k])) << what;
    }
  }
  static bool has_bits() { return device().profile() == Profile::webgl2; }
  static Tensor ints32(const support::Ints& values) {
    return ints(values, {static_cast<std::int64_t>(values.size())});
  }
  static Tensor uints32(const std::vector<std::uint32_t>& values) {
    return from_host(values.data(), uint32, {static_cast<std::int64_t>(values.size())}, device());
  }
};
INSTANTIATE_TEST_SUITE_P(Profiles, DTypes, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(DTypes, OfAllPairsArePromoted) {
  EXPECT_EQ(pairs.size(), dtype_count * dtype_count);
  for (const Pair& pair : pairs) {
    const Doubles& left = of(pair.a).left;
    const Doubles& right = of(pair.b).right;
    const Tensor a = typed(left, pair.a), b = typed(right, pair.b);
    const std::string what = to_string(pair.a) + " with " + to_string(pair.b);
    expect(a + b, pair.result, pair.sum, what + ": add");
    expect(a * b, pair.result, pair.product, what + ": multiply");
    expect(a / b, float32, pair.quotient, what + ": divide");
    expect(a < b, boolean, pair.is_less, what + ": less");
    const bool are_bools = pair.a == boolean && pair.b == boolean;
    const DType common = are_bools ? boolean : pair.result;
    EXPECT_EQ(result_type(pair.a, pair.b), common) << what;
    EXPECT_EQ(result_type(a, b), common) << what;
    expect(where(typed({1, 0}, boolean), a, b), common, {left[0], right[1]}, what + ": where");
    if (is_float(pair.result)) {
      EXPECT_NE(error_of([&] { return a & b; }), "no error") << what;
    } else if (has_bits()) {
      expect(a & b, common, pair.bits, what + ": and");
    }
  }
}

TEST_P(DTypes, OfSumsAndProductsHold32Bits) {
  struct Case {
    DType dtype, result;
    double sum, product;
  };
  for (const Case& c : {Case{boolean, int32, 1, 0}, Case{uint8, uint32, 253, 750},
                        Case{uint32, uint32, 16, 63}, Case{int32, int32, 94, -600},
                        Case{float16, float32, -0.5, -3}, Case{float32, float32, 3.25, 0.75}}) {
    const Tensor x = typed(of(c.dtype).left, c.dtype);
    expect(sum(x), c.result, {c.sum}, to_string(c.dtype) + ": sum");
    expect(prod(x), c.result, {c.product}, to_string(c.dtype) + ": prod");
    expect(mean(x), float32, {c.sum / 2}, to_string(c.dtype) + ": mean");
  }
}

// NumPy 2's rule: a host number has no dtype, and only counts if its kind is higher.
TEST_P(DTypes, YieldToNumbersOfAHigherKindAlone) {
  struct Case {
    DType dtype, with_bool, with_int;
    Doubles plus_ten;
  };
  const std::vector<Case> cases = {
      {boolean, int32, int32, {11, 10}},      {uint8, uint8, uint8, {4, 13}},
      {uint32, uint32, uint32, {19, 17}},     {int32, int32, int32, {4, 110}},
      {float16, float32, float32, {11.5, 8}}, {float32, float32, float32, {10.25, 13}},
  };
  for (const Case& c : cases) {
    const Tensor x = typed(of(c.dtype).left, c.dtype);
    const std::string what = to_string(c.dtype);
    expect(x + 10, c.with_int, c.plus_ten, what);
    EXPECT_EQ((x + true).dtype(), c.with_bool) << what;
    EXPECT_EQ((x + 0.5).dtype(), float32) << what;
    EXPECT_EQ(result_type(x, 10), result_type(c.dtype, 10)) << what;
    EXPECT_EQ(result_type(c.dtype, 10), c.with_int) << what;
    EXPECT_EQ(result_type(0.5, c.dtype), float32) << what;
  }
  EXPECT_EQ(error_of([&] { return typed({1}, uint8) + 300; }),
            "trigon::add: number out of range: 300 as uint8; must be in [0, 255]");
}

// webgl1 holds integers as floats.
class Bits32 : public DTypes {};
INSTANTIATE_TEST_SUITE_P(Profiles, Bits32, ::testing::Values(Profile::webgl2),
                         support::profile_name);

TEST_P(Bits32, OfIntegersWrapAroundAt32Bits) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Tensor i = ints32({most, least, -7});
  EXPECT_EQ((i + 1).to_vector<std::int32_t>(), (support::Ints{least, least + 1, -6}));
  EXPECT_EQ((i * 2).to_vector<std::int32_t>(), (support::Ints{-2, 0, -14}));
  EXPECT_EQ((-i).to_vector<std::int32_t>(), (support::Ints{-most, least, 7}));
  EXPECT_EQ(floor_divide(i, 2).to_vector<std::int32_t>(), (support::Ints{most / 2, least / 2, -4}));
  EXPECT_EQ((i % 10).to_vector<std::int32_t>(), (support::Ints{7, 2, 3}));
  EXPECT_EQ(sum(ints32({most, 2})).item<std::int32_t>(), least + 1);
  const Tensor u = uints32({4294967295U, 0, 2147483648U});
  using Unsigned = std::vector<std::uint32_t>;
  EXPECT_EQ((u + 1).to_vector<std::uint32_t>(), (Unsigned{0, 1, 2147483649U}));
  EXPECT_EQ((u - 1).to_vector<std::uint32_t>(), (Unsigned{4294967294U, 4294967295U, 2147483647U}));
  EXPECT_EQ((u * 3).to_vector<std::uint32_t>(), (Unsigned{4294967293U, 0, 2147483648U}));
  EXPECT_EQ(floor_divide(u, 10).to_vector<std::uint32_t>(), (Unsigned{429496729U, 0, 214748364U}));
  EXPECT_EQ((u % 10).to_vector<std::uint32_t>(), (Unsigned{5, 0, 8}));
}

TEST_P(Bits32, OfUnsignedBesideSignedAreSigned) {
  const Tensor i = ints32({-1, -1, 5});
  const Tensor u = uints32({1, 4294967295U, 3000000000U});
  EXPECT_EQ((i + u).to_vector<std::int32_t>(), (support::Ints{0, -2, -1294967291}));
  EXPECT_EQ((i < u).to_vector<bool>(), (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace trigon
