// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trigon/tensor.hpp>

namespace gpt2 {

/// A folder's config.json: the fields of Hugging Face's GPT2Config that are used here.
struct Config {
  std::int64_t vocab_size = 0;
  std::int64_t n_positions = 0;  ///< the context: number of ids that the model sees at once
  std::int64_t n_embd = 0;
  std::int64_t n_layer = 0;
  std::int64_t n_head = 0;
  std::int64_t n_inner = 0;  ///< width of the MLP; 4 * n_embd if missing or null
  double layer_norm_epsilon = 1e-5;
  trigon::Tensor (*activation)(const trigon::Tensor&) = nullptr;  ///< gelu_new by default
  bool scale_attn_weights = true;                ///< scores are divided by sqrt(n_embd / n_head)
  bool scale_attn_by_inverse_layer_idx = false;  ///< and by the block's number, from 1
  /// Whether the head is wte. Without the field it is, unless the weights contain a head.
  std::optional<bool> tie_word_embeddings{};
  std::optional<std::int32_t> bos_token_id{};
  std::vector<std::int32_t> eos_token_ids{};  ///< each ends a text

  std::int64_t head_width() const { return n_embd / n_head; }

  /// Raises trigon::Error for an id outside [0, vocab_size).
  void check_ids(std::span<const std::int32_t> ids) const;

  /// Reads `dir`/config.json. Raises trigon::Error naming the file, the field, the value and the
  /// rule, for a field that is missing, of the wrong type or out of range.
  static Config load(const std::filesystem::path& dir);

  /// The same from the text of a file, which errors name.
  static Config parse(std::string_view json, const std::filesystem::path& file);
};

}  // namespace gpt2
