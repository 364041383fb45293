// SPDX-License-Identifier: MIT
// Writes what pages about the functions show, and the C++ of its examples as a program:
//   functions FUNCTIONS.json PROGRAM.inc EXAMPLES.md HEADER...
// An example of the table becomes a program in JavaScript and one in C++, which print the same.
// EXAMPLES.md has those that are written by hand. examples_gl_test.cpp runs the C++.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ops_reference/headers.hpp"
#include "support/errors.hpp"
#include "support/example_values.hpp"
#include "support/public_calls.hpp"

namespace {

using ops_reference::Function;
using trigon::detail::table::Example;
using trigon::detail::table::Parameter;
using trigon::detail::table::Row;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

// How a language writes values.
struct Language {
  bool is_cpp;
  char open, close;  ///< of a list
};
constexpr Language cpp{true, '{', '}'}, js{false, '[', ']'};

template <class Items, class F>
std::string list_of(const Items& items, F&& text) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
  return all;
}

// ---- Operands

// Whether an op's operands are best whole numbers: it compares, or asks whether one is 0.
bool is_of_whole_numbers(const Row& row, std::size_t k) {
  return row.op->visit([&](const auto& spec) {
    if constexpr (requires { spec.condition_first; })
      return spec.condition_first && k == 0;
    else if constexpr (requires { trigon::Result(spec.result); }) {
      return trigon::Result(spec.result) == trigon::Result::boolean;
    } else
      return false;
  });
}

// Few values of an op's domain, which show what it does.
std::vector<double> values_of(const Row& row, const Example& example, std::size_t k) {
  std::vector<double> values = trigon::support::example_values(row, example, k);
  const trigon::DType dtype = example.operands[k].dtype;
  if (row.op == nullptr || dtype == trigon::boolean) return values;
  const trigon::Range domain = trigon::support::domain_of(row, k);
  const double low = std::max(domain.low, -2.0),
               high = std::max(low + 1, std::min(domain.high, 2.0));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at =
        std::fmod(0.618 * static_cast<double>(i + 1) + 0.37 * static_cast<double>(k), 1);
    values[i] = low + (high - low) * at;
    if (is_of_whole_numbers(row, k)) values[i] = std::round(values[i]);
    if (!is_float(dtype)) values[i] = static_cast<double>((3 * i + 2 * k + 1) % 5);
  }
  return values;
}

std::string number(double value, trigon::DType dtype) {
  if (dtype == trigon::boolean) return value != 0 ? "true" : "false";
  if (!is_float(dtype)) return fmt::format("{:g}", value);
  const std::string text = fmt::format("{:g}", std::round(value * 100) / 100);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

// Nested lists of the values from `at` on.
std::string nested(const Language& in, const std::vector<double>& values, std::size_t& at,
                   const trigon::detail::table::Operand& operand, int axis) {
  if (axis == operand.shape.rank()) return number(values[at++], operand.dtype);
  std::string text;
  for (std::int64_t k = 0; k < operand.shape[axis]; ++k) {
    text += (k == 0 ? "" : ", ") + nested(in, values, at, operand, axis + 1);
  }
  return in.open + text + in.close;
}

// "const x = t.tensor([0.1, 0.72]);\n"
std::string declaration(const Language& in, const Row& row, const Example& example, std::size_t k,
                        const std::string& name) {
  const auto& operand = example.operands[k];
  const std::vector<double> values = values_of(row, example, k);
  std::size_t at = 0;
  const std::string list = nested(in, values, at, operand, 0);
  const std::string dtype(trigon::name(operand.dtype));
  const bool is_said = operand.dtype != trigon::boolean && operand.dtype != trigon::float32;
  if (!in.is_cpp) {
    return fmt::format("const {} = t.tensor({}{});\n", name, list,
                       is_said ? ", {dtype: '" + dtype + "'}" : "");
  }
  if (operand.shape.rank() == 0) return fmt::format("Tensor {} = full({{}}, {});\n", name, list);
  const bool is_cast = is_said && operand.dtype != trigon::int32;
  return is_cast ? fmt::format("Tensor {} = Tensor{}.astype({});\n", name, list, dtype)
                 : fmt::format("Tensor {} = {};\n", name, list);
}

// The names of an example's operands: those of the parameters, and a, b, ... in a list.
std::vector<std::string> names_of(const Row& row, const Example& example) {
  std::vector<std::string> names(example.operands.size());
  for (std::size_t k = 0; k < example.arguments.size(); ++k) {
    const Json& argument = example.arguments[k];
    const auto name = [&](const Json& value, const std::string& text) {
      if (value.is_object()) names[value["tensor"].get<std::size_t>()] = text;
    };
    name(argument, row.parameters[k].name);
    for (std::size_t n = 0; argument.is_array() && n < argument.size(); ++n) {
      name(argument[n], std::string(1, static_cast<char>('a' + n)));
    }
  }
  return names;
}

// ---- Calls

// An entry of an index: a number, null or a slice such as "1:".
std::string index_entry(const Language& in, const Json& value) {
  if (value.is_null()) return in.is_cpp ? "newaxis" : "null";
  if (!value.is_string()) return value.dump();
  const std::string text = value;
  if (!in.is_cpp) return "'" + text + "'";
  if (!text.ends_with(':')) throw std::runtime_error("an index of another form: " + text);
  return fmt::format("Slice{{{}}}", text.substr(0, text.size() - 1));
}

std::string argument_text(const Language& in, const Parameter& parameter, const Json& value,
                          const std::vector<std::string>& operands) {
  // C++ has words for these texts.
  static const std::map<std::string, std::string> words{
      {"DType", ""},
      {"'none' | 'tanh'", "nn::Gelu::"},
      {"'mean' | 'sum' | 'none'", "nn::Reduction::"}};
  if (value.is_object()) return operands.at(value["tensor"].get<std::size_t>());
  if (value.is_null()) return in.is_cpp ? "{}" : "null";
  if (value.is_array()) {
    const std::string items = list_of(
        value, [&](const Json& item) { return argument_text(in, parameter, item, operands); });
    if (in.is_cpp && parameter.type == "Key") return "random::fold_in(" + items + ")";
    return in.open + items + in.close;
  }
  if (!value.is_string()) return value.dump();
  if (!in.is_cpp) return fmt::format("'{}'", value.get<std::string>());
  const auto word = words.find(parameter.type);
  return word == words.end() ? value.dump() : word->second + value.get<std::string>();
}

// The number of arguments before those that C++ takes as options with names.
std::size_t positional_in_cpp(const Row& row) {
  static const std::map<std::string, std::size_t> counts{{"eye", 2}};
  const auto found = counts.find(row.name);
  return found == counts.end() ? row.parameters.size() : found->second;
}

std::string js_name(const Row& row) {
  const std::size_t colons = row.name.find("::");
  return colons == std::string::npos
             ? row.name
             : row.name.substr(0, colons) + "." + row.name.substr(colons + 2);
}

// "x.sum(1)", "t.concatenate([a, b])", "x.at(1).get()"; in C++ "sum(x, 1)".
std::string call_text(const Language& in, const Row& row, const Json& arguments,
                      const std::vector<std::string>& operands) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    all.push_back(argument_text(in, row.parameters[k], arguments[k], operands));
  }
  const auto same = [](const std::string& text) { return text; };
  static const std::map<std::string, std::string> parts{
      {"index", "get"}, {"set_at", "set"}, {"add_at", "add"}};
  if (const auto part = parts.find(row.name); part != parts.end()) {
    const std::string entries =
        list_of(arguments[1], [&](const Json& entry) { return index_entry(in, entry); });
    return fmt::format("{}.at({}).{}({})", all[0], entries, part->second,
                       all.size() > 2 ? all[2] : "");
  }
  if (in.is_cpp) {
    const std::size_t plain = std::min(positional_in_cpp(row), all.size());
    std::string text =
        list_of(std::vector(all.begin(), all.begin() + static_cast<int>(plain)), same);
    for (std::size_t k = plain; k < all.size(); ++k) {
      text += fmt::format("{}.{} = {}", k == plain ? ", {" : ", ", row.parameters[k].name, all[k]);
    }
    return row.name + "(" + text + (plain < all.size() ? "})" : ")");
  }
  const std::string& first = row.parameters[0].name;
  const bool is_method = row.parameters[0].type == "Tensor" && (first == "x" || first == "a") &&
                         js_name(row) == row.name;
  if (!is_method) return fmt::format("t.{}({})", js_name(row), list_of(all, same));
  const std::vector<std::string> rest(all.begin() + 1, all.end());
  return fmt::format("{}.{}({})", all[0], row.name, list_of(rest, same));
}

// Without the arguments that the text leaves out.
Json given(const Example& example) {
  const auto& all = example.arguments;
  return Json(std::vector<Json>(all.begin(), all.begin() + static_cast<int>(example.given)));
}

// Statements that print a call's tensors.
std::string printing(const Language& in, const Row& row, const std::string& call) {
  if (row.count == 1) {
    return in.is_cpp ? fmt::format("std::cout << {} << '\\n';\n", call)
                     : fmt::format("await {}.print();\n", call);
  }
  if (in.is_cpp && row.count == 2) {
    return fmt::format(
        "const auto [first, second] = {};\n"
        "std::cout << first << '\\n' << second << '\\n';\n",
        call);
  }
  if (in.is_cpp) {
    return fmt::format("for (const Tensor& y : {}) std::cout << y << '\\n';\n", call);
  }
  return fmt::format("for (const y of {}{}) await y.print();\n",
                     row.count.is_null() ? "await " : "", call);
}

std::string program(const Language& in, const Row& row, const std::string& text) {
  const Example example = read_example(row, text);
  const std::vector<std::string> names = names_of(row, example);
  std::string code;
  for (std::size_t k = 0; k < example.operands.size(); ++k) {
    code += declaration(in, row, example, k, names[k]);
  }
  return code + printing(in, row, call_text(in, row, given(example), names));
}

// ---- Entries

// A call that is refused, with the library's sentence.
Ordered refusal(const Row& row, const std::string& text) {
  const Example example = read_example(row, text);
  std::vector<std::string> operands;
  for (const auto& [shape, dtype, name] : example.operands) {
    const bool is_float32 = dtype == trigon::float32;
    const std::string sizes = list_of(shape, [](std::int64_t n) { return std::to_string(n); });
    operands.push_back(fmt::format("t.ones([{}]{})", sizes,
                                   is_float32 ? "" : fmt::format(", '{}'", trigon::name(dtype))));
  }
  const std::string error = trigon::support::error_of(
      [&] { return trigon::detail::table::call(row, example, trigon::leaves(example)); });
  return {{"js", call_text(js, row, given(example), operands)}, {"error", error}};
}

// The paragraphs of a comment without its examples.
std::string text_of(const std::string& comment) {
  std::string text;
  for (std::size_t at = 0; at < comment.size();) {
    const std::size_t end = std::min(comment.find("\n\n", at), comment.size());
    const std::string paragraph = comment.substr(at, end - at);
    if (!paragraph.starts_with("    ")) text += (text.empty() ? "" : "\n\n") + paragraph;
    at = end + 2;
  }
  return text;
}

// An op's domain in the table is the range from which tests draw.
std::string gradient_of(const Row& row) {
  if (row.op == nullptr || row.facts.gradient.empty()) return gradient_text(row.facts);
  return "where it is defined, to any order";
}

using Written = std::map<std::string, Ordered>;  // examples by name

Ordered entry_of(const Row& row, const std::vector<Function>& functions, Written& written) {
  Ordered entry{{"name", row.name}, {"js", js_name(row)}};
  const auto found = std::ranges::find(functions, row.name, &Function::name);
  if (found != functions.end()) {
    entry["cpp"] = found->declaration;
    entry["text"] = text_of(found->comment);
  } else if (!row.facts.of_pages) {
    throw std::runtime_error("no header has a comment of " + row.name);
  }
  if (!row.facts.like.empty()) entry["like"] = row.facts.like;
  if (*row.facts.left_out != '\0') entry["left_out"] = row.facts.left_out;
  if (row.function != nullptr) {
    entry["gradient"] = gradient_of(row);
    entry["count"] = row.count;
    for (const Parameter& one : row.parameters) {
      Ordered parameter{{"name", one.name}, {"type", one.type}};
      if (one.by_default) parameter["default"] = *one.by_default;
      entry["parameters"].push_back(std::move(parameter));
    }
  }
  Ordered& examples = entry["examples"] = Ordered::array();
  for (const char* text : row.facts.examples) {
    examples.push_back({{"js", program(js, row, text)}, {"cpp", program(cpp, row, text)}});
  }
  const auto more = written.find(js_name(row));
  if (more != written.end()) {
    for (Ordered& one : more->second) examples.push_back(std::move(one));
    written.erase(more);
  }
  for (const auto& [arguments, wrong] : row.facts.refused) {
    entry["refused"].push_back(refusal(row, arguments));
  }
  return entry;
}

// "## name", then blocks of js, of cpp and of what is printed: one of the latter two, or both where
// the languages print different texts.
Written read_written(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Written written;
  std::string name, language, block;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```") && !is_inside) {
      language = line == "```" ? "printed" : line.substr(3);
      if (language == "js") written[name].push_back(Ordered::object());
    } else if (line.starts_with("```")) {
      written.at(name).back()[language] = std::exchange(block, "");
    } else if (is_inside) {
      block += line + "\n";
    } else if (line.starts_with("## ")) {
      name = line.substr(3);
    }
    if (line.starts_with("```")) is_inside = !is_inside;
  }
  return written;
}

Ordered everything(const std::string& examples, const std::vector<std::string>& headers) {
  std::vector<Function> functions;
  for (const std::string& path : headers) {
    for (Function& one : ops_reference::functions_of(path)) functions.push_back(std::move(one));
  }
  Written written = read_written(examples);
  Ordered all{{"chapters", Ordered::array()}};
  for (const trigon::detail::table::Chapter& chapter : trigon::detail::table::chapters()) {
    Ordered entries = Ordered::array();
    for (const Row& row : chapter.rows) entries.push_back(entry_of(row, functions, written));
    all["chapters"].push_back({{"title", chapter.title}, {"functions", std::move(entries)}});
  }
  for (auto& [name, list] : written) all["module"][name] = std::move(list);
  return all;
}

// A function for each example in C++, and their places in the file.
void write_program(std::ostream& file, const Ordered& all) {
  std::string rows;
  int count = 0;
  const auto flat = all.flatten();
  for (const auto& [place, value] : flat.items()) {
    if (!place.ends_with("/cpp") || place.find("/examples/") == std::string::npos) {
      if (!place.ends_with("/cpp") || !place.starts_with("/module/")) continue;
    }
    const std::string code = value;
    file << "void example_" << count << "() {\n" << code << "}\n\n";
    rows += fmt::format("  {{\"{}\", &example_{}}},\n", place.substr(0, place.size() - 4), count++);
  }
  file << "const Example examples[] = {\n" << rows << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 5) throw std::runtime_error("usage: functions JSON INC EXAMPLES.md HEADER...");
    const Ordered all = everything(argv[3], {argv + 4, argv + argc});
    std::ofstream json(argv[1]), program(argv[2]);
    json << all.dump(1) << "\n";
    write_program(program, all);
    if (!json.flush() || !program.flush()) throw std::runtime_error("cannot write its files");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "functions: " << error.what() << "\n";
    return 1;
  }
}
