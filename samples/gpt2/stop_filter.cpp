// SPDX-License-Identifier: MIT
#include "stop_filter.hpp"

#include <algorithm>
#include <utility>

namespace gpt2 {

std::string StopFilter::push(std::string_view piece) {
  if (stopped_) return {};
  held_ += piece;
  if (stop_.empty()) return std::exchange(held_, {});
  if (const std::size_t at = held_.find(stop_); at != std::string::npos) {
    stopped_ = true;
    return std::exchange(held_, {}).substr(0, at);
  }
  // The longest end of the text with which the stop text begins.
  std::size_t keep = std::min(held_.size(), stop_.size() - 1);
  while (keep > 0 && !held_.ends_with(std::string_view(stop_).substr(0, keep))) --keep;
  std::string out = held_.substr(0, held_.size() - keep);
  held_.erase(0, held_.size() - keep);
  return out;
}

std::string StopFilter::finish() { return std::exchange(held_, {}); }

}  // namespace gpt2
