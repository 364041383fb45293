// SPDX-License-Identifier: MIT
#pragma once

// Each folder has its own namespace within trigon::detail, so that a user's function `run` stays
// unambiguous for users who import all names of trigon. These are the short names, for definitions
// of public functions and for tests. Public headers do not include this file.

namespace trigon {

namespace detail {
namespace core {}
namespace custom {}
namespace emit {}
namespace entries {}
namespace gl {}
namespace glsl_text {}
namespace graph {}
namespace image {}
namespace io {}
namespace ir {}
namespace kernel {}
namespace lower {}
namespace ops {}
namespace pipeline {}
namespace plan {}
namespace reroll {}
namespace rewrite {}
namespace run {}
namespace schedule {}
namespace transform {}
}  // namespace detail

namespace core = detail::core;
namespace custom = detail::custom;
namespace emit = detail::emit;
namespace entries = detail::entries;
namespace gl = detail::gl;
namespace glsl_text = detail::glsl_text;
namespace graph = detail::graph;
namespace image = detail::image;
namespace io = detail::io;
namespace ir = detail::ir;
namespace kernel = detail::kernel;
namespace lower = detail::lower;
namespace ops = detail::ops;
namespace pipeline = detail::pipeline;
namespace plan = detail::plan;
namespace reroll = detail::reroll;
namespace rewrite = detail::rewrite;
namespace run = detail::run;
namespace schedule = detail::schedule;
namespace transform = detail::transform;

}  // namespace trigon
