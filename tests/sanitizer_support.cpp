// SPDX-License-Identifier: MIT
#include <dlfcn.h>

namespace {

// If a driver is unloaded before the end, reports have frames that no suppression matches.
[[gnu::constructor]] void keep_driver_loaded() {
  dlopen(TRIGON_MESA_DRIVER, RTLD_NOW | RTLD_NODELETE);
}

}  // namespace
