// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace gpt2 {

std::string progress_line(std::string_view label, int percent) {
  constexpr int width = 20;
  const int full = percent * width / 100;
  return fmt::format("{} [{:#<{}}{:-<{}}] {:3} %", label, "", full, "", width - full, percent);
}

Progress::Progress(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (terminal_ && shown_ >= 0) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::int64_t done, std::int64_t total) {
  const int percent = total > 0 ? static_cast<int>(100 * done / total) : 100;
  if (!terminal_ || percent == shown_) return;
  shown_ = percent;
  std::fputs(("\r" + progress_line(label_, percent)).c_str(), stderr);
}

}  // namespace gpt2
