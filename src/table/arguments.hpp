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

namespace trigon::detail::table {

using Json = nlohmann::json;

/// The tensors of a call by number.
class TensorSource {
 public:
  TensorSource() = default;
  TensorSource(const TensorSource&) = delete;
  TensorSource& operator=(const TensorSource&) = delete;
  virtual ~TensorSource() = default;
  virtual Tensor get(std::int64_t id) const = 0;
};

/// An argument of a call. A tensor is {"tensor": number}, and {"scalar": 0.5} a Scalar, which is an
/// integer with "integer": true. Numbers that JSON cannot hold are texts: "NaN", "Infinity",
/// "-Infinity" or "-0".
struct Argument {
  const TensorSource& tensors;
  std::string_view function;
  std::string_view name;
  const Json& value;

  Argument with(const Json& item) const { return {tensors, function, name, item}; }
  /// Raises Error `trigon::<function>: bad argument: ...`.
  [[noreturn]] void fail(std::string_view rule) const;
};

/// Whether a value is a tensor's, see Argument.
bool is_tensor(const Json& value);

/// A list of whole numbers, or one.
struct Integers {
  std::vector<std::int64_t> values;
  bool is_list;
};

struct AxisPair {
  int first;
  int second;
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

#define TRIGON_TYPE(CPP, NAME)                 \
  template <>                                  \
  struct Type<CPP> {                           \
    static constexpr const char* name = NAME;  \
    static CPP read(const Argument& argument); \
  };
TRIGON_TYPE(Tensor, "Tensor")
TRIGON_TYPE(std::vector<Tensor>, "Tensor[]")
TRIGON_TYPE(Scalar, "Scalar")
TRIGON_TYPE(Axes, "number | number[] | null")
TRIGON_TYPE(Shape, "number[]")
TRIGON_TYPE(Dims, "number[]")
TRIGON_TYPE(DType, "DType")
TRIGON_TYPE(random::Key, "Key")
TRIGON_TYPE(std::vector<Index>, "Index[]")
TRIGON_TYPE(std::vector<PadWidth>, "number | number[] | number[][]")
TRIGON_TYPE(Integers, "number | number[]")
TRIGON_TYPE(AxisPair, "number[]")
TRIGON_TYPE(ProductAxes, "number | number[][]")
TRIGON_TYPE(Number, "number")
TRIGON_TYPE(std::vector<int>, "number[]")
TRIGON_TYPE(int, "number")
TRIGON_TYPE(std::int64_t, "number")
TRIGON_TYPE(double, "number")
TRIGON_TYPE(bool, "boolean")
TRIGON_TYPE(std::string, "string")
TRIGON_TYPE(nn::Gelu, "'none' | 'tanh'")
TRIGON_TYPE(nn::Reduction, "'mean' | 'sum' | 'none'")
#undef TRIGON_TYPE

template <class T>
struct Type<std::optional<T>> {
  static std::optional<T> read(const Argument& argument) {
    if (argument.value.is_null()) return std::nullopt;
    return Type<T>::read(argument);
  }
  static constexpr const char* name = Type<T>::name;
};

}  // namespace trigon::detail::table
