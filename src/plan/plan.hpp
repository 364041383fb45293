// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/step.hpp"

namespace trigon::plan {

/// The steps of an evaluation. Nothing in it refers to GL.
struct Plan {
  std::vector<Step> steps;
  std::int32_t slots = 0;
  struct Binding {
    std::int32_t node;  ///< a collected entry
    std::int32_t slot;
    Layout layout{};  ///< as which the node has the slot's texels
  };
  std::vector<Binding> leaves;     ///< filled before the first step
  std::vector<Binding> stored;     ///< given to their nodes after the last
  std::vector<std::string> notes;  ///< shown by explain: copies and their reasons
  std::int64_t peak_bytes = 0;     ///< of the textures that the steps need at once, leaves left out

  /// Bytes of host memory, about.
  std::size_t host_bytes() const;
};

/// Fills in which slots each step is the last to use, and the bytes that are needed at once.
void fill_last_use(Plan& plan);

}  // namespace trigon::plan
