// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/memory.hpp>
#include <trigon/detail/tensor_class.hpp>

// Host values on their way in, tensor(), and out, to_vector() and item().

namespace trigon {

/// A tensor of values in C order, uploaded to `device` or the default one. `values` points to
/// shape.numel() elements of the dtype (float16: two bytes each; bool: one byte each, true unless
/// 0). Raises DeviceError when the tensor does not fit the device. GL: glTexSubImage2D.
[[nodiscard]] Tensor from_host(const void* values, DType dtype, const Shape& shape);
[[nodiscard]] Tensor from_host(const void* values, DType dtype, const Shape& shape,
                               const Device& device);

namespace detail {

void check_count(std::size_t count, const Shape& shape);
void check_item(const Shape& shape);
/// The size of x's first axis. Raises Error for an empty handle and unless the other axes are
/// `row`.
std::int64_t row_count(const Tensor& x, const Shape& row);
[[noreturn]] void refuse_dtype(DType dtype, std::string_view asked);
/// A source of values: `size` elements of `dtype`, which `read` copies in C order.
struct HostReader {
  std::int64_t size;
  DType dtype;
  std::function<void(void* out, DType host)> read;  ///< as info(dtype).computed
};
/// Numbers of any dtype but bool; double holds all of them.
std::vector<double> read_doubles(const HostReader& from);
/// Raises Error, naming `type`, for an integer outside of [low, high].
std::vector<std::int64_t> read_integers(const HostReader& from, const char* type, std::int64_t low,
                                        std::int64_t high);

/// A host type that corresponds to a dtype.
template <class T>
concept TensorScalar = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint8_t> || std::is_same_v<T, bool>;
/// Integers of 64 bits, and std::size_t if it is a separate, smaller type.
template <class T>
concept WideInteger = std::is_integral_v<T> &&
    (sizeof(T) == 8 || std::is_same_v<T, long> || std::is_same_v<T, unsigned long>);

/// A host type that values can have.
template <class T>
constexpr void check_host_type() {
  static_assert(TensorScalar<T> || WideInteger<T> || std::is_same_v<T, double>,
                "trigon: values are bool, std::uint8_t, std::int32_t, std::uint32_t, "
                "std::int64_t, float or double on the host; convert others to one of these");
}

template <class T>
std::vector<std::int32_t> narrowed(std::span<const T> values) {
  const core::Called called("tensor");
  std::vector<std::int32_t> result;
  result.reserve(values.size());
  for (const T value : values) result.push_back(checked<std::int32_t>(value));
  return result;
}

template <class T, class... To>
Tensor upload(std::span<const T> values, const Shape& shape, const To&... device) {
  check_host_type<T>();
  check_count(values.size(), shape);
  if constexpr (TensorScalar<T>) {
    return from_host(values.data(), dtype_of<T>, shape, device...);
  } else if constexpr (std::is_same_v<T, double>) {
    const std::vector<float> rounded(values.begin(), values.end());
    return from_host(rounded.data(), float32, shape, device...);
  } else {
    const std::vector<std::int32_t> small = narrowed(values);
    return from_host(small.data(), int32, shape, device...);
  }
}
template <class T, class... To>
Tensor upload(const std::vector<T>& values, const Shape& shape, const To&... device) {
  if constexpr (std::is_same_v<T, bool>) {
    const std::vector<std::uint8_t> bytes(values.begin(), values.end());
    check_count(bytes.size(), shape);
    return from_host(bytes.data(), boolean, shape, device...);
  } else {
    return upload(std::span<const T>(values), shape, device...);
  }
}

}  // namespace detail

/// A tensor of values in C order, uploaded to `device` or the default one; a vector if no shape is
/// given: `tensor<float>({1, 2, 3, 4}, {2, 2})`, `tensor(std::vector<int>{1, 2})`,
/// `tensor<float>({1, 2, 3}, {3}, device)`.
///
/// T: bool, std::uint8_t, std::int32_t, std::uint32_t or float give their dtype; double is rounded
/// to float32; integers of 64 bits give int32. Other types do not compile.
/// Raises Error when the shape does not hold as many elements and for an integer that int32 cannot
/// hold, DeviceError when the tensor does not fit the device.
template <class T>
[[nodiscard]] Tensor tensor(std::span<const T> values, const Shape& shape) {
  return detail::upload(values, shape);
}
template <class T>
[[nodiscard]] Tensor tensor(std::span<const T> values, const Shape& shape, const Device& device) {
  return detail::upload(values, shape, device);
}
template <class T>
[[nodiscard]] Tensor tensor(const std::vector<T>& values, const Shape& shape) {
  return detail::upload(values, shape);
}
template <class T>
[[nodiscard]] Tensor tensor(const std::vector<T>& values, const Shape& shape,
                            const Device& device) {
  return detail::upload(values, shape, device);
}
template <class T>
[[nodiscard]] Tensor tensor(const std::vector<T>& values) {
  return tensor<T>(values, Shape{static_cast<std::int64_t>(values.size())});
}
template <class T>
[[nodiscard]] Tensor tensor(std::initializer_list<T> values, const Shape& shape) {
  return tensor<T>(std::span(values.begin(), values.size()), shape);
}
template <class T>
[[nodiscard]] Tensor tensor(std::initializer_list<T> values, const Shape& shape,
                            const Device& device) {
  return tensor<T>(std::span(values.begin(), values.size()), shape, device);
}
template <class T>
[[nodiscard]] Tensor tensor(std::initializer_list<T> values) {
  return tensor<T>(values, Shape{static_cast<std::int64_t>(values.size())});
}
/// Numbers, nested lists and lists of several types convert to Tensor directly: this does not
/// compile.
template <class T = void>
[[nodiscard]] Tensor tensor(const detail::Nested&, const Shape& = {}) {
  static_assert(detail::never<T>,
                "trigon: tensor takes a flat list of one type; write tensor<float>({1, 2, 3, 4}, "
                "{2, 2}), Tensor{{1, 2}, {3, 4}} for a nested list, Tensor(2.0) for a number");
  return {};
}

namespace detail {

/// The name of a host integer type by size and sign, for errors.
template <class T>
constexpr const char* integer_name() {
  if (sizeof(T) == 8) return std::is_signed_v<T> ? "int64" : "uint64";
  if (sizeof(T) == 1) return "uint8";
  return std::is_signed_v<T> ? "int32" : "uint32";
}

/// Whether elements of `dtype` are converted to T with a range check of each.
template <class T>
constexpr bool is_checked_integer(DType dtype) {
  if constexpr (WideInteger<T>) return true;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return info(dtype).computed != dtype_of<T> && is_integer(dtype);
  }
  return false;
}

/// Raises Error when elements of `dtype` cannot be read as T.
template <class T>
void check_read(DType dtype) {
  check_host_type<T>();
  if constexpr (std::is_same_v<T, double>) {
    if (dtype == boolean) refuse_dtype(dtype, "float64");
  } else if constexpr (WideInteger<T>) {
    if (!is_integer(dtype)) refuse_dtype(dtype, integer_name<T>());
  } else if (!is_checked_integer<T>(dtype) && info(dtype).computed != dtype_of<T>) {
    refuse_dtype(dtype, name(dtype_of<T>));
  }
}

/// The elements as T, after check_read().
template <class T>
std::vector<T> read_as(const HostReader& from) {
  const auto count = static_cast<std::size_t>(from.size);
  if constexpr (std::is_same_v<T, double>) {
    return read_doubles(from);
  } else if constexpr (std::is_same_v<T, bool>) {
    std::vector<std::uint8_t> bytes(count);
    from.read(bytes.data(), boolean);
    return std::vector<bool>(bytes.begin(), bytes.end());
  } else if constexpr (std::is_same_v<T, float>) {
    std::vector<float> values(count);
    from.read(values.data(), float32);
    return values;
  } else {
    if constexpr (TensorScalar<T>) {
      if (!is_checked_integer<T>(from.dtype)) {
        std::vector<T> values(count);
        from.read(values.data(), dtype_of<T>);
        return values;
      }
    }
    constexpr auto low = static_cast<std::int64_t>(std::numeric_limits<T>::min());
    constexpr std::int64_t high = sizeof(T) == 8
                                      ? std::numeric_limits<std::int64_t>::max()
                                      : static_cast<std::int64_t>(std::numeric_limits<T>::max());
    const std::vector<std::int64_t> values = read_integers(from, integer_name<T>(), low, high);
    return std::vector<T>(values.begin(), values.end());
  }
}

}  // namespace detail

template <class T>
std::vector<T> Tensor::values() const {
  const std::int64_t count = size();
  detail::check_read<T>(dtype());
  return detail::read_as<T>({count, dtype(), [this](void* out, DType host) { read(out, host); }});
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  const detail::core::Called called("Tensor::to_vector");
  const detail::Wanted wanted{.dtype = dtype(), .shape = shape(), .node = node_.get()};
  return detail::with_memory(wanted, [this] { return values<T>(); });
}

template <class T>
T Tensor::item() const {
  const detail::core::Called called("Tensor::item");
  detail::check_item(shape());
  if constexpr (detail::TensorScalar<T>) {
    if (info(dtype()).computed == dtype_of<T>) {
      T value{};
      read(&value, dtype_of<T>);
      return value;
    }
  }
  return values<T>()[0];
}

}  // namespace trigon
