// SPDX-License-Identifier: MIT
#include "emit/bodies.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/list.hpp"
#include "core/quote.hpp"
#include "glsl_text/words.hpp"

namespace trigon::detail::emit {
namespace {

constexpr std::array<char, 4> lane_names{'x', 'y', 'z', 'w'};
constexpr std::string_view mark = "//@";

std::string uniform(std::int32_t index) {
  return fmt::format("u_i[{}].{}", index / 4, item(lane_names, index % 4));
}

/// The function through which a body reads a raw input.
class Accessor {
 public:
  Accessor(const kernel::Kernel& kernel, const Dialect& dialect, std::int32_t id)
      : kernel_(kernel), dialect_(dialect), raw_(kernel[id].get<kernel::Raw>()) {}

  std::string text(std::string_view name, DType dtype, std::size_t number, std::size_t input) {
    const std::size_t indices = raw_.by_number() ? 1 : raw_.sizes.size();
    std::string parameters;
    for (std::size_t k = 0; k < indices; ++k) {
      parameters += fmt::format("{}int i{}", k > 0 ? ", " : "", k);
    }
    std::string body = guards(indices, number, input);
    body += fmt::format("  {} e = {};\n", index(), uniform(raw_.place.offset));
    body += raw_.by_number() ? by_number() : by_axes();
    return fmt::format("{} {}({}) {{\n{}{}}}\n", dialect_.element_type(dtype), name, parameters,
                       body, fetch(dtype));
  }

 private:
  std::string_view index() const { return dialect_.index_type(); }
  std::string count() const { return uniform(raw_.count); }
  std::string size(std::size_t axis) const { return uniform(raw_.sizes[axis]); }
  std::string stride(std::size_t axis) const { return uniform(raw_.strides[axis]); }

  std::string guards(std::size_t indices, std::size_t number, std::size_t input) const {
    std::string text;
    for (std::size_t k = 0; kernel_.check && k < indices; ++k) {
      text += fmt::format("  guard_({}.0, {}.0, float(i{}), float({}));\n", number, 8 * input + k,
                          k, raw_.by_number() ? count() : size(k));
    }
    return text;
  }
  std::string clamped(std::size_t k, const std::string& size) const {
    return fmt::format("clamp({}(i{}), {}, {} - {})", index(), k, dialect_.number(0), size,
                       dialect_.number(1));
  }
  std::string by_axes() const {
    std::string text;
    for (std::size_t k = 0; k < raw_.sizes.size(); ++k) {
      text += fmt::format("  e += {} * {};\n", clamped(k, size(k)), stride(k));
    }
    return text;
  }
  std::string by_number() const {
    std::string text = fmt::format("  {} n = {};\n", index(), clamped(0, count()));
    for (std::size_t k = raw_.sizes.size(); k-- > 1;) {
      text +=
          fmt::format("  {0} q{1} = div_(n, {2});\n  e += (n - q{1} * {2}) * {3};\n  n = q{1};\n",
                      index(), k, size(k), stride(k));
    }
    return text + fmt::format("  e += n * {};\n", stride(0));
  }
  std::string inverse(kernel::Operand side) const {
    if (side < 0) return "";
    const std::int32_t index = kernel_[side].get<kernel::Uniform>().value;
    return fmt::format("u_f[{}].{}", index / 4, item(lane_names, index % 4));
  }
  std::string fetch(DType dtype) const {
    std::string text = fmt::format("  {0} y = div_(e, {1});\n  {0} x = e - y * {1};\n", index(),
                                   uniform(raw_.place.pitch));
    if (raw_.layered()) {
      text += fmt::format(
          "  {0} s = div_(y, {1});\n  {0} g = div_(s, {2});\n"
          "  {0} layer = s - g * {2};\n  y = g * {1} + y - s * {1};\n",
          index(), uniform(raw_.place.slab), uniform(raw_.place.layers));
    }
    const std::string texel = dialect_.fetch(
        raw_.input,
        dialect_.column("x", inverse(raw_.place.inverse_width), false, raw_.elements_per_texel),
        dialect_.row("y", inverse(raw_.place.inverse_height), false),
        raw_.layered() ? "layer" : "");
    const std::string four = dialect_.decoded(texel, raw_.encoding, "x");
    const std::string element = fmt::format("pick_({}, {})", four, dialect_.component("x"));
    return text + fmt::format("  return {};\n", raw_.encoding < 0
                                                    ? dialect_.from_texel(element, dtype)
                                                    : dialect_.to_element(element, dtype));
  }

  const kernel::Kernel& kernel_;
  const Dialect& dialect_;
  const kernel::Raw& raw_;
};

/// The text, with loops that count their trips if `check`.
std::string counted(std::string_view text, bool check) {
  return check ? glsl_text::with_each_iteration(text, "if (!trip_()) {} else ") : std::string(text);
}

/// The function that computes one element.
std::string element_function(const KernelSpec& spec, const std::string& written,
                             const std::string& name,
                             const std::map<std::string, std::string>& names, bool check,
                             const Dialect& dialect) {
  std::string list;
  const auto add = [&](std::string_view qualifier, std::string_view type, const std::string& own) {
    core::append_text(list, fmt::format("{}{} {}", qualifier, type, own));
  };
  for (const KernelSpec::Parameter& input : spec.inputs) {
    if (input.access != Access::element) continue;
    add("", dialect.element_type(input.dtype), names.at(input.name));
  }
  for (const KernelSpec::Number& number : spec.numbers) add("", "int", number.name);
  for (const KernelSpec::Parameter& output : spec.outputs) {
    add("out ", dialect.element_type(output.dtype), names.at(output.name));
  }
  const std::string text =
      marked(spec.name, spec.section, counted(glsl_text::renamed(written, names), check));
  const std::string_view type = dialect.element_type(spec.outputs[0].dtype);
  if (!spec.is_expression) return fmt::format("void {}({}) {{\n{};}}\n", name, list, text);
  return fmt::format("void {}({}) {{\n{} = {}(\n{});}}\n", name, list,
                     names.at(spec.outputs[0].name), type, text);
}

/// The function that computes four lanes, one after the other.
std::string lanes_function(const Body& body, const std::string& element, std::size_t number,
                           bool check, const Dialect& dialect) {
  const KernelSpec& spec = body.op->kernel();
  std::string list, locals, zeros;
  const auto add = [&](std::string_view type, char kind, std::size_t k) {
    core::append_text(list, fmt::format("{} {}{}", type, kind, k));
  };
  std::array<std::string, 4> arguments, results;
  const auto pass = [&](DType dtype, std::string_view type, char kind, std::size_t k) {
    add(type, kind, k);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::string value = fmt::format("{}{}.{}", kind, k, lane_names[lane]);
      core::append_text(arguments[lane], dialect.to_element(value, dtype));
    }
  };
  for (std::size_t k = 0; k < spec.inputs.size(); ++k) {
    const KernelSpec::Parameter& input = spec.inputs[k];
    if (input.access != Access::element) continue;
    pass(input.dtype, dialect.lanes_of(input.dtype), 'a', k);
  }
  for (std::size_t k = 0; k < spec.numbers.size(); ++k) {
    pass(DType::int32, dialect.lanes_of(DType::int32), 'n', k);
  }
  if (body.masked) add("vec4", 'm', 0);
  for (std::size_t k = 0; k < spec.outputs.size(); ++k) {
    const DType dtype = spec.outputs[k].dtype;
    add(fmt::format("out {}", dialect.lanes_of(dtype)), 'r', k);
    locals += fmt::format("  {} e{};\n", dialect.element_type(dtype), k);
    zeros += fmt::format("  e{} = {}(0);\n", k, dialect.element_type(dtype));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      core::append_text(arguments[lane], fmt::format("e{}", k));
      results[lane] += fmt::format(" r{}.{} = {};", k, lane_names[lane],
                                   dialect.from_element(fmt::format("e{}", k), dtype));
    }
  }
  std::string text = fmt::format("void {}({}) {{\n{}", own_name(spec.name, number), list, locals);
  if (check) text += fmt::format("  kernel_ = {}.0;\n", number);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const std::string call = fmt::format("{}({});", element, arguments[lane]);
    text += body.masked ? fmt::format("{}  if (m0.{} != 0.0) {}{}\n", zeros, lane_names[lane], call,
                                      results[lane])
                        : fmt::format("  {}{}\n", call, results[lane]);
  }
  return text + "}\n";
}

/// The function of one of the library's own kernels, which computes all lanes at once.
std::string vector_function(const KernelSpec& spec, const std::string& name,
                            const Dialect& dialect) {
  std::string list;
  const auto add = [&](std::string_view qualifier, const KernelSpec::Parameter& one) {
    core::append_text(list,
                      fmt::format("{}{} {}", qualifier, dialect.lanes_of(one.dtype), one.name));
  };
  for (const KernelSpec::Parameter& input : spec.inputs) add("", input);
  for (const KernelSpec::Parameter& output : spec.outputs) add("out ", output);
  return fmt::format("void {}({}) {{ {}; }}\n", name, list, spec.body);
}

}  // namespace

Body body_of(const kernel::Call& call) {
  Body body{.op = &op_of(call.op)};
  const KernelSpec& spec = body.op->kernel();
  for (std::size_t k = 0; k < spec.inputs.size(); ++k) {
    const bool is_raw = spec.inputs[k].access != Access::element;
    body.accesses.push_back(is_raw ? std::int32_t{call.arguments[k]} : -1);
  }
  body.masked = call.mask >= 0;
  return body;
}

std::vector<Body> bodies_in(const kernel::Kernel& kernel) {
  std::vector<Body> bodies;
  for (const kernel::Instr& instr : kernel.code) {
    const auto* call = instr.as<kernel::Call>();
    if (call == nullptr) continue;
    core::place_in(bodies, body_of(*call));
  }
  return bodies;
}

std::vector<const Op*> reductions_in(const kernel::Kernel& kernel) {
  std::vector<const Op*> ops;
  for (const kernel::Instr& instr : kernel.code) {
    if (!instr.is<kernel::Lift>() && !instr.is<kernel::Combine>()) continue;
    const Op& op = op_of(op_number(instr));
    if (!op.reduce().per_element) continue;
    core::place_in(ops, &op);
  }
  return ops;
}

std::string own_name(std::string_view name, std::size_t number) {
  return fmt::format("{}_k{}", name, number);
}

std::string without_own_names(std::string_view text) {
  std::map<std::string, std::string> names;
  for (const glsl_text::Word& word : glsl_text::words_of(text)) {
    const std::size_t at = word.text.rfind("_k");
    if (at == std::string_view::npos || at == 0 || at + 2 == word.text.size()) continue;
    const std::string_view digits = word.text.substr(at + 2);
    const bool number = std::all_of(digits.begin(), digits.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (number) names.emplace(word.text, word.text.substr(0, at));
  }
  return glsl_text::renamed(text, names);
}

std::string marked(std::string_view kernel, std::string_view section, std::string_view text) {
  // A line of the user's text must not look like a mark.
  std::string own;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = core::take_line(rest);
    own += fmt::format("{}{}\n", line.starts_with(mark) ? " " : "", line);
  }
  return fmt::format("{} {}: {}\n{}{}\n", mark, kernel, section, own, mark);
}

std::string preamble_text(std::string_view kernel, std::string_view preamble, std::size_t number,
                          bool check, std::map<std::string, std::string>& names) {
  if (preamble.empty()) return "";
  for (const std::string& name : glsl_text::names_defined_in(preamble)) {
    // The zero makes these names differ from those of the kernel's functions.
    const bool is_kernels = name.starts_with(kernel);
    names[name] = is_kernels ? fmt::format("{}_k0{}", name, number) : own_name(name, number);
  }
  return marked(kernel, "preamble", counted(glsl_text::renamed(preamble, names), check));
}

std::string functions_of(const Body& body, std::size_t number, const kernel::Kernel& kernel,
                         const Dialect& dialect) {
  const KernelSpec& spec = body.op->kernel();
  if (!spec.is_of_user()) return vector_function(spec, own_name(spec.name, number), dialect);
  std::map<std::string, std::string> names;
  for (const auto& [letter, dtype] : spec.letters) names[letter] = dialect.element_type(dtype);
  // A parameter's name may be a GLSL keyword, such as "out".
  for (const auto* parameters : {&spec.inputs, &spec.outputs}) {
    for (const KernelSpec::Parameter& one : *parameters) {
      names[one.name] = own_name(one.name, number);
    }
  }
  std::string text;
  std::set<std::string> raw;
  for (std::size_t k = 0; k < spec.inputs.size(); ++k) {
    if (body.accesses[k] < 0) continue;
    raw.insert(spec.inputs[k].name);
    const KernelSpec::Parameter& input = spec.inputs[k];
    text +=
        Accessor(kernel, dialect, body.accesses[k]).text(names[input.name], input.dtype, number, k);
  }
  text += preamble_text(spec.name, glsl_text::with_calls(spec.preamble, raw), number, kernel.check,
                        names);
  const std::string element = own_name(spec.name + "_element", number);
  text += element_function(spec, glsl_text::with_calls(spec.body, raw), element, names,
                           kernel.check, dialect);
  // Macros of a body are visible only within it.
  for (const std::string& macro : glsl_text::macros_defined_in(spec.body)) {
    text += fmt::format("#undef {}\n", glsl_text::renamed(macro, names));
  }
  return text + lanes_function(body, element, number, kernel.check, dialect);
}

UserLine user_line(std::string_view source, int line) {
  UserLine found, only;
  int sections = 0, begin = 0, number = 0;
  int behind = 0;  // the line after a section: some drivers name it if it ends too early
  const auto read_mark = [](std::string_view text, UserLine& user) {
    text.remove_prefix(std::min(mark.size() + 1, text.size()));
    const std::size_t colon = text.find(": ");
    user.kernel = text.substr(0, colon);
    user.section = text.substr(colon + 2);
  };
  UserLine inside, last;
  while (!source.empty()) {
    const std::string_view text = core::take_line(source);
    ++number;
    if (text == mark) {
      begin = 0;
      behind = number + 1;
    } else if (text.starts_with(mark)) {
      read_mark(text, inside);
      begin = number;
      behind = 0;
      only = inside;
      ++sections;
    } else if (begin > 0) {
      last = inside;
      last.number = number - begin;
      last.text = text;
    }
    if (number == line && (begin > 0 ? number > begin : number == behind)) found = last;
  }
  if (!found.kernel.empty()) return found;
  return sections == 1 ? only : UserLine{};
}

std::string written_line(const kernel::Kernel& kernel, const UserLine& line) {
  std::string found = without_own_names(line.text);
  for (const Body& body : bodies_in(kernel)) {
    const KernelSpec& spec = body.op->kernel();
    if (spec.name != line.kernel) continue;
    std::string_view text;
    if (line.section == spec.section) text = spec.body;
    if (line.section == "preamble") text = spec.preamble;
    for (int number = 1; !text.empty(); ++number) {
      const std::string_view own = core::take_line(text);
      if (number == line.number) found = own;
    }
  }
  return found;
}

}  // namespace trigon::detail::emit
