// SPDX-License-Identifier: MIT
#include "generate.hpp"

#include <algorithm>
#include <chrono>

namespace gpt2 {
namespace {

using Ids = std::span<const std::int32_t>;

Ids newest_half(Ids history, std::int64_t context) {
  const auto half = static_cast<std::size_t>(std::max<std::int64_t>(context / 2, 1));
  return history.last(std::min(half, history.size()));
}

// Picks the next token, and measures how long that takes.
class Picker {
 public:
  Picker(const Model& model, const SamplingOptions& options)
      : session_(model.start()),
        device_(model.device()),
        greedy_(options.temperature == 0.0),
        sampler_(options) {}

  Session& session() { return session_; }

  std::int32_t next(Ids ids, Pass& pass) {
    const trigon::Counters before = counters(device_);
    const auto start = std::chrono::steady_clock::now();
    const std::int32_t id =
        greedy_ ? session_.greedy(ids) : sampler_.next(session_.read_logits(ids));
    pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    pass.cost = counters(device_) - before;
    return id;
  }

 private:
  Session session_;
  trigon::Device device_;
  bool greedy_;
  Sampler sampler_;
};

}  // namespace

Generation generate(const Model& model, Ids prompt, const GenerateOptions& options,
                    const OnToken& on_token) {
  model.config().check_ids(prompt);
  Generation result;
  if (options.tokens == 0) return result;
  const std::int64_t context = model.config().n_positions;
  Picker picker(model, options.sampling);
  std::vector<std::int32_t> history(prompt.begin(), prompt.end());

  const bool fits = static_cast<std::int64_t>(prompt.size()) <= context;
  const Ids first = fits ? prompt : newest_half(prompt, context);
  result.prefill_ids = first.size();
  std::int32_t id = picker.next(first, result.prefill);
  while (std::find(options.stop_ids.begin(), options.stop_ids.end(), id) ==
         options.stop_ids.end()) {
    result.ids.push_back(id);
    if ((on_token && !on_token(id)) || result.ids.size() == options.tokens) break;
    history.push_back(id);
    if (picker.session().position() == context) {
      Pass ignored;  // neither the first pass nor one of a single id
      picker.session().rewind();
      id = picker.next(newest_half(history, context), ignored);
    } else {
      id = picker.next(Ids(history).last(1), result.decode.emplace_back());
    }
  }
  return result;
}

}  // namespace gpt2
