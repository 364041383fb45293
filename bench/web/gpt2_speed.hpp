// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "model.hpp"

namespace bench {

/// The bundled model, natively or in a browser.
class Gpt2Speed {
 public:
  /// Loads config.json, model.safetensors and, for the prompt, golden.json of `folder`.
  explicit Gpt2Speed(const std::filesystem::path& folder);

  /// Milliseconds from the prompt's ids to the first new id. The first call compiles everything.
  double first_ms();
  /// Tokens per second of `count` greedy ids after the prompt.
  double tokens_per_second(int count);
  /// The ids of the last text.
  const std::vector<std::int32_t>& ids() const { return ids_; }

 private:
  gpt2::Model model_;
  std::vector<std::int32_t> prompt_, ids_;
};

}  // namespace bench
