// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include <trigon/trigon.hpp>

#include "lower/domain.hpp"
#include "support/first_runs.hpp"
#include "support/plans.hpp"

// The programs that llvmpipe compiles for first evaluations of everyday code. bench/first_run times
// them.

namespace trigon {
namespace {

struct Bound {
  const char* name;
  std::size_t programs;
  std::int64_t instructions;  ///< in all kernels that differ
};

class FirstRuns : public testing::TestWithParam<Bound> {};

void add_kernels(const std::vector<plan::Step>& steps,
                 std::unordered_set<std::shared_ptr<const kernel::Kernel>, kernel::KernelHash,
                                    kernel::KernelEqual>& kernels) {
  for (const plan::Step& step : steps) {
    if (step.kernel != nullptr) kernels.insert(step.kernel);
    add_kernels(step.body, kernels);
  }
}

TEST_P(FirstRuns, CompileNoMore) {
  for (const support::FirstRun& run : support::first_runs()) {
    if (std::string_view(run.name) != GetParam().name) continue;
    const auto leaf = [](const Shape& shape) { return host_leaf(shape); };
    const plan::Plan plan = plan_of(run.make(leaf), core::llvmpipe());
    std::unordered_set<std::shared_ptr<const kernel::Kernel>, kernel::KernelHash,
                       kernel::KernelEqual>
        kernels;
    add_kernels(plan.steps, kernels);
    std::int64_t instructions = 0;
    for (const auto& kernel : kernels) instructions += std::ssize(kernel->code);
    EXPECT_LE(kernels.size(), GetParam().programs);
    EXPECT_LE(instructions, GetParam().instructions);
    return;
  }
  FAIL() << "there is no program " << GetParam().name;
}

// The reasons for the larger bounds. u is the first a + b, about 36 ms; by the costs a program that
// does nothing takes 22 ms.
// - FFTs of 8, 16 and 32, 4 to 8 u: a program for each step, since stages index their elements
//   differently; each has a sine and a cosine.
// - HMM, 18 u: 675 ms. Two softmaxes take 100 each for their sums and 89 (shared) for their
//   quotients; 70 of the 89 are random numbers, computed again. The scan takes 296.
// - Wave, 6 u: four programs for the start, the first step (without speed), the other steps, and
//   the last one (without motion).
// - GRU, 10 u: the fixed time of five programs is 110 of 348 ms. Three are products of 70 to 93 ms,
//   two of them with sigmoids and tanh at their ends.
// - Markov chain, 6 u: the first draw has four iterations and the others eight, so they differ.
// Each has
//   a loop over the weights, with the random numbers of an iteration.
// - 200 rows, 2 u, stacked or appended: one draw computes them all.
// - 200 losses, 9 u: thirteen draws join 16 of them each, and one joins the results. The two
//   kernels take about 170 ms each. If the losses are not evaluated before, 13 u: two more kernels
//   compute eight of them each, the first one from row 0 on.
// - MLP, 20 u: a step has 13 kinds of draws; the fixed time of as many programs is 8 u.
INSTANTIATE_TEST_SUITE_P(
    Programs, FirstRuns,
    testing::Values(Bound{"bitonic sort of 1,024", 1, 24}, Bound{"ten steps of take", 1, 15},
                    Bound{"ten steps of pad", 3, 40},  //
                    Bound{"FFT of 8", 3, 156},         //
                    Bound{"FFT of 16", 4, 224},        //
                    Bound{"FFT of 32", 5, 293}, Bound{"HMM forward by scan", 7, 556},
                    Bound{"20 steps of the wave equation", 4, 155},
                    Bound{"while_loop over 64 elements", 4, 74},
                    Bound{"while_loop over (4, 4, 2)", 4, 86}, Bound{"GRU of 24 steps", 5, 307},
                    Bound{"first step of an MLP", 13, 734}, Bound{"chain of 250 constants", 1, 15},
                    Bound{"chain of 14 remainders", 1, 16},
                    Bound{"Markov chain of 60 letters", 2, 184}, Bound{"stack of 200 rows", 1, 10},
                    Bound{"stack of 200 losses", 2, 269}, Bound{"stack of 200 lazy losses", 4, 610},
                    Bound{"200 rows appended", 1, 28}));

}  // namespace
}  // namespace trigon
