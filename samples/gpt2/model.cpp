// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <trigon/trigon.hpp>

#include "layers.hpp"

namespace gpt2 {
namespace {

using trigon::Scalar;
using trigon::Shape;
using trigon::Slice;
using trigon::Tensor;
using trigon::Window;
namespace nn = trigon::nn;

// ---- the pass

// x: (T, C) -> (T, C). Puts keys and values of x into rows past ... past + T - 1 of the cache.
Tensor attend(const Weights& weights, std::size_t layer, const Tensor& x, const Scalar& past,
              Tensor& cache) {
  const Config& c = weights.config;
  const std::int64_t width = c.n_embd;
  const Tensor qkv = apply(weights.blocks[layer].attn_qkv, x);  // (T, 3C)
  // The old handle is moved away, so that the write is in place.
  cache = cache.at(Window{past, x.shape()[0]}, Slice{}).set(columns(qkv, width, 3 * width));
  const Tensor q = split_heads(columns(qkv, 0, width), c.n_head);            // (H, T, D)
  const Tensor k = split_heads(columns(cache, 0, width), c.n_head);          // (H, S, D)
  const Tensor v = split_heads(columns(cache, width, 2 * width), c.n_head);  // (H, S, D)
  const Tensor y = nn::scaled_dot_product_attention(
      q, k, v, {.is_causal = x.shape()[0] > 1, .scale = attention_scale(c, layer), .past = past});
  return join_heads(y);
}

// x: the embeddings (T, C). Returns those and the output of each block, (T, C) each.
std::vector<Tensor> run_blocks(const Weights& weights, Tensor x, const Scalar& past,
                               std::vector<Tensor>& caches) {
  const Config& c = weights.config;
  std::vector<Tensor> states{std::move(x)};
  for (std::size_t layer = 0; layer < weights.blocks.size(); ++layer) {
    const Block& b = weights.blocks[layer];
    const Tensor& input = states.back();
    const Tensor attended = attend(weights, layer, apply(b.ln_1, input, c), past, caches[layer]);
    states.push_back(finish_block(b, c, input, attended));
  }
  return states;
}

// A pass of one id that ends with `last` of the logits. It makes one plan, for all positions.
template <class F>
auto compiled_step(const std::shared_ptr<const Weights>& weights, F last) {
  return trigon::compile(
      [weights, last](std::vector<Tensor> caches, const Scalar& id, const Scalar& past) {
        const Tensor token = take(weights->wte, id);
        const Tensor x = token + weights->wpe.at(Window{past, 1}).get();  // (1, C)
        Tensor result = last(last_logits(*weights, run_blocks(*weights, x, past, caches).back()));
        return std::pair(std::move(result), std::move(caches));
      });
}

}  // namespace

Session::Session(std::shared_ptr<const Weights> weights, trigon::Device device)
    : weights_(std::move(weights)),
      device_(std::move(device)),
      next_logits_(compiled_step(weights_, [](const Tensor& x) { return x; })),
      next_id_(compiled_step(weights_, largest)) {
  forget();
}

void Session::forget() {
  const Config& c = weights_->config;
  caches_.assign(static_cast<std::size_t>(c.n_layer), trigon::zeros({c.n_positions, 2 * c.n_embd}));
  position_ = 0;
}

// The embeddings and the output of each block, (T, C) each, not evaluated.
std::vector<Tensor> Session::run_blocks(std::span<const std::int32_t> ids) {
  check_length("gpt2::Session::forward", weights_->config, ids, position_);
  const Scalar past(position_);
  std::vector<Tensor> states =
      gpt2::run_blocks(*weights_, embed(*weights_, ids, past, device_), past, caches_);
  position_ += static_cast<std::int64_t>(ids.size());
  return states;
}

// The caches are moved into the call, so that they are written in place; a failed call loses them.
Tensor Session::decode(const Step& step, std::int32_t id) {
  check_length("gpt2::Session::forward", weights_->config, std::span(&id, 1), position_);
  try {
    auto [result, caches] = step(std::move(caches_), id, position_);
    caches_ = std::move(caches);
    ++position_;
    return result;
  } catch (...) {
    forget();
    throw;
  }
}

// The caches are roots too: one plan computes everything, and the next pass finds them ready.
void Session::evaluate(std::vector<Tensor> roots) const {
  roots.insert(roots.end(), caches_.begin(), caches_.end());
  trigon::eval(roots);
}

Tensor Session::forward(std::span<const std::int32_t> ids) {
  if (continues(ids)) return decode(next_logits_, ids[0]);
  const Tensor result = last_logits(*weights_, run_blocks(ids).back());
  evaluate({result});
  return result;
}

// A read also evaluates, in one entry to the device. Intermediate values with a handle are kept,
// and so are the caches.
std::vector<float> Session::read_logits(std::span<const std::int32_t> ids) {
  if (continues(ids)) {
    const trigon::DeviceGuard guard(device_);
    return decode(next_logits_, ids[0]).to_vector<float>();
  }
  return last_logits(*weights_, run_blocks(ids).back()).to_vector<float>();
}

std::int32_t Session::greedy(std::span<const std::int32_t> ids) {
  if (continues(ids)) {
    const trigon::DeviceGuard guard(device_);  // the step and its read enter the device once
    return checked(decode(next_id_, ids[0]).item<std::int32_t>());
  }
  return checked(largest(last_logits(*weights_, run_blocks(ids).back())).item<std::int32_t>());
}

Tensor Session::forward_all(std::span<const std::int32_t> ids) {
  const Tensor result =
      logits(*weights_, apply(weights_->ln_f, run_blocks(ids).back(), weights_->config));
  evaluate({result});
  return result;
}

States Session::forward_states(std::span<const std::int32_t> ids) {
  States states;
  states.hidden = run_blocks(ids);
  states.hidden.back() = apply(weights_->ln_f, states.hidden.back(), weights_->config);
  states.logits = logits(*weights_, states.hidden.back());
  std::vector<Tensor> roots = states.hidden;
  roots.push_back(states.logits);
  evaluate(std::move(roots));
  return states;
}

// ---- the results of a block for a text

namespace {

// x: the input (T, C) of a layer. Returns the weights (H, T, T) and the output (T, C), evaluated.
BlockStates inspect_block(const Weights& weights, std::size_t layer, const Tensor& x) {
  const Config& c = weights.config;
  const Block& b = weights.blocks[layer];
  const std::int64_t width = c.n_embd;
  const Tensor qkv = apply(b.attn_qkv, apply(b.ln_1, x, c));               // (T, 3C)
  const Tensor q = split_heads(columns(qkv, 0, width), c.n_head);          // (H, T, D)
  const Tensor k = split_heads(columns(qkv, width, 2 * width), c.n_head);  // (H, T, D)
  const Tensor v = split_heads(columns(qkv, 2 * width, 3 * width), c.n_head);
  const Tensor scores = matmul(q, swapaxes(k, 1, 2)) * attention_scale(c, layer);  // (H, T, T)
  const Tensor place = trigon::arange(x.shape()[0]);
  const Tensor seen = expand_dims(place, 1) >= place;  // (T, T): keys up to the query
  const Tensor shown = where(seen, scores, -std::numeric_limits<float>::infinity());
  BlockStates states{.attention = nn::softmax(shown, -1)};
  states.output = finish_block(b, c, x, join_heads(matmul(states.attention, v)));
  trigon::eval({states.attention, states.output});
  return states;
}

// A few rows at a time, since logits are as wide as the vocabulary. The last rows overlap those
// before them, so that all pieces share a plan.
void look_through_lens(const Weights& weights, BlockStates& states) {
  const std::int64_t length = states.output.shape()[0];
  const std::int64_t rows = std::min<std::int64_t>(length, 64);
  states.top_ids.resize(static_cast<std::size_t>(length));
  states.top_probabilities.resize(static_cast<std::size_t>(length));
  for (std::int64_t from = 0; from < length; from += rows) {
    const std::int64_t first = std::min(from, length - rows);
    const Tensor x = states.output.at(Window{Scalar(first), rows}).get();
    const Tensor guess = logits(weights, apply(weights.ln_f, x, weights.config));  // (rows, V)
    const Tensor ids = argmax(guess, -1);
    const Tensor probabilities = max(nn::softmax(guess, -1), -1);
    trigon::eval({ids, probabilities});
    const std::vector<std::int32_t> top = ids.to_vector<std::int32_t>();
    const std::vector<float> shares = probabilities.to_vector<float>();
    std::copy(top.begin(), top.end(), states.top_ids.begin() + first);
    std::copy(shares.begin(), shares.end(), states.top_probabilities.begin() + first);
  }
}

}  // namespace

void Model::inspect(std::span<const std::int32_t> ids, const OnBlock& on_block) const {
  check_length("gpt2::Model::inspect", config(), ids, 0);
  Tensor x = embed(*weights_, ids, Scalar(0), device_).eval();
  for (std::size_t layer = 0; layer < weights_->blocks.size(); ++layer) {
    BlockStates states = inspect_block(*weights_, layer, x);
    look_through_lens(*weights_, states);
    x = states.output;
    on_block(layer, states);
  }
}

}  // namespace gpt2
