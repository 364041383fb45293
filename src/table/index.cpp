// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

Tensor windows(T x, Ints shape, const Maybe<Integers>& axis) {
  if (!axis) return trigon::sliding_window_view(x, shape.values);
  return trigon::sliding_window_view(x, shape.values, axis->values);
}

}  // namespace

std::vector<Row> rows_of_index() {
  return {
      row(
          "index(x, entries)",
          [](T x, const std::vector<Index>& at) { return trigon::index(x, at); },
          TRIGON_FACTS(.like = "np.ndarray.__getitem__",
                       .examples = {"f(2,3), [1]", "f(2,3), [\"1:\", null]"},
                       .refused = {{"f(2,3), [2]", "index out of range"}}, .gradient = everywhere)),
      row(
          "set_at(x, entries, value)",
          [](T x, const std::vector<Index>& at, T v) { return SelectedPart(x, at).set(v); },
          TRIGON_FACTS(.like = "np.ndarray.__setitem__", .examples = {"f(2,3), [1], 2.0"},
                       .gradient = everywhere, .of_pages = true)),
      row(
          "add_at(x, entries, value)",
          [](T x, const std::vector<Index>& at, T v) { return SelectedPart(x, at).add(v); },
          TRIGON_FACTS(.like = "np.add.at", .examples = {"f(2,3), [1], 2.0"},
                       .gradient = everywhere, .of_pages = true)),
      row(
          "take(x, indices, axis=0)",
          [](T x, T indices, int axis) { return trigon::take(x, indices, axis); },
          TRIGON_FACTS(.like = "np.take, torch.index_select", .examples = {"f(2,3), i(2,3)"},
                       .refused = {{"f(2,3), i(2,3), 2", bad_axis},
                                   {"f(2,3), f(2)", "indices are not integers"}},
                       .gradient = {{"x"}})),
      row(
          "take_along_axis(x, indices, axis)",
          [](T x, T indices, int axis) { return trigon::take_along_axis(x, indices, axis); },
          TRIGON_FACTS(.like = "np.take_along_axis, torch.gather",
                       .examples = {"f(2,3), i(2,3), 0"},
                       .refused = {{"f(2,3), i(2,3), 2", bad_axis},
                                   {"f(2,3), i(4), 0", "shapes differ"}},
                       .gradient = {{"x"}})),
      row(
          "scatter_add(x, indices, v, axis)",
          [](T x, T indices, T v, int axis) { return trigon::scatter_add(x, indices, v, axis); },
          TRIGON_FACTS(.like = "torch.Tensor.index_add", .examples = {"f(4,3), i(2), f(2,3), 0"},
                       .refused = {{"f(4,3), i(2), f(2,3), 2", bad_axis},
                                   {"f(4,3), i(2), f(3,3), 0", "shapes do not fit"},
                                   {"i(4), i(2), f(2), 0", "v is not an integer"}},
                       .gradient = {{"x"}, {"v"}})),
      row(
          "nonzero(x) -> ?", [](T x) { return trigon::nonzero(x); },
          TRIGON_FACTS(.like = "np.nonzero", .examples = {"f(2,3)"},
                       .refused = {{"f()", "x is a scalar"}}, .reads = true)),
      row(
          "sliding_window_view(x, window_shape, axis=null)",
          [](T x, Ints shape, const Maybe<Integers>& axis) { return windows(x, shape, axis); },
          TRIGON_FACTS(.like = "np.lib.stride_tricks.sliding_window_view",
                       .examples = {"f(2,3), 2, 1", "f(2,3), [2, 2]"},
                       .refused = {{"f(2,3), 2, 2", bad_axis},
                                   {"f(2,3), 4, 1", "window does not fit"}},
                       .gradient = everywhere)),
      row(
          "diagonal(x, offset=0, axis1=0, axis2=1)",
          [](T x, std::int64_t offset, int a, int b) {
            return trigon::diagonal(x, offset, {a, b});
          },
          TRIGON_FACTS(.like = "np.diagonal", .examples = {"f(2,3)"},
                       .refused = {{"f(2,3), 0, 0, 2", bad_axis}, {"f(3)", "too few axes"}},
                       .gradient = everywhere)),
      row(
          "diag(x, k=0)", [](T x, std::int64_t k) { return trigon::diag(x, k); },
          TRIGON_FACTS(.like = "np.diag", .examples = {"f(2,3)", "f(3), 1"},
                       .refused = {{"f(2,3,4)", "x is not a vector or matrix"}},
                       .gradient = everywhere)),
      row(
          "tril(x, k=0)", [](T x, int k) { return trigon::tril(x, k); },
          TRIGON_FACTS(.like = "np.tril", .examples = {"f(2,3)"},
                       .refused = {{"f(3)", "too few axes"}}, .gradient = everywhere)),
      row(
          "triu(x, k=0)", [](T x, int k) { return trigon::triu(x, k); },
          TRIGON_FACTS(.like = "np.triu", .examples = {"f(2,3)"},
                       .refused = {{"f(3)", "too few axes"}}, .gradient = everywhere)),
  };
}

}  // namespace trigon::detail::table
