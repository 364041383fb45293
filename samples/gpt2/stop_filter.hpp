// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpt2 {

/// Ends a stream of text before the first occurrence of a stop text, for any division into pieces.
/// An end that may begin the stop text is held back until the next piece decides.
class StopFilter {
 public:
  /// An empty stop text never occurs.
  explicit StopFilter(std::string stop) : stop_(std::move(stop)) {}

  /// Takes the next piece; returns the text that certainly precedes the stop text.
  std::string push(std::string_view piece);

  /// Ends the stream; returns the text that is still held back.
  std::string finish();

  /// Whether the stop text has occurred.
  bool stopped() const { return stopped_; }

 private:
  std::string stop_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace gpt2
