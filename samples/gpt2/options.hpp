// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <trigon/config.hpp>

#include "pictures.hpp"
#include "sampler.hpp"

namespace gpt2 {

/// An invalid command line; the program then exits with status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The options of the command line.
struct Options {
  std::filesystem::path model;
  std::optional<std::string> prompt{};             ///< as --prompt or the bare argument
  std::optional<std::vector<std::int32_t>> ids{};  ///< instead of a prompt
  std::size_t tokens = 200;
  SamplingOptions sampling{.temperature = 0.8, .top_k = 40};  ///< temperature 0 for --greedy
  std::string stop{};
  bool tokenize = false;
  bool stats = false;
  bool json = false;
  std::filesystem::path logits{};
  InspectOptions inspect{};
  std::optional<trigon::Profile> profile{};
  std::optional<int> device{};
  std::string help{};  ///< text to print instead of everything else
};

/// Reads the command line. Raises UsageError naming the option, the value and the rule.
Options parse_options(int argc, const char* const* argv);

}  // namespace gpt2
