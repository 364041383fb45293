// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "measure.hpp"
#include "options.hpp"

namespace simulate {

/// Runs what the command line asks for. Raises trigon::Error.
void run(const Options& options);

/// The elements of a simulation; of a grid: all.
std::int64_t element_count(const Options& options);

/// The object that --json prints.
std::string to_json(const Options& options, const Measurement& measurement,
                    std::span<const Generation> generations);
/// The same as a few lines of text.
std::string to_text(const Options& options, const Measurement& measurement,
                    std::span<const Generation> generations);

}  // namespace simulate
