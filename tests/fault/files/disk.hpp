// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "system_calls.hpp"

namespace trigon::fault {

/// A file's bytes, or nothing where there is no file.
using Content = std::optional<std::string>;

/// What `path` may hold after these calls and a power cut, where it held `old` before. POSIX
/// promises what fsync() has brought to the disk: data of a file by its own, names by that of their
/// folder. Everything else is dropped, kept, and, of a write, kept by half or as zeros, in all
/// combinations.
std::set<Content> after_power_cut(std::span<const Call> calls, const std::string& path,
                                  const Content& old);

}  // namespace trigon::fault
