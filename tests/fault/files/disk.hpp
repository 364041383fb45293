// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "system_calls.hpp"

namespace trigon::fault {

/// A file's bytes, or nothing if there is no file.
using Content = std::optional<std::string>;

/// The possible contents of `path` after these calls and a power cut, if it held `old` before.
/// POSIX only promises what fsync() has flushed: a file's data by its own fsync(), names by that of
/// their folder. Other changes are dropped or kept, and writes also kept by half or as zeros, in
/// all combinations.
std::set<Content> after_power_cut(std::span<const Call> calls, const std::string& path,
                                  const Content& old);

}  // namespace trigon::fault
