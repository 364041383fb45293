// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simulate {

/// A line on stderr with the progress of a run; nothing if stderr is not a terminal.
class Progress {
 public:
  explicit Progress(std::string label);
  /// Removes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void label(std::string text) { label_ = std::move(text); }
  void update(std::int64_t done, std::int64_t total);

 private:
  std::string label_;
  bool terminal_;
  std::string shown_{};  // drawn again only when it changes
};

/// The line: `label [#####---------------]  25 %`.
std::string progress_line(std::string_view label, std::int64_t percent);

}  // namespace simulate
