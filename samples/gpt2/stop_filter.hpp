// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpt2 {

/// Ends a stream of text before the first occurrence of a stop text, wherever the pieces are cut:
/// what may be the stop text's beginning is held back until it is known.
class StopFilter {
 public:
  /// An empty stop text never occurs.
  explicit StopFilter(std::string stop) : stop_(std::move(stop)) {}

  /// Takes the next piece; returns what certainly precedes the stop text.
  std::string push(std::string_view piece);

  /// Ends the text: what is still held back, which was no stop text.
  std::string finish();

  /// Whether the stop text has occurred.
  bool stopped() const { return stopped_; }

 private:
  std::string stop_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace gpt2
