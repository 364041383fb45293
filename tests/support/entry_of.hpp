// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/safetensors.hpp"

namespace trigon::detail::io {

/// A tensor "x" of one axis over `values`, which it does not keep.
template <class T>
Entry entry_of(FileDType dtype, const std::vector<T>& values) {
  return {"x", dtype, {static_cast<std::int64_t>(values.size())}, std::as_bytes(std::span(values))};
}

}  // namespace trigon::detail::io
