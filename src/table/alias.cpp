// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

[[maybe_unused]] constexpr const char* other = "another name of a function that pages have";

}  // namespace

std::vector<Row> rows_of_alias() {
  return {
      no_call("acos(x)", TRIGON_FACTS(.like = "np.arccos", .left_out = other)),
      no_call("acosh(x)", TRIGON_FACTS(.like = "np.arccosh", .left_out = other)),
      no_call("asin(x)", TRIGON_FACTS(.like = "np.arcsin", .left_out = other)),
      no_call("asinh(x)", TRIGON_FACTS(.like = "np.arcsinh", .left_out = other)),
      no_call("atan(x)", TRIGON_FACTS(.like = "np.arctan", .left_out = other)),
      no_call("atan2(a, b)", TRIGON_FACTS(.like = "np.arctan2", .left_out = other)),
      no_call("atanh(x)", TRIGON_FACTS(.like = "np.arctanh", .left_out = other)),
      no_call("pow(a, b)", TRIGON_FACTS(.like = "np.power", .left_out = other)),
      no_call("bitwise_invert(x)", TRIGON_FACTS(.like = "np.bitwise_not", .left_out = other)),
      no_call("bitwise_left_shift(a, b)", TRIGON_FACTS(.like = "np.left_shift", .left_out = other)),
      no_call("bitwise_right_shift(a, b)",
              TRIGON_FACTS(.like = "np.right_shift", .left_out = other)),
      no_call("concat(arrays, axis=0)", TRIGON_FACTS(.like = "np.concatenate", .left_out = other)),
      no_call("matrix_transpose(x)",
              TRIGON_FACTS(.like = "np.matrix_transpose", .left_out = other)),
      no_call("permute_dims(x, axes)", TRIGON_FACTS(.like = "np.transpose", .left_out = other)),
  };
}

}  // namespace trigon::detail::table
