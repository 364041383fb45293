// SPDX-License-Identifier: MIT
#pragma once

#include "plan/plan.hpp"

namespace trigon::plan {

/// Rows of the last axis follow each other without gaps (flat), or each starts a texel (padded).
/// Raises DeviceError past the target's limits.
Layout flat_layout(const Target& target, DType dtype, const Shape& shape);
Layout padded_layout(const Target& target, DType dtype, const Shape& shape);

/// One element a texel: what a reduction over the lanes writes. The first axis lies in the lanes of
/// the texel.
Layout texel_layout(const Target& target, DType dtype, const Shape& shape);

/// The first axis in the layers, the rest padded.
Layout stacked_layout(const Target& target, DType dtype, const Shape& shape);

/// (B..., M, N) in blocks of `rows` rows, M / rows apart, each in a layer of its own.
Layout block_layout(const Target& target, DType dtype, const Shape& shape, std::int64_t rows);
/// Whether block_layout fits the target.
bool block_fits(const Target& target, const Shape& shape, std::int64_t rows);

/// The side of the texture that the pool hands out for `side` texels: never a power of two where
/// the target avoids those, as llvmpipe compiles a program again for each mix of them.
std::int64_t texture_side(const Target& target, std::int64_t side);

/// The register type of a dtype.
Type register_type(const Target& target, DType dtype);
/// What a texel of this dtype is fetched as: booleans are stored as unsigned bytes.
Type texel_type(const Target& target, DType dtype);

}  // namespace trigon::plan
