// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "core/hash.hpp"

// The fields of a plain struct, in the order of their declaration. So hashes and walks need no list
// of them.

namespace trigon::detail::kernel {

/// Stands for any field when they are counted.
struct AnyField {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <class T, class... Fields>
constexpr std::size_t field_count() {
  if constexpr (requires { T{Fields{}..., AnyField{}}; }) {
    return field_count<T, Fields..., AnyField>();
  } else {
    return sizeof...(Fields);
  }
}

template <class T>
constexpr bool is_list = requires(T& x) {
  x.begin();
};
template <class T>
constexpr bool is_plain_struct = std::is_class_v<T>&& std::is_aggregate_v<T> && !is_list<T>;

/// References to the fields of a struct with at most eight.
template <class T>
constexpr auto fields(T& x) {
  constexpr std::size_t count = field_count<std::remove_const_t<T>>();
  static_assert(count <= 8);
  if constexpr (count == 0) {
    return std::tuple<>();
  } else if constexpr (count == 1) {
    auto& [a] = x;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = x;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else {
    auto& [a, b, c, d, e, f, g, h] = x;
    return std::tie(a, b, c, d, e, f, g, h);
  }
}

/// Calls f with each field of type T, also those in lists and in structs.
template <class T, class Field, class F>
constexpr void each_field(Field& field, F& f) {
  using Plain = std::remove_const_t<Field>;
  if constexpr (std::is_same_v<Plain, T>) {
    f(field);
  } else if constexpr (is_list<Plain>) {
    for (auto& one : field) each_field<T>(one, f);
  } else if constexpr (is_plain_struct<Plain>) {
    std::apply([&f](auto&... all) { (each_field<T>(all, f), ...); }, fields(field));
  }
}

/// Extends a hash by a field or by all fields of a struct.
template <class Field>
constexpr std::uint64_t mix_fields(std::uint64_t seed, const Field& field) {
  if constexpr (is_list<Field>) {
    for (const auto& one : field) seed = mix_fields(seed, one);
  } else if constexpr (is_plain_struct<Field>) {
    std::apply([&seed](const auto&... all) { ((seed = mix_fields(seed, all)), ...); },
               fields(field));
  } else {
    seed = core::mix(seed, static_cast<std::int32_t>(field));
  }
  return seed;
}

/// Bytes that the lists of a struct take outside of it.
template <class Field>
constexpr std::size_t list_bytes(const Field& field) {
  std::size_t sum = 0;
  if constexpr (requires { field.capacity(); }) {
    sum = field.capacity() * sizeof(field[0]);
  } else if constexpr (is_plain_struct<Field>) {
    std::apply([&sum](const auto&... all) { ((sum += list_bytes(all)), ...); }, fields(field));
  }
  return sum;
}

}  // namespace trigon::detail::kernel
