// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <new>
#include <string_view>

#include "trigon/error.hpp"

namespace trigon::io {

/// `trigon::<function>: "<path>": out of memory; ...`, written without memory of the heap.
class OutOfMemory : public Error {
 public:
  /// Of a path that is too long its end is left out.
  OutOfMemory(const char* function, std::string_view path) noexcept;
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 1024> text_{};
};

/// What `f` returns; where it finds no memory, the error names the file.
template <class F>
auto naming_file(const char* function, std::string_view path, const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(function, path);
  }
}

}  // namespace trigon::io
