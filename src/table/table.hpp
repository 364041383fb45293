// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "table/row.hpp"

// The one table of public functions, one row for each, by NumPy's chapters. The browser's module,
// the manual and tests read it; the library does not contain it.

namespace trigon::detail::table {

struct Chapter {
  const char* title;
  std::vector<Row> rows;
};

/// Ops that the program declares itself are in the first chapter, too.
const std::vector<Chapter>& chapters();

/// The rows of all chapters.
const std::vector<const Row*>& rows();

}  // namespace trigon::detail::table
