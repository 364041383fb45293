// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "table/row.hpp"

// Declarations that the chapters' sources share.

namespace trigon::detail::table {

using T = const Tensor&;
using List = const std::vector<Tensor>&;
using Ints = const Integers&;
using Text = const std::string&;
using Random = const random::Key&;
using Length = const std::optional<Scalar>&;
template <class V>
using Maybe = std::optional<V>;

std::vector<Row> rows_of_math();
std::vector<Row> rows_of_reduce();
std::vector<Row> rows_of_create();
std::vector<Row> rows_of_shape();
std::vector<Row> rows_of_join();
std::vector<Row> rows_of_index();
std::vector<Row> rows_of_linalg();
std::vector<Row> rows_of_logic();
std::vector<Row> rows_of_random();
std::vector<Row> rows_of_nn();
std::vector<Row> rows_of_image();
std::vector<Row> rows_of_transform();
std::vector<Row> rows_of_io();
std::vector<Row> rows_of_evaluate();
std::vector<Row> rows_of_dtype();
std::vector<Row> rows_of_alias();

}  // namespace trigon::detail::table
