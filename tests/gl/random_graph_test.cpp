// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/trigon.hpp>

#include "run/half.hpp"
#include "support/compare.hpp"
#include "support/random_graph.hpp"

// Expressions that nobody thought of: planned as one and op by op, against the reference.

namespace trigon {
namespace {

using support::Failures;
using support::RandomGraph;
using support::RandomHooks;
using support::RandomValue;

int seeds() {
  const char* text = std::getenv("TRIGON_SEEDS");
  return text == nullptr ? 300 : std::max(std::atoi(text), 1);
}

int steps_of(std::uint32_t seed) { return 6 + static_cast<int>(seed % 31); }

const Device& device_of(Profile profile) {
  static const Device webgl1{{.profile = Profile::webgl1}};
  return profile == Profile::webgl1 ? webgl1 : Device::default_device();
}

Tensor upload(const std::vector<double>& values, DType dtype, const Shape& shape,
              const Device& device) {
  const auto as = [&](auto number) {
    using T = decltype(number);
    std::vector<T> host;
    for (const double v : values) {
      if (dtype == DType::float16) {
        host.push_back(static_cast<T>(run::float_to_half(static_cast<float>(v))));
      } else {
        host.push_back(static_cast<T>(v));
      }
    }
    return from_host(host.data(), dtype, shape, device);
  };
  switch (dtype) {
    case DType::float32: return as(float{});
    case DType::float16: return as(std::uint16_t{});
    case DType::int32: return as(std::int32_t{});
    case DType::uint32: return as(std::uint32_t{});
    case DType::uint8:
    case DType::boolean: return as(std::uint8_t{});
  }
  return {};
}

// The first element that is further from the reference than its bound, or "".
std::string wrong_element(const RandomValue& value) {
  const std::vector<double> got = support::read_doubles(value.tensor);
  const std::vector<double>& want = *value.want;
  if (got.size() != want.size()) return "another number of elements";
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::abs(got[i] - want[i]) <= value.error) continue;
    return fmt::format("v{}[{}] is {:.9g} in place of {:.9g}, allowed {:.3g}", value.number, i,
                       got[i], want[i], value.error);
  }
  return "";
}

// What evaluates a graph: all of it at its end, or every value as soon as it is made.
enum class Run { fused, op_by_op };

// The first wrong value of a graph, or "". Values in the middle are checked where the graph asks
// for them, the others at its end: roots of one evaluation first, then each that is still held.
std::string grow_and_check(std::uint32_t seed, int steps, Profile profile, Run how) {
  const Device& device = device_of(profile);
  std::string wrong;
  const auto check = [&](const RandomValue& value) {
    if (wrong.empty()) wrong = wrong_element(value);
  };
  RandomHooks hooks;
  hooks.leaf = [&](const std::vector<double>& values, DType dtype, const Shape& shape) {
    return upload(values, dtype, shape, device);
  };
  if (how == Run::op_by_op) hooks.each = [](const Tensor& x) { x.eval(); };
  hooks.evaluate = [&](std::span<const RandomValue* const> values) {
    std::vector<Tensor> roots;
    for (const RandomValue* v : values) roots.push_back(v->tensor);
    eval(roots);
    for (const RandomValue* v : values) check(*v);
  };
  const RandomGraph graph(seed, steps, profile, hooks);
  hooks.evaluate(graph.roots());
  for (const RandomValue& value : graph.values()) {
    if (value.is_held()) check(value);
  }
  return wrong.empty() ? "" : wrong + "; " + graph.text();
}

// Whether an error says that a tensor has no room on a device of lowered limits. That is the right
// answer there; on a device of default limits it never is.
bool is_refusal(const DeviceError& error) {
  const std::string_view text = error.what();
  return std::getenv("TRIGON_LIMITS") != nullptr &&
         text.starts_with("trigon::eval: tensor too large for the device");
}

// As `grow_and_check`; an exception is a failure too.
std::string failure_of(std::uint32_t seed, int steps, Profile profile, Run how) {
  try {
    return grow_and_check(seed, steps, profile, how);
  } catch (const DeviceError& error) {
    return is_refusal(error) ? "" : error.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// A failure is shrunk to the fewest steps of the same seed that still fail.
void check_seed(std::uint32_t seed, Profile profile, Failures& failures) {
  for (const Run how : {Run::fused, Run::op_by_op}) {
    std::string wrong = failure_of(seed, steps_of(seed), profile, how);
    if (wrong.empty()) continue;
    int steps = 0;
    for (; steps < steps_of(seed); ++steps) {
      const std::string shorter = failure_of(seed, steps, profile, how);
      if (shorter.empty()) continue;
      wrong = shorter;
      break;
    }
    failures.add(fmt::format("seed {}, {} steps, {}: {}", seed, steps,
                             how == Run::fused ? "fused" : "op by op", wrong));
  }
}

// The seeds in five parts, so that they run beside each other.
class RandomGraphs : public ::testing::TestWithParam<int> {};

TEST_P(RandomGraphs, AgreeWithTheReference) {
  Failures failures("random graphs");
  for (int seed = GetParam(); seed < seeds(); seed += 5) {
    check_seed(static_cast<std::uint32_t>(seed), Profile::webgl2, failures);
  }
}

TEST_P(RandomGraphs, AgreeWithTheReferenceOnWebGL1) {
  Failures failures("random graphs of webgl1");
  for (int seed = GetParam(); seed < seeds(); seed += 5) {
    check_seed(static_cast<std::uint32_t>(seed), Profile::webgl1, failures);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, ::testing::Range(0, 5));

}  // namespace
}  // namespace trigon
