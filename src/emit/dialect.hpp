// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/kernel.hpp"

namespace trigon::emit {

/// All in which GLSL ES 3.00 and 1.00 differ. In 1.00 there are no integers to speak of: indices
/// are whole floats.
class Dialect {
 public:
  explicit Dialect(const plan::Kernel& kernel);

  std::string_view index_type() const { return es300_ ? "int" : "float"; }
  std::string_view lanes_type() const { return es300_ ? "ivec4" : "vec4"; }
  std::string_view register_type(plan::Type type) const;
  std::string number(std::int64_t value) const;
  std::string lane_steps() const {
    return es300_ ? "ivec4(0, 1, 2, 3)" : "vec4(0.0, 1.0, 2.0, 3.0)";
  }

  /// Everything before main's functions: version, precision, uniforms, samplers, outputs.
  std::string prologue(const plan::Kernel& kernel) const;
  std::string vertex() const;
  std::string output(std::size_t number) const;
  /// The statement that opens the loop of a block, and the counter of its trips.
  std::string loop(std::string_view trips, std::int32_t block) const;
  std::string trip(std::int32_t block) const;
  std::string convert(std::string_view value, plan::Type from, plan::Type to,
                      plan::Conversion how) const;

  std::string fragment_column() const;
  std::string fragment_row() const;
  /// The texel of input `k` at a column, a row and a layer ("" for none).
  std::string fetch(int k, std::string_view x, std::string_view y, std::string_view layer) const;
  /// An offset in a texture row as a texel coordinate; `vector` for four of them.
  std::string column(std::string_view offset, std::string_view inverse, bool vector) const;
  std::string row(std::string_view index, std::string_view inverse, bool vector) const;
  /// The place of an offset in its texel.
  std::string component(std::string_view offset) const;
  /// A value's first lane as an index.
  std::string to_index(std::string_view value, plan::Type type, bool vector) const;

  bool es300() const { return es300_; }

 private:
  bool es300_;
  bool sampled_;
};

}  // namespace trigon::emit
