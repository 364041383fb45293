// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fault/faults.hpp"
#include "savers.hpp"

// The cost of reading a hostile file.

namespace trigon::fault {

struct Cost {
  double bytes;        ///< at the peak
  double allocations;  ///< in total, which shows how time grows
  std::string error;
};

/// The cost of a call that may raise Error. Its result does not outlive the call.
template <class F>
Cost cost_of(const TemporaryDirectory& directory, const F& call) {
  reset_peak();
  const std::int64_t before = live_bytes();
  arm_memory({});
  std::string error = io::error_of(directory, call);
  const Seen seen = disarm();
  return {static_cast<double>(peak_bytes() - before), static_cast<double>(seen.total), error};
}

inline std::string repeated(const std::string& text, std::size_t size) {
  std::string all;
  all.reserve(size + text.size());
  while (all.size() < size) all += text;
  return all;
}

/// A safetensors header with its length.
inline std::string with_length(const std::string& header) {
  return io::little_endian(header.size(), 8) + header;
}

}  // namespace trigon::fault
