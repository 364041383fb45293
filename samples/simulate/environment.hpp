// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "looped.hpp"
#include "policy.hpp"

// A world in which policies act; each element has its own:
//
//   struct World {
//     struct State { Tensor ..., score; };            // leaves (elements,)
//     static constexpr Layers layers;                 // of the policies
//     static bool is_solved(double score, std::int64_t steps);  // gym's rule for mean scores
//     State start(std::int64_t elements, std::int64_t seed) const;  // evaluated
//     Tensor observe(const State& s) const;           // (elements, inputs)
//     State act(const State& s, const Tensor& action) const;     // int32 (elements,)
//     Tensor goes_on(const State& s) const;           // bool (elements,)
//     Tensor fitness(const State& s) const;           // (elements,), larger is better
//     std::vector<Value> values(const State& s) const;
//     Tensor picture(const State& s) const;           // optional
//   };

namespace simulate {

/// A world and the policies in it, as a model.
template <class World>
struct Environment {
  using State = typename World::State;

  World world;
  Policy policy;
  State initial;

  State start() const { return initial; }
  trigon::Tensor goes_on(const State& s) const { return world.goes_on(s); }
  State next(const State& s) const { return world.act(s, argmax(policy(world.observe(s)), 1)); }
  State by_hand(const State& s, std::int64_t, std::int64_t steps) const requires requires(World w) {
    w.by_hand(w.start(1, 1), std::declval<Policy>(), steps);
  }
  { return world.by_hand(s, policy, steps); }
  std::vector<Value> values(const State& s) const { return world.values(s); }
  trigon::Tensor picture(const State& s) const requires requires(const World& w) { w.picture(s); }
  { return world.picture(s); }
  /// The weights, and the values of the start.
  std::vector<Value> inputs() const {
    std::vector<Value> result = policy.inputs();
    for (const Value& one : world.values(initial)) result.push_back(one);
    return result;
  }
};

template <class World>
Environment<World> make_environment(World world, std::int64_t elements, std::int64_t seed) {
  return {world, random_policy(elements, World::layers, seed), world.start(elements, seed + 1000)};
}

/// Policies that evolve in their world: each generation has new starts.
template <class World>
class EvolvedWorld : public Looped<Environment<World>> {
 public:
  using Base = Looped<Environment<World>>;

  EvolvedWorld(Environment<World> model, const Settings& settings)
      : Base(std::move(model), settings.report), steps_(settings.steps), seed_(settings.seed) {}

  std::optional<Generation> evolve() override {
    Environment<World>& model = Base::model_;
    const std::int64_t elements = model.policy.elements();
    const trigon::Tensor fitness = fitness_of(model).eval();
    const trigon::Tensor champion = argmax(fitness);
    Generation reached{.best = max(fitness).item(), .mean = mean(fitness).item()};

    // gym asks for the mean reward of 100 episodes.
    constexpr std::int64_t episodes = 100;
    const std::int64_t next_seed = seed_ + 2 * ++generation_;
    const Environment<World> trial{model.world, copies_of(model.policy, champion, episodes),
                                   model.world.start(episodes, next_seed + 500'000)};
    reached.check = mean(loop(trial, trial.start(), 0, steps_).score).item();
    reached.solved = World::is_solved(*reached.check, steps_);

    model.policy = breed(model.policy, fitness, next_seed);
    model.initial = model.world.start(elements, next_seed + 1'000'000);
    return reached;
  }

 private:
  trigon::Tensor fitness_of(const Environment<World>& model) const {
    return model.world.fitness(loop(model, model.start(), 0, steps_));
  }

  std::int64_t steps_, seed_;
  std::int64_t generation_ = 0;
};

}  // namespace simulate
