// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/half.hpp"
#include "support/compare.hpp"
#include "support/on_profile.hpp"
#include "support/random_runs.hpp"

// Random expressions, planned as a whole and op by op, against the reference.

namespace trigon {
namespace {

using support::Failures;

Tensor upload(const std::vector<double>& values, DType dtype, const Shape& shape,
              const Device& device) {
  const auto as = [&](auto number) {
    using T = decltype(number);
    std::vector<T> host;
    for (const double v : values) {
      if (dtype == DType::float16) {
        host.push_back(static_cast<T>(core::float_to_half(static_cast<float>(v))));
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

// The time of evaluation: all values of a graph at its end, or each as soon as it is made.
enum class Run { fused, op_by_op };

std::string wrong_value(std::uint32_t seed, int steps, Profile profile, Run how) {
  const support::OnProfile on(profile);
  support::RandomDevice runs;
  runs.upload = [&](const std::vector<double>& values, DType dtype, const Shape& shape) {
    return upload(values, dtype, shape, Device::default_device());
  };
  runs.evaluate = [](std::span<const Tensor> roots) { eval(roots); };
  runs.read = support::read_doubles;
  if (how == Run::op_by_op) runs.each = [](const Tensor& x) { x.eval(); };
  return support::wrong_value(seed, steps, profile, runs);
}

// Every fifth seed, so that five tests run beside each other.
void check_seeds(int shard, Profile profile) {
  Failures failures(profile == Profile::webgl1 ? "random graphs of webgl1" : "random graphs");
  // Without layers a tensor must fit one texture, which lowered limits make small.
  support::Refusals refusals(profile == Profile::webgl1 && std::getenv("TRIGON_LIMITS") != nullptr);
  const int first = support::first_random_seed();
  for (int k = first + shard; k < first + support::random_seeds(); k += 5) {
    const auto seed = static_cast<std::uint32_t>(k);
    for (const Run how : {Run::fused, Run::op_by_op}) {
      const std::string failure = support::shrunk_failure(seed, [&](int steps) {
        return refusals.failure_of([&] { return wrong_value(seed, steps, profile, how); });
      });
      if (failure.empty()) continue;
      failures.add((how == Run::fused ? "fused, " : "op by op, ") + failure);
    }
  }
}

class RandomGraphs : public ::testing::TestWithParam<int> {};

TEST_P(RandomGraphs, AgreeWithTheReference) { check_seeds(GetParam(), Profile::webgl2); }

TEST_P(RandomGraphs, AgreeWithTheReferenceOnWebGL1) { check_seeds(GetParam(), Profile::webgl1); }

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, ::testing::Range(0, 5));

}  // namespace
}  // namespace trigon
