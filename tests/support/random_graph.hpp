// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <trigon/tensor.hpp>

#include "support/random_pool.hpp"
#include "support/random_reductions.hpp"
#include "support/random_values.hpp"
#include "support/random_views.hpp"
#include "support/random_writes.hpp"

namespace trigon::support {

/// A random graph: elementwise ops, views, windows, gathers, scatters, writes, reductions and
/// products over all dtypes. Its values are held or dropped at random, and are never NaN or
/// infinite. Every value has its reference and a bound on its error: 0 for integers and for floats
/// that nothing has rounded. A longer graph begins with the steps of a shorter one of the same
/// seed.
class RandomGraph {
 public:
  RandomGraph(std::uint32_t seed, int steps, Profile profile, RandomHooks hooks)
      : pool_(seed, profile, std::move(hooks)) {
    for (int k = 0; k < 4; ++k) grow_leaf(pool_);
    for (int k = 0; k < steps; ++k) {
      if (pool_.pick() == nullptr) grow_leaf(pool_);
      if (pool_.pick() != nullptr) grow();
    }
  }

  /// In the order in which they were made; some are no longer held.
  const std::deque<RandomValue>& values() const { return pool_.values(); }
  /// The steps as text, for failures.
  const std::string& text() const { return pool_.text(); }
  /// Elements by Node::id of every node that was made, leaves included.
  const graph::KnownValues& known() const { return pool_.known(); }

  /// The last held values, of any shapes and dtypes: roots of one evaluation. Other held values
  /// stay referred to from outside.
  std::vector<const RandomValue*> roots(std::size_t most = 5) const {
    std::vector<const RandomValue*> roots;
    for (auto v = values().rbegin(); v != values().rend() && roots.size() < most; ++v) {
      if (v->is_held()) roots.push_back(&*v);
    }
    return roots;
  }

 private:
  void grow() {
    grow_value();
    Random& random = pool_.random;
    if (random.chance(0.25)) {
      const auto held = std::count_if(values().begin(), values().end(),
                                      [](const RandomValue& v) { return v.is_held(); });
      if (held > 5) pool_.drop(*pool_.pick());
    }
    if (random.chance(0.06)) {
      std::vector<const RandomValue*> some;
      for (int k = random.below(3); k >= 0; --k) {
        if (const RandomValue* v = pool_.pick()) some.push_back(v);
      }
      pool_.evaluate(some);
    }
  }

  void grow_value() {
    switch (pool_.random.below(24)) {
      case 0: return grow_leaf(pool_);
      case 1:
      case 2:
      case 3: return grow_unary(pool_);
      case 4:
      case 5:
      case 6: return grow_binary(pool_);
      case 7:
      case 8: return grow_integer(pool_);
      case 9: return pool_.random.chance(0.5) ? grow_condition(pool_) : grow_where(pool_);
      case 10: return grow_cast(pool_);
      case 11: return grow_view(pool_);
      case 12: return grow_index(pool_);
      case 13: return grow_take(pool_);
      case 14: return grow_joined();
      case 15:
      case 16:
      case 17: return grow_write(pool_);
      case 18:
      case 19:
      case 20: return grow_reduction(pool_);
      case 21: return grow_scatter(pool_);
      case 22: return grow_window(pool_);
      default: return pool_.random.chance(0.8) ? grow_product(pool_) : grow_attention(pool_);
    }
  }

  void grow_joined() {
    switch (pool_.random.below(4)) {
      case 0: return grow_split(pool_);
      case 1: return grow_stencil(pool_);
      default: return grow_join(pool_);
    }
  }

  RandomPool pool_;
};

}  // namespace trigon::support
