// SPDX-License-Identifier: MIT
#include "io/json_reader.hpp"

#include <algorithm>
#include <utility>

#include "io/json_text.hpp"

namespace trigon::detail::io {

using nlohmann::json;

void JsonReader::read(const Place& place, std::string_view text, int most_depth) {
  place_ = &place;
  most_depth_ = most_depth;
  depth_ = 0;
  if (text.empty() || text.front() != '{') {
    const auto found = text.empty() ? std::string("is empty")
                       : text.starts_with("\xef\xbb\xbf")
                           ? std::string("starts with a byte order mark")
                           : "starts with " + core::quote(text, 1);
    place.fail("not a JSON object: the text {}; must start with \"{{\"", found);
  }
  // The parser would stop at a zero byte.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    place.fail("not JSON: zero byte at byte {} of the text; must be JSON in UTF-8", zero + 1);
  }
  if (const std::string fault = find_long_token(text); !fault.empty()) place.fail("{}", fault);
  nlohmann::json_sax<json>* const events = this;
  json::sax_parse(text.begin(), text.end(), events);
}

bool JsonReader::null() {
  on_value({.type = "null", .text = "null"});
  return true;
}

bool JsonReader::boolean(bool value) {
  on_value({.type = "boolean", .text = value ? "true" : "false"});
  return true;
}

// Called for numbers below zero, and for "-0".
bool JsonReader::number_integer(std::int64_t value) {
  on_value({.type = "number", .text = value == 0 ? "-0" : fmt::to_string(value)});
  return true;
}

bool JsonReader::number_unsigned(std::uint64_t value) {
  on_value({.type = "number", .is_unsigned = true, .number = value});
  return true;
}

// The parser's text has the decimal point of the program's locale.
bool JsonReader::number_float(double, const std::string& text) {
  std::string plain = text;
  std::replace_if(
      plain.begin(), plain.end(),
      [](char c) { return std::string_view("+-0123456789eE").find(c) == std::string_view::npos; },
      '.');
  on_value({.type = "number", .text = std::move(plain)});
  return true;
}

bool JsonReader::string(std::string& value) {
  on_value({.type = "string", .text = std::move(value)});
  return true;
}

// Only formats other than JSON have binary values.
bool JsonReader::binary(json::binary_t&) { return false; }

bool JsonReader::start_object(std::size_t) { return open("object"); }
bool JsonReader::start_array(std::size_t) { return open("array"); }

bool JsonReader::open(std::string_view type) {
  if (depth_ >= most_depth_) {
    place_->fail("nested too deep: level {}; must be at most {}", depth_ + 1, most_depth_);
  }
  if (depth_ > 0) on_open(type);
  ++depth_;
  return true;
}

bool JsonReader::key(std::string& value) {
  on_key(value);
  return true;
}

bool JsonReader::end_object() {
  --depth_;
  if (depth_ > 0) on_close();
  return true;
}

bool JsonReader::end_array() { return end_object(); }

bool JsonReader::parse_error(std::size_t position, const std::string&,
                             const nlohmann::detail::exception& error) {
  if (dynamic_cast<const json::out_of_range*>(&error) != nullptr) {
    place_->fail("not JSON: a number is out of range; must be JSON in UTF-8");
  }
  place_->fail("not JSON: wrong at byte {} of the text; must be JSON in UTF-8", position);
}

}  // namespace trigon::detail::io
