// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "core/target.hpp"
#include "plan/plan.hpp"
#include "support/host_texture.hpp"

// Runs plans on the host without compiling a shader. It knows kernels and points, not graphs.
//
// Registers hold doubles. Whole numbers wrap as the shader's integers do; others are not rounded,
// so that a result differs from the reference by much less than one of a device. An index out of
// its type's range, or of the range in which a shader's division is right, is poison. So is a
// division of a negative number.
//
// A reduction's steps are only GLSL text, so an accumulator is a list of the pairs (position,
// value) that it combines. lift makes a list of one, combine joins two, finish sorts by position
// and calls the op's reference. Positions must be 0 ... n - 1, each once. Texels hold such lists
// too, between the passes of a reduction.

namespace trigon::support {

using HostTextures = std::vector<std::shared_ptr<HostTexture>>;

/// The inputs of a step's shaders, those of a kernel or of a draw of points.
std::vector<kernel::KernelInput> declared_inputs(const plan::Step& step);

class KernelInterpreter {
 public:
  explicit KernelInterpreter(const core::Target& target) : target_(target) {}

  /// Runs a plan's steps. `slots` has the textures of the leaves and gets those of the results;
  /// slots that no later step reads are emptied. Raises std::logic_error if a step breaks a rule of
  /// GL or of the shader's types.
  void run(const plan::Plan& plan, HostTextures& slots, std::vector<double> scalars);

  const core::Target& target() const { return target_; }
  /// A list of elements that lives as long as the interpreter.
  const Elements* keep(const Elements& elements) { return &elements_.emplace_back(elements); }

 private:
  void run(const plan::Step& step, HostTextures& slots, std::vector<double>& scalars);
  void draw(const plan::Step& step, const HostTextures& slots, std::span<const double> scalars);
  void draw_points(const plan::Step& step, const HostTextures& slots,
                   std::span<const double> scalars);

  core::Target target_;
  std::deque<Elements> elements_;
};

}  // namespace trigon::support
