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

/// Whether a read or a write of `fd` that has failed may be tried again: after a signal, and where
/// a pipe that does not block is empty or full, for whose other end this waits. `events`: POLLIN or
/// POLLOUT.
bool waits_to_retry(int fd, short events);

/// Closed standard streams get /dev/null, opened so that using them still fails: else the next file
/// would get their number, and what is printed.
void take_closed_streams();

}  // namespace gpt2
