// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/called.hpp"
#include "core/math.hpp"
#include "io/json_text.hpp"
#include "io/little_endian.hpp"
#include "io/new_file.hpp"
#include "io/safetensors.hpp"
#include "io/text.hpp"
#include "trigon/detail/shape_class.hpp"
#include "trigon/io.hpp"

namespace trigon::detail::io {
namespace {

using nlohmann::json;

// The header's size is a multiple of this number of bytes.
constexpr std::size_t alignment = 8;

template <class... Args>
[[noreturn]] void fail(const std::filesystem::path& path, fmt::format_string<Args...> format,
                       Args&&... args) {
  core::fail("{}: {}", quote_path(path), fmt::format(format, std::forward<Args>(args)...));
}

void check(const std::filesystem::path& path, const Entry& entry) {
  if (entry.name == "__metadata__") {
    fail(path, "tensor {}: reserved name; must be another one", core::quote(entry.name));
  }
  if (entry.shape.size() > Shape::max_rank) {
    fail(path, "tensor {}: too many axes: rank is {}; must be at most {}", core::quote(entry.name),
         entry.shape.size(), Shape::max_rank);
  }
  for (const std::int64_t size : entry.shape) {
    if (size < 0) {
      fail(path, "tensor {}: negative size: shape is {}; every size must be 0 or more",
           core::quote(entry.name), core::shape_text(entry.shape));
    }
  }
  const auto needed = byte_count(entry.shape, size_of(entry.dtype));
  if (!needed || *needed != entry.bytes.size()) {
    fail(path, "tensor {}: bytes do not fit the shape: {} bytes, {} {} takes {}; must be equal",
         core::quote(entry.name), entry.bytes.size(), name(entry.dtype),
         core::shape_text(entry.shape), needed ? fmt::to_string(*needed) : "2^63 or more");
  }
}

// A name as a JSON string.
std::string quoted(const std::filesystem::path& path, const std::string& name) {
  try {
    return json(name).dump();
  } catch (const json::exception&) {
    fail(path, "a name is not UTF-8; must be UTF-8");
  }
}

// Written without a json object: its destructor allocates, and so ends the process if memory runs
// out. Spaces at the end align the data to a multiple of eight.
std::string header_text(const std::filesystem::path& path, std::span<const Entry* const> order) {
  std::map<std::string_view, std::string> lines;  // by name
  std::size_t begin = 0;
  for (const Entry* const entry : order) {
    const std::size_t end = begin + entry->bytes.size();
    lines[entry->name] = fmt::format(R"({}:{{"data_offsets":[{},{}],"dtype":"{}","shape":[{}]}})",
                                     quoted(path, entry->name), begin, end, name(entry->dtype),
                                     fmt::join(entry->shape, ","));
    begin = end;
  }
  std::string text = "{";
  for (const auto& [name, line] : lines) text += (text.size() > 1 ? "," : "") + line;
  text += "}";
  text.resize(core::round_up(text.size(), alignment), ' ');
  if (text.size() > max_header) {
    fail(path, "header too long: {} bytes; must be at most {}", text.size(), max_header);
  }
  // SafeTensors could not load such a header.
  if (const auto fault = find_long_token(text); !fault.empty()) fail(path, "{}", fault);
  return text;
}

}  // namespace

void save_safetensors(const std::filesystem::path& path, std::span<const Entry> entries) {
  const core::Called called("save_safetensors");
  std::vector<const Entry*> order;
  std::set<std::string_view> names;
  for (const Entry& entry : entries) {
    check(path, entry);
    if (!names.insert(entry.name).second) {
      fail(path, "name given twice: {}; must be unique", core::quote(entry.name));
    }
    order.push_back(&entry);
  }
  std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return size_of(a->dtype) > size_of(b->dtype);
  });

  const std::string header = header_text(path, order);
  const auto length = little_endian<std::uint64_t>(header.size());
  std::vector<std::span<const std::byte>> ranges = {length, std::as_bytes(std::span(header))};
  for (const Entry* const entry : order) ranges.push_back(entry->bytes);
  replace_file(path, ranges);
}

}  // namespace trigon::detail::io
