// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/config.hpp>

// For the library's own use: the function that an Error names.

namespace trigon::detail::core {

/// While it lives, errors on this thread name its function; of several the outermost counts.
class Called {
 public:
  /// Of functions of `namespace trigon`: "nn::softmax". The name must outlive the object.
  explicit Called(const char* function) noexcept;
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;
  ~Called();

 private:
  const bool is_outermost_;
};

}  // namespace trigon::detail::core
