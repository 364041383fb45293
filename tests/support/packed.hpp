// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "core/math.hpp"
#include "core/storage.hpp"

// Layouts of packed elements, made by hand: no stage of planning makes them.

namespace trigon::support {

/// The rows of the table of encodings that kernels decode.
inline std::vector<const core::EncodingInfo*> packed_encodings() {
  std::vector<const core::EncodingInfo*> found;
  for (const core::EncodingInfo& row : core::encodings()) {
    if (!row.decode.empty()) found.push_back(&row);
  }
  return found;
}

/// (rows, columns) in an encoding, sixteen bytes a texel if it is not given; each row starts a
/// texel, and a texture row holds `rows_together` of them.
inline core::Layout packed_layout(std::int64_t rows, std::int64_t columns,
                                  std::int64_t rows_together = 1,
                                  const core::EncodingInfo* encoding = nullptr) {
  const core::EncodingInfo& row =
      encoding != nullptr
          ? *encoding
          : *core::find_encoding(core::Dialect::es300, DType::float32, core::Encoding::packed_int8);
  const std::int64_t texel = row.elements_per_texel;
  const std::int64_t run = core::ceil_div(columns, texel);
  const std::int64_t height = core::ceil_div(rows, rows_together);
  core::Layout layout{.dtype = row.dtype,
                      .shape = {rows, columns},
                      .width = run * rows_together,
                      .height = height,
                      .slab = height,
                      .encoding = row.encoding,
                      .elements_per_texel = texel};
  layout.strides[0] = run * texel;
  layout.strides[1] = 1;
  return layout;
}

}  // namespace trigon::support
