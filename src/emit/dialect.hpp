// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trigon/dtype.hpp>

#include "kernel/kernel.hpp"

namespace trigon::detail::emit {

/// The text that differs between GLSL ES 3.00 and 1.00. Integers of 1.00 are guaranteed only up to
/// 2^16, without bitwise operators. So its indices are floats, which hold whole numbers up to 2^24.
class Dialect {
 public:
  explicit Dialect(const kernel::Kernel& kernel);
  /// For texts that read no texel.
  explicit Dialect(bool is_es100) : es300_(!is_es100), sampled_(false) {}

  std::string_view index_type() const { return es300_ ? "int" : "float"; }
  std::string_view lanes_type() const { return es300_ ? "ivec4" : "vec4"; }
  std::string_view register_type(core::Type type) const;
  /// A whole number as a literal of the index type.
  std::string number(std::int64_t value) const;
  std::string lane_steps() const {
    return es300_ ? "ivec4(0, 1, 2, 3)" : "vec4(0.0, 1.0, 2.0, 3.0)";
  }

  /// The text before the functions: version, precision, uniforms, samplers and outputs.
  std::string prologue(const kernel::Kernel& kernel) const;
  /// `guards`: see emit().
  std::string vertex(std::size_t guards) const;
  std::string output(std::size_t number) const;
  /// The statement that opens the loop of a block, and the counter of its trips.
  std::string loop(std::string_view trips, std::int32_t block) const;
  std::string trip(std::int32_t block) const;
  /// The number for a loop's trip, from a table that begins at a vector of the uniforms `of`.
  std::string counted(std::string_view of, std::int32_t vector, std::int32_t block) const;
  /// The number at an index. Only GLSL ES 3.00.
  std::string element(std::string_view of, std::int32_t vector, const std::string& index) const;
  /// The expression of a Convert.
  std::string convert(std::string_view value, core::Type from, core::Type to,
                      kernel::Conversion how) const;

  /// How users' kernels see a dtype: its GLSL type, the type of four elements, conversions of an
  /// element of these to its type and back, and of a texel's component.
  std::string_view element_type(DType dtype) const;
  std::string_view lanes_of(DType dtype) const;
  std::string to_element(std::string_view lane, DType dtype) const;
  std::string from_element(std::string_view value, DType dtype) const;
  std::string from_texel(std::string_view component, DType dtype) const;

  /// The fragment's texel column and texture row, as indices.
  std::string fragment_column() const;
  std::string fragment_row() const;
  /// The number of the fragment's triangle.
  static std::string overlay() { return "v_part"; }
  /// The texel of input `k` at a column, a row and a layer ("" for none).
  std::string fetch(int k, std::string_view x, std::string_view y, std::string_view layer) const;
  /// The texel coordinates of an element offset in a texture row, and of a row. `inverse`: 1 /
  /// side, if texels are read by texture(). `vector`: four coordinates.
  std::string column(std::string_view offset, std::string_view inverse, bool vector,
                     std::int64_t elements_per_texel) const;
  std::string row(std::string_view index, std::string_view inverse, bool vector) const;
  /// The four elements of a fetched texel among which an offset in a texture row lies.
  std::string decoded(const std::string& texel, kernel::EncodingNumber encoding,
                      std::string_view offset) const;
  /// The lane in which the four hold that offset: the offset modulo 4.
  std::string component(std::string_view offset) const;
  /// A value as an index: its first lane, or all four if `vector`.
  std::string to_index(std::string_view value, core::Type type, bool vector) const;

 private:
  std::string picked(std::string_view of, std::int32_t vector, const std::string& vectors,
                     const std::string& index) const;
  bool es300_;
  bool sampled_;
  bool has_overlays_;  ///< draws have overlapping triangles
};

}  // namespace trigon::detail::emit
