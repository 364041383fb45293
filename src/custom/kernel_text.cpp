// SPDX-License-Identifier: MIT
#include "custom/kernel_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/list.hpp"
#include "core/quote.hpp"
#include "glsl_text/tokens.hpp"
#include "glsl_text/words.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"

namespace trigon::detail::custom {
namespace {

constexpr std::array<std::pair<std::string_view, DType>, 3> glsl_types{
    {{"float", DType::float32}, {"int", DType::int32}, {"uint", DType::uint32}}};

std::optional<DType> type_named(std::string_view type) {
  for (const auto& [glsl, dtype] : glsl_types) {
    if (glsl == type) return dtype;
  }
  for (const DTypeInfo& info : dtype_table) {
    if (info.name == type) return info.dtype;
  }
  return std::nullopt;
}

// WebGL 1 allows names of 256 characters, and some names get a suffix.
constexpr std::size_t longest_name = 200;
constexpr std::string_view name_rule =
    "must consist of letters, digits and underscores, at most 200 of them";

bool is_fit(std::string_view name) {
  return name.size() <= longest_name && glsl_text::is_name(name);
}

bool is_letter(std::string_view type) {
  return type.size() == 1 && std::isupper(static_cast<unsigned char>(type[0])) != 0;
}

/// Whether a word of GLSL cannot be a name in a kernel. Others, such as "out" and "sample", can:
/// they are renamed.
bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 33> words{
      "attribute", "bool",    "break",  "case",   "const",    "continue", "default",
      "discard",   "do",      "else",   "false",  "flat",     "float",    "for",
      "highp",     "if",      "int",    "layout", "lowp",     "main",     "mediump",
      "precision", "return",  "smooth", "struct", "switch",   "true",     "uint",
      "uniform",   "varying", "void",   "while",  "invariant"};
  static constexpr std::array<std::string_view, 5> of_several{"vec", "ivec", "uvec", "bvec", "mat"};
  if (core::contains(words, name)) return true;
  const bool numbered = !name.empty() && name.back() >= '2' && name.back() <= '4';
  return numbered && core::contains(of_several, name.substr(0, name.size() - 1));
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

KernelParameter parse(std::string_view text) {
  const std::vector<std::string_view> words = split_at(text, " \t\n");
  const bool has_access = words.size() == 3 && (words[0] == "raw" || words[0] == "rawnd");
  if ((words.size() != 2 && !has_access) || !is_fit(words.back())) {
    core::fail("parameter is malformed: {}; write [raw | rawnd] TYPE NAME",
               core::quote(fmt::format("{}", fmt::join(words, " "))));
  }
  KernelParameter parameter{.name = std::string(words.back())};
  if (has_access) parameter.access = words[0] == "raw" ? Access::raw : Access::rawnd;
  const std::string_view type = words[words.size() - 2];
  const std::optional<DType> dtype = type_named(type);
  if (!dtype && !is_letter(type)) {
    core::fail(
        "unknown type: {} of {}; must be a capital letter, float32, float16, int32, "
        "uint32, uint8, bool, float, int or uint",
        core::quote(type), parameter.name);
  }
  if (dtype) parameter.dtype = *dtype;
  if (!dtype) parameter.letter = std::string(type);
  return parameter;
}

std::vector<KernelParameter> parse_all(std::string_view list) {
  std::vector<KernelParameter> parameters;
  for (std::string_view piece : split_at(list, ",")) {
    if (piece.find_first_not_of(" \t\n") == std::string_view::npos) continue;
    parameters.push_back(parse(piece));
  }
  return parameters;
}

void check_name(const std::string& name) {
  if (!is_fit(name)) {
    core::fail("name is malformed: {}; {}", core::quote(name), name_rule);
  }
  if (is_keyword(name)) {
    core::fail("name is reserved: {}; it is a word of GLSL", name);
  }
  const bool reserved = name == "i" || name.starts_with("gl_") || name.ends_with('_') ||
                        name.find("__") != std::string::npos || name.starts_with("u_");
  if (reserved) {
    core::fail(
        "name is reserved: {}; must not be i, begin with gl_ or u_, end with _ or hold "
        "two of them in a row",
        name);
  }
}

/// Host numbers and Scalars yield to the dtypes of tensors.
bool yields(const Tensor& x) {
  return Internals::node(x)->weak || Internals::node(x)->kind == graph::Kind::scalar;
}

/// The k of "_x_k" and "_x_shape_k", or -1.
int number_after(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return -1;
  const std::string_view digits = word.substr(prefix.size());
  return digits.size() == 1 && digits[0] >= '0' && digits[0] <= '9' ? digits[0] - '0' : -1;
}

void check_axis(const KernelText& text, std::string_view word, int axis, std::string_view name,
                const Shape& shape) {
  if (axis < shape.rank()) return;
  core::fail("no such axis: {} has {}; {} is {}", text.section, word, name, to_string(shape));
}

/// Raises Error for a value that neither the kernel nor the body declares. Calls may be of GLSL's
/// functions, and what stands before a name may be one of its types.
void check_names(const KernelText& text) {
  if (text.body.find('#') != text.body.npos) return;  // a directive has words of its own
  std::vector<std::string> names;
  std::set<std::string_view> known{"i"};
  for (const auto* parameters : {&text.inputs, &text.outputs}) {
    for (const KernelParameter& one : *parameters) {
      known.insert(one.letter);
      known.insert(one.name);
      if (!one.name.starts_with('_')) names.push_back(one.name);
    }
  }
  const std::vector<std::string> defined = glsl_text::names_defined_in(text.preamble);
  known.insert(defined.begin(), defined.end());
  for (const glsl_text::Word& word : glsl_text::words_of(text.body)) {
    const bool is_value = word.binding == glsl_text::Binding::free && word.after != '(' &&
                          !glsl_text::continues_word(word.after);
    const bool is_ours = word.text.starts_with('_') || word.text.starts_with("gl_");
    if (!is_value || is_ours || is_keyword(word.text) || known.contains(word.text)) continue;
    core::fail("unknown name: {} in line {} of the {}; must be declared there, or be one of {}",
               is_fit(word.text) ? std::string(word.text) : core::quote(word.text),
               glsl_text::line_of(text.body, word.at), text.section, fmt::join(names, ", "));
  }
}

}  // namespace

std::vector<KernelParameter> parse_inputs(std::string_view list) { return parse_all(list); }

std::vector<KernelParameter> parse_outputs(std::string_view list) {
  std::vector<KernelParameter> parameters = parse_all(list);
  if (parameters.empty()) {
    core::fail("no output: {}; there must be one", core::quote(list));
  }
  for (const KernelParameter& output : parameters) {
    if (output.access == Access::element) continue;
    core::fail("output is raw: {}; only inputs can be", output.name);
  }
  return parameters;
}

std::string_view glsl_type(DType dtype) {
  if (dtype == DType::boolean) return "bool";
  if (info(dtype).kind == NumberKind::floating) return "float";
  return dtype == DType::int32 ? "int" : "uint";
}

void check_kernel_name(const char* constructor, std::string_view name) {
  if (is_fit(name)) return;
  core::fail_in(constructor, "name of the kernel is malformed: {}; {}", core::quote(name),
                name_rule);
}

bool uses(std::string_view body, std::string_view name) {
  const std::vector<glsl_text::Word> words = glsl_text::words_of(body);
  return std::any_of(words.begin(), words.end(), [&](const glsl_text::Word& word) {
    return word.text == name && word.binding == glsl_text::Binding::free;
  });
}

void check_use(const KernelText& text, std::string_view name) {
  if (uses(text.body, name)) return;
  check_names(text);
  core::fail("name is not used: {}; the {} must use it", name, text.section);
}

void check_words(const KernelText& text, std::string_view section, std::string_view body) {
  std::set<std::string_view> letters;
  for (const auto* parameters : {&text.inputs, &text.outputs}) {
    for (const KernelParameter& one : *parameters) letters.insert(one.letter);
  }
  for (const glsl_text::Word& word : glsl_text::words_of(body)) {
    const auto refuse = [&](std::string_view what, std::string_view rule) {
      core::fail("{}: {} in line {} of the {}; {}", what,
                 is_fit(word.text) ? std::string(word.text) : core::quote(word.text),
                 glsl_text::line_of(body, word.at), section, rule);
    };
    if (word.text == "discard") {
      refuse("word is not allowed", "every element gets a value; return ends the body");
    }
    if (word.declares && letters.contains(word.text)) {
      refuse("name is given twice", "it is a type");
    }
    const std::size_t at = word.text.rfind("_k");
    const bool ours = at != std::string_view::npos && at + 2 < word.text.size() &&
                      word.text.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
    if (ours) refuse("name is reserved", "must not end with _k and a number");
  }
}

void check_preamble(const KernelText& text) {
  check_words(text, "preamble", text.preamble);
  const std::vector<std::string> defined = glsl_text::names_defined_in(text.preamble);
  for (const KernelParameter& input : text.inputs) {
    if (input.access == Access::element || !core::contains(defined, input.name)) continue;
    core::fail("name is given twice: {}; the preamble defines it, too", input.name);
  }
}

void check_kernel(const KernelText& text) {
  check_words(text, text.section, text.body);
  check_preamble(text);
  std::set<std::string> names, letters;
  for (const auto* parameters : {&text.inputs, &text.outputs}) {
    for (const KernelParameter& parameter : *parameters) {
      check_name(parameter.name);
      if (!names.insert(parameter.name).second) {
        core::fail("name is given twice: {}; each parameter needs its own", parameter.name);
      }
      const bool is_output = parameters == &text.outputs;
      if (!is_output) letters.insert(parameter.letter);
      if (is_output && !parameter.letter.empty() && !letters.contains(parameter.letter)) {
        core::fail("unknown type letter: {} of {}; an input must have it", parameter.letter,
                   parameter.name);
      }
    }
  }
  for (const std::string& name : names) {
    if (!letters.contains(name)) continue;
    core::fail("name is given twice: {}; it is a type", name);
  }
}

Letters letters_of(const KernelText& text, std::span<const Tensor> arguments) {
  const core::Called called(text.name.c_str());
  if (arguments.size() != text.inputs.size()) {
    std::vector<std::string_view> names;
    for (const KernelParameter& input : text.inputs) names.push_back(input.name);
    core::fail("wrong number of arguments: {}; must be {} ({})", arguments.size(), names.size(),
               fmt::join(names, ", "));
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    graph::check_operand(text.inputs[k].name, arguments[k]);
  }
  // Without tensors, the number of the highest kind decides.
  std::map<std::string, NumberKind> highest;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    NumberKind& kind = highest[text.inputs[k].letter];
    kind = std::max(kind, info(arguments[k].dtype()).kind);
  }
  Letters letters;
  std::map<std::string, std::string_view> first;
  for (const bool weak : {false, true}) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const KernelParameter& input = text.inputs[k];
      if (yields(arguments[k]) != weak) continue;
      const DType dtype = arguments[k].dtype();
      const bool fixed = input.letter.empty();
      const bool decides = !weak || info(dtype).kind == highest[input.letter];
      if (!fixed && !letters.contains(input.letter) && !decides) continue;
      if (!fixed && letters.try_emplace(input.letter, info(dtype).computed).second) {
        first[input.letter] = input.name;
        continue;
      }
      const DType wanted = fixed ? input.dtype : letters.at(input.letter);
      const bool fits = weak ? info(dtype).kind <= info(wanted).kind
                             : dtype == wanted || (!fixed && info(dtype).computed == wanted);
      if (fits) continue;
      if (fixed) {
        core::fail("dtype does not fit: {} is {}; must be {}; cast with astype", input.name,
                   name(dtype), name(wanted));
      }
      core::fail("dtypes differ: {} is {} in {} and {} in {}; cast with astype", input.letter,
                 name(wanted), first[input.letter], name(dtype), input.name);
    }
  }
  return letters;
}

DType dtype_of_parameter(const KernelParameter& parameter, const Letters& letters) {
  return info(parameter.letter.empty() ? parameter.dtype : letters.at(parameter.letter)).computed;
}

Shape result_shape(const KernelText& text, std::span<const Tensor> arguments, const Shape* wanted) {
  const core::Called called(text.name.c_str());
  Shape shape;
  bool known = wanted != nullptr;
  if (known) shape = *wanted;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (text.inputs[k].access != Access::element) continue;
    const Shape& own = arguments[k].shape();
    known = true;
    const std::optional<Shape> both = broadcast(shape, own);
    if (!both || (wanted != nullptr && !(*both == shape))) {
      core::fail(
          "shapes do not broadcast: {} is {}, {} {}; axes must be equal or 1, counted "
          "from the last",
          text.inputs[k].name, to_string(own),
          wanted != nullptr ? "the result is" : "the inputs before it are", to_string(shape));
    }
    shape = *both;
  }
  if (!known) {
    core::fail(
        "no shape: no input is read element by element; pass the shape of the result to call()");
  }
  return shape;
}

std::vector<Tensor> prepared(const KernelText& text, const Letters& letters,
                             std::span<const Tensor> arguments, const Shape& shape) {
  const core::Called called(text.name.c_str());
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const KernelParameter& input = text.inputs[k];
    const Tensor x = graph::cast(arguments[k], dtype_of_parameter(input, letters));
    const bool raw = input.access != Access::element;
    if (raw && x.size() == 0 && shape.numel() > 0) {
      core::fail("raw input without elements: {} is {}; there is nothing to read", input.name,
                 to_string(x.shape()));
    }
    inputs.push_back(raw ? x : graph::expand(x, shape));
  }
  return inputs;
}

KernelSpec resolved(const KernelText& text, const Letters& letters, std::span<const Tensor> inputs,
                    const Shape& shape) {
  const core::Called called(text.name.c_str());
  KernelSpec spec{.name = text.name,
                  .section = text.section,
                  .body = text.body,
                  .is_expression = text.is_expression,
                  .preamble = text.preamble};
  for (const KernelParameter& input : text.inputs) {
    spec.inputs.push_back({input.name, dtype_of_parameter(input, letters), input.access});
  }
  for (const KernelParameter& output : text.outputs) {
    spec.outputs.push_back({output.name, dtype_of_parameter(output, letters), Access::element});
  }
  for (const auto& [letter, dtype] : letters) {
    if (is_letter(letter)) spec.letters.emplace_back(letter, dtype);
  }
  std::set<std::string_view> seen;
  const std::string axis_prefix = fmt::format("_{}_", text.outputs[0].name);
  for (const glsl_text::Word& word : glsl_text::words_of(text.body)) {
    if (word.text != "i" && !word.text.starts_with('_')) continue;
    if (!seen.insert(word.text).second || !uses(text.body, word.text)) continue;
    KernelSpec::Number number{.name = std::string(word.text)};
    if (word.text == "i") spec.numbers.push_back(number);
    if (word.text == "_ind_size") {
      number.what = KernelSpec::What::size;
      spec.numbers.push_back(number);
    }
    if (const int axis = number_after(word.text, axis_prefix); axis >= 0) {
      check_axis(text, word.text, axis, "the result", shape);
      number.what = KernelSpec::What::index;
      number.axis = axis;
      spec.numbers.push_back(number);
    }
    for (std::size_t k = 0; k < text.inputs.size(); ++k) {
      if (text.inputs[k].access == Access::element) continue;
      const int axis = number_after(word.text, fmt::format("_{}_shape_", text.inputs[k].name));
      if (axis < 0) continue;
      check_axis(text, word.text, axis, text.inputs[k].name, inputs[k].shape());
      number.what = KernelSpec::What::extent;
      number.axis = axis;
      number.input = static_cast<int>(k);
      spec.numbers.push_back(number);
    }
  }
  return spec;
}

}  // namespace trigon::detail::custom
