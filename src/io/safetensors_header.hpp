// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_reader.hpp"
#include "io/safetensors_entry.hpp"

namespace trigon::detail::io {

/// The range of a file's data.
struct DataRange {
  std::uint64_t begin = 0;              ///< their first byte in the file
  std::optional<std::uint64_t> size{};  ///< none if the file's size is unknown
};

/// The tensors that a header describes, in its order, without their bytes. Each is inside `data`;
/// shared bytes and repeated names are not checked. Time is linear in the text, and only the
/// entries take memory. Raises Error at `place`.
std::vector<Entry> read_header(const Place& place, std::string_view text, const DataRange& data);

/// Calls `take` with the tensors and files of an index's weight_map, in its order. Raises Error at
/// `place`.
void read_weight_map(
    const Place& place, std::string_view text,
    const std::function<void(const std::string& tensor, const std::string& file)>& take);

}  // namespace trigon::detail::io
