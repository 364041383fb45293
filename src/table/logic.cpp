// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {

std::vector<Row> rows_of_logic() {
  return {
      row(
          "isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=false)",
          [](T a, T b, double rtol, double atol, bool nan) {
            return trigon::isclose(a, b, {.rtol = rtol, .atol = atol, .equal_nan = nan});
          },
          TRIGON_FACTS(.like = "np.isclose", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}})),
      row(
          "allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=false)",
          [](T a, T b, double rtol, double atol, bool nan) {
            return trigon::allclose(a, b, {.rtol = rtol, .atol = atol, .equal_nan = nan});
          },
          TRIGON_FACTS(.like = "np.allclose", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}})),
      row(
          "array_equal(a, b, equal_nan=false)",
          [](T a, T b, bool nan) { return trigon::array_equal(a, b, nan); },
          TRIGON_FACTS(.like = "np.array_equal", .examples = {"f(2,3), f(2,3)", "f(2,3), f(4)"})),
  };
}

}  // namespace trigon::detail::table
