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

/// Whether a read or a write of `fd` that has failed may go on: after a signal, and where a pipe
/// that does not block is empty or full, once that has changed. `events`: POLLIN or POLLOUT.
bool may_go_on(int fd, short events);

/// Where standard streams are closed, their numbers are taken, so that no file gets one, and with
/// it what is printed. To use them stays an error.
void take_closed_streams();

}  // namespace gpt2
