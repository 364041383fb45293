// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace simulate {

std::string progress_line(std::string_view label, std::int64_t percent) {
  constexpr std::int64_t width = 20;
  const std::int64_t full = percent * width / 100;
  return fmt::format("{} [{:#<{}}{:-<{}}] {:3} %", label, "", full, "", width - full, percent);
}

Progress::Progress(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!shown_.empty()) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::int64_t done, std::int64_t total) {
  if (!terminal_) return;
  std::string line = progress_line(label_, total > 0 ? 100 * done / total : 100);
  if (line == shown_) return;
  shown_ = std::move(line);
  std::fputs(("\r\033[K" + shown_).c_str(), stderr);
}

}  // namespace simulate
