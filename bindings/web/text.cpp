// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

namespace web {

using trigon::Tensor;
namespace cm = trigon::cm;
using Ids = std::span<const std::int32_t>;

namespace {

void check_top(std::int64_t top) {
  if (top >= 0) return;
  throw trigon::Error(fmt::format("gpt2: top is out of range: {}; must be 0 or more", top));
}

// The colours of weights (..., columns), row by row. The square root makes small ones visible.
Tensor attention_colours(const Tensor& weights) {
  const std::int64_t columns = weights.shape()[-1];
  return pixels(cm::magma(sqrt(weights.reshape(weights.size() / columns, columns))));
}

// The colours of outputs (L, C): from minus to plus three times the root of the mean square.
Tensor block_colours(const Tensor& x) {
  const Tensor size = sqrt(mean(square(x), 1, true));
  return pixels(cm::coolwarm(x / (6.0 * size) + 0.5));
}

// The pictures of a token, one below the other, as an image of one size and plan for all tokens.
auto compiled_paint(std::int64_t layers) {
  return trigon::compile(
      [layers](const Tensor& attention, const Tensor& blocks, const trigon::Scalar& row) {
        std::vector<Tensor> images;
        if (attention.has_value()) images.push_back(attention_colours(attention));
        if (blocks.has_value()) {
          const Tensor x = blocks.at(trigon::Window{row, 1}).get();  // (1, L C)
          images.push_back(block_colours(x.reshape(layers, x.size() / layers)));
        }
        std::int64_t width = 0;
        for (const Tensor& image : images) width = std::max(width, image.shape()[1]);
        for (Tensor& image : images) {
          image = pad(image, {{0, 0}, {0, width - image.shape()[1]}, {0, 0}});
        }
        return concatenate(images, 0);
      });
}

}  // namespace

Text::Text(gpt2::Model model, gpt2::Tokenizer tokenizer)
    : model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      session_(model_),
      paint_(compiled_paint(model_.config().n_layer)) {}

// ---- The text

// An empty prompt becomes <|endoftext|>, with which each training text began, or bos_token_id.
void Text::begin(const std::optional<std::string>& prompt, const TextOptions& options) {
  std::vector<std::int32_t> ids;
  if (prompt) {
    ids = tokenizer_.encode(*prompt);
    const auto start =
        tokenizer_.end_of_text() ? tokenizer_.end_of_text() : model_.config().bos_token_id;
    if (ids.empty() && start) ids = {*start};
    if (ids.empty()) {
      throw trigon::Error(
          "gpt2: the prompt is empty and the model has neither <|endoftext|> nor bos_token_id; "
          "there must be a prompt");
    }
    model_.config().check_ids(ids);
  } else if (ids_.empty()) {
    throw trigon::Error("gpt2: there is no text to go on with; there must be a prompt first");
  }
  sampler_.emplace(options.sampling);  // which checks them
  check_top(options.top);
  options_ = options;
  filters_.clear();
  for (const std::string& stop : options.stop) filters_.emplace_back(stop);
  utf8_ = gpt2::Utf8Stream();
  made_ = 0;
  done_ = options.tokens == 0;
  if (!prompt) return;
  ids_ = std::move(ids);
  first_ = 0;
  session_.rewind();
}

// The ids that the session has not seen. If its context is full, restarts with the newest half of
// it.
Ids Text::next_ids() {
  const std::int64_t context = model_.config().n_positions;
  const auto size = static_cast<std::int64_t>(ids_.size());
  const std::int64_t seen = first_ + session_.position();
  if (size - first_ <= context && seen < size) {
    return Ids(ids_).subspan(static_cast<std::size_t>(seen));
  }
  const std::int64_t half = std::max<std::int64_t>(context / 2, 1);
  session_.rewind();
  first_ = size - std::min(half, size);
  return Ids(ids_).subspan(static_cast<std::size_t>(first_));
}

std::int32_t Text::choose(bool watch, Json& step) {
  const bool greedy = options_.sampling.temperature == 0.0;
  const Ids ids = next_ids();
  if (greedy && options_.top == 0) return session_.greedy(ids, watch);
  const std::vector<float> logits = session_.read_logits(ids, watch);
  if (options_.top > 0) {
    std::vector<float> probabilities(logits);
    const float most = *std::max_element(logits.begin(), logits.end());
    for (float& one : probabilities) one = std::exp(one - most);
    const float sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0F);
    for (float& one : probabilities) one /= sum;
    step["top"] = likeliest(probabilities, options_.top);
  }
  return sampler_->next(logits);
}

// The complete characters, up to a stop text.
std::string Text::show(std::int32_t id, bool& done) {
  std::string text = utf8_.push(tokenizer_.bytes(id));
  if (done) text += utf8_.finish();
  for (gpt2::StopFilter& filter : filters_) {
    text = filter.push(text);
    if (done && !filter.stopped()) text += filter.finish();
    done = done || filter.stopped();
  }
  return text;
}

Step Text::next(bool is_shown) {
  Step result{Json{{"text", ""}, {"done", true}, {"top", Json::array()}}};
  if (done_) return result;
  Json& step = result.told;
  const trigon::Counters before = counters(model_.device());
  const auto start = std::chrono::steady_clock::now();
  const std::int32_t id = choose(options_.attention && is_shown, step);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  step["draws"] = (counters(model_.device()) - before).draws;
  step["seconds"] = seconds.count();
  const auto& ends = model_.config().eos_token_ids;
  const bool is_end = std::find(ends.begin(), ends.end(), id) != ends.end();
  ids_.push_back(id);
  done_ = is_end || ++made_ == options_.tokens;
  step["id"] = id;
  step["token"] = ids_.size() - 1;
  if (is_end) {
    std::string rest = utf8_.finish();
    for (gpt2::StopFilter& filter : filters_) rest = filter.push(rest) + filter.finish();
    step["text"] = rest;
    step["end"] = true;
  } else {
    step["text"] = show(id, done_);
  }
  step["done"] = done_;
  if (is_shown && (options_.attention || options_.blocks)) {
    paint(session_.position() - 1, result);  // last: if it fails, the token is in the text
  }
  return result;
}

// ---- Tables

std::string Text::text_of(std::int32_t id) const {
  return std::cmp_less(id, tokenizer_.size()) ? std::string(tokenizer_.bytes(id)) : std::string();
}

Json Text::describe(Ids ids) const {
  Json list = Json::array();
  for (const std::int32_t id : ids) {
    const std::string text = text_of(id);
    list.push_back({{"id", id}, {"text", text}, {"bytes", text.size()}});
  }
  return list;
}

Json Text::likeliest(std::span<const float> probabilities, std::int64_t count) const {
  std::vector<std::int32_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + std::min<std::int64_t>(count, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::int32_t a, std::int32_t b) {
    const float p = probabilities[static_cast<std::size_t>(a)];
    const float q = probabilities[static_cast<std::size_t>(b)];
    return p != q ? p > q : a < b;
  });
  Json list = Json::array();
  for (auto id = order.begin(); id != end; ++id) {
    list.push_back({{"id", *id},
                    {"text", text_of(*id)},
                    {"probability", probabilities[static_cast<std::size_t>(*id)]}});
  }
  return list;
}

std::int64_t Text::token_in(const Json& which) const {
  return which.at("token").get<std::int64_t>();
}

std::int64_t Text::row_of(std::int64_t token) const {
  const std::int64_t row = token - first_;
  if (row >= 0 && row < session_.position()) return row;
  throw trigon::Error(fmt::format(
      "gpt2: token {} is not at hand: the model holds tokens {} to {}; there is nothing to see of "
      "others, nor of the last one before the next is made",
      token, first_, first_ + session_.position() - 1));
}

namespace {

// `first`: the token of the first column, where the columns are tokens.
Answer numbers(const Tensor& tensor, std::optional<std::int64_t> first = std::nullopt) {
  Answer answer{Json{{"dtype", "float32"}, {"shape", Json::array()}}};
  if (first) answer.json["first"] = *first;
  for (const std::int64_t size : tensor.shape()) answer.json["shape"].push_back(size);
  const std::vector<float> values = tensor.to_vector<float>();
  answer.bytes.resize(values.size() * sizeof(float));
  std::memcpy(answer.bytes.data(), values.data(), answer.bytes.size());
  return answer;
}

std::optional<std::int64_t> number_in(const Json& which, const char* name) {
  const auto found = which.find(name);
  if (found == which.end() || found->is_null()) return std::nullopt;
  return found->get<std::int64_t>();
}

void check_number(const char* name, std::int64_t value, std::int64_t count) {
  if (value >= 0 && value < count) return;
  throw trigon::Error(fmt::format("gpt2: no such {}: {}; must be in [0, {})", name, value, count));
}

}  // namespace

Answer Text::attention(const Json& which) const {
  const auto layer = number_in(which, "layer"), head = number_in(which, "head");
  const std::int64_t length = session_.position();
  if (layer) check_number("layer", *layer, model_.config().n_layer);
  if (head) check_number("head", *head, model_.config().n_head);
  if (!number_in(which, "token")) {
    if (!layer || !head) {
      throw trigon::Error(
          "gpt2: attention of the whole text is that of one head; there must be a "
          "token, or a layer and a head");
    }
    const Tensor weights = session_.attention(*layer, *head);  // (n, n)
    return numbers(weights.at(trigon::Slice{0, length}, trigon::Slice{0, length}).get(), first_);
  }
  const std::int64_t row = row_of(token_in(which));
  Tensor weights = session_.attention(row);  // (L, H, n)
  weights = weights.at(trigon::ellipsis, trigon::Slice{0, row + 1}).get();
  if (head) weights = weights.at(trigon::Slice{}, *head).get();
  if (layer) weights = weights.at(*layer).get();
  return numbers(weights, first_);
}

Answer Text::blocks(const Json& which) const {
  return numbers(session_.outputs(row_of(token_in(which))));
}

Json Text::lens(std::int64_t token, std::int64_t top) const {
  check_top(top);
  const Tensor probabilities = session_.lens(row_of(token));  // (L, V)
  const std::vector<float> values = probabilities.to_vector<float>();
  const auto width = static_cast<std::size_t>(probabilities.shape()[1]);
  Json layers = Json::array();
  for (std::size_t at = 0; at < values.size(); at += width) {
    layers.push_back(likeliest(std::span(values).subspan(at, width), top));
  }
  return layers;
}

// ---- Pictures

// All n columns are coloured, so that the plan stays the same; the picture has only the columns in
// use.
Picture Text::attention_picture(const Tensor& weights, std::int64_t rows,
                                std::int64_t columns) const {
  weights.eval();  // so that the plan of its colours does not depend on how it was computed
  return {attention_colours(weights), rows, columns, true};
}

Picture Text::blocks_picture(std::int64_t row) const {
  const Tensor x = session_.outputs(row);  // (L, C)
  return {block_colours(x), x.shape()[0], x.shape()[1], true};
}

void Text::paint(std::int64_t row, Step& step) const {
  const gpt2::Config& c = model_.config();
  const std::int64_t heads = options_.attention ? c.n_layer * c.n_head : 0;
  if (options_.attention) step.places.push_back({0, 0, row + 1, heads});
  if (options_.blocks) step.places.push_back({0, heads, c.n_embd, c.n_layer});
  const Tensor image = paint_(options_.attention ? session_.attention(row) : Tensor(),
                              options_.blocks ? session_.outputs() : Tensor(), row);
  step.image = Picture{image, image.shape()[0], image.shape()[1], true};
}

Picture Text::draw(const Json& which) const {
  const std::string what = which.value("what", "");
  if (what == "blocks") return blocks_picture(row_of(token_in(which)));
  if (what != "attention") throw trigon::Error("gpt2: there is no picture of \"" + what + "\"");
  if (number_in(which, "token")) {
    const std::int64_t row = row_of(token_in(which));
    const Tensor weights = session_.attention(row);
    return attention_picture(weights, weights.shape()[0] * weights.shape()[1], row + 1);
  }
  const auto layer = number_in(which, "layer"), head = number_in(which, "head");
  if (!layer || !head) {
    throw trigon::Error(
        "gpt2: attention of the whole text is that of one head; there must be a "
        "token, or a layer and a head");
  }
  const std::int64_t length = session_.position();
  return attention_picture(session_.attention(*layer, *head), length, length);
}

}  // namespace web
