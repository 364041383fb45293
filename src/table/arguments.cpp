// SPDX-License-Identifier: MIT
#include "table/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "graph/node.hpp"

namespace trigon::detail::table {

namespace {

// Nothing if the value is not a number.
std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  static const std::map<std::string, double> special{
      {"NaN", std::numeric_limits<double>::quiet_NaN()},
      {"Infinity", std::numeric_limits<double>::infinity()},
      {"-Infinity", -std::numeric_limits<double>::infinity()},
      {"-0", -0.0}};
  const auto found = special.find(value.get<std::string>());
  if (found == special.end()) return std::nullopt;
  return found->second;
}

bool is_whole(double value) {
  return std::trunc(value) == value && std::abs(value) <= 9'007'199'254'740'992;  // 2^53
}

// {"scalar": 0.5} is a Scalar; with "integer": true it is int32.
bool is_scalar(const Json& value) { return value.is_object() && value.contains("scalar"); }

std::int64_t whole(const Argument& argument);

Scalar scalar_in(const Argument& argument) {
  const Json& value = argument.value;
  if (value.value("integer", false)) return Scalar(whole(argument.with(value["scalar"])));
  return Scalar(Type<double>::read(argument.with(value["scalar"])));
}

std::int64_t whole(const Argument& argument) {
  const auto value = number_in(argument.value);
  if (!value || !is_whole(*value)) argument.fail("must be a whole number");
  return static_cast<std::int64_t>(*value);
}

std::vector<std::int64_t> whole_numbers(const Argument& argument) {
  std::vector<std::int64_t> values;
  if (!argument.value.is_array()) return {whole(argument)};
  for (const Json& one : argument.value) values.push_back(whole(argument.with(one)));
  return values;
}

std::vector<int> ints(const Argument& argument) {
  std::vector<int> values;
  for (const std::int64_t one : whole_numbers(argument)) {
    if (!std::in_range<int>(one)) argument.fail("must be in the range of int32");
    values.push_back(static_cast<int>(one));
  }
  return values;
}

// nlohmann's own comparison makes a value of the text; if memory runs out there, the program ends.
bool is_text(const Json& value, std::string_view text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

// One of the words, which are the values 0, 1, ... of an enumeration.
template <class E>
E word(const Argument& argument, std::initializer_list<const char*> words) {
  int k = 0;
  for (const char* one : words) {
    if (is_text(argument.value, one)) return static_cast<E>(k);
    ++k;
  }
  argument.fail(fmt::format("must be one of {}", fmt::join(words, ", ")));
}

}  // namespace

bool is_tensor(const Json& value) { return value.is_object() && value.contains("tensor"); }

void Argument::fail(std::string_view rule) const {
  const std::string given = is_tensor(value)   ? "a tensor"
                            : is_scalar(value) ? "a Scalar"
                                               : value.dump();
  core::fail_in(std::string(function).c_str(), "bad argument: {} is {}; {}", name, given, rule);
}

Tensor Type<Tensor>::read(const Argument& argument) {
  const Json& value = argument.value;
  if (is_tensor(value)) return argument.tensors.get(value.at("tensor").get<std::int64_t>());
  if (is_scalar(value)) return scalar_in(argument);
  if (value.is_null()) return {};
  if (value.is_boolean()) return Tensor(value.get<bool>());
  const auto number = number_in(value);
  if (!number) argument.fail("must be a tensor or a number");
  // JavaScript has one kind of number: a whole one counts as an integer.
  const bool is_integer = is_whole(*number) && !(*number == 0 && std::signbit(*number));
  return is_integer ? Tensor(static_cast<std::int64_t>(*number)) : Tensor(*number);
}

std::vector<Tensor> Type<std::vector<Tensor>>::read(const Argument& argument) {
  if (!argument.value.is_array()) argument.fail("must be a list of tensors");
  std::vector<Tensor> tensors;
  for (const Json& one : argument.value) {
    tensors.push_back(Type<Tensor>::read(argument.with(one)));
  }
  return tensors;
}

Scalar Type<Scalar>::read(const Argument& argument) {
  const Json& value = argument.value;
  if (is_tensor(value)) {
    const Tensor tensor = argument.tensors.get(value.at("tensor").get<std::int64_t>());
    const graph::NodePtr& node = Internals::node(tensor);
    if (node->kind != graph::Kind::scalar) {
      argument.fail(
          "must be a number, or a Scalar for one that changes; take(x, indices, axis) reads by a "
          "tensor of indices");
    }
    return Internals::scalar(node);
  }
  if (is_scalar(value)) return scalar_in(argument);
  const auto number = number_in(value);
  if (!number) argument.fail("must be a number");
  if (is_whole(*number)) return Scalar(static_cast<std::int64_t>(*number));
  return Scalar(*number);
}

Axes Type<Axes>::read(const Argument& argument) {
  if (argument.value.is_null()) return {};
  return Axes(ints(argument));
}

Shape Type<Shape>::read(const Argument& argument) { return Shape(whole_numbers(argument)); }

Dims Type<Dims>::read(const Argument& argument) { return Dims(whole_numbers(argument)); }

DType Type<DType>::read(const Argument& argument) {
  for (const DTypeInfo& one : dtype_table) {
    if (is_text(argument.value, one.name)) return one.dtype;
  }
  argument.fail("must be one of float32, float16, int32, uint32, uint8, bool");
}

// [7, 3] is fold_in(7, 3).
random::Key Type<random::Key>::read(const Argument& argument) {
  const Json& value = argument.value;
  const auto one = [&](const Json& item) -> random::Key {
    if (item.is_object()) return Type<Tensor>::read(argument.with(item));
    return whole(argument.with(item));
  };
  if (!value.is_array()) return one(value);
  if (value.empty()) argument.fail("must be an integer or a list of integers, not empty");
  random::Key key = one(value[0]);
  for (std::size_t k = 1; k < value.size(); ++k) key = random::fold_in(key, one(value[k]));
  return key;
}

namespace {

const char* const index_rule =
    "an entry must be a whole number, null, \"...\", a slice such as \"1:3\", {start, stop, step} "
    "or {start, size}";

// "1:3", ":", "::2", "...", "2".
Index parse_entry(const Argument& argument) {
  const std::string text = argument.value.get<std::string>();
  if (text == "...") return ellipsis;
  std::vector<std::optional<std::int64_t>> numbers(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    if (end > at) {
      std::size_t used = 0;
      try {
        numbers.back() = std::stoll(text.substr(at, end - at), &used);
      } catch (const std::exception&) {
        argument.fail(index_rule);
      }
      if (used != end - at) argument.fail(index_rule);
    }
    if (end < text.size()) numbers.emplace_back();
    at = end + 1;
  }
  if (numbers.size() == 1 && numbers[0]) return *numbers[0];
  if (numbers.size() < 2 || numbers.size() > 3) argument.fail(index_rule);
  Slice slice{.start = numbers[0], .stop = numbers[1]};
  if (numbers.size() == 3 && numbers[2]) slice.step = *numbers[2];
  return slice;
}

Index read_entry(const Argument& argument) {
  const Json& value = argument.value;
  if (value.is_null()) return newaxis;
  if (value.is_string()) return parse_entry(argument);
  if (is_tensor(value) || is_scalar(value)) return Type<Scalar>::read(argument);
  if (!value.is_object()) return whole(argument);
  const auto member = [&](const char* name) -> std::optional<std::int64_t> {
    const auto found = value.find(name);
    if (found == value.end() || found->is_null()) return std::nullopt;
    return whole(argument.with(*found));
  };
  if (value.contains("size")) {
    const auto size = member("size");
    if (!value.contains("start") || !size) argument.fail(index_rule);
    return Window{Type<Scalar>::read(argument.with(value["start"])), *size};
  }
  return Slice{member("start"), member("stop"), member("step").value_or(1)};
}

}  // namespace

std::vector<Index> Type<std::vector<Index>>::read(const Argument& argument) {
  if (!argument.value.is_array()) return {read_entry(argument)};
  std::vector<Index> entries;
  for (const Json& one : argument.value) entries.push_back(read_entry(argument.with(one)));
  return entries;
}

std::vector<PadWidth> Type<std::vector<PadWidth>>::read(const Argument& argument) {
  const auto pair = [&](const Json& value) -> PadWidth {
    const std::vector<std::int64_t> sides = whole_numbers(argument.with(value));
    if (sides.empty() || sides.size() > 2) argument.fail("must be pairs [before, after]");
    return {sides.front(), sides.back()};
  };
  const Json& value = argument.value;
  const bool is_nested = value.is_array() && !value.empty() && value[0].is_array();
  if (!is_nested) return {pair(value)};
  std::vector<PadWidth> widths;
  for (const Json& one : value) widths.push_back(pair(one));
  return widths;
}

Integers Type<Integers>::read(const Argument& argument) {
  return {whole_numbers(argument), argument.value.is_array()};
}

ProductAxes Type<ProductAxes>::read(const Argument& argument) {
  const Json& value = argument.value;
  if (!value.is_array()) return {.count = Type<int>::read(argument)};
  if (value.size() != 2) argument.fail("must be a number or two lists of axes");
  return {.listed = std::pair(ints(argument.with(value[0])), ints(argument.with(value[1])))};
}

AxisPair Type<AxisPair>::read(const Argument& argument) {
  const std::vector<int> axes = ints(argument);
  if (axes.size() != 2) argument.fail("must be two axes");
  return {axes[0], axes[1]};
}

Number Type<Number>::read(const Argument& argument) {
  const double value = Type<double>::read(argument);
  return {value, is_whole(value)};
}

std::vector<int> Type<std::vector<int>>::read(const Argument& argument) { return ints(argument); }

int Type<int>::read(const Argument& argument) {
  if (argument.value.is_array()) argument.fail("must be a whole number");
  return ints(argument)[0];
}

std::int64_t Type<std::int64_t>::read(const Argument& argument) { return whole(argument); }

double Type<double>::read(const Argument& argument) {
  const auto value = number_in(argument.value);
  if (!value) argument.fail("must be a number");
  return *value;
}

bool Type<bool>::read(const Argument& argument) {
  if (!argument.value.is_boolean()) argument.fail("must be true or false");
  return argument.value.get<bool>();
}

std::string Type<std::string>::read(const Argument& argument) {
  if (!argument.value.is_string()) argument.fail("must be a text");
  return argument.value.get<std::string>();
}

// PyTorch's words.
nn::Gelu Type<nn::Gelu>::read(const Argument& argument) {
  return word<nn::Gelu>(argument, {"none", "tanh"});
}

nn::Reduction Type<nn::Reduction>::read(const Argument& argument) {
  return word<nn::Reduction>(argument, {"mean", "sum", "none"});
}

}  // namespace trigon::detail::table
