// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

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

std::string describe_table() {
  // As text, since making objects takes long before they have been made often.
  std::vector<std::string> rows;
  for (const Row* row : table()) {
    std::vector<std::string> parameters;
    for (const Parameter& one : row->parameters) {
      const std::string by_default = one.by_default ? "," + one.by_default->dump() : "";
      parameters.push_back(fmt::format(R"(["{}","{}"{}])", one.name, one.type, by_default));
    }
    rows.push_back(
        fmt::format(R"(["{}",{},[{}]])", row->name, row->count.dump(), fmt::join(parameters, ",")));
  }
  return fmt::format("[{}]", fmt::join(rows, ","));
}

}  // namespace web
