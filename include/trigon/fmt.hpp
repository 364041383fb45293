// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <fmt/format.h>

#include <trigon/print.hpp>

// fmt::print("{}", x) for tensors, shapes and dtypes. trigon.hpp does not include this header,
// since it needs fmt. Format specifications are those of strings: "{:>20}" aligns.

template <>
struct fmt::formatter<trigon::Tensor> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const trigon::Tensor& x, Context& context) const {
    return fmt::formatter<std::string_view>::format(trigon::to_string(x), context);
  }
};

template <>
struct fmt::formatter<trigon::Selection> : fmt::formatter<trigon::Tensor> {};

template <>
struct fmt::formatter<trigon::Shape> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const trigon::Shape& shape, Context& context) const {
    return fmt::formatter<std::string_view>::format(trigon::to_string(shape), context);
  }
};

template <>
struct fmt::formatter<trigon::DType> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(trigon::DType dtype, Context& context) const {
    return fmt::formatter<std::string_view>::format(trigon::name(dtype), context);
  }
};
