// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/table.hpp"

// The functions of pages: those of the library's table that have a call, with some exceptions.

namespace web {

using trigon::detail::table::Argument;
using trigon::detail::table::Json;
using trigon::detail::table::Parameter;
using trigon::detail::table::Row;
using trigon::detail::table::Type;

/// All functions that pages have, one per row.
const std::vector<const Row*>& table();

/// The public functions that pages do not have, and why; none in a browser.
std::vector<std::pair<std::string, std::string>> left_out();

/// The row of a name. Raises Error if there is none.
const Row& row_of(std::string_view name);

/// "nn.softmax"
std::string js_name(const Row& row);

/// The data from which the page makes its functions: a JSON list of [name, count, [[name, type,
/// default], ...]], a row's count and parameters, in which a default may be left out.
std::string describe_table();

}  // namespace web
