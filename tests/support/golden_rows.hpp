// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/extend.hpp>

#include "table/table.hpp"

// The rows that golden cases name.

namespace trigon::support {

using detail::table::Json;
using detail::table::Row;

/// "softmax" of "torch.nn.functional.softmax", "getitem" of "np.ndarray.__getitem__".
inline std::string last_word(std::string_view name) {
  name.remove_prefix(name.find_last_of(".:") + 1);
  while (name.starts_with('_')) name.remove_prefix(1);
  while (name.ends_with('_')) name.remove_suffix(1);
  return std::string(name);
}

/// Cases whose name is not a function's: the function, and its further arguments.
inline const Json& renamed_cases() {
  static const Json all = Json::parse(R"({
    "attention": ["scaled_dot_product_attention", {}],
    "attention_causal": ["scaled_dot_product_attention", {"is_causal": true}],
    "clamp": ["clip", {"min": -0.5, "max": 0.5}],
    "gelu_erf": ["gelu", {}],
    "gelu_tanh": ["gelu", {"approximate": "tanh"}],
    "linspace_noend": ["linspace", {"endpoint": false}],
    "norm2": ["norm", {}],
    "slice": ["getitem", {"entries": ["1:", "::2", "1:3"]}]
  })");
  return all;
}

/// The row of a case's function, by its name here, in NumPy or in PyTorch; or nullptr. Another name
/// of a function has no call, so the row of the same counterpart is taken.
inline const Row* row_of(const std::string& name) {
  static const std::map<std::string, const Row*> all = [] {
    std::map<std::string, const Row*> found;
    const auto counterparts = [](const Row& row) {
      std::vector<std::string> words;
      std::string_view rest = row.facts.like;
      for (; !rest.empty(); rest.remove_prefix(std::min(rest.find(", "), rest.size() - 2) + 2)) {
        words.push_back(last_word(rest.substr(0, rest.find(", "))));
      }
      return words;
    };
    for (const Row* row : detail::table::rows()) {
      const bool is_declared_by_a_test = row->op != nullptr && row->op != find_op(row->name);
      if (row->function == nullptr || is_declared_by_a_test) continue;
      found.emplace(last_word(row->name), row);
      for (const std::string& one : counterparts(*row)) found.emplace(one, row);
    }
    for (const Row* row : detail::table::rows()) {
      for (const std::string& one : counterparts(*row)) {
        if (found.contains(one)) found.emplace(last_word(row->name), found[one]);
      }
    }
    return found;
  }();
  const Json& renamed = renamed_cases();
  const auto found = all.find(renamed.contains(name) ? renamed[name][0].get<std::string>() : name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace trigon::support
