// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_reader.hpp"
#include "io/safetensors.hpp"

namespace trigon::io {

/// The tensors that a header describes, in its order. Each lies in `data`; whether they share
/// bytes, and whether names are unique, is not checked. Time is linear in the text, and memory is
/// what the entries need. Raises Error at `place`.
std::vector<Entry> read_header(const Place& place, std::string_view text,
                               std::span<const std::byte> data);

/// Calls `take` with the tensors and files of an index's weight_map, in its order. Raises Error at
/// `place`.
void read_weight_map(
    const Place& place, std::string_view text,
    const std::function<void(const std::string& tensor, const std::string& file)>& take);

}  // namespace trigon::io
