// SPDX-License-Identifier: MIT
// Prints the manual of all public functions from the headers' comments, the table of functions and,
// for declared ops, their entries in the registry.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "headers.hpp"
#include "table/table.hpp"

namespace {

using ops_reference::Function;
using trigon::Op;
using trigon::detail::table::Row;

constexpr const char* help =
    "usage: ops_reference [--output FILE] HEADER...\n"
    "\n"
    "Prints the manual of all public functions as Markdown.\n"
    "\n"
    "  -o, --output FILE   file to write in place of standard output\n"
    "  -h, --help          this text\n"
    "\n"
    "Each text is the comment above the function in one of the headers; a function without one\n"
    "is an error. Exit status: 0, 1 for an error, 2 for a wrong command line.\n"
    "\n"
    "Example: ops_reference include/trigon/*.hpp include/trigon/detail/shape_class.hpp\n";

constexpr std::string_view intro =
    "# Functions of Trigon\n"
    "\n"
    "Every public function, by chapter. A function that is declared as an op has a range and a\n"
    "tolerance: results are within the tolerance of the correctly rounded float32 result (ulp:\n"
    "units in the last place) for operands from that range; the tests draw theirs from it. "
    "Integer\n"
    "results are exact. In examples, f(2,3) is a float32 tensor of shape (2, 3); i, u and b stand\n"
    "for int32, uint32 and bool, and options stand by position, as pages write them.\n";

std::string family_of(const Op& op) {
  switch (op.family) {
    case trigon::Family::unary: return "unary, element-wise";
    case trigon::Family::binary: return "binary, element-wise";
    case trigon::Family::ternary: return "ternary, element-wise";
    case trigon::Family::reduce:
    case trigon::Family::kernel: break;
  }
  return "reduction";
}

std::string rule_of(trigon::Result result, bool keeps_bool) {
  switch (result) {
    case trigon::Result::floating: return "operands become float32, the result is float32";
    case trigon::Result::boolean: return "operands are promoted to one dtype, the result is bool";
    case trigon::Result::same: break;
  }
  return fmt::format("operands are promoted to one dtype, the result's{}",
                     keeps_bool ? "" : "; bool becomes int32");
}

struct DTypeRule {
  std::string operator()(const trigon::UnarySpec& spec) const {
    return rule_of(spec.result, spec.keeps_bool);
  }
  std::string operator()(const trigon::BinarySpec& spec) const {
    if (spec.uint32_only) return "uint32 only";
    const std::string rule = rule_of(spec.result, spec.keeps_bool);
    return spec.integers_only ? "no floats; " + rule : rule;
  }
  std::string operator()(const trigon::TernarySpec& spec) const {
    if (!spec.condition_first) return rule_of(trigon::Result::same, false);
    return "a becomes bool; b and c are promoted to one dtype, the result's";
  }
  std::string operator()(const trigon::ReduceSpec& spec) const {
    if (spec.gives_index) return "the result is int32";
    if (spec.result.get() == trigon::Result::floating) {
      return "x becomes float32, the result is float32";
    }
    return "the result has x's dtype; bool becomes int32, uint8 uint32, float16 float32";
  }
};

std::string gradient_of(const Op& op) {
  return op.visit([](const auto& spec) -> std::string {
    return spec.vjp.get() == nullptr ? "none" : "yes, to any order";
  });
}

std::string text_of(const trigon::Range& range) {
  return fmt::format("[{:g}, {:g}]", range.low, range.high);
}

std::string domain_of(const Op& op) {
  return op.visit([](const auto& spec) {
    if constexpr (std::is_same_v<decltype(spec), const trigon::BinarySpec&>) {
      return fmt::format("a in {}, b in {}", text_of(spec.domain_a), text_of(spec.domain_b));
    } else {
      return text_of(spec.domain);
    }
  });
}

std::string tolerance_of(const Op& op) {
  const trigon::Tolerance t = op.visit([](const auto& spec) { return spec.tolerance.get(); });
  if (t.ulp == 0 && t.absolute == 0) return "exact";
  std::string text = t.ulp > 0 ? fmt::format("{:g} ulp", t.ulp) : "";
  if (t.absolute > 0) {
    text += fmt::format("{}{:g} absolute", text.empty() ? "" : " or ", t.absolute);
  }
  return text;
}

std::string facts_of(const Op& op) {
  return fmt::format("- Family: {}\n- Dtypes: {}\n- Gradient: {}\n- Range: {}\n- Tolerance: {}\n",
                     family_of(op), op.visit(DTypeRule()), gradient_of(op), domain_of(op),
                     tolerance_of(op));
}

std::string entry_of(const Row& row, const Function& function) {
  std::string text = fmt::format("\n### {}\n\n```cpp\n{}\n```\n\n{}\n\n", row.name,
                                 function.declaration, function.comment);
  const auto& facts = row.facts;
  if (!facts.like.empty()) text += fmt::format("- Like: {}\n", facts.like);
  if (const Op* const op = trigon::find_op(row.name)) {
    text += facts_of(*op);
  } else if (row.function != nullptr) {
    text += fmt::format("- Gradient: {}\n", trigon::detail::table::gradient_text(facts));
  }
  for (const char* one : facts.examples) {
    text += fmt::format("- Example: `{}({})`\n", row.name, one);
  }
  for (const auto& [arguments, wrong] : facts.refused) {
    text += fmt::format("- Refused: `{}({})`: {}\n", row.name, arguments, wrong);
  }
  return text;
}

std::vector<Function> functions_in(const std::vector<std::string>& headers) {
  std::vector<Function> functions;
  for (const std::string& path : headers) {
    for (Function& function : ops_reference::functions_of(path)) {
      functions.push_back(std::move(function));
    }
  }
  return functions;
}

// The first of the name, which later overloads add to.
const Function& find(const std::vector<Function>& functions, std::string_view name) {
  const auto found = std::ranges::find(functions, name, &Function::name);
  if (found != functions.end()) return *found;
  throw std::runtime_error(
      fmt::format("no comment: {0} has none in the headers given; write `///` lines "
                  "above `Tensor {0}(...);`",
                  name));
}

std::string manual_of(const std::vector<std::string>& headers) {
  const std::vector<Function> functions = functions_in(headers);
  std::string text(intro);
  for (const trigon::detail::table::Chapter& chapter : trigon::detail::table::chapters()) {
    text += fmt::format("\n## {}\n", chapter.title);
    for (const Row& row : chapter.rows) {
      if (row.facts.of_pages) continue;
      text += entry_of(row, find(functions, row.name));
    }
  }
  return text;
}

void write(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush()) {
    throw std::runtime_error(fmt::format("cannot write {}; name a file in a folder", path));
  }
}

int refuse(const std::string& reason) {
  fmt::print(stderr, "ops_reference: {}; see ops_reference --help\n", reason);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> headers;
  std::string output;
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "-h" || argument == "--help") {
      fmt::print("{}", help);
      return 0;
    }
    if (argument == "-o" || argument == "--output") {
      if (++k == argc) return refuse(fmt::format("{} needs a file", argument));
      output = argv[k];
    } else if (argument.starts_with('-')) {
      return refuse(fmt::format("unknown option {}", argument));
    } else {
      headers.emplace_back(argument);
    }
  }
  if (headers.empty()) return refuse("no header is named");
  try {
    write(output, manual_of(headers));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ops_reference: {}\n", error.what());
    return 1;
  }
}
