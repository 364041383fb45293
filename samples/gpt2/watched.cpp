// SPDX-License-Identifier: MIT
#include "watched.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "layers.hpp"

namespace gpt2 {
namespace {

using trigon::Scalar;
using trigon::Slice;
using trigon::Tensor;
using trigon::Window;
namespace nn = trigon::nn;

// Queries (..., T, D) and keys (..., S, D) -> (..., T, S). Only the first `length` columns count.
Tensor weights_of(const Tensor& q, const Tensor& k, double scale, const Scalar& length) {
  const Tensor scores = matmul(q, swapaxes(k, -1, -2), {.columns = length}) * scale;
  return nn::softmax(scores, -1, length);
}

// The queries, keys or values, by `third`, in columns of queries | keys | values: (H, T, D).
Tensor heads(const Tensor& qkv, std::int64_t third, const Config& c) {
  return split_heads(columns(qkv, third * c.n_embd, (third + 1) * c.n_embd), c.n_head);
}

struct Pass {
  std::vector<Tensor> outputs{};    // of each block, (T, C)
  std::vector<Tensor> attention{};  // of each block, (H, n), where T is 1
};

// x: the embeddings (T, C) of the ids after `past` others, whose rows of the caches it writes.
Pass run_watched(const Weights& weights, Tensor x, const Scalar& past,
                 std::vector<Tensor>& caches) {
  const Config& c = weights.config;
  Pass pass;
  for (std::size_t layer = 0; layer < weights.blocks.size(); ++layer) {
    const Block& b = weights.blocks[layer];
    const std::int64_t length = x.shape()[0];
    const double scale = attention_scale(c, layer);
    const Tensor qkv = apply(b.attn_qkv, apply(b.ln_1, x, c));  // (T, 3C)
    Tensor& cache = caches[layer];
    // The old handle is moved away, so that the write is in place.
    cache = cache.at(Window{past, length}, Slice{}).set(qkv);
    const Tensor q = heads(qkv, 0, c);    // (H, T, D)
    const Tensor k = heads(cache, 1, c);  // (H, n, D)
    const Tensor v = heads(cache, 2, c);  // (H, n, D)
    Tensor attended;
    if (length == 1) {
      const Tensor seen = weights_of(q, k, scale, past + 1);  // (H, 1, n)
      attended = matmul(seen, v, {.inner = past + 1});
      pass.attention.push_back(seen.reshape(c.n_head, c.n_positions));
    } else {
      attended = nn::scaled_dot_product_attention(
          q, k, v, {.is_causal = true, .scale = scale, .past = past});
    }
    x = finish_block(b, c, x, join_heads(attended));
    pass.outputs.push_back(x);
  }
  return pass;
}

// A row for each id, (T, L C), into the rows after `past`.
Tensor keep_outputs(Tensor kept, const std::vector<Tensor>& outputs, const Scalar& past) {
  const std::int64_t length = outputs[0].shape()[0];
  Tensor rows = concatenate(outputs, 1);
  const auto rows_at = std::move(kept).at(Window{past, length}, Slice{});
  kept = Tensor();
  return rows_at.set(rows);
}

// A pass of one id. It makes one plan, for all positions.
auto compiled_step(const std::shared_ptr<const Weights>& weights, bool reads_logits, bool watch) {
  return trigon::compile([weights, reads_logits, watch](std::vector<Tensor> caches, Tensor outputs,
                                                        const Scalar& id, const Scalar& past) {
    const Tensor x = take(weights->wte, id) + weights->wpe.at(Window{past, 1}).get();  // (1, C)
    Pass pass = run_watched(*weights, x, past, caches);
    outputs = keep_outputs(std::move(outputs), pass.outputs, past);
    Tensor result = last_logits(*weights, pass.outputs.back());
    if (!reads_logits) result = largest(result);
    std::vector<Tensor> attention;
    if (watch) attention.push_back(stack(pass.attention));
    return std::tuple(std::move(result), std::move(caches), std::move(outputs),
                      std::move(attention));
  });
}

}  // namespace

WatchedSession::WatchedSession(const Model& model)
    : weights_(model.weights()), device_(model.device()) {
  for (const bool reads_logits : {false, true}) {
    for (const bool watch : {false, true}) {
      steps_[reads_logits][watch] = compiled_step(weights_, reads_logits, watch);
    }
  }
  forget();
}

void WatchedSession::forget() {
  const Config& c = weights_->config;
  caches_.assign(static_cast<std::size_t>(c.n_layer), trigon::zeros({c.n_positions, 3 * c.n_embd}));
  outputs_ = trigon::zeros({c.n_positions, c.n_layer * c.n_embd});
  attention_ = Tensor();
  position_ = 0;
}

// The kept values are moved into the call, so that they are written in place; a failed call loses
// them.
Tensor WatchedSession::decode(const Step& step, std::int32_t id) {
  try {
    auto [result, caches, outputs, attention] =
        step(std::move(caches_), std::move(outputs_), id, position_);
    caches_ = std::move(caches);
    outputs_ = std::move(outputs);
    if (!attention.empty()) attention_ = std::move(attention[0]);
    ++position_;
    return result;
  } catch (...) {
    forget();
    throw;
  }
}

// The logits (1, V) after several ids; the kept values are evaluated together with them.
Tensor WatchedSession::read_text(std::span<const std::int32_t> ids) {
  try {
    const Scalar past(position_);
    Pass pass = run_watched(*weights_, embed(*weights_, ids, past, device_), past, caches_);
    outputs_ = keep_outputs(std::move(outputs_), pass.outputs, past);
    std::vector<Tensor> roots = caches_;
    roots.push_back(outputs_);
    roots.push_back(last_logits(*weights_, pass.outputs.back()));
    trigon::eval(roots);
    position_ += static_cast<std::int64_t>(ids.size());
    return roots.back();
  } catch (...) {
    forget();
    throw;
  }
}

Tensor WatchedSession::pass(std::span<const std::int32_t> ids, bool watch, bool reads_logits) {
  check_length("gpt2::WatchedSession", weights_->config, ids, position_);
  attention_ = Tensor();
  if (ids.size() == 1 && position_ > 0) return decode(steps_[reads_logits][watch], ids[0]);
  const Tensor logits = read_text(ids);
  return reads_logits ? logits : largest(logits);
}

std::vector<float> WatchedSession::read_logits(std::span<const std::int32_t> ids, bool watch) {
  const trigon::DeviceGuard guard(device_);
  return pass(ids, watch, true).to_vector<float>();
}

std::int32_t WatchedSession::greedy(std::span<const std::int32_t> ids, bool watch) {
  const trigon::DeviceGuard guard(device_);  // the step and its read enter the device once
  return checked(pass(ids, watch, false).item<std::int32_t>());
}

void WatchedSession::check_token(std::int64_t token) const {
  if (token >= 0 && token < position_) return;
  throw trigon::Error(
      fmt::format("gpt2::WatchedSession: no such token: {}; must be in [0, {})", token, position_));
}

Tensor WatchedSession::attention(std::int64_t token) const {
  check_token(token);
  if (attention_.has_value() && token == position_ - 1) return attention_;
  const Scalar row(token);
  std::vector<Tensor> layers;
  for (std::size_t layer = 0; layer < caches_.size(); ++layer) {
    const Config& c = weights_->config;
    const Tensor qkv = caches_[layer].at(Window{row, 1}).get();  // (1, 3C)
    layers.push_back(weights_of(heads(qkv, 0, c), heads(caches_[layer], 1, c),
                                attention_scale(c, layer), row + 1)
                         .reshape(c.n_head, c.n_positions));
  }
  return stack(layers);
}

Tensor WatchedSession::attention(std::int64_t layer, std::int64_t head) const {
  const Config& c = weights_->config;
  if (layer < 0 || layer >= c.n_layer || head < 0 || head >= c.n_head) {
    throw trigon::Error(fmt::format(
        "gpt2::WatchedSession: no such head: layer {}, head {}; must be in [0, {}) and [0, {})",
        layer, head, c.n_layer, c.n_head));
  }
  const Tensor& cache = caches_[static_cast<std::size_t>(layer)];
  const std::int64_t width = c.head_width();
  // The head is a Scalar, so that all heads share a plan.
  const auto columns_at = [&](std::int64_t first) {
    return cache.at(Slice{}, Window{Scalar(first + head * width), width}).get();  // (n, D)
  };
  const Tensor scores = matmul(columns_at(0), columns_at(c.n_embd).T()) *
                        attention_scale(c, static_cast<std::size_t>(layer));
  const Tensor place = trigon::arange(c.n_positions);
  const Tensor seen = expand_dims(place, 1) >= place;  // (n, n): keys up to the query
  return nn::softmax(where(seen, scores, -std::numeric_limits<float>::infinity()), -1);
}

Tensor WatchedSession::outputs(std::int64_t token) const {
  check_token(token);
  const Config& c = weights_->config;
  return outputs_.at(Window{Scalar(token), 1}).get().reshape(c.n_layer, c.n_embd);
}

Tensor WatchedSession::lens(std::int64_t token) const {
  return nn::softmax(logits(*weights_, apply(weights_->ln_f, outputs(token), weights_->config)),
                     -1);
}

}  // namespace gpt2
