// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/graph_values.hpp"
#include "trigon/trigon.hpp"

// Calls as people write them first: sizes without braces, operands one by one.

namespace trigon {
namespace {

using Values = std::vector<double>;

TEST(Sizes, StandWithoutBraces) {
  EXPECT_EQ(zeros(3).shape(), Shape{3});
  EXPECT_EQ(values(ones(2, 3)), Values(6, 1.0));
  EXPECT_EQ(ones(2, 3).shape(), (Shape{2, 3}));
  EXPECT_EQ(empty(2, 3U, std::int64_t{4}).shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(zeros(3, int32).dtype(), int32);
  EXPECT_EQ(ones(3, boolean).shape(), Shape{3});
  EXPECT_EQ(zeros(2, 3, int32).shape(), (Shape{2, 3}));
  EXPECT_EQ(zeros(2, 3, int32).dtype(), int32);
  EXPECT_EQ(values(ones(2, 3, boolean)), Values(6, 1.0));
  EXPECT_EQ(empty(2, 3, 4, float16).dtype(), float16);
  EXPECT_EQ(zeros(0).size(), 0);
}

TEST(Sizes, OfFullAreItsFirstArgumentAlone) {
  const Tensor x = full(3, 1.0);
  EXPECT_EQ(x.shape(), Shape{3});
  EXPECT_EQ(values(full(2, 7)), (Values{7, 7}));
  EXPECT_EQ(full(2, 7, int32).dtype(), int32);
}

TEST(Sizes, ThatAreNoneThrow) {
  EXPECT_EQ(error_of([] { return zeros(2, -3); }), error_of([] { return zeros({2, -3}); }));
  EXPECT_EQ(error_of([] { return ones(~std::uint64_t{0}); }),
            "trigon::ones: integer out of range: value is 18446744073709551615; int64 holds "
            "integers in [-9223372036854775808, 9223372036854775807]");
}

TEST(Sizes, OfReshapeAndAxesOfTransposeStandWithoutBraces) {
  const Tensor x = arange(6).reshape(2, 3);
  EXPECT_EQ(reshape(x, 3, 2).shape(), (Shape{3, 2}));
  EXPECT_EQ(reshape(x, 3U, -1).shape(), (Shape{3, 2}));
  EXPECT_EQ(values(reshape(x, -1)), values(arange(6)));
  EXPECT_EQ(values(transpose(x, 1, 0)), values(x.T()));
  EXPECT_EQ(error_of([&] { return transpose(x, 1, 1); }),
            error_of([&] { return x.transpose(1, 1); }));
}

TEST(Sizes, OfOneAxisArePyTorchs) {
  const Tensor x = zeros(2, 3);
  EXPECT_EQ(x.size(0), 2);
  EXPECT_EQ(x.size(-1), 3);
  EXPECT_EQ(error_of([&] { return x.size(2); }), error_of([&] { return x.shape()[2]; }));
  EXPECT_EQ(error_of([] { return Tensor().size(0); }), error_of([] { return Tensor().size(); }));
}

TEST(Pad, TakesNumPysWidthsForAllAxes) {
  const Tensor x = noise({2, 3}, 1);
  EXPECT_EQ(pad(x, 1).shape(), (Shape{4, 5}));
  EXPECT_EQ(values(pad(x, 1)), values(pad(x, {{1, 1}, {1, 1}})));
  EXPECT_EQ(pad(x, {1, 2}).shape(), (Shape{5, 6}));
  EXPECT_EQ(values(pad(x, {1, 2})), values(pad(x, {{1, 2}, {1, 2}})));
  EXPECT_EQ(values(pad(x, {{1, 2}})), values(pad(x, {1, 2})));
  EXPECT_EQ(values(pad(x, {1, 2}, 3.0)), values(pad(x, {{1, 2}, {1, 2}}, 3.0)));
  EXPECT_EQ(values(pad(x, 2, 7)), values(pad(x, {{2, 2}, {2, 2}}, 7.0)));
  EXPECT_EQ(values(pad(x, 2, "reflect")), values(pad(x, {{2, 2}, {2, 2}}, "reflect")));
  EXPECT_EQ(values(pad(x, {1, 2}, "edge")), values(pad(x, {{1, 2}, {1, 2}}, "edge")));
  EXPECT_EQ(pad(Tensor(5), 1).shape(), Shape{});
  EXPECT_EQ(error_of([&] { return pad(x, -1); }),
            "trigon::pad: negative width: axis 0 has (-1, -1); must be 0 or more");
  EXPECT_EQ(error_of([] { return pad(Tensor(5), -1); }),
            "trigon::pad: negative width: axis 0 has (-1, -1); must be 0 or more");
  EXPECT_EQ(error_of([&] { return pad(x, ~0ULL); }).substr(0, 12), "trigon::pad:");
}

TEST(Linspace, HasNumPysFiftyNumbers) { EXPECT_EQ(linspace(0, 1).shape(), Shape{50}); }

TEST(ToVector, GivesFloatsUnlessAskedForOthers) {
  static_assert(std::is_same_v<decltype(Tensor().to_vector()), std::vector<float>>);
  EXPECT_EQ(error_of([] { return arange(3).to_vector(); }),
            "trigon::Tensor::to_vector: read as another dtype: tensor is int32, read as float32; "
            "must be int32\n  hint: write to_vector<int>(), or cast with astype");
}

TEST(Operands, StandWithoutBraces) {
  Tensor x = noise({2, 2}, 1);
  const Tensor y = noise({2, 2}, 2);
  EXPECT_EQ(values(concatenate(x, y, x)), values(concatenate({x, y, x})));
  EXPECT_EQ(values(concat(x, y)), values(concatenate({x, y})));
  EXPECT_EQ(values(stack(x, y)), values(stack({x, y})));
  EXPECT_EQ(stack(x, y, y).shape(), (Shape{3, 2, 2}));
  EXPECT_EQ(values(stack(x(0), y[1])), values(stack({x[0], y[1]})));
  EXPECT_EQ(values(vstack(x, y)), values(vstack({x, y})));
  EXPECT_EQ(values(hstack(x, y)), values(hstack({x, y})));
  EXPECT_EQ(values(einsum("ij,jk->ik", x, y)), values(einsum("ij,jk->ik", {x, y})));
  EXPECT_EQ(values(einsum("ij->ji", x)), values(transpose(x)));
  EXPECT_EQ(values(meshgrid(x[0], y[0])[1]), values(meshgrid({x[0], y[0]})[1]));
  EXPECT_EQ(values(broadcast_arrays(x, y[0])[1]), values(broadcast_arrays({x, y[0]})[1]));
}

TEST(Operands, MayBeSpansAndLists) {
  std::vector<Tensor> rows{ones(2, 3), zeros(2, 3)};
  EXPECT_EQ(concatenate(std::span(rows)).shape(), (Shape{4, 3}));
  EXPECT_EQ(stack(std::span<const Tensor>(rows)).shape(), (Shape{2, 2, 3}));
  std::vector<PadWidth> widths{{1, 0}, {0, 2}};
  EXPECT_EQ(pad(rows[0], std::span(widths)).shape(), (Shape{3, 5}));
}

// A list keeps its items, so it may stand in a variable.
TEST(Operands, StandInVariables) {
  const std::int64_t zero = 0, one = 1;
  const TensorList tensors = {ones(2, 3), zeros(2, 3)};
  EXPECT_EQ(concatenate(tensors).shape(), (Shape{4, 3}));
  const PadWidths widths = {{one, zero}, {zero, one + one}};
  EXPECT_EQ(pad(ones(2, 3), widths).shape(), (Shape{3, 5}));
  const IntegerList<int> axes = {one, zero};
  EXPECT_EQ(transpose(ones(2, 3), axes).shape(), (Shape{3, 2}));
  const IntegerList<int> others = std::vector<std::int8_t>{1, 0};
  EXPECT_EQ(transpose(ones(2, 3), others).shape(), (Shape{3, 2}));
  const SummedAxes summed{{zero, one}, {zero, one}};
  EXPECT_EQ(values(tensordot(ones(2, 3), ones(2, 3), summed)), Values{6});
  EXPECT_EQ(sum(ones(2, 3), std::vector<std::int8_t>{0}).shape(), Shape{3});
}

TEST(Operands, OfLayerNormMayBeItsOptionsAlone) {
  const Tensor x = Tensor{{1.0, 3.0}};
  EXPECT_EQ(values(nn::layer_norm(x, {.eps = 3.0})), (Values{-0.5, 0.5}));
  EXPECT_EQ(values(nn::layer_norm(x, full(2, 2.0), {.eps = 3.0})), (Values{-1.0, 1.0}));
  EXPECT_EQ(values(nn::layer_norm(x, {}, ones(2), {.eps = 3.0})), (Values{0.5, 1.5}));
}

TEST(Operands, OfAVectorMayBeSelections) {
  Tensor x = noise({2, 2}, 1);
  const std::vector v{x(0), x(1)};
  const std::vector<Tensor> same{x[0], x[1]};
  static_assert(std::is_same_v<decltype(v)::value_type, Selection>);
  EXPECT_EQ(values(stack(v)), values(stack(same)));
  EXPECT_EQ(values(stack(v, 1)), values(stack(same, 1)));
  EXPECT_EQ(values(stack(std::array{x(0), x(1)})), values(stack(same)));
  EXPECT_EQ(values(concatenate(v)), values(concatenate(same)));
  EXPECT_EQ(values(concat(v, -1)), values(concatenate(same)));
  EXPECT_EQ(values(vstack(v)), values(vstack(same)));
  EXPECT_EQ(values(hstack(v)), values(hstack(same)));
  EXPECT_EQ(values(meshgrid(v, "ij")[0]), values(meshgrid(same, "ij")[0]));
  EXPECT_EQ(values(broadcast_arrays(v)[1]), values(broadcast_arrays(same)[1]));
  EXPECT_EQ(values(einsum("i,j->ij", v)), values(einsum("i,j->ij", same)));
  EXPECT_EQ(values(linalg::multi_dot(v)), values(linalg::multi_dot(same)));
}

TEST(Split, IsBoundToNamesWhereTheNumberIsKnown) {
  const Tensor x = arange(6).reshape(2, 3);
  const auto [a, b, c] = split<3>(x, 1);
  EXPECT_EQ(values(a), (Values{0, 3}));
  EXPECT_EQ(values(c), (Values{2, 5}));
  const auto [first, second] = split<2>(x);
  EXPECT_EQ(values(second), (Values{3, 4, 5}));
  EXPECT_EQ(error_of([&] { return split<2>(x, 1); }), error_of([&] { return split(x, 2, 1); }));
}

// compile-error.surface has the error of such a call.
TEST(KeepDims, OfEveryReductionRefusesAnInteger) {
  const auto names = [](const std::string& text, const char* pattern) {
    const std::regex name(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
      found.insert((*it)[1]);
    }
    return found;
  };
  for (const char* header : {"reduce.hpp", "detail/tensor_class.hpp"}) {
    std::ifstream file(std::string(TRIGON_SOURCE_DIR "/include/trigon/") + header);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto reductions = names(text, R"(Tensor (\w+)\([^;()]*bool keepdims)");
    EXPECT_GT(reductions.size(), 8U) << header;
    EXPECT_EQ(names(text, R"(TRIGON_REDUCTION_\((\w+)\)\n)"), reductions) << header;
  }
}

}  // namespace
}  // namespace trigon
