// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpt2 {

/// A progress bar on stderr; nothing if stderr is not a terminal.
class Progress {
 public:
  explicit Progress(std::string label);
  /// Removes the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t done, std::int64_t total);

 private:
  std::string label_;
  bool terminal_;
  int shown_ = -1;  // per cent; drawn again only when it changes
};

/// The bar's line: `label [#####---------------]  25 %`.
std::string progress_line(std::string_view label, int percent);

}  // namespace gpt2
