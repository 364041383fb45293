// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {

std::vector<Row> rows_of_dtype() {
  return {
      no_call("info(dtype)", TRIGON_FACTS(.like = "np.dtype", .left_out = host)),
      no_call("name(dtype)", TRIGON_FACTS(.like = "np.dtype", .left_out = host)),
      no_call("size_of(dtype)", TRIGON_FACTS(.like = "np.dtype", .left_out = host)),
      no_call("is_float(dtype)", TRIGON_FACTS(.like = "np.issubdtype", .left_out = host)),
      no_call("is_integer(dtype)", TRIGON_FACTS(.like = "np.issubdtype", .left_out = host)),
      no_call("promote(a, b)", TRIGON_FACTS(.like = "np.promote_types", .left_out = host)),
      no_call("finfo(dtype)", TRIGON_FACTS(.like = "np.finfo", .left_out = host)),
      no_call("iinfo(dtype)", TRIGON_FACTS(.like = "np.iinfo", .left_out = host)),
      no_call("can_cast(from, to)", TRIGON_FACTS(.like = "np.can_cast", .left_out = host)),
      no_call("result_type(operands)", TRIGON_FACTS(.like = "np.result_type", .left_out = host)),
      no_call("broadcast(a, b)", TRIGON_FACTS(.like = "np.broadcast_shapes", .left_out = host)),
      no_call("normalize_axis(axis, rank)",
              TRIGON_FACTS(.like = "np.lib.array_utils.normalize_axis_index", .left_out = host)),
  };
}

}  // namespace trigon::detail::table
