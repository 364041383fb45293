// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "faults.hpp"
#include "table/example.hpp"
#include "table/table.hpp"

// For each function of the table, each allocation and GL call of its example fails in turn. The
// function throws or is right, and is right when called again.

namespace trigon::fault {
namespace {

using detail::table::Example;
using detail::table::Row;
using Values = std::vector<std::uint32_t>;

class FunctionFaults : public testing::Test {
 protected:
  Tensor operand(const detail::table::Operand& one) const {
    std::vector<float> values(static_cast<std::size_t>(one.shape.numel()));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k % 2) + 0.25F;
    return tensor<float>(values, one.shape, device_).astype(one.dtype).eval();
  }

  void try_all(void (*arm)(const Plan&)) {
    for (const Row* row : detail::table::rows()) {
      for (const char* one : row->facts.examples) {
        const Example example = read_example(*row, one);
        std::vector<Tensor> operands;
        for (const auto& each : example.operands) operands.push_back(operand(each));
        const auto run = [&] {
          const std::vector<Tensor> results = call(*row, example, operands);
          Values values;  // bits, since a NaN does not equal itself
          for (const Tensor& y : results) {
            for (const float v : y.astype(float32).to(device_).to_vector<float>()) {
              values.push_back(std::bit_cast<std::uint32_t>(v));
            }
          }
          return values;
        };
        SCOPED_TRACE(row->name + "(" + one + ")");
        try_one(arm, run);
      }
    }
    EXPECT_GT(faults_, tried_ / 2);
  }

 private:
  template <class F>
  void try_one(void (*arm)(const Plan&), const F& run) {
    const Values expected = run();
    arm({});
    run();
    const std::int64_t last = disarm().total - 1;
    for (int k = 0; k < 9; ++k, ++tried_) {
      const std::int64_t place = last * k / 8;
      Values values = expected;
      arm({.place = place, .from_there_on = k % 2 == 1});
      try {
        values = run();
      } catch (const Error&) {
      } catch (const std::bad_alloc&) {
      }
      faults_ += disarm().has_failed ? 1 : 0;
      EXPECT_EQ(values, expected) << place;
      EXPECT_EQ(run(), expected) << "after " << place;
    }
  }

  Device device_{DeviceOptions{}};
  int faults_ = 0, tried_ = 0;
};

TEST_F(FunctionFaults, OfAllocationsLeaveItRight) { try_all(arm_memory); }
TEST_F(FunctionFaults, OfGlCallsLeaveItRight) { try_all(arm_gl); }

}  // namespace
}  // namespace trigon::fault
