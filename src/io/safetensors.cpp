// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/item.hpp"
#include "io/text.hpp"
#include "trigon/error.hpp"
#include "trigon/shape.hpp"

namespace trigon::io {
namespace {

using nlohmann::json;

constexpr const char* function_name = "load_safetensors";
constexpr std::uint64_t max_header = 100'000'000;  // the reference implementation's limit
constexpr std::size_t length_size = 8;
constexpr const char* metadata_key = "__metadata__";

// The file and, where known, the tensor that a check is about. Every check reports through it.
struct Place {
  std::filesystem::path file;
  std::string tensor;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw Error(fmt::format("trigon::{}: {}: {}{}", function_name, quote_path(file), tensor,
                            fmt::format(format, std::forward<Args>(args)...)));
  }
  Place at(const std::string& name) const {
    return {file, fmt::format("tensor {}: ", quote(name))};
  }
};

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Parses one JSON object. The parser would silently keep the last of two equal keys and nest as
// deep as the text does; its callback refuses both here.
json parse_object(const Place& place, std::string_view text, int max_depth) {
  if (text.empty() || text.front() != '{') {
    const auto found = text.empty() ? std::string("is empty") : "starts with " + quote(text, 1);
    place.fail("not a JSON object: the text {}; must start with \"{{\"", found);
  }
  // The parser would stop at a zero byte.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    place.fail("not JSON: zero byte at byte {} of the text; must be JSON in UTF-8", zero);
  }
  auto keys = vector_of<std::set<std::string>>(max_depth);
  const auto check = [&](int depth, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start) {
      if (depth >= max_depth) {
        place.fail("nested too deep: level {}; must be at most {}", depth + 1, max_depth);
      }
      item(keys, depth).clear();
    } else if (event == json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!item(keys, depth - 1).insert(key).second) {
        place.fail("name given twice: {}; must be unique", quote(key));
      }
    }
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), check);
  } catch (const json::parse_error& error) {
    place.fail("not JSON: wrong at byte {} of the text; must be JSON in UTF-8", error.byte);
  } catch (const json::exception&) {
    place.fail("not JSON: a number is out of range; must be JSON in UTF-8");
  }
}

const json& required(const Place& place, const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    place.fail("missing key: {}; must have dtype, shape and data_offsets", quote(key));
  }
  return *found;
}

FileDType read_dtype(const Place& place, const json& value) {
  if (!value.is_string()) {
    place.fail("dtype has the wrong type: {}; must be a string", value.type_name());
  }
  const auto& text = value.get_ref<const std::string&>();
  constexpr std::array all = {FileDType::f64,  FileDType::f32, FileDType::f16,
                              FileDType::bf16, FileDType::i64, FileDType::i32,
                              FileDType::u32,  FileDType::u8,  FileDType::boolean};
  for (const FileDType dtype : all) {
    if (text == name(dtype)) return dtype;
  }
  std::string known;
  for (const FileDType dtype : all) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(dtype));
  }
  place.fail("unknown dtype: {}; must be one of {}", quote(text), known);
}

std::vector<std::int64_t> read_shape(const Place& place, const json& value) {
  if (!value.is_array()) {
    place.fail("shape has the wrong type: {}; must be an array of sizes", value.type_name());
  }
  if (value.size() > Shape::max_rank) {
    place.fail("too many axes: rank is {}; must be at most {}", value.size(), Shape::max_rank);
  }
  std::vector<std::int64_t> shape;
  for (const json& size : value) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() >> 63 != 0) {
      place.fail("bad size in shape: axis {} is {}; must be an integer in [0, 2^63)", shape.size(),
                 quote(size.dump()));
    }
    shape.push_back(size.get<std::int64_t>());
  }
  return shape;
}

std::pair<std::uint64_t, std::uint64_t> read_offsets(const Place& place, const json& value,
                                                     std::uint64_t data_size) {
  const auto is_offset = [](const json& offset) { return offset.is_number_unsigned(); };
  const bool is_pair = value.is_array() && value.size() == 2;
  if (!is_pair || !std::all_of(value.begin(), value.end(), is_offset)) {
    place.fail("data_offsets are not two offsets: {}; must be [begin, end] in bytes",
               quote(value.dump()));
  }
  const auto begin = value[0].get<std::uint64_t>();
  const auto end = value[1].get<std::uint64_t>();
  if (begin > end) {
    place.fail("data_offsets run backwards: [{}, {}]; begin must not be past end", begin, end);
  }
  if (end > data_size) {
    place.fail("data_offsets end past the file: [{}, {}], file has {} data bytes; must lie inside",
               begin, end, data_size);
  }
  return {begin, end};
}

Entry read_entry(const Place& place, const std::string& key, const json& info,
                 std::span<const std::byte> data) {
  if (!info.is_object()) {
    place.fail("description has the wrong type: {}; must be an object", info.type_name());
  }
  for (const auto& [field, value] : info.items()) {
    if (field != "dtype" && field != "shape" && field != "data_offsets") {
      place.fail("unknown key: {}; must have dtype, shape and data_offsets only", quote(field));
    }
  }
  const FileDType dtype = read_dtype(place, required(place, info, "dtype"));
  auto shape = read_shape(place, required(place, info, "shape"));
  const auto [begin, end] = read_offsets(place, required(place, info, "data_offsets"), data.size());
  const auto needed = byte_count(shape, size_of(dtype));
  if (!needed) {
    place.fail("too large: shape is {}, dtype is {}; must take less than 2^63 bytes",
               shape_text(shape), name(dtype));
  }
  if (*needed != end - begin) {
    place.fail(
        "data_offsets do not fit the shape: [{}, {}] is {} bytes, {} {} takes {}; "
        "must be equal",
        begin, end, end - begin, name(dtype), shape_text(shape), *needed);
  }
  return {key, dtype, std::move(shape), data.subspan(begin, end - begin)};
}

// By the format every byte belongs to exactly one tensor. `entries` are sorted by position.
void check_cover(const Place& place, std::span<const Entry> entries,
                 std::span<const std::byte> data) {
  std::size_t covered = 0;
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    const std::size_t begin = entry.bytes.data() - data.data();
    if (begin < covered) {
      place.at(entry.name)
          .fail("data overlaps tensor {}: begins at {}, that ends at {}; must not share bytes",
                quote(last->name), begin, covered);
    }
    if (begin > covered) {
      place.at(entry.name)
          .fail("hole before the data: begins at {}, the data before ends at {}; must be equal",
                begin, covered);
    }
    covered = begin + entry.bytes.size();
    last = &entry;
  }
  if (covered != data.size()) {
    place.fail(
        "bytes past the last tensor: tensors end at {}, file has {} data bytes; "
        "must be equal",
        covered, data.size());
  }
}

std::map<std::string, std::string> read_metadata(const Place& place, const json& value) {
  if (!value.is_object()) {
    place.fail("{} has the wrong type: {}; must be an object", metadata_key, value.type_name());
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      place.fail("{} {} has the wrong type: {}; must be a string", metadata_key, quote(key),
                 text.type_name());
    }
    metadata.emplace(key, text.get_ref<const std::string&>());
  }
  return metadata;
}

// The size of the header in bytes, checked against the file's.
std::size_t header_size(const Place& place, std::span<const std::byte> file) {
  if (file.size() < length_size) {
    place.fail("file too short: {} bytes; must have at least {}", file.size(), length_size);
  }
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < length_size; ++i) {
    size |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  }
  if (size > max_header) {
    place.fail("header too long: {} bytes; must be at most {}", size, max_header);
  }
  if (size > file.size() - length_size) {
    place.fail(
        "header runs past the file: header is {} bytes, file has {} after its length; "
        "must lie inside",
        size, file.size() - length_size);
  }
  return size;
}

// A shard's path comes from the file: it must stay in the directory of its index.
std::filesystem::path shard_path(const Place& place, const json& value) {
  if (!value.is_string()) {
    place.fail("weight_map has the wrong type: {}; must be a file name", value.type_name());
  }
  const auto& text = value.get_ref<const std::string&>();
  const std::filesystem::path shard(text);
  const bool climbs = std::find(shard.begin(), shard.end(), "..") != shard.end();
  if (text.empty() || climbs || shard.has_root_path() || text.find('\0') != std::string::npos) {
    place.fail("weight_map leaves the directory: {}; must be a file in it", quote(text));
  }
  auto path = place.file.parent_path() / shard;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    place.fail("weight_map names an absent file: {}; must be in the directory of the index",
               quote(text));
  }
  return path;
}

}  // namespace

SafeTensors SafeTensors::open(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    return path.extension() == ".json" ? open_index(path) : open_file(path);
  }
  const auto index = path / "model.safetensors.index.json";
  if (std::filesystem::exists(index, ignored)) return open_index(index);
  const auto file = path / "model.safetensors";
  if (std::filesystem::exists(file, ignored)) return open_file(file);
  throw Error(fmt::format(
      "trigon::{}: {}: no model in the directory: neither \"{}\" nor \"{}\"; "
      "must hold one of them",
      function_name, quote_path(path), index.filename().string(), file.filename().string()));
}

SafeTensors SafeTensors::open_file(const std::filesystem::path& path) {
  const Place place{path, ""};
  const auto file = MappedFile::open(function_name, path);
  const std::size_t size = header_size(place, file->bytes());
  const auto data = file->bytes().subspan(length_size + size);
  // Levels: the header, a tensor, its shape.
  const json header = parse_object(place, as_text(file->bytes().subspan(length_size, size)), 3);

  SafeTensors result;
  result.files_ = {file};
  for (const auto& [key, value] : header.items()) {
    if (key == metadata_key) {
      result.metadata_ = read_metadata(place, value);
    } else {
      result.entries_.push_back(read_entry(place.at(key), key, value, data));
    }
  }
  // An empty tensor shares its begin with the one after it, so it has to come first.
  std::stable_sort(result.entries_.begin(), result.entries_.end(),
                   [](const Entry& a, const Entry& b) {
                     return std::pair(a.bytes.data(), a.bytes.size()) <
                            std::pair(b.bytes.data(), b.bytes.size());
                   });
  check_cover(place, result.entries_, data);
  result.sort_names();
  return result;
}

SafeTensors SafeTensors::open_index(const std::filesystem::path& path) {
  const Place place{path, ""};
  const auto file = MappedFile::open(function_name, path);
  if (file->bytes().size() > max_header) {
    place.fail("index too long: {} bytes; must be at most {}", file->bytes().size(), max_header);
  }
  const json index = parse_object(place, as_text(file->bytes()), 8);
  const auto map = index.find("weight_map");
  if (map == index.end() || !map->is_object()) {
    place.fail("no weight_map: it is {}; must be an object of tensor and file names",
               map == index.end() ? "missing" : map->type_name());
  }

  SafeTensors result;
  if (const auto metadata = index.find("metadata");
      metadata != index.end() && metadata->is_object()) {
    for (const auto& [key, value] : metadata->items()) {  // total_size is a number
      result.metadata_.emplace(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  std::map<std::string, SafeTensors> shards;
  std::map<std::string, std::set<const Entry*>> wanted;
  for (const auto& [key, value] : map->items()) {
    const auto shard = shard_path(place.at(key), value);
    const auto found = shards.find(shard.string());
    const SafeTensors& tensors =
        found != shards.end() ? found->second
                              : shards.emplace(shard.string(), open_file(shard)).first->second;
    const Entry* const entry = tensors.find(key);
    if (entry == nullptr) {
      place.at(key).fail("not in its shard: {}; weight_map must name the file that holds it",
                         quote(value.get_ref<const std::string&>()));
    }
    wanted[shard.string()].insert(entry);
  }
  for (auto& [shard, tensors] : shards) {
    result.files_.push_back(tensors.files_.front());
    result.metadata_.merge(tensors.metadata_);
    // A set of pointers into one vector: already in the order of the data.
    for (const Entry* const entry : wanted[shard]) result.entries_.push_back(*entry);
  }
  result.sort_names();
  return result;
}

void SafeTensors::sort_names() {
  by_name_.resize(entries_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [this](std::size_t a, std::size_t b) { return entries_[a].name < entries_[b].name; });
}

const Entry* SafeTensors::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](std::size_t i, std::string_view wanted) { return entries_[i].name < wanted; });
  if (found == by_name_.end() || entries_[*found].name != name) return nullptr;
  return &entries_[*found];
}

}  // namespace trigon::io
