// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/called.hpp"
#include "core/list.hpp"
#include "io/file_kind.hpp"
#include "io/little_endian.hpp"
#include "io/safetensors_header.hpp"
#include "io/text.hpp"

namespace trigon::detail::io {
namespace {

constexpr const char* our_name = "SafeTensors";  // in errors, where no function is called

// The format requires that every byte belongs to exactly one tensor. `entries` are sorted by
// position.
void check_cover(const Place& place, std::span<const Entry> entries, const DataRange& data) {
  std::uint64_t covered = 0;
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    const std::uint64_t begin = entry.begin - data.begin;
    if (begin < covered) {
      place.at(entry.name)
          .fail("data overlaps tensor {}: begins at {}, that ends at {}; must not share bytes",
                core::quote(last->name), begin, covered);
    }
    if (begin > covered) {
      place.at(entry.name)
          .fail("hole before the data: begins at {}, the data before ends at {}; must be equal",
                begin, covered);
    }
    covered = entry.end - data.begin;
    last = &entry;
  }
  if (data.size && covered != *data.size) {
    place.fail(
        "bytes past the last tensor: tensors end at {}, file has {} data bytes; "
        "must be equal",
        covered, *data.size);
  }
}

// Raises Error for the start of a file of another kind.
void refuse_other_kind(const Place& place, std::span<const std::byte> start) {
  const auto kind = kind_of(start);
  if (kind && kind->what != safetensors_file) {
    place.fail("not a safetensors file: it starts like {}; {}", kind->what, kind->advice);
  }
}

// Offset of the header's end, checked against the file's size.
std::uint64_t header_end(const Place& place, std::span<const std::byte> start,
                         std::optional<std::uint64_t> file_size) {
  const std::uint64_t shortest =
      std::min<std::uint64_t>(file_size.value_or(start.size()), start.size());
  if (shortest < length_size) {
    place.fail("file too short: {} bytes; must have at least {}", shortest, length_size);
  }
  const auto size = read_little_endian<std::uint64_t>(start);
  if (size > max_header) {
    refuse_other_kind(place, start);
    place.fail("header too long: {} bytes; must be at most {}", size, max_header);
  }
  if (file_size && size > *file_size - length_size) {
    refuse_other_kind(place, start);
    place.fail(
        "header runs past the file: header is {} bytes, file has {} after its length; "
        "must lie inside",
        size, *file_size - length_size);
  }
  return length_size + size;
}

// A shard's path comes from the file: it must stay in the directory of its index.
std::filesystem::path shard_path(const Place& place, const std::string& text) {
  const std::filesystem::path shard(text);
  const bool climbs = core::contains(shard, "..");
  if (text.empty() || climbs || shard.has_root_path() || text.find('\0') != std::string::npos) {
    place.fail("weight_map leaves the directory: {}; must be a file in it", core::quote(text));
  }
  auto path = place.file.parent_path() / shard;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    place.fail("weight_map names an absent file: {}; must be in the directory of the index",
               core::quote(text));
  }
  return path;
}

}  // namespace

SafeTensors SafeTensors::open(const std::filesystem::path& path) {
  const core::Called called(our_name);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    return path.extension() == ".json" ? open_index(path) : open_file(path);
  }
  const auto index = path / "model.safetensors.index.json";
  if (std::filesystem::exists(index, ignored)) return open_index(index);
  const auto file = path / "model.safetensors";
  if (std::filesystem::exists(file, ignored)) return open_file(file);
  core::fail("{}: no model in the directory: neither \"{}\" nor \"{}\"; must hold one of them",
             quote_path(path), index.filename().string(), file.filename().string());
}

SafeTensors SafeTensors::open_file(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  const auto first = file->copy(bytes.first(std::min(bytes.size(), kind_size)));
  const std::uint64_t end = header_end(first, bytes.size(), path);
  SafeTensors result = parse_header(file->copy(bytes.first(end)), bytes.size(), path);
  result.place_entries(bytes);
  result.files_ = {file};
  return result;
}

SafeTensors SafeTensors::parse(std::span<const std::byte> file, const std::filesystem::path& name) {
  const core::Called called(our_name);
  SafeTensors result = parse_header(file, file.size(), name);
  result.place_entries(file);
  return result;
}

void SafeTensors::place_entries(std::span<const std::byte> file) {
  for (Entry& entry : entries_) entry.bytes = file.subspan(entry.begin, entry.end - entry.begin);
}

std::uint64_t SafeTensors::header_end(std::span<const std::byte> start,
                                      std::optional<std::uint64_t> file_size,
                                      const std::filesystem::path& name) {
  const core::Called called(our_name);
  return io::header_end({name}, start, file_size);
}

SafeTensors SafeTensors::parse_header(std::span<const std::byte> start,
                                      std::optional<std::uint64_t> file_size,
                                      const std::filesystem::path& name) {
  const core::Called called(our_name);
  const Place place{name};
  const std::uint64_t end = io::header_end(place, start, file_size);
  if (end > start.size()) {
    place.fail("header is not all here: it ends at byte {}, {} bytes are here; must be all of it",
               end, start.size());
  }
  DataRange data{.begin = end};
  if (file_size) data.size = *file_size - end;

  SafeTensors result;
  result.entries_ = read_header(place, as_text(start.first(end).subspan(length_size)), data);
  // An empty tensor has the same begin as the one after it, so it must come first.
  std::sort(result.entries_.begin(), result.entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.begin, a.end, std::string_view(a.name)) <
           std::tuple(b.begin, b.end, std::string_view(b.name));
  });
  result.sort_names(name);
  check_cover(place, result.entries_, data);
  return result;
}

SafeTensors SafeTensors::open_index(const std::filesystem::path& path) {
  const Place place{path};
  const auto file = MappedFile::open(path);
  if (file->bytes().size() > max_header) {
    place.fail("index too long: {} bytes; must be at most {}", file->bytes().size(), max_header);
  }
  struct Shard {
    SafeTensors tensors;
    std::vector<bool> wanted;  ///< for each of its entries
  };
  std::map<std::string, Shard> shards;  ///< by their names in the index
  std::vector<std::byte> text = file->copy(file->bytes());
  std::size_t count = 0;
  read_weight_map(
      place, as_text(text), [&](const std::string& name, const std::string& shard_name) {
        auto found = shards.find(shard_name);
        if (found == shards.end()) {
          Shard opened{open_file(shard_path(place.at(name), shard_name)), {}};
          opened.wanted.resize(opened.tensors.entries_.size());
          found = shards.emplace(shard_name, std::move(opened)).first;
        }
        const auto& entries = found->second.tensors.entries_;
        const Entry* const entry = found->second.tensors.find(name);
        if (entry == nullptr) {
          place.at(name).fail("not in its shard: {}; weight_map must name the file that holds it",
                              core::quote(shard_name));
        }
        std::vector<bool>::reference wanted = found->second.wanted[entry - entries.data()];
        if (wanted) place.fail("name given twice: {}; must be unique", core::quote(name));
        wanted = true;
        ++count;
      });
  text = {};

  SafeTensors result;
  result.entries_.reserve(count);
  for (auto& [name, shard] : shards) {
    result.files_.push_back(shard.tensors.files_.front());
    for (std::size_t k = 0; k < shard.wanted.size(); ++k) {
      if (shard.wanted[k]) result.entries_.push_back(std::move(shard.tensors.entries_[k]));
    }
    shard = {};
  }
  result.sort_names(path);
  return result;
}

void SafeTensors::sort_names(const std::filesystem::path& path) {
  by_name_.resize(entries_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [this](std::size_t a, std::size_t b) { return entries_[a].name < entries_[b].name; });
  const auto twice = std::adjacent_find(
      by_name_.begin(), by_name_.end(),
      [this](std::size_t a, std::size_t b) { return entries_[a].name == entries_[b].name; });
  if (twice == by_name_.end()) return;
  Place{path}.fail("name given twice: {}; must be unique", core::quote(entries_[*twice].name));
}

const Entry* SafeTensors::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](std::size_t i, std::string_view wanted) { return entries_[i].name < wanted; });
  if (found == by_name_.end() || entries_[*found].name != name) return nullptr;
  return &entries_[*found];
}

std::vector<std::byte> SafeTensors::read(const Entry& entry) const {
  const core::Called called(our_name);
  const auto file = std::find_if(files_.begin(), files_.end(), [&](const auto& candidate) {
    return candidate->holds(entry.bytes);
  });
  if (entry.bytes.empty() || file == files_.end()) return {};
  return (*file)->copy(entry.bytes);
}

}  // namespace trigon::detail::io
