// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/random_runs.hpp"
#include "support/rolls.hpp"
#include "support/values.hpp"

// Random bodies of loops, with branches, pads, reductions and inner loops. Their values are those
// of the same operations one by one, with `where` for each branch.

namespace trigon {
namespace {

constexpr std::int64_t elements = 12;

class Body {
 public:
  /// `is_plain`: uses C++ loops and `where` instead of fori_loop and cond.
  Body(std::uint32_t seed, bool is_plain) : random_(seed), is_plain_(is_plain) {}

  Tensors run(const Leaf& leaf) {
    const Tensor x = leaf({elements}, float32), c = leaf({elements}, float32);
    predicates_ = {leaf({}, boolean), leaf({}, boolean)};
    const int iterations = 2 + random_.below(6);
    // Traced once, or once for each step: the same choices each time.
    const support::Random start = random_;
    return {loop(iterations, x, [&](const Tensor& step, const Tensor& carry) {
      random_ = start;
      Tensors known{carry, c};
      const Tensor a = grown(4, known, step), b = grown(3, known, step);
      if (random_.chance(0.5)) return sin(a + b * 0.4);
      const int inner = 2 + random_.below(3);
      const support::Random inner_start = random_;
      const Tensor last = loop(inner, b, [&](const Tensor& j, const Tensor& u) {
        random_ = inner_start;
        Tensors within{u, c, a};
        const Tensor v = grown(3, within, j), w = grown(2, within, step);
        return sin(v + w * 0.3);
      });
      return sin(a + last * 0.5);
    })};
  }

 private:
  template <class F>
  Tensor loop(int iterations, const Tensor& start, const F& f) {
    if (!is_plain_) {
      return fori_loop(
          0, iterations, [&](const Tensor& i, const Tensor& x) { return f(i, x); }, start);
    }
    Tensor x = start;
    for (int k = 0; k < iterations; ++k) x = f(full({}, k, int32), x);
    return x;
  }

  Tensor chosen(const Tensor& p, const Tensor& a, const Tensor& b) {
    const auto yes = [](const Tensor& u, const Tensor& v) { return sin(u * 2.0 + cos(v)) - u * v; };
    const auto no = [](const Tensor& u, const Tensor& v) {
      return exp(-(u * u)) + v * v * 0.2 - sqrt(abs(u) + 2.0) * cos(v);
    };
    return is_plain_ ? where(p, yes(a, b), no(a, b)) : cond(p, yes, no, a, b);
  }

  const Tensor& any(const Tensors& known) {
    const int count = static_cast<int>(known.size()), recent = std::min(count, 4);
    const int k = random_.chance(0.5) ? count - 1 - random_.below(recent) : random_.below(count);
    return known[static_cast<std::size_t>(k)];
  }

  /// An expression of that depth. Its parts, which join `known`, have several readers.
  Tensor grown(int depth, Tensors& known, const Tensor& step) {
    if (depth == 0) return any(known);
    const Tensor a = grown(depth - 1, known, step);
    switch (random_.below(10)) {
      case 0: known.push_back(a * 0.5 + any(known)); break;
      case 1: known.push_back(sin(a * 1.3)); break;
      case 2: known.push_back(a * any(known) * 0.7); break;
      case 3: known.push_back(pad(a[Slice{0, 9}], {{0, 3}})); break;
      case 4: known.push_back(pad(a[Slice{1, elements}], {{0, 1}}) - a * 0.5); break;
      case 5: known.push_back(a + max(abs(known[0])) * 0.1); break;
      default: {
        const Tensor b = grown(depth - 1, known, step);
        const int which = random_.below(3);
        const Tensor p =
            which == 2 ? step < 1 + random_.below(3) : predicates_[static_cast<std::size_t>(which)];
        known.push_back(chosen(p, a, b));
      }
    }
    return known.back();
  }

  support::Random random_;
  bool is_plain_;
  Tensors predicates_;
};

/// Whether a draw of a plan has a block of that kind, below the kernel itself.
bool has_block(const plan::Plan& plan, bool is_branch) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const plan::Step& step) {
    if (step.kernel == nullptr) return false;
    const auto& blocks = step.kernel->blocks;
    return std::any_of(blocks.begin() + 1, blocks.end(), [&](const kernel::Block& block) {
      return (block.runs != kernel::Runs::trips) == is_branch;
    });
  });
}

std::uint32_t seeds() { return support::random_seeds(120); }

/// After so many runs it pays to compile all elements in one kernel.
core::Costs costs_of_many_runs() {
  core::Costs costs = core::gpu_costs;
  costs.runs = 1e9;
  return costs;
}

TEST(RandomBody, HasBranchesAndLoops) {
  const core::Costs costs = costs_of_many_runs();
  const core::Target device = core::h200();
  int branches = 0, loops = 0;
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    const Tensor root = Body(seed, false).run(planned_leaf)[0];
    const plan::Plan plan =
        pipeline::make_plan(graph_of(std::span(&root, 1), device), device, costs);
    branches += has_block(plan, true) ? 1 : 0;
    loops += has_block(plan, false) ? 1 : 0;
  }
  EXPECT_GE(branches, static_cast<int>(seeds()) * 5 / 6);
  EXPECT_GE(loops, static_cast<int>(seeds()) * 5 / 6);
}

TEST(RandomBody, IsItsStepsOneByOne) {
  const std::vector<Target> devices{core::llvmpipe(), core::h200(), core::webgl1_minimum()};
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Target& target = devices[seed % devices.size()];
    const auto run = [&](bool is_plain) {
      return values_on([&](const Leaf& leaf) { return Body(seed, is_plain).run(leaf); }, target,
                       costs_of_many_runs());
    };
    expect_equal(run(false), run(true));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace trigon
