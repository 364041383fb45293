// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {

std::vector<Row> rows_of_linalg() {
  return {
      row(
          "matmul(a, b, inner=null, columns=null)",
          [](T a, T b, Length inner, Length columns) {
            return trigon::matmul(a, b, {.inner = inner, .columns = columns});
          },
          TRIGON_FACTS(.like = "np.matmul", .examples = {"f(2,3), f(3,4)"},
                       .refused = {{"f(2,3), f(4)", "inner sizes differ"}},
                       .gradient = everywhere)),
      row(
          "dot(a, b)", [](T a, T b) { return trigon::dot(a, b); },
          TRIGON_FACTS(.like = "np.dot", .examples = {"f(2,3), f(3,4)"},
                       .refused = {{"f(2,3), f(4)", "inner sizes differ"}},
                       .gradient = everywhere)),
      row(
          "inner(a, b)", [](T a, T b) { return trigon::inner(a, b); },
          TRIGON_FACTS(.like = "np.inner", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(4)", "last sizes differ"}}, .gradient = everywhere)),
      row(
          "outer(a, b)", [](T a, T b) { return trigon::outer(a, b); },
          TRIGON_FACTS(.like = "np.outer", .examples = {"f(2,3), f(2,3)"}, .gradient = everywhere)),
      row(
          "kron(a, b)", [](T a, T b) { return trigon::kron(a, b); },
          TRIGON_FACTS(.like = "np.kron", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(1,1,1,1,1), f(2)", "too many axes"}},
                       .gradient = everywhere)),
      row(
          "vecdot(a, b, axis=-1)", [](T a, T b, int axis) { return trigon::vecdot(a, b, axis); },
          TRIGON_FACTS(.like = "np.vecdot", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(2,3), 2", bad_axis},
                                   {"f(2,3), f(4,3)", "shapes do not broadcast"}},
                       .gradient = everywhere)),
      row(
          "cross(a, b, axis=-1)", [](T a, T b, int axis) { return trigon::cross(a, b, axis); },
          TRIGON_FACTS(.like = "np.cross", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(2,3), 2", bad_axis},
                                   {"f(2,3), f(4,3)", "shapes do not broadcast"}},
                       .gradient = everywhere)),
      row(
          "tensordot(a, b, axes=2)",
          [](T a, T b, const ProductAxes& axes) {
            if (!axes.listed) return trigon::tensordot(a, b, axes.count);
            return trigon::tensordot(a, b, {axes.listed->first, axes.listed->second});
          },
          TRIGON_FACTS(.like = "np.tensordot",
                       .examples = {"f(2,3), f(2,3)", "f(2,3), f(2,3), [[0], [0]]"},
                       .refused = {{"f(2,3), f(2,3), [[2], [0]]", bad_axis},
                                   {"f(2,3), f(4)", "too few axes"}},
                       .gradient = everywhere)),
      row(
          "einsum(subscripts, operands)",
          [](Text subscripts, List operands) { return trigon::einsum(subscripts, operands); },
          TRIGON_FACTS(.like = "np.einsum", .examples = {"\"ij,ij\", [f(2,3), f(2,3)]"},
                       .refused = {{"\"ij,ij\", [f(2,3), f(2,4)]", "sizes differ"}},
                       .gradient = everywhere, .items = "operand")),
      row(
          "trace(x, offset=0, axis1=0, axis2=1)",
          [](T x, std::int64_t offset, int a, int b) {
            return trigon::trace(x, offset, {a, b});
          },
          TRIGON_FACTS(.like = "np.trace", .examples = {"f(2,3)"},
                       .refused = {{"f(2,3), 0, 0, 2", bad_axis}}, .gradient = everywhere)),
      row(
          "linalg::matrix_power(x, n)",
          [](T x, std::int64_t n) { return linalg::matrix_power(x, n); },
          TRIGON_FACTS(.like = "np.linalg.matrix_power", .examples = {"f(3,3), 3"},
                       .refused = {{"f(2,3), 3", "not square"}}, .gradient = everywhere)),
      row(
          "linalg::multi_dot(arrays)", [](List arrays) { return linalg::multi_dot(arrays); },
          TRIGON_FACTS(.like = "np.linalg.multi_dot", .examples = {"[f(3,3), f(3,3)]"},
                       .refused = {{"[f(2,3), f(4,2)]", "inner sizes differ"}},
                       .gradient = everywhere, .items = "x")),
  };
}

}  // namespace trigon::detail::table
