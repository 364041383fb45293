// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "sampler.hpp"
#include "stop_filter.hpp"
#include "tokenizer.hpp"
#include "utf8_stream.hpp"
#include "watched.hpp"

namespace web {

/// How a text is continued.
struct TextOptions {
  std::size_t tokens = 200;
  gpt2::SamplingOptions sampling{};
  std::int64_t top = 5;             ///< number of likeliest tokens in each step
  std::vector<std::string> stop{};  ///< each ends the text and is left out of it
  bool attention = false;           ///< pictures of each token
  bool blocks = false;
};

/// A new token: {text, id, top, token, seconds, draws, done}. Its pictures are parts of an image.
struct Step {
  Json told;
  std::optional<Picture> image{};
  std::vector<Place> places{};
};

/// A model and its present text.
class Text {
 public:
  Text(gpt2::Model model, gpt2::Tokenizer tokenizer);

  const gpt2::Model& model() const { return model_; }
  const gpt2::Tokenizer& tokenizer() const { return tokenizer_; }

  /// Starts with a prompt, or continues the present text.
  void begin(const std::optional<std::string>& prompt, const TextOptions& options);
  /// The next token. With `is_shown`, it has the pictures that were asked for, in the order of
  /// attention and blocks.
  Step next(bool is_shown);

  /// [{id, text, bytes}], which is the number of bytes
  Json describe(std::span<const std::int32_t> ids) const;
  Json tokens() const { return describe(ids_); }

  /// gpt2.mjs documents its functions of the same names.
  Answer attention(const Json& which) const;
  Answer blocks(const Json& which) const;
  Json lens(std::int64_t token, std::int64_t top) const;
  Picture draw(const Json& which) const;

 private:
  std::string text_of(std::int32_t id) const;
  Json likeliest(std::span<const float> probabilities, std::int64_t count) const;
  std::int32_t choose(bool watch, Json& step);
  std::span<const std::int32_t> next_ids();
  std::string show(std::int32_t id, bool& done);
  std::int64_t row_of(std::int64_t token) const;
  std::int64_t token_in(const Json& which) const;
  Picture attention_picture(const trigon::Tensor& weights, std::int64_t rows,
                            std::int64_t columns) const;
  Picture blocks_picture(std::int64_t row) const;
  void paint(std::int64_t row, Step& step) const;

  gpt2::Model model_;
  gpt2::Tokenizer tokenizer_;
  gpt2::WatchedSession session_;
  // Compiled: from attention (L, H, n), outputs of blocks (n, L C) and a row to an image of both.
  // An empty one is left out.
  using Paint = std::function<trigon::Tensor(trigon::Tensor attention, trigon::Tensor blocks,
                                             trigon::Scalar row)>;
  Paint paint_;
  std::vector<std::int32_t> ids_{};  ///< of the whole text
  std::int64_t first_ = 0;           ///< the first that the session holds
  TextOptions options_{};
  std::optional<gpt2::Sampler> sampler_{};
  std::vector<gpt2::StopFilter> filters_{};
  gpt2::Utf8Stream utf8_{};
  std::size_t made_ = 0;  ///< tokens since begin()
  bool done_ = true;
};

}  // namespace web
