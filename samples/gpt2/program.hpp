// SPDX-License-Identifier: MIT
#pragma once

#include "options.hpp"

namespace gpt2 {

/// Does what the command line asks for. Raises trigon::Error. A reader that closes standard output
/// ends it without an error.
void run(const Options& options);

}  // namespace gpt2
