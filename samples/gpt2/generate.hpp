// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <trigon/debug.hpp>

#include "model.hpp"
#include "sampler.hpp"

namespace gpt2 {

struct GenerateOptions {
  std::size_t tokens = 200;  ///< the most new ids
  /// Temperature 0 takes the largest logit on the device and reads back nothing but its id.
  SamplingOptions sampling{};
  std::vector<std::int32_t> stop_ids{};  ///< each of them ends the text and is left out of it
};

/// What one pass took.
struct Pass {
  double seconds = 0;
  trigon::Counters cost{};
};

struct Generation {
  std::vector<std::int32_t> ids;  ///< the new ones
  std::size_t prefill_ids = 0;    ///< how many ids the first pass read
  Pass prefill{};
  std::vector<Pass> decode{};  ///< a pass for each single id, in order
};

/// Called with each new id as it comes; false ends the text.
using OnToken = std::function<bool(std::int32_t id)>;

/// Continues a prompt of at least one id. Once the context is full, or where the prompt is longer,
/// it goes on from the newest half of the context (n_positions / 2 ids), read anew in one pass.
/// Raises trigon::Error for an empty prompt and for ids outside [0, vocab_size).
Generation generate(const Model& model, std::span<const std::int32_t> prompt,
                    const GenerateOptions& options, const OnToken& on_token = {});

}  // namespace gpt2
