// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "handles.hpp"

namespace web {

using Json = nlohmann::json;

/// An argument of a call: tensors are {"tensor": number}; what JSON cannot hold is a text, "NaN",
/// "Infinity", "-Infinity" or "-0".
struct Argument {
  const Handles& handles;
  std::string_view function;
  std::string_view name;
  const Json& value;

  Argument with(const Json& part) const { return {handles, function, name, part}; }
  /// Raises Error `trigon::<function>: bad argument: ...`.
  [[noreturn]] void fail(std::string_view rule) const;
};

/// A list of whole numbers, or one.
struct Integers {
  std::vector<std::int64_t> values;
  bool is_list;
};

/// The axes that tensordot sums over: the last and first `count`, or those listed.
struct ProductAxes {
  int count = 2;
  std::optional<std::pair<std::vector<int>, std::vector<int>>> listed{};
};

/// Numbers of arange(): all whole, or not.
struct Number {
  double value;
  bool is_whole;
};

/// How a C++ type is read, and what it is called in the table. Raises Error for a wrong type.
template <class T>
struct Type;

#define WEB_TYPE(CPP, NAME)                    \
  template <>                                  \
  struct Type<CPP> {                           \
    static constexpr const char* name = NAME;  \
    static CPP read(const Argument& argument); \
  };
WEB_TYPE(trigon::Tensor, "Tensor")
WEB_TYPE(std::vector<trigon::Tensor>, "Tensor[]")
WEB_TYPE(trigon::Scalar, "Scalar")
WEB_TYPE(trigon::Axes, "number | number[] | null")
WEB_TYPE(trigon::Shape, "number[]")
WEB_TYPE(trigon::Dims, "number[]")
WEB_TYPE(trigon::DType, "DType")
WEB_TYPE(trigon::random::Key, "Key")
WEB_TYPE(std::vector<trigon::Index>, "Index[]")
WEB_TYPE(std::vector<trigon::PadWidth>, "number | number[] | number[][]")
WEB_TYPE(Integers, "number | number[]")
WEB_TYPE(ProductAxes, "number | number[][]")
WEB_TYPE(Number, "number")
WEB_TYPE(std::vector<int>, "number[]")
WEB_TYPE(int, "number")
WEB_TYPE(std::int64_t, "number")
WEB_TYPE(double, "number")
WEB_TYPE(bool, "boolean")
WEB_TYPE(std::string, "string")
WEB_TYPE(trigon::nn::Gelu, "'none' | 'tanh'")
WEB_TYPE(trigon::nn::Reduction, "'mean' | 'sum' | 'none'")
#undef WEB_TYPE

template <class T>
struct Type<std::optional<T>> {
  static std::optional<T> read(const Argument& argument) {
    if (argument.value.is_null()) return std::nullopt;
    return Type<T>::read(argument);
  }
  static constexpr const char* name = Type<T>::name;
};

}  // namespace web
