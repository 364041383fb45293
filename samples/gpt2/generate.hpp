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
  /// At temperature 0 the largest logit is found on the device and only its id is read back.
  SamplingOptions sampling{};
  std::vector<std::int32_t> stop_ids{};  ///< each ends the text and is left out of it
};

/// The time and the work of one pass.
struct Pass {
  double seconds = 0;
  trigon::Counters cost{};
};

struct Generation {
  std::vector<std::int32_t> ids;  ///< the new ones
  std::size_t prefill_ids = 0;    ///< number of ids that the first pass read
  Pass prefill{};
  std::vector<Pass> decode{};  ///< a pass for each single id, in order
};

/// Called with each new id; returning false ends the text.
using OnToken = std::function<bool(std::int32_t id)>;

/// Continues a prompt of at least one id. When the context is full, or the prompt is longer than
/// it, the newest n_positions / 2 ids are read again in one pass and generation continues from
/// there. Raises trigon::Error for an empty prompt and for ids outside [0, vocab_size).
Generation generate(const Model& model, std::span<const std::int32_t> prompt,
                    const GenerateOptions& options, const OnToken& on_token = {});

}  // namespace gpt2
