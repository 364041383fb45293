// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/gpt_step.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"
#include "support/values.hpp"

// The training of a small GPT in the interpreter of kernels, for devices of all kinds of limits.

namespace trigon {
namespace {

using support::GptSize;
using support::HostDevice;

/// Trains a step, then another from the stored results of the first. After each, every parameter
/// equals the reference's, up to the order of sums.
void check_training(const core::Target& target, const GptSize& size) {
  HostDevice device(target, costs_of(target));
  graph::KnownValues known;
  support::Random random(1);
  const auto upload = [&](std::vector<double> values, DType dtype, const Shape& shape) {
    const Tensor x = device.upload(values, dtype, shape);
    known.emplace(detail::Internals::node(x)->id, std::move(values));
    return x;
  };
  const auto leaf = [&](const Shape& shape) {
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (double& v : values) v = static_cast<float>(random.between(-0.5, 0.5));
    return upload(values, float32, shape);
  };
  std::vector<Tensor> parameters = support::gpt_parameters(size, leaf);
  std::vector<double> tokens(static_cast<std::size_t>(size.batch * size.length));
  std::vector<double> next(tokens.size() * static_cast<std::size_t>(size.vocabulary), 0);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    tokens[k] = random.below(static_cast<int>(size.vocabulary));
    const auto token = static_cast<std::size_t>(random.below(static_cast<int>(size.vocabulary)));
    next[k * static_cast<std::size_t>(size.vocabulary) + token] = 1;
  }
  const Tensor ids = upload(tokens, int32, {size.batch, size.length});
  const Tensor targets = upload(next, float32, {size.batch, size.length, size.vocabulary});
  for (const double rate : {0.5, 0.25}) {
    const std::vector<Tensor> results =
        support::gpt_step(size, parameters, ids, targets, Scalar(rate));
    for (const Tensor& x : results) graph::interpret(detail::Internals::node(x), known);
    device.evaluate(results);
    for (std::size_t r = 0; r < results.size(); ++r) {
      const std::vector<double>& want = known.at(detail::Internals::node(results[r])->id);
      const std::vector<support::Number> got = device.read(results[r]);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) {
        ASSERT_FALSE(got[i].is_poison) << "result " << r << ", element " << i;
        ASSERT_NEAR(got[i].value, want[i], 1e-9 * (1 + std::abs(want[i]))) << r << ", " << i;
      }
    }
    parameters.assign(results.begin() + 1, results.end());
  }
}

TEST(KernelNetwork, TrainsOnEveryTarget) {
  const GptSize size{
      .layers = 2, .batch = 2, .length = 6, .width = 20, .heads = 2, .vocabulary = 11};
  for (const NamedTarget& named : targets()) {
    SCOPED_TRACE(named.name);
    check_training(named.target, size);
  }
}

TEST(KernelNetwork, TrainsOnATinyDevice) {
  core::Target target = support::tiny_target();
  target.trip_limit = 8;
  target.samplers = 4;
  target.instructions = 32;
  check_training(target,
                 {.layers = 1, .batch = 2, .length = 5, .width = 36, .heads = 3, .vocabulary = 70});
}

}  // namespace
}  // namespace trigon
