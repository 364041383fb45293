// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "run/device_state.hpp"
#include "run/program_cache.hpp"
#include "support/plans.hpp"

namespace trigon {
namespace {

using KernelPtr = std::shared_ptr<const kernel::Kernel>;

class ProgramCacheTest : public ::testing::Test {
 protected:
  KernelPtr kernel_of(const Tensor& y) const {
    return plan_of(y, device_->target()).steps[0].kernel;
  }

  const std::shared_ptr<run::DeviceState> device_ =
      detail::Internals::state(Device::default_device());
  const run::DeviceState::Entry entry_{*device_};
  Counters counters_;
  run::ProgramCache cache_{device_->gl_state(), counters_, 2};
};

TEST_F(ProgramCacheTest, EqualKernelsOfTwoPlansAreOneProgram) {
  const KernelPtr first = kernel_of(exp(iota(16) * 1.0));
  const KernelPtr second = kernel_of(exp(iota(20) * 1.0));
  ASSERT_NE(first, second);
  ASSERT_EQ(*first, *second);
  const GLuint id = cache_.get({first, 0}).id();
  EXPECT_EQ(cache_.get({second, 0}).id(), id);
  EXPECT_EQ(cache_.get({first, 0}).id(), id);
  EXPECT_EQ(counters_.programs_compiled, 1);
}

// A plan may have more programs than are kept.
TEST_F(ProgramCacheTest, TheFirstOfManyIsThere) {
  const std::vector<KernelPtr> kernels = {
      kernel_of(exp(iota(16) * 1.0)), kernel_of(sin(iota(16) * 1.0)),
      kernel_of(cos(iota(16) * 1.0)), kernel_of(sqrt(iota(16) * 1.0))};
  std::vector<run::ProgramCache::Key> keys;
  for (const KernelPtr& kernel : kernels) keys.push_back({kernel, 0});
  cache_.compile(keys);
  EXPECT_NE(cache_.find_program(keys[0]), nullptr);
  EXPECT_EQ(counters_.programs_compiled, 1) << "half of the two that are kept";
}

// Kernels come and go, and the next one often lies where the last one was.
TEST_F(ProgramCacheTest, AKernelAtTheAddressOfADeadOneHasItsOwnProgram) {
  const std::vector<KernelPtr> kept = {kernel_of(exp(iota(16) * 1.0)),
                                       kernel_of(sin(iota(16) * 1.0))};
  const std::vector<GLuint> ids = {cache_.get({kept[0], 0}).id(), cache_.get({kept[1], 0}).id()};
  for (std::size_t k = 0; k < 1000; ++k) {
    const KernelPtr copy(new kernel::Kernel(*kept[k % 2]));
    ASSERT_EQ(cache_.get({copy, 0}).id(), ids[k % 2]);
    ASSERT_EQ(cache_.get({copy, 0}).id(), ids[k % 2]);
  }
  EXPECT_EQ(counters_.programs_compiled, 2);
}

// A kernel that was known by its address is compiled again after its program has gone.
TEST_F(ProgramCacheTest, AnAddressIsForgottenWithItsProgram) {
  const std::vector<KernelPtr> kernels = {kernel_of(exp(iota(16) * 1.0)),
                                          kernel_of(sin(iota(16) * 1.0)),
                                          kernel_of(sqrt(iota(16) * 1.0))};
  for (int round = 0; round < 3; ++round) {
    for (const KernelPtr& kernel : kernels) EXPECT_NE(cache_.get({kernel, 0}).id(), 0u);
  }
  EXPECT_EQ(counters_.programs_compiled, 9);
}

}  // namespace
}  // namespace trigon
