// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <stdexcept>

#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>

// For the library's own use: work that may run out of the host's memory.

namespace trigon::detail::run {
class DeviceState;
}

namespace trigon::detail {

/// The purpose of an allocation, for errors.
struct Wanted {
  DType dtype;
  const Shape& shape;
  run::DeviceState* device = nullptr;  ///< does the work; null: the device of `node`
  const graph::Node* node = nullptr;
};

/// Deletes the free textures in the device's pool. Does nothing if there is no memory for that.
void empty_pool(const Wanted& wanted) noexcept;
/// Raises Error that names the call, shape, dtype and bytes.
[[noreturn]] void refuse_memory(const Wanted& wanted);

/// Does the work. If memory runs out, empties the device's pool and tries once more: the textures
/// of a software device are in host memory. Raises Error as refuse_memory().
template <class F>
auto with_memory(const Wanted& wanted, const F& work) {
  try {
    return work();
  } catch (const std::length_error&) {
    refuse_memory(wanted);
  } catch (const std::bad_alloc&) {
    empty_pool(wanted);
  }
  try {
    return work();
  } catch (const std::bad_alloc&) {
    refuse_memory(wanted);
  }
}

}  // namespace trigon::detail
