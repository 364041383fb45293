// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gpt2 {

/// The bytes of a regular file. Raises trigon::Error `<function>: <file>: ...` for other kinds of
/// files, for a file of more than `most_bytes`, and when a read fails.
std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes);

/// Standard input to its end. Raises trigon::Error when it cannot be read.
std::string read_standard_input();

/// Whether a failed read or write of `fd` may be repeated: after a signal, and if a non-blocking
/// pipe is empty or full; then this waits for its other end. `events`: POLLIN or POLLOUT.
bool waits_to_retry(int fd, short events);

/// Replaces closed standard streams by /dev/null, opened so that using them still fails. Otherwise
/// the next opened file would get such a number, and with it the output.
void take_closed_streams();

}  // namespace gpt2
