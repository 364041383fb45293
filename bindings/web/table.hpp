// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace web {

struct Parameter {
  std::string name;
  std::string type;                  ///< TypeScript's
  std::optional<Json> by_default{};  ///< what is passed where it is left out
};

struct Given;

/// A public function of the library, as pages call it.
struct Row {
  std::string name;  ///< "nn::softmax"
  std::vector<Parameter> parameters{};
  /// Tensors that it gives: 1 for one tensor, 2 for a pair, the name of the parameter whose number
  /// or length says it, null where the values decide.
  Json count = 1;
  std::vector<trigon::Tensor> (*function)(const Given& given) = nullptr;
  const trigon::Op* op = nullptr;  ///< of an elementwise function

  /// Raises Error where an argument is of a wrong type, and as the function does.
  std::vector<trigon::Tensor> call(const Handles& handles, const Json& arguments) const;

  /// "nn.softmax"
  std::string js_name() const;
};

/// The arguments of a call, one for each parameter.
struct Given {
  const Row& row;
  const Handles& handles;
  const Json& arguments;

  Argument operator[](std::size_t k) const {
    return {handles, row.name, row.parameters.at(k).name, arguments.at(k)};
  }
};

/// All functions that pages have, one a row.
const std::vector<Row>& table();

/// The public functions of tensors that pages do not have, and why.
const std::vector<std::pair<std::string, std::string>>& left_out();

/// The row of a name. Raises Error where there is none.
const Row& row_of(std::string_view name);

/// What the page makes its functions from.
Json describe_table();

}  // namespace web
