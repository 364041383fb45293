// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <trigon/trigon.hpp>

#include "model.hpp"

namespace gpt2 {

/// A Session that also keeps intermediate values of all ids so far: queries, keys and values of
/// each block, and the blocks' outputs. They take 4 C numbers for each layer and position; a
/// Session takes 2 C. Attention is computed again from them, so memory does not grow with the
/// square of the text's length.
class WatchedSession {
 public:
  explicit WatchedSession(const Model& model);

  /// As Session::read_logits. With `watch`, a pass of one id also gives its attention, from the
  /// step itself.
  std::vector<float> read_logits(std::span<const std::int32_t> ids, bool watch);
  /// As Session::greedy.
  std::int32_t greedy(std::span<const std::int32_t> ids, bool watch);

  std::int64_t position() const { return position_; }
  /// Forgets all ids. The memory stays and is written over.
  void rewind() { position_ = 0; }

  // Below, a token is a position in [0, position()). Results have n = n_positions entries, so that
  // all texts share plans. Entries past the token or the text are 0 or meaningless. Each function
  // raises Error for arguments out of range.

  /// The attention of the heads of all layers at a token: (L, H, n). That of the last token is
  /// already computed if its pass was watched.
  trigon::Tensor attention(std::int64_t token) const;
  /// The weights of one head: (n, n), one row per token.
  trigon::Tensor attention(std::int64_t layer, std::int64_t head) const;
  /// The outputs of all blocks at a token: (L, C).
  trigon::Tensor outputs(std::int64_t token) const;
  /// Those of all tokens: (n, L C).
  const trigon::Tensor& outputs() const { return outputs_; }
  /// The logit lens (nostalgebraist 2020): the probabilities (L, V) of the next token if each block
  /// were the last one. One product computes all blocks.
  trigon::Tensor lens(std::int64_t token) const;

 private:
  using Caches = std::vector<trigon::Tensor>;  // one per layer, (n, 3C): queries | keys | values
  // The values after one more id: its result, the caches, the outputs so far (n, L C), and the
  // attention (L, H, n), which is empty unless watched.
  using Result = std::tuple<trigon::Tensor, Caches, trigon::Tensor, std::vector<trigon::Tensor>>;
  using Step =
      std::function<Result(Caches, trigon::Tensor outputs, trigon::Scalar id, trigon::Scalar past)>;

  trigon::Tensor pass(std::span<const std::int32_t> ids, bool watch, bool reads_logits);
  trigon::Tensor decode(const Step& step, std::int32_t id);
  trigon::Tensor read_text(std::span<const std::int32_t> ids);
  void forget();
  void check_token(std::int64_t token) const;

  std::shared_ptr<const Weights> weights_;
  trigon::Device device_;
  std::array<std::array<Step, 2>, 2> steps_;  // compiled; by reads_logits and watch
  Caches caches_;
  trigon::Tensor outputs_;
  trigon::Tensor attention_;  // of the last id, if it was watched
  std::int64_t position_ = 0;
};

}  // namespace gpt2
