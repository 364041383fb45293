// SPDX-License-Identifier: MIT
#include "trigon/vmap.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/called.hpp"
#include "graph/check.hpp"
#include "transform/batch.hpp"
#include "transform/tape.hpp"
#include "trigon/shape.hpp"

namespace trigon {

std::vector<std::optional<int>> MappedAxes::of(const char* what, std::size_t count) const {
  if (is_for_all_) return std::vector<std::optional<int>>(count, axes_[0]);
  if (axes_.size() != count) {
    detail::core::fail_in("vmap",
                          "wrong number of axes: {} has {}, and there are {}; must be equal", what,
                          axes_.size(), count);
  }
  return axes_;
}

}  // namespace trigon

namespace trigon::detail::differentiated {

Leaves vmap_of(const LeafFunction& f, const Leaves& leaves,
               const std::vector<std::optional<int>>& in_axes, const MappedAxes& out_axes) {
  const core::Called called("vmap");
  std::optional<std::int64_t> count;
  Leaves inputs = leaves;
  std::vector<bool> are_batched;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    are_batched.push_back(in_axes[k].has_value());
    if (!in_axes[k]) continue;
    const Tensor& leaf = leaves[k];
    if (leaf.ndim() == 0) {
      core::fail(
          "leaf {} of the arguments has shape (): there is no axis to map; give it one, or none in "
          "in_axes",
          k);
    }
    const int axis = graph::require_axis(*in_axes[k], leaf.ndim());
    const std::int64_t size = leaf.shape()[axis];
    if (count && *count != size) {
      core::fail(
          "sizes of mapped axes differ: leaf {} of the arguments has {} along axis {}, those "
          "before "
          "it {}; must be equal",
          k, size, *in_axes[k], *count);
    }
    count = size;
    inputs[k] = moveaxis(leaf, axis, 0);
  }
  if (!count) core::fail("no argument is mapped; in_axes must name an axis of one");
  Leaves results = transform::vectorized(
      [&](Leaves given) {
        Leaves found = f(std::move(given));
        for (std::size_t k = 0; k < found.size(); ++k) {
          if (found[k].has_value()) continue;
          core::fail_in("vmap", "empty handle: {} refers to no value; assign a tensor first",
                        transform::result_name(found, k));
        }
        return found;
      },
      inputs, are_batched, *count);
  const std::vector<std::optional<int>> places = out_axes.of("out_axes", results.size());
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!places[k]) core::fail("out_axes has no number for leaf {} of the result", k);
    const int axis = graph::require_axis(*places[k], results[k].ndim());
    results[k] = moveaxis(results[k], 0, axis);
  }
  return results;
}

}  // namespace trigon::detail::differentiated
