// SPDX-License-Identifier: MIT
#include "sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

#include "trigon/error.hpp"

namespace gpt2 {
namespace {

[[noreturn]] void fail(const std::string& what) { throw trigon::Error("gpt2::Sampler: " + what); }

void check(const SamplingOptions& options) {
  if (!(options.temperature >= 0.0) || std::isinf(options.temperature)) {
    fail(fmt::format("temperature is {}; it must be finite and 0 or more", options.temperature));
  }
  if (options.top_k < 0) {
    fail(fmt::format("top_k is {}; it must be 0 (off) or more", options.top_k));
  }
  if (!(options.top_p >= 0.0 && options.top_p <= 1.0)) {
    fail(fmt::format("top_p is {}; it must be from 0 to 1", options.top_p));
  }
}

// The index of the first of the largest logits.
std::size_t largest(std::span<const float> logits) {
  if (logits.empty()) fail("there are 0 logits; one for each token is needed");
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]) || logits[i] == std::numeric_limits<float>::infinity()) {
      fail(fmt::format("logit {} of {} is {}; logits must be finite or -inf", i, logits.size(),
                       logits[i]));
    }
  }
  const auto best = std::max_element(logits.begin(), logits.end());
  if (std::isinf(*best)) {
    fail(fmt::format("all {} logits are -inf; at least one must be finite", logits.size()));
  }
  return static_cast<std::size_t>(best - logits.begin());
}

// Turns weights into probabilities.
void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

void keep_top_k(std::span<const float> logits, std::size_t k, std::vector<double>& weights) {
  std::vector<float> sorted(logits.begin(), logits.end());
  const auto kth = sorted.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(sorted.begin(), kth, sorted.end(), std::greater<>());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (logits[i] < *kth) weights[i] = 0.0;
  }
}

// Drops the smallest probabilities as long as their sum is at most 1 - top_p; the largest stays.
void keep_top_p(std::span<const float> logits, double top_p, std::vector<double>& weights) {
  normalize(weights);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] < logits[b]; });
  // Compared in float32, as in PyTorch; it matters for sums such as ten times 0.1.
  const auto dropped = static_cast<float>(1.0 - top_p);
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    sum += static_cast<float>(weights[order[i]]);
    if (static_cast<float>(sum) > dropped) break;
    weights[order[i]] = 0.0;
  }
}

}  // namespace

std::vector<double> token_probabilities(std::span<const float> logits,
                                        const SamplingOptions& options) {
  check(options);
  const std::size_t best = largest(logits);
  std::vector<double> weights(logits.size(), 0.0);
  if (options.temperature == 0.0) {
    weights[best] = 1.0;
    return weights;
  }
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = std::exp((double{logits[i]} - double{logits[best]}) / options.temperature);
  }
  const auto k = static_cast<std::size_t>(options.top_k);
  if (k > 0 && k < logits.size()) keep_top_k(logits, k, weights);
  if (options.top_p < 1.0) keep_top_p(logits, options.top_p, weights);
  normalize(weights);
  return weights;
}

Sampler::Sampler(const SamplingOptions& options) : options_(options), bits_(options.seed) {
  check(options);
}

std::int32_t Sampler::next(std::span<const float> logits) {
  if (options_.temperature == 0.0) return static_cast<std::int32_t>(largest(logits));
  const std::vector<double> probabilities = token_probabilities(logits, options_);
  const double u = static_cast<double>(bits_() >> 11) * 0x1p-53;  // [0, 1)
  double sum = 0.0;
  std::size_t last = 0;  // rounding may leave the sum below u; then it is taken
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] == 0.0) continue;
    last = i;
    sum += probabilities[i];
    if (u < sum) break;
  }
  return static_cast<std::int32_t>(last);
}

}  // namespace gpt2
