// SPDX-License-Identifier: MIT
#include "keys.hpp"

#include <trigon/ops/binary.hpp>

namespace simulate {

trigon::Tensor integers(const trigon::random::Key& key, const trigon::Shape& shape,
                        std::int64_t below) {
  // The product may round up to `below`.
  const trigon::Tensor x = uniform(key, shape) * static_cast<double>(below);
  return minimum(x.astype(trigon::int32), below - 1);
}

}  // namespace simulate
