// SPDX-License-Identifier: MIT
#pragma once

#include "gl/handles.hpp"

namespace trigon::detail::gl {

/// Whether the GPU has passed a fence. Also true if asking fails, which is an error of the context.
/// In a browser the answer changes only between two tasks of the event loop.
/// GL: glClientWaitSync with timeout 0, which flushes.
bool is_passed(const Sync& fence);

/// Sleeps until the GPU has passed a fence, for ten seconds at most. Not for browsers, whose tasks
/// cannot wait.
void wait(const Sync& fence);

}  // namespace trigon::detail::gl
