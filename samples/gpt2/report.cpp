// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

namespace gpt2 {
namespace {

using nlohmann::ordered_json;

struct Column {
  const char* name;
  double TokenCost::*mean;
  std::int64_t trigon::Counters::*count;
};
constexpr std::array columns = {
    Column{"draws", &TokenCost::draws, &trigon::Counters::draws},
    Column{"textures_created", &TokenCost::textures_created, &trigon::Counters::textures_created},
    Column{"framebuffers_created", &TokenCost::framebuffers_created,
           &trigon::Counters::framebuffers_created},
    Column{"programs_compiled", &TokenCost::programs_compiled,
           &trigon::Counters::programs_compiled},
    Column{"plans_made", &TokenCost::plans_made, &trigon::Counters::plans_made},
    Column{"bytes_uploaded", &TokenCost::bytes_uploaded, &trigon::Counters::bytes_uploaded},
    Column{"uniform_bytes", &TokenCost::uniform_bytes, &trigon::Counters::uniform_bytes},
    Column{"bytes_read", &TokenCost::bytes_read, &trigon::Counters::bytes_read},
};

TokenCost average(std::span<const Pass> passes) {
  TokenCost cost;
  for (const auto& [name, mean, count] : columns) {
    for (const Pass& pass : passes) cost.*mean += static_cast<double>(pass.cost.*count);
    cost.*mean /= static_cast<double>(passes.size());
  }
  return cost;
}

std::string rate_line(const char* label, std::size_t tokens, const std::optional<double>& rate) {
  if (!rate) return "";
  return fmt::format("{:<8} {} {}, {:.1f} tokens/s\n", label, tokens,
                     tokens == 1 ? "token" : "tokens", *rate);
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

}  // namespace

Stats make_stats(double load_s, const Generation& generation) {
  Stats stats;
  stats.load_s = load_s;
  stats.prefill_tokens = generation.prefill_ids;
  stats.decode_tokens = generation.decode.size();
  if (generation.prefill_ids > 0) {
    stats.prefill_tokens_per_s =
        static_cast<double>(generation.prefill_ids) / generation.prefill.seconds;
  }
  if (!generation.decode.empty()) {
    const auto late = std::span(generation.decode).subspan(generation.decode.size() / 2);
    double seconds = 0;
    for (const Pass& pass : late) seconds += pass.seconds;
    stats.decode_tokens_per_s = static_cast<double>(late.size()) / seconds;
    stats.per_token = average(late);
  }
  return stats;
}

std::string to_text(const Stats& stats) {
  std::string text = fmt::format("{:<8} {:.2f} s\n", "load", stats.load_s);
  text += rate_line("prefill", stats.prefill_tokens, stats.prefill_tokens_per_s);
  text += rate_line("decode", stats.decode_tokens, stats.decode_tokens_per_s);
  if (const auto& cost = stats.per_token) {
    text += fmt::format(
        "{:<8} {:g} draws; {:g} textures, {:g} framebuffers, {:g} programs and {:g} plans made; "
        "{:g} bytes uploaded, {:g} of uniforms, {:g} read back\n",
        "a token", cost->draws, cost->textures_created, cost->framebuffers_created,
        cost->programs_compiled, cost->plans_made, cost->bytes_uploaded, cost->uniform_bytes,
        cost->bytes_read);
  }
  return text;
}

std::string to_json(const std::optional<std::string>& text,
                    std::span<const std::int32_t> prompt_ids, std::span<const std::int32_t> ids,
                    const Stats& stats) {
  ordered_json per_token;
  if (const auto& cost = stats.per_token) {
    for (const auto& [name, mean, count] : columns) per_token[name] = (*cost).*mean;
  }
  ordered_json object;
  object["text"] = or_null(text);
  object["prompt_ids"] = std::vector(prompt_ids.begin(), prompt_ids.end());
  object["ids"] = std::vector(ids.begin(), ids.end());
  object["stats"] = {{"load_s", stats.load_s},
                     {"prefill_tokens_per_s", or_null(stats.prefill_tokens_per_s)},
                     {"decode_tokens_per_s", or_null(stats.decode_tokens_per_s)},
                     {"per_token", per_token}};
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace gpt2
