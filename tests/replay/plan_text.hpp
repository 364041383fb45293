// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "kernel/kernel.hpp"
#include "kernel/points.hpp"
#include "plan/plan.hpp"

namespace trigon::replay {

/// Plans as a text: steps, geometry, slots, uniforms and the GLSL of both stages, but no estimated
/// costs. The text is the same for every compiler and process, since it has no addresses and no ids
/// of nodes.
class PlanText {
 public:
  /// A line above the plans that follow.
  void title(const std::string& name) { text_ += "== " + name + "\n"; }
  void add(const plan::Plan& plan);
  /// In place of a plan: the reason why there is none.
  void add_refusal(const std::string& reason) { text_ += "refused: " + reason + "\n"; }

  const std::string& text() const { return text_; }

 private:
  void add(const plan::Step& step, const std::string& indent);
  void add_draw(const plan::Step& step, const std::string& indent);
  /// The number of a program, whose GLSL follows at its first use.
  std::size_t program_of(const plan::Step& step);

  std::string text_;
  /// By the number of guards. Only for look-ups, since their order differs between libraries.
  std::map<std::size_t, std::unordered_map<std::shared_ptr<const kernel::Kernel>, std::size_t,
                                           kernel::KernelHash, kernel::KernelEqual>>
      programs_;
  std::map<std::pair<kernel::PointsProgram, std::size_t>, std::size_t> points_;
};

}  // namespace trigon::replay
