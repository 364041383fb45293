// SPDX-License-Identifier: MIT
#include "run/uniforms.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include <fmt/format.h>

namespace trigon::detail::run {
namespace {

constexpr GLint not_asked = -2;  // -1 is GL's answer for a name that the program does not use

}  // namespace

template <class T>
UniformArray<T>::UniformArray(GLuint program, const char* name, std::size_t count)
    : program_(program),
      name_(name),
      held_((count + 3) / 4 * 4),
      locations_((count + 3) / 4, not_asked) {}

template <class T>
GLint UniformArray<T>::location(std::size_t vector) {
  // Elements of an array need not have consecutive locations in ES 3.0.
  GLint& known = locations_[vector];
  if (known == not_asked) {
    known = glGetUniformLocation(program_, fmt::format("{}[{}]", name_, vector).c_str());
  }
  return known;
}

template <class T>
void UniformArray<T>::forget() {
  is_known_ = false;
  std::fill(locations_.begin(), locations_.end(), not_asked);
}

template <class T>
std::int64_t UniformArray<T>::set(std::span<const T> values, bool as_reals) {
  // Compares bits, not values: a NaN equals itself here, and -0 differs from 0.
  const auto differs = [](T a, T b) {
    return std::bit_cast<std::uint32_t>(a) != std::bit_cast<std::uint32_t>(b);
  };
  std::size_t first = 0, end = values.size();
  while (is_known_ && first < end && !differs(values[first], held_[first])) ++first;
  while (is_known_ && end > first && !differs(values[end - 1], held_[end - 1])) --end;
  is_known_ = true;
  if (first == end) return 0;
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(end),
            held_.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t vector = first / 4;
  if (location(vector) < 0) return 0;
  const std::size_t vectors = (end + 3) / 4 - vector;
  upload(vector, vectors, as_reals);
  return static_cast<std::int64_t>(vectors) * 16;
}

template <class T>
void UniformArray<T>::upload(std::size_t first, std::size_t vectors, bool as_reals) {
  const auto count = static_cast<GLsizei>(vectors);
  const T* from = held_.data() + first * 4;
  if constexpr (std::is_same_v<T, float>) {
    glUniform4fv(location(first), count, from);
  } else if (as_reals) {
    reals_.assign(from, from + vectors * 4);
    glUniform4fv(location(first), count, reals_.data());
  } else {
    glUniform4iv(location(first), count, from);
  }
}

template class UniformArray<std::int32_t>;
template class UniformArray<float>;

}  // namespace trigon::detail::run
