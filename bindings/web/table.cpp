// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace web {

namespace {

bool is_left_out(const Row& row) {
  return row.function == nullptr || !std::string_view(row.facts.left_out).empty();
}

}  // namespace

const std::vector<const Row*>& table() {
  static const std::vector<const Row*> all = [] {
    std::vector<const Row*> list;
    for (const Row* one : trigon::detail::table::rows()) {
      if (!is_left_out(*one)) list.push_back(one);
    }
    return list;
  }();
  return all;
}

std::vector<std::pair<std::string, std::string>> left_out() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const Row* one : trigon::detail::table::rows()) {
    if (is_left_out(*one)) names.emplace_back(one->name, one->facts.left_out);
  }
  return names;
}

const Row& row_of(std::string_view name) {
  static const std::map<std::string_view, const Row*> rows = [] {
    std::map<std::string_view, const Row*> all;
    for (const Row* one : table()) all.emplace(one->name, one);
    return all;
  }();
  const auto found = rows.find(name);
  if (found == rows.end())
    throw trigon::Error(fmt::format("trigon: there is no function {}", name));
  return *found->second;
}

std::string js_name(const Row& row) {
  const std::size_t colons = row.name.find("::");
  if (colons == row.name.npos) return row.name;
  return row.name.substr(0, colons) + "." + row.name.substr(colons + 2);
}

Json describe_table() {
  Json rows = Json::array();
  for (const Row* row : table()) {
    const Row& one = *row;
    Json parameters = Json::array();
    for (const Parameter& parameter : one.parameters) {
      Json described{{"name", parameter.name}, {"type", parameter.type}};
      if (parameter.by_default) described["default"] = *parameter.by_default;
      parameters.push_back(std::move(described));
    }
    rows.push_back({{"name", one.name},
                    {"js", js_name(one)},
                    {"count", one.count},
                    {"parameters", std::move(parameters)}});
  }
  return rows;
}

}  // namespace web
