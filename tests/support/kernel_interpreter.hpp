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
// Registers hold doubles: whole numbers wrap as the shader's integers do, everything else is
// unrounded, so that a result differs from the reference by much less than one of a device. An
// index that leaves its type's range, or the range in which a division of the shader is right, is
// poison, and so is a division of a negative number.
//
// A reduction's steps are GLSL text alone, so accumulators are the list of (position, value) that
// they were made from: lift makes a list of one, combine joins two, finish sorts by position and
// calls the op's reference. Positions must be 0 ... n - 1, each once. Texels hold such lists too,
// between the stages of a reduction.

namespace trigon::support {

using HostTextures = std::vector<std::shared_ptr<HostTexture>>;

/// The inputs of a step's shaders: of a kernel, or of a draw of points.
std::vector<kernel::KernelInput> declared_inputs(const plan::Step& step);

class KernelInterpreter {
 public:
  explicit KernelInterpreter(const core::Target& target) : target_(target) {}

  /// Runs a plan's steps. `slots` has the textures of the leaves and gets those of the results;
  /// slots that no later step reads are emptied. Raises std::logic_error where a step breaks a rule
  /// that no device would forgive.
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
