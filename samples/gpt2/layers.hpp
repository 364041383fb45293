// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <trigon/scalar.hpp>
#include <trigon/tensor.hpp>

#include "model.hpp"

namespace gpt2 {

// The layers of a pass, as lazy expressions.

/// (T, H * D) -> (H, T, D)
trigon::Tensor split_heads(const trigon::Tensor& x, std::int64_t heads);
/// (H, T, D) -> (T, H * D)
trigon::Tensor join_heads(const trigon::Tensor& x);
/// Columns [from, to) of a matrix.
trigon::Tensor columns(const trigon::Tensor& x, std::int64_t from, std::int64_t to);
trigon::Tensor apply(const LayerNorm& norm, const trigon::Tensor& x, const Config& config);
trigon::Tensor apply(const Linear& layer, const trigon::Tensor& x);
/// The factor of the scores of a layer's attention.
double attention_scale(const Config& config, std::size_t layer);

/// Raises Error, naming `function`, if there are no ids, for ids outside the vocabulary, and for
/// more than fit after `past` others.
void check_length(const char* function, const Config& config, std::span<const std::int32_t> ids,
                  std::int64_t past);
/// The embeddings (T, C) of ids after `past` others.
trigon::Tensor embed(const Weights& weights, std::span<const std::int32_t> ids,
                     const trigon::Scalar& past, const trigon::Device& device);
/// The end of a block. `input`: its input (T, C); `attended`: the heads, joined (T, C).
trigon::Tensor finish_block(const Block& b, const Config& c, const trigon::Tensor& input,
                            const trigon::Tensor& attended);
/// (T, C) -> (T, V), after ln_f.
trigon::Tensor logits(const Weights& weights, const trigon::Tensor& normed);
/// The output (T, C) of the last block -> (1, V)
trigon::Tensor last_logits(const Weights& weights, const trigon::Tensor& x);

/// (1, V) -> (1,): the position of the first of the largest logits, or -1 if that logit is NaN or
/// infinite.
trigon::Tensor largest(const trigon::Tensor& logits);
/// The id of largest(). Raises Error for -1.
std::int32_t checked(std::int32_t id);

}  // namespace gpt2
