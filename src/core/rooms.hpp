// SPDX-License-Identifier: MIT
#pragma once

// Public headers open the namespaces of the graph and of running it, so these lie in
// trigon::detail: a user's own function `run` is not ambiguous where all of trigon is used without
// its name. Here are their short names, for the library alone.

namespace trigon {

namespace detail::graph {}
namespace detail::run {}
namespace graph = detail::graph;
namespace run = detail::run;

}  // namespace trigon
