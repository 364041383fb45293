// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::run {

/// The values that GL holds for a uniform array of four-vectors in a program.
///
/// T is std::int32_t or float. Uploads go to the program in use.
template <class T>
class UniformArray {
 public:
  /// `name` outlives this. `count` numbers, four to a vector; linking has set them to 0.
  UniformArray(GLuint program, const char* name, std::size_t count);

  /// Uploads the vectors from the first to the last that differ; returns how many bytes. `values`
  /// holds at most `count` numbers. `as_reals`: the shader declares integers as floats.
  /// GL: glUniform4iv, glUniform4fv.
  std::int64_t set(std::span<const T> values, bool as_reals);
  /// The next set() uploads all values, since GL may not hold the last ones. Makes no GL call.
  void forget();

 private:
  GLint location(std::size_t vector);
  void upload(std::size_t first, std::size_t vectors, bool as_reals);

  GLuint program_;
  const char* name_;
  std::vector<T> held_;
  bool is_known_ = true;          ///< whether GL holds them
  std::vector<GLint> locations_;  ///< by vector, queried when first needed
  std::vector<float> reals_;      ///< the integers in `held_`, if they are floats in GL
};

extern template class UniformArray<std::int32_t>;
extern template class UniformArray<float>;

}  // namespace trigon::detail::run
