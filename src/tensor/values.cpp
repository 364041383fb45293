// SPDX-License-Identifier: MIT
#include "trigon/values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "graph/named.hpp"
#include "trigon/device.hpp"

namespace trigon {
namespace {

using detail::Nested;

/// The numbers of a braced list in C order; each list of a level must be as long as its first.
struct Flat {
  Shape shape{};
  Nested::Kind kind = Nested::Kind::truth;
  std::vector<double> values{};

  void measure(const Nested& nested) {
    const Nested* first = &nested;
    while (first->kind == Nested::Kind::list) {
      shape.push_back(static_cast<std::int64_t>(first->list.size()));
      if (first->list.size() == 0) return;
      first = first->list.begin();
    }
  }

  // Recurses at most eight levels: push_back rejects more axes.
  void fill(const Nested& nested, int level) {
    const bool is_list = nested.kind == Nested::Kind::list;
    const std::int64_t size = is_list ? static_cast<std::int64_t>(nested.list.size()) : -1;
    const std::int64_t wanted = level < shape.rank() ? shape[level] : -1;
    if (size != wanted) refuse(level, size, wanted);
    if (!is_list) {
      kind = std::max(kind, nested.kind);
      values.push_back(nested.value);
    }
    for (const Nested& one : nested.list) fill(one, level + 1);
  }

  [[noreturn]] static void refuse(int level, std::int64_t size, std::int64_t wanted) {
    const auto text = [](std::int64_t n) {
      return n < 0 ? std::string("a number") : fmt::format("a list of {}", n);
    };
    core::fail_in(
        "Tensor",
        "ragged list: at level {} stand {} and {}; all items of a level must be of one size", level,
        text(wanted), text(size));
  }
};

constexpr DTypeInfo int32_info = info(DType::int32);

template <class T>
std::vector<T> converted(const std::vector<double>& values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(static_cast<T>(value));
  return result;
}

/// The name of the host type for reading elements of `dtype`.
std::string_view host_type(DType dtype) {
  switch (info(dtype).computed) {
    case DType::boolean: return "bool";
    case DType::uint8: return "std::uint8_t";
    case DType::int32: return "int";
    case DType::uint32: return "std::uint32_t";
    default: return "float";
  }
}

template <class T>
std::vector<double> widened(const detail::HostReader& from) {
  std::vector<T> values(static_cast<std::size_t>(from.size));
  from.read(values.data(), dtype_of<T>);
  return {values.begin(), values.end()};
}

}  // namespace

Tensor::Tensor(std::initializer_list<detail::Nested> values) {
  const Nested nested(values);
  Flat flat;
  flat.measure(nested);
  flat.fill(nested, 0);
  if (flat.values.empty() || flat.kind == Nested::Kind::floating) {
    const std::vector<float> floats = converted<float>(flat.values);
    *this = from_host(floats.data(), float32, flat.shape);
  } else if (flat.kind == Nested::Kind::truth) {
    const std::vector<std::uint8_t> bytes = converted<std::uint8_t>(flat.values);
    *this = from_host(bytes.data(), boolean, flat.shape);
  } else {
    const core::Called called("Tensor");
    for (const double value : flat.values) {
      if (value >= int32_info.lowest && value <= int32_info.highest) continue;
      detail::refuse_integer(fmt::format("{:.0f}", value), "int32",
                             static_cast<std::int64_t>(int32_info.lowest),
                             static_cast<std::int64_t>(int32_info.highest));
    }
    const std::vector<std::int32_t> integers = converted<std::int32_t>(flat.values);
    *this = from_host(integers.data(), int32, flat.shape);
  }
}

std::vector<double> detail::read_doubles(const HostReader& from) {
  switch (info(from.dtype).computed) {
    case DType::int32: return widened<std::int32_t>(from);
    case DType::uint32: return widened<std::uint32_t>(from);
    case DType::uint8: return widened<std::uint8_t>(from);
    default: return widened<float>(from);
  }
}

void detail::refuse_dtype(DType dtype, std::string_view asked) {
  // If the member takes a type, such as item<int>(), the error names it with the right type.
  const std::string_view called(core::called_function());
  const std::string_view member = called.substr(called.rfind(':') + 1);
  const std::string call =
      member == "read" ? "" : fmt::format("write {}<{}>(), or ", member, host_type(dtype));
  core::fail(
      "read as another dtype: tensor is {}, read as {}; must be {}\n  hint: {}cast with astype",
      name(dtype), asked, name(info(dtype).computed), call);
}

std::vector<std::int64_t> detail::read_integers(const HostReader& from, const char* type,
                                                std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> result;
  result.reserve(static_cast<std::size_t>(from.size));
  for (const double value : read_doubles(from)) {
    const auto integer = static_cast<std::int64_t>(value);
    if (integer < low || integer > high) {
      refuse_integer(std::to_string(integer), type, low, high);
    }
    result.push_back(integer);
  }
  return result;
}

void detail::refuse_integer(const std::string& value, const char* type, std::int64_t low,
                            std::int64_t high) {
  core::fail("integer out of range: value is {}; {} holds integers in [{}, {}]", value, type, low,
             high);
}

void detail::check_count(std::size_t count, const Shape& shape) {
  const core::Called called("tensor");
  const std::int64_t wanted = shape.numel();
  if (static_cast<std::int64_t>(count) == wanted) return;
  core::fail("number of values differs: {} values, shape is {}; must be {}", count,
             to_string(shape), wanted);
}

void detail::check_item(const Shape& shape) {
  const std::int64_t count = shape.numel();
  if (count == 1) return;
  core::fail("item of {} elements: shape is {}; size must be 1", count, to_string(shape));
}

std::int64_t detail::row_count(const Tensor& x, const Shape& row) {
  graph::check_operand("x", x);
  Shape wanted = row;
  wanted.insert(0, x.ndim() == 0 ? 0 : x.shape()[0]);
  if (x.shape() == wanted) return wanted[0];
  core::fail("shape does not fit: x is {}; it must be {}", to_string(x.shape()), to_string(wanted));
}

}  // namespace trigon
