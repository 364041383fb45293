// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "lower/domain.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"
#include "support/loop_cases.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// Loops planned for devices of all kinds of limits, and run in the interpreter of kernels.

namespace trigon {
namespace {

using core::Target;
using support::HostDevice;
using support::Number;

/// A device, and a name for it in the test.
struct Named {
  const char* name;
  Target target;
  core::Costs costs = core::gpu_costs;
};

/// No work is repeated to save draws.
core::Costs free_draws() {
  core::Costs costs = core::gpu_costs;
  costs.draw = 0;
  return costs;
}

/// A kernel has one output, as in WebGL 1.
Target one_target() {
  Target target = core::h200();
  target.draw_buffers = 1;
  return target;
}
/// Draws do seven trips at most, so that every loop needs several of them.
Target few_trips() {
  Target target = core::h200();
  target.trip_limit = 7;
  return target;
}
/// The outputs of most scans lie below each other in a few layers.
Target few_layers() {
  Target target = core::h200();
  target.max_layers = 8;
  return target;
}
/// No values share a draw, and most loops exceed the limits of a kernel.
Target few_samplers() {
  Target target = support::tiny_target();
  target.samplers = 3;
  target.uniform_vectors = 24;
  return target;
}
Target webgl1() {
  Target target = core::h200();
  target.dialect = core::Dialect::es100;
  target.draw_buffers = 1;
  target.max_layers = 1;
  target.float_blend = false;
  target.share_quads = false;
  return target;
}

/// Longer draws take too long.
core::Costs short_draws() {
  core::Costs costs = core::gpu_costs;
  costs.longest_draw = costs.draw + 3 * costs.trip;
  return costs;
}

using Param = std::tuple<support::LoopCase, Named>;

std::vector<Param> params() {
  std::vector<Param> all;
  for (const support::LoopCase& one : support::loop_cases()) {
    for (const Named& device :
         {Named{"Default", core::h200()}, Named{"Tiny", support::tiny_target()},
          Named{"OneTarget", one_target()}, Named{"FewTrips", few_trips()},
          Named{"FreeDraws", core::h200(), free_draws()},
          Named{"FreeDrawsFewTrips", few_trips(), free_draws()},
          Named{"FewLayers", few_layers(), free_draws()}, Named{"FewSamplers", few_samplers()},
          Named{"WebGL1", webgl1()}, Named{"ShortDraws", core::h200(), short_draws()},
          Named{"SlowCompiles", core::llvmpipe(), slow_compiles()},
          Named{"WebGL1SlowCompiles", webgl1(), slow_compiles()}}) {
      // WebGL 1 has neither bytes that wrap nor half floats.
      const std::string_view name = one.name;
      const bool mixes = name == "mixed_dtypes" || name == "scan_of_dtypes" ||
                         name == "halves_of_neighbours" || name == "bytes_of_neighbours";
      if (mixes && device.target.dialect == core::Dialect::es100) continue;
      all.emplace_back(one, device);
    }
  }
  return all;
}

class LoopKernels : public testing::TestWithParam<Param> {};

TEST_P(LoopKernels, GiveTheReferencesValues) {
  const auto& [one, device] = GetParam();
  HostDevice host(device.target, device.costs);
  graph::KnownValues known;
  const support::LoopForm form{.stored = [&](const Tensor& x) {
    std::vector<double> values = graph::interpret(detail::Internals::node(x), known);
    const Tensor stored = host.upload(values, x.dtype(), x.shape());
    known.emplace(detail::Internals::node(stored)->id, std::move(values));
    return stored;
  }};
  const std::vector<Tensor> results = one.run(form);
  std::vector<std::vector<double>> want;
  for (const Tensor& y : results)
    want.push_back(graph::interpret(detail::Internals::node(y), known));
  try {
    host.evaluate(results);
  } catch (const DeviceError& error) {
    // Random numbers need bit operations.
    ASSERT_EQ(device.target.dialect, core::Dialect::es100) << error.what();
    EXPECT_NE(std::string(error.what()).find("has no integers"), std::string::npos);
    return;
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::vector<Number> got = host.read(results[k]);
    ASSERT_EQ(got.size(), want[k].size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_FALSE(got[i].is_poison) << k << ", element " << i;
      EXPECT_NEAR(got[i].value, want[k][i], 1e-5 * (1 + std::abs(want[k][i])))
          << k << ", element " << i;
    }
  }
}

TEST(LoopDraws, TakeNoLongerThanTheDriverBears) {
  const Tensor x = host_leaf({1 << 20});
  const auto loop = [&](std::int64_t steps) {
    return fori_loop(
        0, steps, [](const Tensor&, const Tensor& s) { return sin(s) + cos(s * 2.0); }, x);
  };
  const auto plan_of = [&](std::int64_t steps, const core::Costs& costs) {
    const std::vector<Tensor> roots{loop(steps)};
    return pipeline::make_plan(graph_of(roots, core::h200()), core::h200(), costs);
  };
  EXPECT_EQ(plan_of(100, core::gpu_costs).steps.size(), 1U);
  const plan::Plan cut = plan_of(50'000, core::gpu_costs);
  ASSERT_EQ(cut.steps.size(), 2U);
  const plan::Step& first = cut.steps[0];
  const plan::Step& repeat = cut.steps[1];
  const double longest = core::gpu_costs.longest_draw;
  EXPECT_NEAR(lower::nanoseconds_of(first, core::gpu_costs), longest, 0.01 * longest);
  EXPECT_EQ(repeat.chunk, first.trips);
  EXPECT_EQ(value_of(repeat.repeats, {}), 50'000 - first.trips);
  // llvmpipe has no limit on the time of a draw.
  EXPECT_EQ(plan_of(50'000, core::llvmpipe_costs).steps.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, LoopKernels, testing::ValuesIn(params()), [](const auto& test) {
  return std::string(std::get<0>(test.param).name) + std::get<1>(test.param).name;
});

}  // namespace
}  // namespace trigon
