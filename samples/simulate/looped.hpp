// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <trigon/debug.hpp>
#include <trigon/index.hpp>
#include <trigon/loop.hpp>
#include <trigon/scalar.hpp>
#include <trigon/tree.hpp>

#include "simulation.hpp"

// A model is the tensor code of a simulation:
//
//   struct Model {
//     struct State { Tensor ...; };                  // a tree
//     State start() const;
//     State next(State s, const Tensor& step) const; // or, with a condition, next(State s)
//     Tensor goes_on(const State& s) const;          // optional: elements where it is false stay
//     State by_hand(State s, std::int64_t first, std::int64_t steps) const;  // optional
//     State result(State s) const;                   // optional: what stays when no step follows
//     std::vector<Value> values(const State& s) const;
//     std::vector<Value> inputs() const;             // optional: what is random
//     Tensor picture(const State& s) const;          // optional; or with the steps done
//     State touched(State s, const Touch& touch, std::int64_t steps) const;  // optional: what a
//                                                    // pointer does; evaluated if s is read
//     State zoomed(State s, const Zoom& zoom) const; // optional
//     std::array<Parameter, n> parameters;           // optional: numbers that may change
//     std::string summary(const State& s, std::int64_t steps) const;         // optional
//   };

namespace simulate {

template <class Model>
concept Conditional = requires(const Model& model, const typename Model::State& state) {
  model.goes_on(state);
};

/// The state, evaluated.
template <class State>
State evaluated(State state) {
  trigon::eval(trigon::tree_leaves(state));
  return state;
}

/// One step of a model; elements whose condition is false keep their state.
template <class Model>
typename Model::State next_of(const Model& model, typename Model::State state,
                              const trigon::Tensor& step) {
  if constexpr (Conditional<Model>) {
    const trigon::Tensor go = model.goes_on(state);
    return trigon::tree_map(
        [&](const trigon::Tensor& next, const trigon::Tensor& last) {
          return trigon::where(go, next, last);
        },
        model.next(state), state);
  } else {
    return model.next(std::move(state), step);
  }
}

/// `steps` steps as one loop of Trigon.
template <class Model>
typename Model::State loop(const Model& model, typename Model::State state, std::int64_t first,
                           std::int64_t steps) {
  using State = typename Model::State;
  if constexpr (Conditional<Model>) {
    return trigon::while_loop([&](const State& s) { return model.goes_on(s); },
                              [&](State s) { return model.next(std::move(s)); }, std::move(state),
                              steps);
  } else if (steps == 1) {
    return model.next(std::move(state), trigon::Scalar(first));
  } else {
    // A Scalar, so that all frames of a run have one plan.
    const trigon::Scalar done = first;
    return trigon::fori_loop(
        0, steps,
        [&](const trigon::Tensor& step, State s) {
          return model.next(std::move(s), first == 0 ? step : step + done);
        },
        std::move(state));
  }
}

/// The same steps, each evaluated separately.
template <class Model>
typename Model::State single_steps(const Model& model, typename Model::State state,
                                   std::int64_t first, std::int64_t steps, const Report& report) {
  for (std::int64_t k = 0; k < steps; ++k) {
    state = next_of(model, std::move(state), trigon::Scalar(first + k));
    trigon::eval(trigon::tree_leaves(state));
    if (report) report(first + k + 1, first + steps);
  }
  return state;
}

/// A run of a model, which outlives it.
template <class Model>
class LoopedRun : public Run {
 public:
  using State = typename Model::State;

  LoopedRun(const Model& model, Form form, Report report)
      : model_(model), form_(form), report_(std::move(report)), state_(model.start()) {}

  void advance(std::int64_t steps) override {
    state_ = after(std::move(state_), steps);
    trigon::eval(trigon::tree_leaves(state_));
    done_ += steps;
  }
  std::vector<Value> values() const override { return model_.values(state_); }
  trigon::Tensor picture() const override { return picture_of(state_, done_); }
  trigon::Tensor frame(std::int64_t steps) override {
    state_ = after(std::move(state_), steps);
    done_ += steps;
    const trigon::Tensor picture = picture_of(state_, done_);
    trigon::eval(roots(state_, picture));
    return picture;
  }
  std::string explain(std::int64_t steps) const override {
    if (form_ != Form::tensor) return {};
    const State state = after(state_, steps);
    return trigon::explain(roots(state, picture_of(state, done_ + steps)));
  }
  void touch(const Touch& touch) override {
    if constexpr (requires { model_.touched(state_, touch, done_); }) {
      state_ = model_.touched(std::move(state_), touch, done_);
    }
  }
  void zoom(const Zoom& zoom) override {
    if constexpr (requires { model_.zoomed(state_, zoom); }) {
      state_ = model_.zoomed(std::move(state_), zoom);
    }
  }
  std::string summary() const override {
    if constexpr (requires { model_.summary(state_, done_); }) {
      return model_.summary(state_, done_);
    }
    return {};
  }
  const State& state() const { return state_; }

 private:
  static std::vector<trigon::Tensor> roots(const State& state, const trigon::Tensor& picture) {
    std::vector<trigon::Tensor> all = trigon::tree_leaves(state);
    if (picture.has_value()) all.push_back(picture);
    return all;
  }
  trigon::Tensor picture_of(const State& state, std::int64_t done) const {
    if constexpr (requires { model_.picture(state); }) return model_.picture(state);
    if constexpr (requires { model_.picture(state, done); }) return model_.picture(state, done);
    return {};
  }
  State after(State state, std::int64_t steps) const {
    state = advanced(std::move(state), steps);
    if constexpr (requires { model_.result(state); }) state = model_.result(std::move(state));
    return state;
  }
  State advanced(State state, std::int64_t steps) const {
    switch (form_) {
      case Form::tensor: return loop(model_, std::move(state), done_, steps);
      case Form::steps: return single_steps(model_, std::move(state), done_, steps, report_);
      case Form::hand: break;
    }
    if constexpr (requires { model_.by_hand(state, done_, steps); }) {
      return model_.by_hand(std::move(state), done_, steps);
    }
    throw std::logic_error("simulate: a form that this simulation does not have");
  }

  const Model& model_;
  Form form_;
  Report report_;
  std::int64_t done_ = 0;
  State state_;
};

/// The simulation of a model.
template <class Model>
class Looped : public Simulation {
 public:
  Looped(Model model, Report report) : model_(std::move(model)), report_(std::move(report)) {}

  std::unique_ptr<Run> start(Form form) const override {
    return std::make_unique<LoopedRun<Model>>(model_, form, report_);
  }
  std::vector<Value> inputs() const override {
    if constexpr (requires { model_.inputs(); }) return model_.inputs();
    return {};
  }
  std::span<Parameter> parameters() override {
    if constexpr (requires { model_.parameters; }) return model_.parameters;
    return {};
  }

 protected:
  Model model_;
  Report report_;
};

}  // namespace simulate
