// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/called.hpp"
#include "io/text.hpp"

namespace trigon::detail::io {

/// The file and, where known, the tensor that a check is about. Every check reports through it: a
/// Called must live.
struct Place {
  std::filesystem::path file;
  std::string tensor{};

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    core::fail("{}: {}{}", quote_path(file), tensor,
               fmt::format(format, std::forward<Args>(args)...));
  }
  Place at(const std::string& name) const {
    return {file, fmt::format("tensor {}: ", core::quote(name))};
  }
};

/// Reads one JSON object in one pass, without a tree of its values: only derived classes keep
/// memory. Their functions may throw.
class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// Raises Error, at `place`, when the text is not one object of JSON in UTF-8, or when more than
  /// `most_depth` objects and arrays are open at once.
  void read(const Place& place, std::string_view text, int most_depth);

 protected:
  /// A value that is neither an object nor an array.
  struct Value {
    std::string_view type;  ///< "number", "string", "boolean" or "null"
    std::string text{};     ///< of a string, without its quotes; empty for unsigned integers
    bool is_unsigned = false;
    std::uint64_t number = 0;  ///< of unsigned integers

    std::string shown() const { return is_unsigned ? fmt::to_string(number) : text; }
  };

  /// The objects and arrays around the next key or value: 1 in the outermost object.
  int depth() const { return depth_; }
  virtual void on_key(std::string& key) = 0;
  virtual void on_value(Value value) = 0;
  /// `type`: "object" or "array". The outermost one is not announced.
  virtual void on_open(std::string_view type) = 0;
  virtual void on_close() = 0;

 private:
  bool null() final;
  bool boolean(bool value) final;
  bool number_integer(std::int64_t value) final;
  bool number_unsigned(std::uint64_t value) final;
  bool number_float(double value, const std::string& text) final;
  bool string(std::string& value) final;
  bool binary(nlohmann::json::binary_t& value) final;
  bool start_object(std::size_t size) final;
  bool start_array(std::size_t size) final;
  bool key(std::string& value) final;
  bool end_object() final;
  bool end_array() final;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) final;

  bool open(std::string_view type);

  const Place* place_ = nullptr;
  int most_depth_ = 0;
  int depth_ = 0;
};

}  // namespace trigon::detail::io
