// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/tensor.hpp>

#include "config.hpp"

namespace gpt2 {

struct LayerNorm {
  trigon::Tensor weight, bias;  // (C,)
};

struct Linear {
  trigon::Tensor weight;  // (out, in), transposed from the file
  trigon::Tensor bias;    // (out,)
};

struct Block {
  LayerNorm ln_1;
  Linear attn_qkv;   // (3C, C)
  Linear attn_proj;  // (C, C)
  LayerNorm ln_2;
  Linear mlp_fc;    // (n_inner, C)
  Linear mlp_proj;  // (C, n_inner)
};

struct Weights {
  Config config;
  trigon::Tensor wte;  // (V, C)
  trigon::Tensor wpe;  // (n_positions, C)
  std::vector<Block> blocks;
  LayerNorm ln_f;
  trigon::Tensor head;  // (V, C); wte itself if they are tied
};

/// All values that a forward pass computes.
struct States {
  trigon::Tensor logits;               // (T, V)
  std::vector<trigon::Tensor> hidden;  // (T, C) each: the embeddings, the output of each block but
                                       // the last, and the output of ln_f
};

/// The result of a block for a text of T ids.
struct BlockStates {
  trigon::Tensor attention;  // (H, T, T): row t of a head is the weights of query t over the keys
  trigon::Tensor output;     // (T, C)
  /// The logit lens (nostalgebraist 2020): ln_f and the head, applied to the output.
  std::vector<std::int32_t> top_ids{};     ///< the likeliest next id after each of the T ids
  std::vector<float> top_probabilities{};  ///< its probability
};

/// A text that the model reads. The keys and values of earlier ids are kept, so that each further
/// id costs one short pass, whose plan is the same at every position. A pass of one id that fails
/// on the device forgets all ids.
class Session {
 public:
  /// Called by Model::start().
  Session(std::shared_ptr<const Weights> weights, trigon::Device device);

  /// Appends ids; returns the logits (1, V) of the next token, evaluated.
  /// Raises trigon::Error for no ids, an id outside [0, vocab_size) or more than n_positions ids.
  trigon::Tensor forward(std::span<const std::int32_t> ids);

  /// The same, but returns the logits (V) on the host: evaluated and read at once.
  std::vector<float> read_logits(std::span<const std::int32_t> ids);

  /// The same, but returns the id of the first of the largest logits, found on the device. Raises
  /// Error when that logit is NaN or infinite.
  std::int32_t greedy(std::span<const std::int32_t> ids);

  /// The same, but returns the logits of all ids (T, V), evaluated.
  trigon::Tensor forward_all(std::span<const std::int32_t> ids);

  /// The same, but returns all intermediate states, evaluated.
  States forward_states(std::span<const std::int32_t> ids);

  /// Number of ids so far.
  std::int64_t position() const { return position_; }

  /// Forgets all ids. The memory is kept and overwritten.
  void rewind() { position_ = 0; }

 private:
  using Caches = std::vector<trigon::Tensor>;  // one per layer, (n_positions, 2C): keys | values
  /// Processes one more id. Returns the result and the caches.
  using Step = std::function<std::pair<trigon::Tensor, Caches>(Caches, trigon::Scalar id,
                                                               trigon::Scalar past)>;

  std::vector<trigon::Tensor> run_blocks(std::span<const std::int32_t> ids);
  /// Whether the ids are a single further one, which the compiled step takes.
  bool continues(std::span<const std::int32_t> ids) const {
    return ids.size() == 1 && position_ > 0;
  }
  trigon::Tensor decode(const Step& step, std::int32_t id);
  void evaluate(std::vector<trigon::Tensor> roots) const;
  void forget();

  std::shared_ptr<const Weights> weights_;
  trigon::Device device_;
  Step next_logits_, next_id_;  // compiled
  Caches caches_;
  std::int64_t position_ = 0;
};

/// GPT-2 (Radford et al. 2019). Immutable and cheap to copy.
class Model {
 public:
  /// Called with the bytes of weights uploaded so far and their total.
  using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

  /// Reads `dir`: config.json, and model.safetensors or model.safetensors.index.json with its
  /// shards, in Hugging Face's names, with or without `transformer.` before them. Everything is
  /// checked before anything is uploaded. Raises trigon::Error when a tensor does not fit, naming
  /// the file, the tensor and both shapes.
  static Model load(const std::filesystem::path& dir, const trigon::Device& device,
                    const Progress& progress = {});

  const Config& config() const { return weights_->config; }
  const trigon::Device& device() const { return device_; }
  const std::shared_ptr<const Weights>& weights() const { return weights_; }

  Session start() const { return Session(weights_, device_); }

  /// Called with each block in order; the states are evaluated.
  using OnBlock = std::function<void(std::size_t layer, const BlockStates& states)>;

  /// Passes a whole text through the blocks, without a cache and one block at a time: the device
  /// holds the attention of one layer. Raises as Session::forward does.
  void inspect(std::span<const std::int32_t> ids, const OnBlock& on_block) const;

 private:
  friend class ModelLoader;
  Model(std::shared_ptr<const Weights> weights, const trigon::Device& device)
      : weights_(std::move(weights)), device_(device) {}

  std::shared_ptr<const Weights> weights_;
  trigon::Device device_;
};

}  // namespace gpt2
