// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <trigon/device.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// The work of a device since it was opened.
struct Counters {
  std::int64_t draws = 0;  ///< commands that write a texture: draws, blits, clears and copies
  std::int64_t programs_compiled = 0;
  std::int64_t program_formats = 0;  ///< pairs (program, texture formats); drivers may compile each
  std::int64_t textures_created = 0;
  std::int64_t framebuffers_created = 0;
  std::int64_t bytes_uploaded = 0;  ///< values of tensors, without uniforms
  std::int64_t uniform_bytes = 0;
  std::int64_t bytes_read = 0;
  std::int64_t plans_made = 0;
  std::int64_t plan_cache_hits = 0;  ///< a device keeps up to 64 MiB of recently used plans

  [[nodiscard]] friend bool operator==(const Counters&, const Counters&) = default;
};

/// The work between two readings: `counters() - before`.
[[nodiscard]] Counters operator-(const Counters& a, const Counters& b);

/// The counters of a device; all are 0 when it opens.
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
  std::int64_t fragments = 0;      ///< texels written by all draws, once per group of targets
  std::int64_t fetches = 0;        ///< texels read by all fragments
  std::int64_t multiply_adds = 0;  ///< in matrix products, by all fragments
  std::int64_t programs = 0;       ///< different kernels
  std::int64_t instructions = 0;   ///< in the kernels of all draws; a loop's body counts once
  std::int64_t peak_bytes = 0;     ///< largest total of textures alive at once, without inputs
  /// Estimated time for the driver to compile the programs; 0 for those that it has already.
  double compile_milliseconds = 0;
};

/// The cost of evaluating `roots` together now. Values that are already computed cost nothing.
/// Nothing is drawn.
///
/// Raises Error when the roots are on different devices, or have no value because compile() is
/// tracing a function; DeviceError when the device cannot compute them.
[[nodiscard]] Cost cost(const TensorList& roots);
/// The cost of evaluating one tensor. Raises as above.
[[nodiscard]] Cost cost(const Tensor& root);

/// The plan for evaluating `roots` together now, as text. Nothing is drawn.
///
/// The text has the graph, then each draw, and at the end the totals of Cost and an estimated time.
/// A draw lists its ops, the textures that it reads, the values that it stores and why, its cost,
/// the compile time of its program and its GLSL. It also says why no earlier draw does its work.
/// Notes name copies and their reasons.
///
/// Raises Error when the roots are on different devices, or have no value because compile() is
/// tracing a function; DeviceError when the device cannot compute them.
///
/// The environment variable TRIGON_DEBUG, read when a device opens, prints this text to standard
/// error before each evaluation. 1 prints the draws, 2 the graph and the draws, 3 also their GLSL.
/// After the evaluation it prints the compile time of each new program in milliseconds.
[[nodiscard]] std::string explain(const TensorList& roots);
/// The plan for evaluating one tensor. Raises as above.
[[nodiscard]] std::string explain(const Tensor& root);

}  // namespace trigon
