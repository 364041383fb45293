// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"
#include "support/random_runs.hpp"
#include "support/tiny_target.hpp"
#include "support/values.hpp"

// Random expressions, planned for devices of all kinds of limits and run in the interpreter of
// kernels.

namespace trigon {
namespace {

using core::Target;
using support::Failures;
using support::HostDevice;
using support::Number;

Target cut_every_few_instructions() {
  Target target = support::tiny_target();
  target.float_blend = false;
  target.instructions = 8;
  target.sampler_fetch = false;
  target.share_quads = false;
  return target;
}

/// A device to plan for, and how often a value is evaluated as soon as it is made, so that others
/// find it stored.
struct Setting {
  Target target;
  core::Costs costs;
  double eager = 0;
};

Setting random_setting(std::uint32_t seed) {
  support::Random random(seed * 2654435761U + 1);
  Setting setting{core::h200(), random.chance(0.5) ? core::llvmpipe_costs : core::gpu_costs};
  Target& target = setting.target;
  if (random.chance(0.3)) target.dialect = core::Dialect::es100;
  const bool is_webgl1 = target.dialect == core::Dialect::es100;
  target.draw_buffers = is_webgl1 ? 1 : 1 + random.below(8);
  // Without layers the largest tensor must fit one texture.
  target.max_side = (is_webgl1 ? 256 : 64) + random.below(200);
  target.max_layers = is_webgl1 ? 1 : 64 + random.below(200);
  target.samplers = 3 + random.below(14);
  target.uniform_vectors = 16 + random.below(40);
  // In GLSL ES 1.00 a random number alone takes 32.
  target.trip_limit = 40 + random.below(200);
  target.instructions = 4 << random.below(8);
  target.sampler_fetch = random.chance(0.5);
  target.avoid_power_of_two = random.chance(0.5);
  target.share_quads = !is_webgl1 && random.chance(0.7);
  // Draws from almost free to never worth it.
  setting.costs.draw *= std::exp(random.between(-9, 4));
  setting.eager = random.chance(0.5) ? 0.4 : 0;
  target.float_blend = !is_webgl1 && random.chance(0.7);
  return setting;
}

std::string wrong_value(std::uint32_t seed, int steps, const Setting& setting) {
  HostDevice host(setting.target, setting.costs);
  support::Random random(seed);
  support::RandomDevice device;
  device.upload = [&](const std::vector<double>& values, DType dtype, const Shape& shape) {
    return host.upload(values, dtype, shape);
  };
  device.evaluate = [&](std::span<const Tensor> roots) { host.evaluate(roots); };
  device.read = [&](const Tensor& x) {
    std::vector<double> values;
    for (const Number& one : host.read(x)) values.push_back(one.is_poison ? NAN : one.value);
    return values;
  };
  device.each = [&](const Tensor& x) {
    if (random.chance(setting.eager)) host.evaluate(std::span(&x, 1));
  };
  const bool is_webgl1 = setting.target.dialect == core::Dialect::es100;
  return support::wrong_value(seed, steps, is_webgl1 ? Profile::webgl1 : Profile::webgl2, device);
}

template <class F>
void check_seeds(const char* name, F setting_of, bool may_refuse = false) {
  support::Refusals refusals(may_refuse);
  Failures failures(fmt::format("random graphs for {}", name));
  const int first = support::first_random_seed();
  for (int k = first; k < first + support::random_seeds(); ++k) {
    const auto seed = static_cast<std::uint32_t>(k);
    const Setting setting = setting_of(seed);
    const std::string failure = support::shrunk_failure(seed, [&](int steps) {
      return refusals.failure_of([&] { return wrong_value(seed, steps, setting); });
    });
    if (!failure.empty()) failures.add(failure);
  }
}

void check_target(const char* name, const Target& target, bool may_refuse = false) {
  check_seeds(
      name,
      [&](std::uint32_t) {
        return Setting{target, costs_of(target)};
      },
      may_refuse);
}

TEST(KernelRandom, AgreesOnWebGL1) { check_target("WebGL 1's minimum", core::webgl1_minimum()); }
TEST(KernelRandom, AgreesOnES30) { check_target("ES 3.0's minimum", core::es30_minimum()); }
TEST(KernelRandom, AgreesOnLlvmpipe) { check_target("llvmpipe", core::llvmpipe()); }
TEST(KernelRandom, AgreesOnAnH200) { check_target("an H200", core::h200()); }
TEST(KernelRandom, AgreesOnATinyDevice) { check_target("a tiny device", support::tiny_target()); }
TEST(KernelRandom, AgreesOnATinyWebGL1OrIsRefused) {
  Target target = core::llvmpipe_webgl1();
  target.max_side = 63;
  target.trip_limit = 64;
  check_target("a tiny device of webgl1", target, true);
}
TEST(KernelRandom, AgreesWhereIndicesEndEarlyOrIsRefused) {
  Target target = core::llvmpipe_webgl1();
  target.max_side = 63;
  target.trip_limit = 64;
  target.index_limit = 4096;
  check_target("a tiny device of webgl1 with short indices", target, true);
}
TEST(KernelRandom, AgreesWhereEveryFewInstructionsAreCut) {
  check_target("a device of eight instructions", cut_every_few_instructions());
}

TEST(KernelRandom, AgreesOnRandomDevices) { check_seeds("random devices", random_setting); }

}  // namespace
}  // namespace trigon
