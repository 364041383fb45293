// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// What a driver compiles for a kernel, with every call inlined. An estimate: what `Costs` weighs.
core::Compiled compiled(const Kernel& kernel);

}  // namespace trigon::detail::kernel
