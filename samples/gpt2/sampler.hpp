// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace gpt2 {

struct SamplingOptions {
  double temperature = 1.0;  ///< divides the logits; 0 takes the largest logit (greedy)
  std::int32_t top_k = 0;    ///< keep the k largest logits, and those equal to the k-th; 0: all
  double top_p = 1.0;        ///< keep the fewest tokens whose probabilities reach top_p; 1: all
  std::uint64_t seed = 0;
};

/// The probabilities that a token is drawn from: Hugging Face's temperature, then top-k, then
/// top-p, then softmax. Greedy gives 1 to the first of the largest logits.
/// logits: (vocabulary); minus infinity forbids a token.
/// Raises trigon::Error for NaN or plus infinity, if no token is allowed, and for options out of
/// range.
std::vector<double> token_probabilities(std::span<const float> logits,
                                        const SamplingOptions& options);

/// Draws tokens. Equal seeds and logits give equal tokens on every platform: distributions of the
/// standard library differ between platforms, so none is used.
class Sampler {
 public:
  /// Raises trigon::Error for options out of range.
  explicit Sampler(const SamplingOptions& options);

  /// The next token's id. Raises as token_probabilities does.
  std::int32_t next(std::span<const float> logits);

 private:
  SamplingOptions options_;
  std::mt19937_64 bits_;  // the standard fixes its output, but not that of distributions
};

}  // namespace gpt2
