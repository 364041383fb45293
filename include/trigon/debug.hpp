// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <trigon/device.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// The work of a device since it was opened.
struct Counters {
  std::int64_t draws = 0;  ///< commands that write a texture: draws, blits, clears and copies
  std::int64_t programs_compiled = 0;
  std::int64_t program_formats = 0;  ///< (program, texture formats) pairs: drivers may compile each
  std::int64_t textures_created = 0;
  std::int64_t framebuffers_created = 0;
  std::int64_t bytes_uploaded = 0;  ///< values of tensors, without uniforms
  std::int64_t uniform_bytes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t plans_made = 0;
  std::int64_t plan_cache_hits = 0;  ///< a device keeps plans of up to 64 MiB, the last used ones

  [[nodiscard]] friend bool operator==(const Counters&, const Counters&) = default;
};

/// The work between two readings: `counters() - before`.
[[nodiscard]] Counters operator-(const Counters& a, const Counters& b);

/// The counters of a device, 0 when it was opened.
///
///   const Counters before = counters();
///   y.eval();
///   std::int64_t draws = (counters() - before).draws;
[[nodiscard]] Counters counters(const Device& device);
/// The counters of the default device. Raises DeviceError when it does not open.
[[nodiscard]] Counters counters();

/// The cost of an evaluation, estimated from its plan.
struct Cost {
  std::int64_t draws = 0;
  std::int64_t fragments = 0;      ///< of all draws: texels written, per group of targets
  std::int64_t fetches = 0;        ///< texels read, of all fragments
  std::int64_t multiply_adds = 0;  ///< of matrix products, of all fragments
  std::int64_t programs = 0;       ///< different kernels
  std::int64_t instructions = 0;   ///< in the kernels of all draws; a loop's body counts once
  std::int64_t peak_bytes = 0;  ///< largest sum of the textures alive at once; inputs do not count
  /// That the driver takes to compile the programs, estimated; nothing where it has them already.
  double compile_milliseconds = 0;
};

/// The cost of evaluating `roots` together, now. Values that are computed already cost nothing.
/// Nothing is drawn. Raises Error when the roots live on different devices or have no value while
/// compile() traces a function, DeviceError when the device cannot compute them.
[[nodiscard]] Cost cost(std::span<const Tensor> roots);
/// The cost of evaluating one tensor. Raises as above.
[[nodiscard]] Cost cost(const Tensor& root);

/// The plan for evaluating `roots` together now, as text: the graph, then each draw with its ops,
/// the textures that it reads, the values that it stores and why, its cost, how long its program
/// takes to compile, its GLSL, and why an earlier draw does not do its work; at the end the totals
/// of Cost and an estimated time. Notes
/// name copies and their reasons. Nothing is drawn. Raises Error when the roots live on different
/// devices or have no value while compile() traces a function, DeviceError when the device cannot
/// compute them.
///
/// The environment variable TRIGON_DEBUG, read when a device opens, prints the same to standard
/// error before each evaluation: 1 the draws, 2 the graph and the draws, 3 also their GLSL; and
/// after it, in milliseconds, how long each program took that was compiled for it.
[[nodiscard]] std::string explain(std::span<const Tensor> roots);
/// The plan for evaluating one tensor. Raises as above.
[[nodiscard]] std::string explain(const Tensor& root);

}  // namespace trigon
