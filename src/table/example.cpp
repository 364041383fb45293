// SPDX-License-Identifier: MIT
#include "table/example.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>

#include <trigon/extend.hpp>

#include "core/called.hpp"

namespace trigon::detail::table {
namespace {

class Operands final : public TensorSource {
 public:
  explicit Operands(std::span<const Tensor> all) : all_(all) {}
  Tensor get(std::int64_t id) const override { return all_[static_cast<std::size_t>(id)]; }

 private:
  std::span<const Tensor> all_;
};

DType dtype_of_letter(char letter) {
  static const std::map<char, DType> letters{
      {'f', float32}, {'h', float16}, {'i', int32}, {'u', uint32}, {'b', boolean}};
  return letters.at(letter);
}

Shape shape_of(const std::string& text) {
  return Shape(Json::parse("[" + text + "]").get<std::vector<std::int64_t>>());
}

std::string name_of(const Row& row, std::size_t k) {
  const Parameter& one = row.parameters[k];
  if (row.op != nullptr && row.op->family == Family::ternary) return std::string(1, "abc"[k]);
  return one.by_default && one.by_default->is_null() ? "" : one.name;
}

// Names the tensors of an argument.
void name_operands(const Row& row, std::size_t k, Example& example) {
  const auto named = [&](const Json& value, const std::string& name) {
    if (value.is_object()) example.operands.at(value["tensor"].get<std::size_t>()).name = name;
  };
  const Json& argument = example.arguments[k];
  if (!argument.is_array()) named(argument, name_of(row, k));
  for (std::size_t n = 0; argument.is_array() && n < argument.size(); ++n) {
    named(argument[n], fmt::format("{} {}", row.facts.items, n));
  }
}

}  // namespace

Example read_example(const Row& row, std::string_view text) {
  static const std::regex tensor(R"(\b([fhiub])\(([\d,]*)\))");
  Example example;
  std::string json;
  const std::string source(text);
  std::size_t at = 0;
  for (std::sregex_iterator it(source.begin(), source.end(), tensor), end; it != end; ++it) {
    json += source.substr(at, static_cast<std::size_t>(it->position()) - at);
    json += fmt::format(R"({{"tensor": {}}})", example.operands.size());
    at = static_cast<std::size_t>(it->position() + it->length());
    example.operands.push_back({shape_of((*it)[2]), dtype_of_letter((*it)[1].str()[0])});
  }
  example.arguments = Json::parse("[" + json + source.substr(at) + "]", nullptr, false);
  if (!example.arguments.is_array() || example.arguments.size() > row.parameters.size()) {
    core::fail_in(row.name.c_str(), "not its arguments: {}", text);
  }
  example.given = example.arguments.size();
  for (std::size_t k = 0; k < row.parameters.size(); ++k) {
    if (k < example.given) {
      name_operands(row, k, example);
      continue;
    }
    if (!row.parameters[k].by_default) {
      core::fail_in(row.name.c_str(), "no {} in {}", row.parameters[k].name, text);
    }
    example.arguments.push_back(*row.parameters[k].by_default);
  }
  return example;
}

std::vector<Tensor> call(const Row& row, const Example& example, std::span<const Tensor> operands) {
  return row.call(Operands(operands), example.arguments);
}

}  // namespace trigon::detail::table
