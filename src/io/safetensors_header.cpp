// SPDX-License-Identifier: MIT
#include "io/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "core/list.hpp"
#include "trigon/detail/shape_class.hpp"

namespace trigon::detail::io {
namespace {

constexpr std::string_view metadata_key = "__metadata__";

FileDType read_dtype(const Place& place, std::string_view text) {
  constexpr std::array all = {FileDType::f64,  FileDType::f32, FileDType::f16,
                              FileDType::bf16, FileDType::i64, FileDType::i32,
                              FileDType::u32,  FileDType::u8,  FileDType::boolean};
  std::string known;
  for (const FileDType dtype : all) {
    if (text == name(dtype)) return dtype;
    core::append_text(known, name(dtype));
  }
  place.fail("unknown dtype: {}; must be one of {}", core::quote(text), known);
}

/// The keys of one object, with contiguous bytes: separate strings could take many times the memory
/// of the file.
class Keys {
 public:
  void add(std::string_view key) {
    slices_.push_back(
        {static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(key.size())});
    bytes_ += key;
  }
  /// A key that was added twice.
  std::optional<std::string_view> twice() {
    const auto is_less = [this](const Slice& a, const Slice& b) { return text(a) < text(b); };
    const auto is_equal = [this](const Slice& a, const Slice& b) { return text(a) == text(b); };
    std::sort(slices_.begin(), slices_.end(), is_less);
    const auto found = std::adjacent_find(slices_.begin(), slices_.end(), is_equal);
    return found == slices_.end() ? std::nullopt : std::optional(text(*found));
  }

 private:
  struct Slice {
    std::uint32_t begin, size;
  };
  std::string_view text(const Slice& slice) const {
    return std::string_view(bytes_).substr(slice.begin, slice.size);
  }

  std::string bytes_;
  std::deque<Slice> slices_;  // a deque grows without copies
};

/// Levels: 1 the header, 2 a tensor or the metadata, 3 a shape or data_offsets.
class HeaderReader : public JsonReader {
 public:
  HeaderReader(const Place& place, const DataRange& data, std::vector<Entry>& entries)
      : place_(place), data_(data), entries_(entries) {}

 private:
  /// The fields of one tensor, as far as they were read.
  struct Tensor {
    std::string name;
    std::optional<FileDType> dtype;
    bool has_shape = false;
    std::size_t rank = 0;  ///< may exceed the sizes that `shape` holds
    std::vector<std::int64_t> shape;
    bool has_offsets = false;
    std::size_t offsets = 0;  ///< how many
    std::array<std::uint64_t, 2> range{};
    std::string offsets_text;  ///< text of the first three
    bool offsets_are_unsigned = true;
  };

  Place here() const { return place_.at(tensor_.name); }
  bool in_metadata() const { return tensor_.name == metadata_key; }

  void on_key(std::string& key) override {
    if (depth() == 1) {
      tensor_ = {};
      tensor_.name = std::move(key);
      if (in_metadata() && std::exchange(has_metadata_, true)) refuse_second(metadata_key);
      return;
    }
    field_ = std::move(key);
    if (in_metadata()) return metadata_keys_.add(field_);
    bool is_second = false;
    if (field_ == "dtype") {
      is_second = tensor_.dtype.has_value();
    } else if (field_ == "shape") {
      is_second = std::exchange(tensor_.has_shape, true);
    } else if (field_ == "data_offsets") {
      is_second = std::exchange(tensor_.has_offsets, true);
    } else {
      here().fail("unknown key: {}; must have dtype, shape and data_offsets only",
                  core::quote(field_));
    }
    if (is_second) refuse_second(field_);
  }

  void on_value(Value value) override {
    if (depth() == 3) return on_number(value);
    if (depth() == 1 || in_metadata() || field_ != "dtype" || value.type != "string") {
      return on_other(value.type, value.shown());
    }
    tensor_.dtype = read_dtype(here(), value.text);
  }

  void on_open(std::string_view type) override {
    const bool is_right =
        depth() == 1 ? type == "object" : !in_metadata() && field_ != "dtype" && type == "array";
    if (!is_right) on_other(type, type);
  }

  [[noreturn]] void refuse_second(std::string_view name) const {
    place_.fail("name given twice: {}; must be unique", core::quote(name));
  }

  /// Handles values of a wrong kind, except the strings of the metadata.
  void on_other(std::string_view type, std::string_view text) const {
    if (depth() == 1) {
      if (in_metadata()) {
        place_.fail("{} has the wrong type: {}; must be an object", metadata_key, type);
      }
      here().fail("description has the wrong type: {}; must be an object", type);
    }
    if (in_metadata()) {
      if (type == "string") return;
      place_.fail("{} {} has the wrong type: {}; must be a string", metadata_key,
                  core::quote(field_), type);
    }
    if (field_ == "dtype") here().fail("dtype has the wrong type: {}; must be a string", type);
    if (field_ == "shape") {
      here().fail("shape has the wrong type: {}; must be an array of sizes", type);
    }
    here().fail("data_offsets are not two offsets: {}; must be [begin, end] in bytes",
                core::quote(text));
  }

  /// Handles a number of a shape or of data_offsets.
  void on_number(const Value& value) {
    if (field_ == "shape") {
      if (!value.is_unsigned || value.number >> 63 != 0) {
        here().fail("bad size in shape: axis {} is {}; must be an integer in [0, 2^63)",
                    tensor_.rank, core::quote(value.shown()));
      }
      if (++tensor_.rank > Shape::max_rank) return;
      tensor_.shape.push_back(static_cast<std::int64_t>(value.number));
      return;
    }
    if (tensor_.offsets < tensor_.range.size()) tensor_.range[tensor_.offsets] = value.number;
    if (tensor_.offsets < 3) {
      tensor_.offsets_text += (tensor_.offsets == 0 ? "" : ",") + value.shown();
    }
    tensor_.offsets_are_unsigned = tensor_.offsets_are_unsigned && value.is_unsigned;
    ++tensor_.offsets;
  }

  void on_close() override {
    if (depth() == 1 && in_metadata()) {
      if (const auto key = metadata_keys_.twice()) refuse_second(*key);
    } else if (depth() == 1) {
      entries_.push_back(finished());
    }
    if (depth() != 2) return;
    if (field_ == "shape" && tensor_.rank > Shape::max_rank) {
      here().fail("too many axes: rank is {}; must be at most {}", tensor_.rank, Shape::max_rank);
    }
    if (field_ == "data_offsets" && (tensor_.offsets != 2 || !tensor_.offsets_are_unsigned)) {
      const std::string more = tensor_.offsets > 3 ? ",..." : "";
      on_other("array", "[" + tensor_.offsets_text + more + "]");
    }
  }

  Entry finished() {
    const Place place = here();
    const auto require = [&](bool has, std::string_view key) {
      if (has) return;
      place.fail("missing key: {}; must have dtype, shape and data_offsets", core::quote(key));
    };
    require(tensor_.dtype.has_value(), "dtype");
    require(tensor_.has_shape, "shape");
    require(tensor_.has_offsets, "data_offsets");
    const auto [begin, end] = tensor_.range;
    if (begin > end) {
      place.fail("data_offsets run backwards: [{}, {}]; begin must not be past end", begin, end);
    }
    if (data_.size && end > *data_.size) {
      place.fail(
          "data_offsets end past the file: [{}, {}], file has {} data bytes; must lie inside",
          begin, end, *data_.size);
    }
    if (end >> 63 != 0) {
      place.fail("data_offsets are too large: [{}, {}]; must be below 2^63", begin, end);
    }
    const FileDType dtype = *tensor_.dtype;
    const auto needed = byte_count(tensor_.shape, size_of(dtype));
    if (!needed) {
      place.fail("too large: shape is {}, dtype is {}; must take less than 2^63 bytes",
                 core::shape_text(tensor_.shape), name(dtype));
    }
    if (*needed != end - begin) {
      place.fail(
          "data_offsets do not fit the shape: [{}, {}] is {} bytes, {} {} takes {}; "
          "must be equal",
          begin, end, end - begin, name(dtype), core::shape_text(tensor_.shape), *needed);
    }
    tensor_.shape.shrink_to_fit();
    return {.name = std::move(tensor_.name),
            .dtype = dtype,
            .shape = std::move(tensor_.shape),
            .begin = data_.begin + begin,
            .end = data_.begin + end};
  }

  const Place& place_;
  const DataRange& data_;
  std::vector<Entry>& entries_;
  Tensor tensor_;
  std::string field_;
  bool has_metadata_ = false;
  Keys metadata_keys_;
};

/// Levels: 1 the index, 2 the map. Other parts of an index are ignored.
class IndexReader : public JsonReader {
 public:
  using Take = std::function<void(const std::string&, const std::string&)>;
  IndexReader(const Place& place, const Take& take) : place_(place), take_(take) {}

  void expect_map() const {
    if (found_ == "object") return;
    place_.fail("no weight_map: it is {}; must be an object of tensor and file names", found_);
  }

 private:
  void on_key(std::string& key) override {
    if (depth() == 1) {
      in_map_ = key == "weight_map";
      if (in_map_ && found_ != "missing")
        place_.fail("name given twice: \"weight_map\"; must be unique");
    }
    key_ = std::move(key);
  }
  void on_value(Value value) override {
    if (!in_map_) return;
    if (depth() == 1) found_ = value.type;
    if (depth() != 2 || found_ != "object") return;
    if (value.type != "string") refuse(value.type);
    take_(key_, value.text);
  }
  void on_open(std::string_view type) override {
    if (!in_map_) return;
    if (depth() == 1) found_ = type;
    if (depth() == 2 && found_ == "object") refuse(type);
  }
  void on_close() override { in_map_ = in_map_ && depth() > 1; }

  [[noreturn]] void refuse(std::string_view type) const {
    place_.at(key_).fail("weight_map has the wrong type: {}; must be a file name", type);
  }

  const Place& place_;
  const Take& take_;
  std::string_view found_ = "missing";  ///< the type of weight_map
  bool in_map_ = false;
  std::string key_;
};

/// An upper bound of the number of tensors that the text describes. It counts arrays, so that keys
/// of the metadata do not add to the memory reserved for entries.
std::size_t most_tensors(std::string_view text) {
  constexpr std::string_view shortest = R"("":{"dtype":"U8","shape":[],"data_offsets":[0,0]})";
  constexpr std::size_t quotes_of_one = 10, arrays_of_one = 2;
  std::size_t quotes = 0, arrays = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool in_string = quotes % 2 == 1;
    if (text[k] == '"') ++quotes;
    if (!in_string && text[k] == '[') ++arrays;
    if (in_string && text[k] == '\\') ++k;  // a quote after it does not end the string
  }
  return std::min({text.size() / shortest.size(), quotes / quotes_of_one, arrays / arrays_of_one});
}

}  // namespace

std::vector<Entry> read_header(const Place& place, std::string_view text, const DataRange& data) {
  std::vector<Entry> entries;
  entries.reserve(most_tensors(text));
  HeaderReader(place, data, entries).read(place, text, 3);
  return entries;
}

void read_weight_map(const Place& place, std::string_view text,
                     const std::function<void(const std::string&, const std::string&)>& take) {
  IndexReader reader(place, take);
  reader.read(place, text, 8);
  reader.expect_map();
}

}  // namespace trigon::detail::io
