// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// The size of a kernel's program with every call inlined: an estimate for `Costs`.
core::Compiled compiled(const Kernel& kernel);

}  // namespace trigon::detail::kernel
