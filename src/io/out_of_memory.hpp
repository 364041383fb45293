// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <exception>
#include <new>
#include <string_view>

#include "core/no_memory.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::io {

/// `trigon::<called function>: "<path>": out of memory; ...`, written without heap memory.
class OutOfMemory : public Error {
 public:
  /// The end of a path that is too long is left out.
  explicit OutOfMemory(std::string_view path) noexcept;
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 1024> text_{};
};

/// Throws `error` with the called function and the file in place of the function that found it.
[[noreturn]] void add_file(std::string_view path, const detail::core::NoMemory& error);

/// An exception from a user's function, on its way through naming_file().
struct OfUser {
  std::exception_ptr error;
};

/// Returns f(). If memory runs out in it, the error names the file. A Called must live.
template <class F>
auto naming_file(std::string_view path, const F& f) {
  try {
    try {
      return f();
    } catch (const detail::core::NoMemory& error) {
      add_file(path, error);
    }
  } catch (const OfUser& user) {
    std::rethrow_exception(user.error);
  } catch (const std::bad_alloc&) {  // also while the file was added
    throw OutOfMemory(path);
  }
}

}  // namespace trigon::detail::io
