// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "plans.hpp"
#include "support/compare.hpp"
#include "support/host_device.hpp"
#include "support/random_graph.hpp"
#include "support/values.hpp"

// Expressions that nobody thought of, planned for devices of all kinds of limits and run in the
// interpreter of kernels.

namespace trigon {
namespace {

using plan::Target;
using support::Failures;
using support::HostDevice;
using support::Number;
using support::RandomGraph;
using support::RandomHooks;
using support::RandomValue;

int seeds() {
  const char* text = std::getenv("TRIGON_SEEDS");
  return text == nullptr ? 300 : std::max(std::atoi(text), 1);
}

int first_seed() {
  const char* text = std::getenv("TRIGON_FIRST_SEED");
  return text == nullptr ? 0 : std::max(std::atoi(text), 0);
}

int steps_of(std::uint32_t seed) { return 6 + static_cast<int>(seed % 31); }

/// Tight limits everywhere: most plans are cut, split into stages and folded into layers.
Target tiny() {
  Target target = plan::llvmpipe();
  target.draw_buffers = 4;
  target.max_side = 63;
  target.max_layers = 256;
  target.trip_limit = 64;
  target.samplers = 3;
  target.uniform_vectors = 24;
  return target;
}

Target cut_every_few_instructions() {
  Target target = tiny();
  target.instructions = 8;
  target.sampler_fetch = false;
  target.share_quads = false;
  return target;
}

/// A device to plan for, and how often a value is evaluated as soon as it is made, so that others
/// find it stored.
struct Setting {
  Target target;
  plan::Costs costs;
  double eager = 0;
};

Setting random_setting(std::uint32_t seed) {
  support::Random random(seed * 2654435761U + 1);
  Setting setting{plan::h200(), random.chance(0.5) ? plan::llvmpipe_costs : plan::gpu_costs};
  Target& target = setting.target;
  if (random.chance(0.3)) target.dialect = plan::Dialect::es100;
  const bool is_webgl1 = target.dialect == plan::Dialect::es100;
  target.draw_buffers = is_webgl1 ? 1 : 1 + random.below(8);
  // Without layers the largest tensor must fit one texture.
  target.max_side = (is_webgl1 ? 256 : 64) + random.below(200);
  target.max_layers = is_webgl1 ? 1 : 64 + random.below(200);
  target.samplers = 3 + random.below(14);
  target.uniform_vectors = 16 + random.below(40);
  target.trip_limit = 24 + random.below(200);
  target.instructions = 4 << random.below(8);
  target.sampler_fetch = random.chance(0.5);
  target.avoid_power_of_two = random.chance(0.5);
  target.share_quads = !is_webgl1 && random.chance(0.7);
  // Draws from almost free to never worth it.
  setting.costs.draw *= std::exp(random.between(-9, 4));
  setting.eager = random.chance(0.5) ? 0.4 : 0;
  return setting;
}

/// The first element that is further from the reference than its bound, or "".
std::string wrong_element(HostDevice& device, const RandomValue& value) {
  const std::vector<Number> got = device.read(value.tensor);
  const std::vector<double>& want = *value.want;
  if (got.size() != want.size()) return "another number of elements";
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (!got[i].is_poison && std::abs(got[i].value - want[i]) <= value.error) continue;
    return fmt::format("v{}[{}] is {} in place of {:.9g}, allowed {:.3g}", value.number, i,
                       got[i].is_poison ? "poison" : fmt::format("{:.9g}", got[i].value), want[i],
                       value.error);
  }
  return "";
}

/// The first wrong value of a graph, or "". Values in the middle are checked where the graph asks
/// for them, the others at its end: roots of one evaluation first, then each that is still held.
std::string grow_and_check(std::uint32_t seed, int steps, const Setting& setting) {
  HostDevice device(setting.target, setting.costs);
  support::Random random(seed);
  std::string wrong;
  const auto check = [&](const RandomValue& value) {
    if (wrong.empty()) wrong = wrong_element(device, value);
  };
  RandomHooks hooks;
  hooks.leaf = [&](const std::vector<double>& values, DType dtype, const Shape& shape) {
    return device.upload(values, dtype, shape);
  };
  hooks.evaluate = [&](std::span<const RandomValue* const> values) {
    std::vector<Tensor> roots;
    for (const RandomValue* v : values) roots.push_back(v->tensor);
    device.evaluate(roots);
    for (const RandomValue* v : values) check(*v);
  };
  hooks.each = [&](const Tensor& x) {
    if (random.chance(setting.eager)) device.evaluate(std::span(&x, 1));
  };
  const bool is_webgl1 = setting.target.dialect == plan::Dialect::es100;
  const RandomGraph graph(seed, steps, is_webgl1 ? Profile::webgl1 : Profile::webgl2, hooks);
  hooks.evaluate(graph.roots());
  for (const RandomValue& value : graph.values()) {
    if (value.is_held()) check(value);
  }
  return wrong.empty() ? "" : wrong + "; " + graph.text();
}

/// As `grow_and_check`; an exception is a failure too.
std::string failure_of(std::uint32_t seed, int steps, const Setting& setting) {
  try {
    return grow_and_check(seed, steps, setting);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// A failure is shrunk to the fewest steps of the same seed that still fail.
template <class F>
void check_seeds(const char* name, F setting_of) {
  Failures failures(fmt::format("random graphs for {}", name));
  for (int k = first_seed(); k < first_seed() + seeds(); ++k) {
    const auto seed = static_cast<std::uint32_t>(k);
    const Setting setting = setting_of(seed);
    std::string wrong = failure_of(seed, steps_of(seed), setting);
    if (wrong.empty()) continue;
    int steps = 0;
    for (; steps < steps_of(seed); ++steps) {
      const std::string shorter = failure_of(seed, steps, setting);
      if (shorter.empty()) continue;
      wrong = shorter;
      break;
    }
    failures.add(fmt::format("seed {}, {} steps: {}", seed, steps, wrong));
  }
}

void check_target(const char* name, const Target& target) {
  check_seeds(name, [&](std::uint32_t) { return Setting{target, costs_of(target)}; });
}

TEST(KernelRandom, AgreesOnWebGL1) { check_target("WebGL 1's minimum", plan::webgl1_minimum()); }
TEST(KernelRandom, AgreesOnES30) { check_target("ES 3.0's minimum", plan::es30_minimum()); }
TEST(KernelRandom, AgreesOnLlvmpipe) { check_target("llvmpipe", plan::llvmpipe()); }
TEST(KernelRandom, AgreesOnAnH200) { check_target("an H200", plan::h200()); }
TEST(KernelRandom, AgreesOnATinyDevice) { check_target("a tiny device", tiny()); }
TEST(KernelRandom, AgreesWhereEveryFewInstructionsAreCut) {
  check_target("a device of eight instructions", cut_every_few_instructions());
}

TEST(KernelRandom, AgreesOnRandomDevices) { check_seeds("random devices", random_setting); }

}  // namespace
}  // namespace trigon
