// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "core/targets.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"

// Tensors of more elements than an index counts, on devices whose indices end at 2^12.

namespace trigon {
namespace {

using core::Target;
using support::HostDevice;
using support::Number;

struct Device {
  std::string name;
  Target target;
};

std::vector<Device> devices() {
  Target floats = core::llvmpipe_webgl1();
  floats.max_side = 64;
  floats.index_limit = 4096;
  floats.trip_limit = 1000;
  Target few_trips = floats;
  few_trips.trip_limit = 64;
  Target whole = core::h200();
  whole.max_side = 64;
  whole.index_limit = 4096;
  whole.trip_limit = 1000;
  whole.share_quads = false;
  return {{"Floats", floats}, {"FewTrips", few_trips}, {"Integers", whole}};
}

struct Case {
  std::string name;
  Shape shape;
  std::function<Tensor(const Tensor&)> of;
};

std::vector<double> numbers(std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(static_cast<double>(k * k % 97 - 40));
  return values;
}

const Shape line{9'005};

std::vector<Case> cases() {
  const auto last = [](const Tensor& x) { return sum(x, -1); };
  return {
      {"pointwise", line, [](const Tensor& x) { return x * 2.0 + 1.0; }},
      {"sum", line, [](const Tensor& x) { return sum(x); }},
      {"mean", line, [](const Tensor& x) { return mean(x); }},
      {"max_of_rows", {97, 93}, [](const Tensor& x) { return max(x); }},
      {"sum_of_view",
       {97, 93},
       [](const Tensor& x) {
         return sum(x.at(Slice{1, {}}).get());
       }},
      {"sum_of_three_axes",
       {21, 5, 91},
       [](const Tensor& x) {
         return sum(x, {0, 2});
       }},
      {"sum_of_long_rows", {3, 4'401}, last},
      {"sum_of_columns", {97, 93}, [](const Tensor& x) { return sum(x, 0); }},
      {"sum_of_few_columns", {4'401, 3}, [](const Tensor& x) { return sum(x, 0); }},
      {"sum_of_short_rows", {1'401, 3}, last},
      {"slice", line,
       [](const Tensor& x) {
         return x[Slice{1, {}}];
       }},
      {"slice_of_texels", line,
       [](const Tensor& x) {
         return x[Slice{8, {}}];
       }},
      {"steps", line,
       [](const Tensor& x) {
         return x[Slice{5, {}, 2}];
       }},
      {"last_elements", line,
       [](const Tensor& x) {
         return x[Slice{-3, {}}];
       }},
      {"window", line,
       [](const Tensor& x) {
         return x.at(Window{Scalar(4'501), 4'500}).get();
       }},
      {"set", line,
       [](const Tensor& x) {
         return x.at(Slice{4'100, 8'999, 3}).set(7.0);
       }},
      {"flip", line, [](const Tensor& x) { return flip(x); }},
      {"roll", line, [](const Tensor& x) { return roll(x, 4'321, 0); }},
      {"pad", line,
       [](const Tensor& x) {
         return pad(x, std::array{PadWidth{3, 5}}, 2.0);
       }},
      {"concatenate", line,
       [](const Tensor& x) {
         return concatenate({x[Slice{0, 4'999}], x[Slice{2, 7'000}]}, 0);
       }},
      {"stack",
       {7'003},
       [](const Tensor& x) {
         return stack({x, x + 1.0}, 0);
       }},
      {"stack_columns",
       {2'103},
       [](const Tensor& x) {
         return stack({x, x + 1.0}, 1);
       }},
      {"odd_rows", {97, 93}, [](const Tensor& x) { return x * 2.0 + sum(x, 1, true); }},
      {"odd_columns", {97, 93}, [](const Tensor& x) { return x + sum(x, 0); }},
      {"long_rows", {3, 4'401}, [](const Tensor& x) { return x + sum(x, 0); }},
      {"long_row_slice",
       {3, 4'401},
       [](const Tensor& x) {
         return x.at(ellipsis, Slice{3, {}}).get();
       }},
      {"row_of_long_rows", {3, 4'401}, [](const Tensor& x) { return x[1]; }},
      {"transpose", {97, 93}, [](const Tensor& x) { return x.T() * 2.0; }},
      {"transpose_long", {3, 1'401}, [](const Tensor& x) { return x.T() * 2.0; }},
      {"three_axes",
       {21, 5, 91},
       [](const Tensor& x) {
         return transpose(x, {2, 0, 1}) + 1.0;
       }},
      {"to_rows", line, [](const Tensor& x) { return x.reshape(5, 1'801) * sum(x); }},
      {"to_short_rows", line, [](const Tensor& x) { return flip(x.reshape(1'801, 5), 1); }},
      {"to_line", {97, 93}, [](const Tensor& x) { return flip(x.reshape(-1)); }},
      {"to_line_of_transpose", {97, 93}, [](const Tensor& x) { return x.T().reshape(-1); }},
      {"broadcast",
       {1, 93},
       [](const Tensor& x) {
         return broadcast_to(x, {97, 93}) * 1.5;
       }},
      {"where", line, [](const Tensor& x) { return where(x < 3.0, x, flip(x)); }},
      {"take_rows", {97, 93}, [](const Tensor& x) { return take(x, arange(3) * 48, 0); }},
      {"take_columns", {97, 93}, [](const Tensor& x) { return take(x, arange(3) * 46, 1); }},
      {"positions", {2}, [](const Tensor& x) { return arange(9'005) * 1.0 + x[0]; }},
      {"matmul", {93, 97}, [](const Tensor& x) { return matmul(x.T(), x); }},
      {"matmul_long", {3, 4'401}, [](const Tensor& x) { return matmul(x, x.T()); }},
      {"softmax", {97, 93}, [](const Tensor& x) { return nn::softmax(x * 0.1, 1); }},
      {"argmax_of_rows", {97, 93}, [](const Tensor& x) { return argmax(x, 1); }},
      {"lower_triangle", {97, 93}, [](const Tensor& x) { return tril(x); }},
  };
}

using Param = std::tuple<Case, Device>;

std::vector<Param> params() {
  std::vector<Param> all;
  for (const Case& one : cases()) {
    for (const Device& device : devices()) all.emplace_back(one, device);
  }
  return all;
}

class Wide : public testing::TestWithParam<Param> {};

TEST_P(Wide, GivesTheReferencesValues) {
  const auto& [one, device] = GetParam();
  HostDevice host(device.target, core::llvmpipe_costs);
  graph::KnownValues known;
  const std::vector<double> values = numbers(one.shape.numel());
  const Tensor x = host.upload(values, float32, one.shape);
  known.emplace(detail::Internals::node(x)->id, values);
  const Tensor y = one.of(x);
  const std::vector<double> want = graph::interpret(detail::Internals::node(y), known);
  const std::vector<Number> got = host.read(y);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_FALSE(got[k].is_poison) << k;
    ASSERT_NEAR(got[k].value, want[k], 1e-5 * std::abs(want[k]) + 1e-6) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Wide, testing::ValuesIn(params()), [](const auto& param) {
  return std::get<0>(param.param).name + std::get<1>(param.param).name;
});

}  // namespace
}  // namespace trigon
