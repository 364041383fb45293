// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/layout.hpp"
#include "core/math.hpp"

// Layouts of packed elements, made by hand: no stage of planning makes them.

namespace trigon::support {

/// (rows, columns) float32, sixteen elements a texel; each row starts a texel, and a texture row
/// holds `rows_together` of them.
inline core::Layout packed_layout(std::int64_t rows, std::int64_t columns,
                                  std::int64_t rows_together = 1) {
  constexpr std::int64_t texel = 16;
  const std::int64_t run = core::ceil_div(columns, texel);
  const std::int64_t height = core::ceil_div(rows, rows_together);
  core::Layout layout{.dtype = DType::float32,
                      .shape = {rows, columns},
                      .width = run * rows_together,
                      .height = height,
                      .slab = height,
                      .encoding = core::Encoding::packed_int8,
                      .elements_per_texel = texel};
  layout.strides[0] = run * texel;
  layout.strides[1] = 1;
  return layout;
}

}  // namespace trigon::support
