// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <trigon/device.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// What a device has done since it was opened. Every GL command that writes a texture counts as a
/// draw, blits, clears and copies too.
struct Counters {
  std::int64_t draws = 0;
  std::int64_t programs_compiled = 0;
  /// Distinct (program, formats of its textures) pairs drawn: some drivers compile each of them.
  std::int64_t program_formats = 0;
  std::int64_t textures_created = 0;
  std::int64_t framebuffers_created = 0;
  std::int64_t bytes_uploaded = 0;
  std::int64_t uniform_bytes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t plans_made = 0;
  std::int64_t plan_cache_hits = 0;

  friend Counters operator-(const Counters& a, const Counters& b);
  friend bool operator==(const Counters&, const Counters&) = default;
};

Counters counters(const Device& device);
/// Of the default device.
Counters counters();

/// What evaluating would cost, from the plan alone.
struct Cost {
  std::int64_t draws = 0;
  std::int64_t fragments = 0;
  std::int64_t fetches = 0;
  std::int64_t multiply_adds = 0;
  std::int64_t programs = 0;
  std::int64_t instructions = 0;  ///< of all draws' kernels
  std::int64_t peak_bytes = 0;    ///< of the textures that are needed at once, inputs left out
};
Cost cost(std::span<const Tensor> roots);
Cost cost(const Tensor& root);

/// The graph, the draws with inputs, targets, fetches and multiply-adds, and the GLSL of what
/// evaluating `root` would do now. Draws nothing. TRIGON_DEBUG=1 prints each draw while running, 2
/// the plan too, 3 the GLSL too.
std::string explain(const Tensor& root);

}  // namespace trigon
