// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <stdexcept>

#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/shape.hpp>

// For the library's own use: work that may run out of the host's memory.

namespace trigon::detail::run {
class DeviceState;
}

namespace trigon::detail {

/// What the memory is for.
struct Wanted {
  const char* function;  ///< that the user called
  DType dtype;
  const Shape& shape;
  run::DeviceState* device = nullptr;  ///< where the work is done; null: where `node` is
  const graph::Node* node = nullptr;
};

/// Deletes the textures that the device keeps for later. Without memory for that it does nothing.
void empty_pool(const Wanted& wanted) noexcept;
/// Raises Error that names function, shape, dtype and bytes.
[[noreturn]] void refuse_memory(const Wanted& wanted);

/// Does the work. Where memory ends, the device's pool is emptied, whose textures are of the same
/// memory on a software device, and the work is done once more. Raises Error as refuse_memory().
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
