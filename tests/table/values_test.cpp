// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/targets.hpp"
#include "support/compared_device.hpp"
#include "support/example_values.hpp"
#include "support/plans.hpp"

// The values of the table's examples, as plans and kernels compute them on the host, against the
// reference on the CPU.

namespace trigon {
namespace {

using detail::table::Example;
using detail::table::Row;

TEST(TableValues, AreThoseOfTheReference) {
  for (const core::Target& target : {core::h200(), core::llvmpipe()}) {
    support::ComparedDevice device(target, costs_of(target));
    for (const Row* row : support::library_rows()) {
      for (const char* text : row->facts.examples) {
        const Example example = read_example(*row, text);
        std::vector<Tensor> operands;
        for (std::size_t k = 0; k < example.operands.size(); ++k) {
          std::vector<double> values = support::example_values(*row, example, k);
          for (double& x : values) x = static_cast<float>(x);
          operands.push_back(
              device.stored(values, example.operands[k].dtype, example.operands[k].shape));
        }
        device.expect_values(call(*row, example, operands), row->name + "(" + text + ")");
      }
    }
  }
}

}  // namespace
}  // namespace trigon
