// SPDX-License-Identifier: MIT
#include "emit/functions.hpp"

#include <array>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/list.hpp"
#include "glsl_text/words.hpp"

namespace trigon::detail::emit {
namespace {

using core::Type;

constexpr std::array<std::string_view, 3> type_names{"vec4", "ivec4", "uvec4"};
constexpr std::array<char, 3> suffixes{'f', 'i', 'u'};

std::string_view type_name(Type type) { return item(type_names, type); }
char suffix(Type type) { return item(suffixes, type); }

struct Text {
  const char* glsl;
  const char* glsl_int;
  bool condition_first = false;
};

Text text_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return {op.unary().glsl, op.unary().glsl_int};
    case Family::binary: return {op.binary().glsl, op.binary().glsl_int};
    default: return {op.ternary().glsl, op.ternary().glsl_int, op.ternary().condition_first};
  }
}

std::string parameters(std::string_view qualifier, std::string_view type, char name, int count) {
  std::string list;
  for (int k = 0; k < count; ++k) {
    list += fmt::format("{}{} {} {}{}", k > 0 ? ", " : "", qualifier, type, name, k);
  }
  return list;
}

}  // namespace

std::string Functions::prefix(const Op& op) {
  const std::size_t place = core::place_in(ids_[op.name], op.id);
  return place == 0 ? fmt::format("op_{}", op.name) : fmt::format("op{}_{}", place + 1, op.name);
}

std::string Functions::elementwise(const Op& op, Type type, Type result) {
  const std::string name = fmt::format("{}_{}", prefix(op), suffix(type));
  if (!known_.insert(name).second) return name;
  const Text text = text_of(op);
  const bool whole = type != Type::f && text.glsl_int != nullptr;
  const std::string_view operand = type_name(type);
  std::string list;
  if (op.family == Family::unary) {
    list = fmt::format("{} x", operand);
  } else {
    list = fmt::format("{} a, {} b", text.condition_first ? "vec4" : operand, operand);
    if (op.family == Family::ternary) list += fmt::format(", {} c", operand);
  }
  text_ += fmt::format("{} {}({}) {{ return {}; }}\n", type_name(result), name, list,
                       whole ? text.glsl_int : text.glsl);
  return name;
}

std::string Functions::per_element(const Op& op, bool identity, Type type, bool masked) {
  const ReduceSpec& spec = op.reduce();
  // All registers of GLSL ES 1.00 are floats.
  const Dialect dialect(type == Type::f && is_integer(spec.element));
  const auto [place, is_new] = reductions_.try_emplace(op.id);
  if (is_new) {
    place->second.number = first_reduction + reductions_.size() - 1;
    place->second.names["uint"] = dialect.element_type(DType::uint32);
    text_ += preamble_text(spec.name.get(), spec.preamble, place->second.number, check_,
                           place->second.names);
  }
  const std::size_t number = place->second.number;
  std::map<std::string, std::string> names = place->second.names;
  if (!identity) {
    // The operands hide names of the preamble.
    names.erase("a");
    names.erase("b");
  }
  const std::string_view element = dialect.element_type(spec.element);
  const std::string name =
      own_name(fmt::format("{}_{}", spec.name.get(), identity ? "identity" : "reduce"), number);
  const char* expression = identity ? spec.identity : spec.combine;
  text_ += fmt::format("{0} {1}({2}) {{\nreturn {0}(\n{3});}}\n", element, name,
                       identity ? "" : fmt::format("{0} a, {0} b", element),
                       marked(spec.name.get(), identity ? "identity" : "reduce expression",
                              glsl_text::renamed(expression, names)));
  if (identity) return fmt::format("a0 = T({});", dialect.from_element(name + "()", spec.element));
  std::string lanes, statements;
  if (check_) statements = fmt::format("kernel_ = {}.0; ", number);
  for (const char lane : {'x', 'y', 'z', 'w'}) {
    const auto operand = [&](char of) {
      return dialect.to_element(fmt::format("{}0.{}", of, lane), spec.element);
    };
    const std::string call = fmt::format("{}({}, {})", name, operand('a'), operand('b'));
    const std::string result = dialect.from_element(call, spec.element);
    core::append_text(lanes, result);
    if (masked) statements += fmt::format("if (m0.{0} != 0.0) a0.{0} = {1}; ", lane, result);
  }
  return masked ? statements : fmt::format("{}a0 = T({});", statements, lanes);
}

std::string Functions::kernel(const Body& body, const kernel::Kernel& kernel,
                              const Dialect& dialect) {
  const bool is_new = !core::contains(bodies_, body);
  const std::size_t number = core::place_in(bodies_, body) + 1;
  if (is_new) text_ += functions_of(body, number, kernel, dialect);
  return own_name(body.op->name, number);
}

std::string Functions::reduce(const Op& op, ReduceStep step, Type type, bool masked) {
  static constexpr std::array<std::string_view, 4> steps{"identity", "lift", "combine", "finish"};
  static_assert(steps.size() == core::rows_through(ReduceStep::finish));
  const ReduceSpec& spec = op.reduce();
  const std::string name =
      fmt::format("{}_{}_{}{}", prefix(op), item(steps, step), masked ? "some_" : "", suffix(type));
  if (!known_.insert(name).second) return name;
  std::string list, own;
  const char* body = nullptr;
  switch (step) {
    case ReduceStep::identity:
      list = parameters("out", "T", 'a', spec.accumulators);
      body = spec.identity;
      if (spec.per_element) own = per_element(op, true, type, masked);
      break;
    case ReduceStep::lift:
      list = "T x, T i, " + parameters("out", "T", 'a', spec.accumulators);
      body = spec.lift;
      if (spec.per_element) own = "a0 = x;";
      break;
    case ReduceStep::combine:
      list = parameters("inout", "T", 'a', spec.accumulators) + ", " +
             parameters("", "T", 'b', spec.accumulators);
      if (masked) list += ", vec4 m0";
      body = spec.combine;
      if (spec.per_element) own = per_element(op, false, type, masked);
      break;
    case ReduceStep::finish:
      list = parameters("", "T", 'a', spec.accumulators) + ", " +
             parameters("out", "T", 'y', spec.outputs);
      body = spec.finish;
      if (spec.per_element) own = "y0 = a0;";
      break;
  }
  if (spec.per_element) body = own.c_str();
  static constexpr std::array<std::string_view, 3> lowest{"(-INF_)", "(-2147483647 - 1)", "0u"};
  static constexpr std::array<std::string_view, 3> highest{"INF_", "2147483647", "4294967295u"};
  text_ += fmt::format(
      "#define T {}\n#define LOWEST_ {}\n#define HIGHEST_ {}\nvoid {}({}) {{ {} }}\n"
      "#undef T\n#undef LOWEST_\n#undef HIGHEST_\n",
      type_name(type), item(lowest, type), item(highest, type), name, list, body);
  return name;
}

}  // namespace trigon::detail::emit
