// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/random.hpp>

namespace simulate {

using trigon::random::fold_in;
using trigon::random::integers;
using trigon::random::normal;
using trigon::random::uniform;

}  // namespace simulate
