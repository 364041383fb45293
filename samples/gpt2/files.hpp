// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gpt2 {

/// The bytes of a regular file. Raises trigon::Error `<function>: <file>: ...` for anything else,
/// for one of more than `most_bytes`, and when a read fails.
std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes);

/// Standard input to its end. Raises trigon::Error when it cannot be read.
std::string read_standard_input();

}  // namespace gpt2
