// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/golden_rows.hpp"
#include "table/example.hpp"

// Golden cases as calls of the table's rows: a case names NumPy's or PyTorch's function.

namespace trigon::support {

/// The arguments of a row's call. Keywords have a parameter's name, or PyTorch's word for it. The
/// others follow in order; a list of tensors takes all remaining ones.
inline Json arguments_of(const Row& row, const Json& in_order, const Json& keywords) {
  static const std::map<std::string, std::string> words{
      {"axes", "axis"}, {"eq", "subscripts"}, {"pads", "pad_width"}, {"perm", "axes"}};
  const auto takes = [&](const std::string& name) {
    return std::any_of(row.parameters.begin(), row.parameters.end(),
                       [&](const auto& one) { return one.name == name; });
  };
  Json given = Json::object(), all = Json::array();
  for (const auto& [name, value] : keywords.items()) {
    const std::string known = takes(name) ? name : words.at(name);
    if (!takes(known)) throw std::runtime_error(row.name + ": no parameter " + name);
    given[known] = value;
  }
  std::size_t next = 0;
  for (const detail::table::Parameter& one : row.parameters) {
    if (given.contains(one.name)) {
      all.push_back(given[one.name]);
    } else if (next == in_order.size()) {
      all.push_back(one.by_default.value());
    } else if (one.type == "Tensor[]" && !in_order[next].is_array()) {
      all.push_back(Json(in_order.begin() + static_cast<std::ptrdiff_t>(next), in_order.end()));
      next = in_order.size();
    } else {
      all.push_back(in_order[next++]);
    }
  }
  if (next != in_order.size()) throw std::runtime_error(row.name + ": too many arguments");
  return all;
}

/// Calls a function by its name in a case; tensors are {"tensor": number}.
inline std::vector<Tensor> call(const std::string& name, std::span<const Tensor> tensors,
                                const Json& in_order, Json keywords) {
  const Row& row = *row_of(name);
  const Json& renamed = renamed_cases();
  if (renamed.contains(name)) keywords.update(renamed[name][1]);
  return detail::table::call(row, {.arguments = arguments_of(row, in_order, keywords)}, tensors);
}

/// The tolerance of a composite; an op of the library declares its own.
inline Tolerance tolerance_of(const Row& row) {
  static const Tolerance of_sum = find_op("sum")->reduce().tolerance,
                         of_moments = find_op("moments")->reduce().tolerance,
                         of_products(Ulp{16}, Abs{1e-5});
  // softmax: x - max is rounded at the size of x (100 here), and exp makes a relative error of it.
  // linspace: three roundings, and nothing where they cancel.
  static const std::map<std::string, Tolerance> composites{
      {"nansum", of_sum},
      {"mean", of_sum},
      {"nanmean", of_sum},
      {"ptp", Ulp{1}},
      {"norm", Ulp{8}},
      {"logsumexp", Tolerance(Ulp{8}, Abs{2e-6})},
      {"var", of_moments},
      {"stddev", of_moments},
      {"nn::silu", Ulp{6}},
      {"nn::gelu", Tolerance(Ulp{8}, Abs{1e-6})},
      {"nn::softmax", Tolerance(Ulp{64}, Abs{1e-6})},
      {"nn::log_softmax", Tolerance(Ulp{8}, Abs{2e-5})},
      {"nn::layer_norm", Tolerance(Ulp{64}, Abs{2e-5})},
      {"matmul", of_products},
      {"dot", of_products},
      {"inner", of_products},
      {"tensordot", of_products},
      {"einsum", of_products},
      {"trace", of_products},
      {"outer", Ulp{1}},
      {"kron", Ulp{1}},
      {"arange", Tolerance(Ulp{2}, Abs{1e-7})},
      {"linspace", Tolerance(Ulp{2}, Abs{1e-7})}};
  if (const Op* op = find_op(row.name)) return tolerance_of(*op);
  const auto found = composites.find(row.name);
  return found == composites.end() ? Ulp{0} : found->second;
}

// ---- NumPy's cases

/// ["s", 1, null, 2] is the slice 1::2.
inline Json with_slices(const Json& value) {
  if (!value.is_array()) return value;
  if (value.size() == 4 && value[0] == "s") {
    return {{"start", value[1]}, {"stop", value[2]}, {"step", value[3]}};
  }
  Json all = Json::array();
  for (const Json& one : value) all.push_back(with_slices(one));
  return all;
}

/// x seen through one step of a recipe: ["transpose", [1, 0]], ["slice", [[0, 4, 2], null]].
inline Tensor apply_view(const Tensor& x, const Json& step) {
  const bool is_slice = step[0] == "slice";
  Json argument = step[1];
  for (std::size_t k = 0; is_slice && k < argument.size(); ++k) {
    Json& one = argument[k];
    one = one.is_null() ? Json(":") : with_slices({"s", one[0], one[1], one[2]});
  }
  const std::string name = is_slice ? "getitem" : step[0].get<std::string>();
  const Json in_order = Json::array({{{"tensor", 0}}, argument});
  return call(name, std::span(&x, 1), in_order, Json::object())[0];
}

/// The results of a case for the tensors that `leaf` gives.
inline std::vector<Tensor> compute(const Json& c, const GoldenLeaf& leaf) {
  std::vector<Tensor> tensors;
  const auto argument = [&](const auto& self, const Json& one) -> Json {
    if (one.contains("v")) return with_slices(one["v"]);
    if (one.contains("list")) {
      Json all = Json::array();
      for (const Json& entry : one["list"]) all.push_back(self(self, entry));
      return all;
    }
    tensors.push_back(leaf(one["t"]));
    for (const Json& step : one.value("view", Json::array())) {
      tensors.back() = apply_view(tensors.back(), step);
    }
    return {{"tensor", tensors.size() - 1}};
  };
  Json in_order = Json::array();
  for (const Json& one : c["args"]) in_order.push_back(argument(argument, one));
  std::string name = c["op"];
  // np.split takes places, too, and np.take an x without axes.
  if (name == "split" && in_order[1].is_array()) name = "array_split";
  if (name == "take" && !c["kw"].contains("axis")) tensors[0] = ravel(tensors[0]);
  return call(name, tensors, in_order, c["kw"]);
}

}  // namespace trigon::support
