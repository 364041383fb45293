// SPDX-License-Identifier: MIT
// Prints the manual of all declared ops: the comments of the headers that declare them, and what
// their entries in the registry say.
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

namespace {

using ops_reference::Function;
using trigon::Op;

constexpr const char* help =
    "usage: ops_reference [--output FILE] HEADER...\n"
    "\n"
    "Prints the manual of all declared ops as Markdown.\n"
    "\n"
    "  -o, --output FILE   file to write in place of standard output\n"
    "  -h, --help          this text\n"
    "\n"
    "Each op's text is the comment above its function in one of the headers; an op without one\n"
    "is an error. Exit status: 0, 1 for an error, 2 for a wrong command line.\n"
    "\n"
    "Example: ops_reference include/trigon/ops/*.hpp\n";

constexpr std::string_view intro =
    "# Ops of Trigon\n"
    "\n"
    "Every declared op. Results are within the tolerance of the correctly rounded float32 result\n"
    "(ulp: units in the last place) for operands from the range stated; the tests draw theirs "
    "from\n"
    "it. Integer results are exact.\n";

std::string family_of(const Op& op) {
  switch (op.family) {
    case trigon::Family::unary: return "unary, element-wise";
    case trigon::Family::binary: return "binary, element-wise";
    case trigon::Family::ternary: return "ternary, element-wise";
    case trigon::Family::reduce:
    case trigon::Family::kernel: break;
  }
  const int outputs = op.reduce().outputs;
  return outputs == 1 ? "reduction" : fmt::format("reduction, {} values a result", outputs);
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
    if (spec.vjp.get() == nullptr) return "none";
    if constexpr (std::is_same_v<decltype(spec), const trigon::ReduceSpec&>) {
      if (spec.first_is_shift) return "yes, of results that do not depend on the first value";
    }
    return "yes, to any order";
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

std::string entry_of(const Op& op, const Function& function) {
  return fmt::format(
      "\n### {}\n\n```cpp\n{}\n```\n\n{}\n\n"
      "- Family: {}\n- Dtypes: {}\n- Gradient: {}\n- Range: {}\n- Tolerance: {}\n",
      op.name, function.declaration, function.comment, family_of(op), op.visit(DTypeRule()),
      gradient_of(op), domain_of(op), tolerance_of(op));
}

std::string manual_of(const std::vector<std::string>& headers) {
  std::vector<Function> functions;
  for (const std::string& path : headers) {
    for (Function& function : ops_reference::functions_of(path)) {
      functions.push_back(std::move(function));
    }
  }
  for (const Op* op : trigon::registry()) {
    const auto is_documented = [&](const Function& function) { return function.name == op->name; };
    if (std::none_of(functions.begin(), functions.end(), is_documented)) {
      throw std::runtime_error(
          fmt::format("no comment: {0} has none in the headers given; write `///` lines above "
                      "`Tensor {0}(...);`",
                      op->name));
    }
  }
  std::string text(intro);
  std::string header;
  for (const Function& function : functions) {
    const Op* const op = trigon::find_op(function.name);
    if (op == nullptr) continue;  // a composite
    if (header != function.header) text += fmt::format("\n## trigon/{}\n", function.header);
    header = function.header;
    text += entry_of(*op, function);
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
