// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpt2 {

/// The bytes of a regular file. Raises trigon::Error `<function>: <file>: ...` for anything else,
/// for one of more than `most_bytes`, and when a read fails.
std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes);

/// Whether a text of JSON has more than a thousand digits in a row beside its strings, of which the
/// parser would take ten times their memory.
bool has_long_number(std::string_view text);

/// Standard input to its end. Raises trigon::Error when it cannot be read.
std::string read_standard_input();

}  // namespace gpt2
