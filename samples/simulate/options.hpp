// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "simulation.hpp"

namespace simulate {

/// An invalid command line; the program then exits with status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The options of the command line.
struct Options {
  const Entry* entry = nullptr;
  Form form = Form::tensor;
  Settings settings{};
  std::int64_t generations = 0;
  std::int64_t frames = 1;
  bool json = false;
  std::filesystem::path picture{};  ///< empty: none
  std::string help{};               ///< text to print instead of everything else
};

/// Reads the command line. Raises UsageError naming the option, the value and the rule.
Options parse_options(int argc, const char* const* argv);

/// The file of a frame: "life.png" and 3 of 12 become "life-03.png"; a single frame has `file`.
std::filesystem::path frame_file(const std::filesystem::path& file, std::int64_t frame,
                                 std::int64_t frames);

}  // namespace simulate
