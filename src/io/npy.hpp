// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "trigon/dtype.hpp"

namespace trigon::detail::io {

/// An array on the host, dense and in C order.
struct NpyArray {
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;
};

/// Reads a .npy file of version 1.0, 2.0 or 3.0 and of dtype <f4, <f8, <f2, <i4, <i8, <i2, <u4,
/// <u2, |u1 or |b1. Fortran order is converted to C order, <f8 is rounded to float32, <i8 and <i2
/// become int32, <u2 becomes uint32 and <f2 stays float16. Raises Error, naming the file, the value
/// and the rule, for other files, for an <i8 value outside int32, and for data whose length differs
/// from the header's.
/// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
NpyArray load_npy(const std::filesystem::path& path);
/// The same from the bytes of a file, which errors call `name`.
NpyArray parse_npy(std::span<const std::byte> file, const std::filesystem::path& name);

/// Writes dense `bytes` in C order as a .npy file of version 1.0. At any time `path` holds the
/// whole old file or the whole new one. Raises Error when `bytes` do not match `shape` and `dtype`.
void save_npy(const std::filesystem::path& path, DType dtype, std::span<const std::int64_t> shape,
              std::span<const std::byte> bytes);

}  // namespace trigon::detail::io
