// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "generate.hpp"

namespace gpt2 {

/// The cost of one decoded token.
struct TokenCost {
  double draws = 0;
  double textures_created = 0;
  double framebuffers_created = 0;
  double programs_compiled = 0;
  double plans_made = 0;
  double bytes_uploaded = 0;
  double uniform_bytes = 0;
  double bytes_read = 0;
};

/// Rates and costs of a run; empty if nothing was measured.
struct Stats {
  double load_s = 0;  ///< opening the device and loading the weights
  std::size_t prefill_tokens = 0;
  std::size_t decode_tokens = 0;
  std::optional<double> prefill_tokens_per_s{};  ///< of the first pass, compile time included
  /// The largest cost in the last half of the passes of a single id; the first ones compile
  /// shaders.
  std::optional<double> decode_tokens_per_s{};
  std::optional<TokenCost> per_token{};  ///< over the same passes
};

Stats make_stats(double load_s, const Generation& generation);

/// The report as a few lines of text.
std::string to_text(const Stats& stats);

/// The line that --json prints: {"text", "prompt_ids", "ids", "stats"}. text is the prompt and its
/// continuation, or null without a tokenizer. Rates that were not measured are null.
std::string to_json(const std::optional<std::string>& text,
                    std::span<const std::int32_t> prompt_ids, std::span<const std::int32_t> ids,
                    const Stats& stats);

}  // namespace gpt2
