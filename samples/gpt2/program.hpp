// SPDX-License-Identifier: MIT
#pragma once

#include "options.hpp"

namespace gpt2 {

/// Runs the program. Raises trigon::Error. When the reader of standard output closes it, generation
/// ends without an error.
void run(const Options& options);

}  // namespace gpt2
