// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"

namespace trigon::support {

/// A device on the host, whose results are compared with the reference on the CPU.
class ComparedDevice {
 public:
  ComparedDevice(const core::Target& target, const core::Costs& costs) : device_(target, costs) {}

  /// A tensor with values that the reference knows.
  Tensor stored(const std::vector<double>& values, DType dtype, const Shape& shape) {
    const Tensor x = device_.upload(values, dtype, shape);
    known_.emplace(detail::Internals::node(x)->id, values);
    return x;
  }
  /// (6, 5) of float32, of either sign.
  Tensor waves() {
    std::vector<double> numbers;
    for (int k = 0; k < 30; ++k) numbers.push_back(static_cast<float>(std::sin(1.7 * k)));
    return stored(numbers, float32, {6, 5});
  }

  /// Evaluates the tensors. `what` is printed with each element that is not right.
  void expect_values(const std::vector<Tensor>& results, const std::string& what) {
    std::vector<std::vector<double>> want;
    for (const Tensor& y : results)
      want.push_back(graph::interpret(detail::Internals::node(y), known_));
    device_.evaluate(results);
    for (std::size_t k = 0; k < results.size(); ++k) {
      const std::vector<Number> got = device_.read(results[k]);
      ASSERT_EQ(got.size(), want[k].size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_FALSE(got[i].is_poison) << "result " << k << ", element " << i << ", " << what;
        EXPECT_NEAR(got[i].value, want[k][i], 1e-5 * (1 + std::abs(want[k][i])))
            << "result " << k << ", element " << i << ", " << what;
      }
    }
  }

 private:
  HostDevice device_;
  graph::KnownValues known_;
};

}  // namespace trigon::support
