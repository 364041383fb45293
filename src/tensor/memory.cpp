// SPDX-License-Identifier: MIT
#include <trigon/detail/memory.hpp>

#include <exception>
#include <memory>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/layout.hpp"
#include "core/no_memory.hpp"
#include "pipeline/values.hpp"
#include "run/device_state.hpp"

namespace trigon::detail {

void empty_pool(const Wanted& wanted) noexcept {
  try {
    // The node may hold the last reference to the device.
    const std::shared_ptr<run::DeviceState> device = wanted.device != nullptr
                                                         ? wanted.device->shared_from_this()
                                                         : pipeline::home_of(*wanted.node);
    if (device == nullptr) return;
    const run::DeviceState::Entry entry(*device);
    device->empty_pool();
  } catch (const std::exception&) {
    // The caller tries once more anyway.
  }
}

void refuse_memory(const Wanted& wanted) {
  throw core::NoMemory(core::named(fmt::format(
      "no memory left on the host: shape is {}, dtype is {}, {}\n  hint: let go of tensors, or "
      "take fewer elements at a time",
      to_string(wanted.shape), name(wanted.dtype), core::bytes_text(wanted.dtype, wanted.shape))));
}

}  // namespace trigon::detail
