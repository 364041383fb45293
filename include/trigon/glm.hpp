// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <glm/mat2x2.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <trigon/dtype.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>
#include <trigon/values.hpp>

// Conversions between tensors and glm's vectors and matrices. trigon.hpp does not include this
// header; only files that include it need glm (Debian: libglm-dev).
//
// The first axis counts the elements: n glm::vec3 are (n, 3). glm stores matrices by columns;
// tensors have rows first, as in mathematics and NumPy. So `matmul(to_tensor(span_of_mat4),
// expand_dims(to_tensor(span_of_vec4), 2))` is glm's `m * v`. The numbers are float, std::int32_t
// or std::uint32_t.
//
//   std::vector<glm::vec3> places = ...;
//   Tensor p = to_tensor(std::span<const glm::vec3>(places));              // (n, 3)
//   std::vector<glm::vec3> moved = to_vectors<glm::vec3>(p + 1.0);

namespace trigon {

namespace detail {

template <class T>
inline constexpr bool is_glm_vector = false;
template <glm::length_t L, class T, glm::qualifier Q>
inline constexpr bool is_glm_vector<glm::vec<L, T, Q>> = true;
template <class T>
inline constexpr bool is_glm_matrix = false;
template <glm::length_t C, glm::length_t R, class T, glm::qualifier Q>
inline constexpr bool is_glm_matrix<glm::mat<C, R, T, Q>> = true;

/// Whether the numbers of an element are contiguous, without padding. Those of aligned types are
/// not.
template <class T>
constexpr bool is_packed_glm() {
  if constexpr (is_glm_vector<T>) {
    return sizeof(T) == static_cast<std::size_t>(T::length()) * sizeof(typename T::value_type);
  } else {
    return sizeof(T) == static_cast<std::size_t>(T::length()) * sizeof(typename T::col_type) &&
           is_packed_glm<typename T::col_type>();
  }
}

/// The shape of n elements in memory: matrices by columns.
template <class T>
Shape memory_shape(std::int64_t n) {
  if constexpr (is_glm_vector<T>) {
    return {n, T::length()};
  } else {
    return {n, T::length(), T::col_type::length()};
  }
}

}  // namespace detail

/// A glm vector or matrix of float, std::int32_t or std::uint32_t, without padding.
template <class T>
concept GlmValue = (detail::is_glm_vector<T> ||
                    detail::is_glm_matrix<T>)&&detail::is_packed_glm<T>() &&
                   (std::is_same_v<typename T::value_type, float> ||
                    std::is_same_v<typename T::value_type, std::int32_t> ||
                    std::is_same_v<typename T::value_type, std::uint32_t>);

/// Uploads glm vectors or matrices to the default device.
///
/// values : n elements, glm::vec<L> or glm::mat<C, R>.
///
/// Returns (n, L), or (n, R, C) for matrices: row r and column c are `m[c][r]`.
///
/// Raises DeviceError when the tensor does not fit the device. GL: glTexSubImage2D.
template <GlmValue T>
[[nodiscard]] Tensor to_tensor(std::span<const T> values) {
  using Number = typename T::value_type;
  const Shape shape = detail::memory_shape<T>(static_cast<std::int64_t>(values.size()));
  const Tensor x = from_host(values.data(), dtype_of<Number>, shape);
  if constexpr (detail::is_glm_vector<T>) return x;
  return swapaxes(x, 1, 2);
}

/// One vector or matrix: (L,), or (R, C). Raises as above.
template <GlmValue T>
[[nodiscard]] Tensor to_tensor(const T& value) {
  return to_tensor(std::span<const T>(&value, 1))[0];
}

/// A tensor's values as glm vectors or matrices. Evaluates and waits.
///
/// T : glm::vec<L> or glm::mat<C, R>.
/// x : (n, L), or (n, R, C) for matrices; its dtype must be that of T's numbers.
///
/// Returns n elements.
///
/// Raises Error for another shape or dtype, DeviceError as Tensor::eval. GL: glReadPixels.
template <GlmValue T>
[[nodiscard]] std::vector<T> to_vectors(const Tensor& x) {
  Shape row = detail::memory_shape<T>(0);
  row.erase(0);
  if constexpr (detail::is_glm_matrix<T>) row = {row[1], row[0]};
  const std::int64_t n = [&] {
    const detail::core::Called called("to_vectors");
    return detail::row_count(x, row);
  }();
  std::vector<T> values(static_cast<std::size_t>(n));
  const Tensor in_memory = detail::is_glm_matrix<T> ? swapaxes(x, 1, 2) : x;
  in_memory.read(values.data(), dtype_of<typename T::value_type>);
  return values;
}

}  // namespace trigon
