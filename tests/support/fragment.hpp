// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/kernel_interpreter.hpp"

namespace trigon::support {

class Quad;

/// The values that all fragments of a draw share.
struct DrawContext {
  KernelInterpreter& interpreter;
  const plan::Step& step;
  std::vector<const HostTexture*> inputs;
  std::vector<double> ints;
  std::vector<double> floats;
  std::int64_t overlay = 0;  ///< the triangle

  const detail::kernel::Kernel& kernel() const { return *step.kernel; }
  bool is_es100() const { return kernel().dialect == core::Dialect::es100; }
};

inline bool is_usable(const Number& x) { return !x.is_poison && x.elements == nullptr; }

/// A computed value as a register of that type holds it.
inline Number fitted(double x, core::Type type) {
  if (type == core::Type::f) return number(x);
  if (std::isnan(x)) return {};
  const double whole = std::trunc(x);
  if (std::abs(whole) >= 9.2e18) return {};
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(whole));
  if (type == core::Type::u) return number(bits);
  return number(static_cast<std::int32_t>(bits));
}

/// One fragment of a draw: computes instructions when they are asked for, each once a trip.
class Fragment {
 public:
  Fragment(const DrawContext& draw, Quad& quad);

  void move_to(std::int64_t x, std::int64_t y);
  /// An instruction's register. Only lane 0 of an index counts, unless it is a vector.
  const Lanes& value(std::int32_t id);

 private:
  const kernel::Instr& at(std::int32_t id) const { return draw_.kernel()[id]; }
  /// The value of an integer uniform; 0 if there is none.
  double int_of(kernel::IntUniform uniform) const {
    return uniform >= 0 ? item(draw_.ints, uniform) : 0;
  }
  /// Finished trips of a block.
  double trip_of(kernel::BlockNumber block) const {
    return static_cast<double>(item(loops_, block).trip);
  }
  Number index(std::int32_t id, std::size_t lane);
  Number whole(double value) const;

  Lanes compute(const kernel::Instr& instr);
  Number compute_index(const kernel::Instr& instr, std::size_t lane);
  Number affine(const kernel::Sum& of, std::size_t lane);
  Number divided(const kernel::Quotient& of, std::size_t lane);
  Number gathered(const kernel::ClampIndex& of, std::size_t lane);
  Number place(const kernel::TexelCoordinate& of, std::size_t lane);
  Lanes load(const kernel::Load& of);
  Lanes texel(const kernel::Load& of, std::size_t lane);
  Number component(const kernel::Load& of, std::size_t lane);
  Number table(const kernel::Table& of, core::Type type);
  Number apply(const kernel::Apply& of, core::Type type, std::size_t lane);
  Number lane_value(const kernel::Instr& instr, std::size_t lane);
  Number moved(const kernel::Instr& instr, std::size_t lane);
  Number product(const kernel::Product& of, std::size_t lane);
  /// The other fragment of a pair.
  Fragment& other_of(kernel::Pair pair);
  Number exchanged(const kernel::Exchange& of, std::size_t lane);
  Number converted(const kernel::Convert& of, core::Type type, std::size_t lane);
  Number reduced(const kernel::Lift& of, std::size_t lane);
  Number reduced(const kernel::Combine& of, std::size_t lane);
  const Elements* tuple(std::span<const kernel::Operand> accumulators, std::size_t lane);
  Number called(const kernel::Call& call, const kernel::Extract& extract, core::Type type,
                std::size_t lane);
  Number extracted(const kernel::Extract& of, core::Type type, std::size_t lane);
  /// How often a block runs; a branch once or not at all.
  Number trips_of(const kernel::Block& block);
  void run_loop(std::int32_t block);

  const DrawContext& draw_;
  Quad& quad_;
  std::int64_t x_ = 0, y_ = 0;
  std::int64_t trips_ = 0;
  std::int64_t clock_ = 0;
  std::vector<Lanes> registers_;
  std::vector<std::int64_t> stamps_;  ///< of a register: the epoch in which it was computed
  struct Loop {
    std::int64_t epoch = -1;  ///< of the trip at hand; -1: not running
    std::int64_t done = -1;   ///< the parent's epoch in which it ran
    std::int64_t trip = 0;
    std::vector<Lanes> carried{};
  };
  std::vector<Loop> loops_;
};

/// Four fragments that exchange values. Those outside of the viewport help only.
class Quad {
 public:
  explicit Quad(const DrawContext& draw)
      : fragments_{Fragment(draw, *this), Fragment(draw, *this), Fragment(draw, *this),
                   Fragment(draw, *this)} {}
  Quad(const Quad&) = delete;
  Quad& operator=(const Quad&) = delete;

  void move_to(std::int64_t x, std::int64_t y) {
    for (std::int64_t k = 0; k < 4; ++k) {
      fragments_[static_cast<std::size_t>(k)].move_to(x + k % 2, y + k / 2);
    }
  }
  Fragment& at(std::int64_t x, std::int64_t y) {
    return fragments_[static_cast<std::size_t>(y % 2 * 2 + x % 2)];
  }

 private:
  std::array<Fragment, 4> fragments_;
};

inline Fragment& Fragment::other_of(kernel::Pair pair) {
  return pair == kernel::Pair::horizontal ? quad_.at(x_ ^ 1, y_) : quad_.at(x_, y_ ^ 1);
}

}  // namespace trigon::support
