// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

Tensor rolled(T x, Ints shift, const Maybe<Integers>& axis) {
  if (!shift.is_list && (!axis || !axis->is_list)) {
    return trigon::roll(x, shift.values[0],
                        axis ? Maybe<int>(static_cast<int>(axis->values[0])) : Maybe<int>());
  }
  return trigon::roll(x, shift.values, axis ? axis->values : std::vector<std::int64_t>());
}

}  // namespace

std::vector<Row> rows_of_shape() {
  return {
      row(
          "astype(x, dtype)", [](T x, DType dtype) { return x.astype(dtype); },
          TRIGON_FACTS(.like = "np.ndarray.astype",
                       .examples = {"f(2,3), \"int32\"", "f(2,3), \"float32\""},
                       .gradient = everywhere)),
      row(
          "reshape(x, shape)", [](T x, const Dims& s) { return trigon::reshape(x, s); },
          TRIGON_FACTS(.like = "np.reshape", .examples = {"f(2,3), [6]", "f(2,3), [3, -1]"},
                       .refused = {{"f(2,3), [4]", "sizes do not fit"}}, .gradient = everywhere)),
      row(
          "ravel(x)", [](T x) { return trigon::ravel(x); },
          TRIGON_FACTS(.like = "np.ravel", .examples = {"f(2,3)"}, .gradient = everywhere)),
      row(
          "transpose(x, axes=null)",
          [](T x, const Maybe<std::vector<int>>& axes) {
            return axes ? trigon::transpose(x, *axes) : trigon::transpose(x);
          },
          TRIGON_FACTS(.like = "np.transpose", .examples = {"f(2,3)", "f(2,3), [1, 0]"},
                       .refused = {{"f(2,3), [0, 2]", bad_axis}}, .gradient = everywhere)),
      row(
          "swapaxes(x, axis1, axis2)", [](T x, int a, int b) { return trigon::swapaxes(x, a, b); },
          TRIGON_FACTS(.like = "np.swapaxes", .examples = {"f(2,3), 0, 1"},
                       .refused = {{"f(2,3), 0, 2", bad_axis}}, .gradient = everywhere)),
      row(
          "moveaxis(x, source, destination)",
          [](T x, Ints source, Ints destination) {
            return trigon::moveaxis(x, source.values, destination.values);
          },
          TRIGON_FACTS(.like = "np.moveaxis",
                       .examples = {"f(2,3), 0, 1", "f(2,3), [0, 1], [1, 0]"},
                       .refused = {{"f(2,3), 2, 0", bad_axis},
                                   {"f(2,3), [0, 2], [1, 0]", bad_axis}},
                       .gradient = everywhere)),
      row(
          "broadcast_to(x, shape)",
          [](T x, const Shape& shape) { return trigon::broadcast_to(x, shape); },
          TRIGON_FACTS(.like = "np.broadcast_to", .examples = {"f(2,3), [4, 2, 3]"},
                       .refused = {{"f(2,3), [4]", "shapes do not fit"}}, .gradient = everywhere)),
      row(
          "broadcast_arrays(xs) -> xs", [](List xs) { return trigon::broadcast_arrays(xs); },
          TRIGON_FACTS(.like = "np.broadcast_arrays", .examples = {"[f(2,3), f(2,3)]"},
                       .refused = {{"[f(2,3), f(4)]", "shapes do not broadcast"}},
                       .gradient = everywhere, .items = "x")),
      row(
          "expand_dims(x, axis)", [](T x, int axis) { return trigon::expand_dims(x, axis); },
          TRIGON_FACTS(.like = "np.expand_dims", .examples = {"f(2,3), 0"},
                       .refused = {{"f(2,3), 3", bad_axis}}, .gradient = everywhere)),
      row(
          "squeeze(x, axis=null)", [](T x, const Axes& axis) { return trigon::squeeze(x, axis); },
          TRIGON_FACTS(.like = "np.squeeze", .examples = {"f(2,3)", "f(1,3), 0"},
                       .refused = {{"f(2,3), 2", bad_axis}, {"f(2,3), 0", "axis is not of size 1"}},
                       .gradient = everywhere)),
      row(
          "flip(x, axis=null)", [](T x, const Axes& axis) { return trigon::flip(x, axis); },
          TRIGON_FACTS(.like = "np.flip", .examples = {"f(2,3)", "f(2,3), 1"},
                       .refused = {{"f(2,3), 2", bad_axis}}, .gradient = everywhere)),
      row(
          "roll(x, shift, axis=null)",
          [](T x, Ints shift, const Maybe<Integers>& axis) { return rolled(x, shift, axis); },
          TRIGON_FACTS(.like = "np.roll", .examples = {"f(2,3), 1", "f(2,3), [1, 1], [0, 1]"},
                       .refused = {{"f(2,3), 1, 2", bad_axis},
                                   {"f(2,3), [1, 1], [0, 2]", bad_axis}},
                       .gradient = everywhere)),
      row(
          "rot90(x, k=1, axes=[0, 1])",
          [](T x, int k, const AxisPair& axes) {
            return trigon::rot90(x, k, {axes.first, axes.second});
          },
          TRIGON_FACTS(.like = "np.rot90", .examples = {"f(2,3)"},
                       .refused = {{"f(2,3), 1, [0, 2]", bad_axis},
                                   {"f(2,3), 1, [0]", "bad argument"}},
                       .gradient = everywhere)),
      row(
          "tile(x, reps)", [](T x, Ints reps) { return trigon::tile(x, reps.values); },
          TRIGON_FACTS(.like = "np.tile", .examples = {"f(2,3), 2"},
                       .refused = {{"f(2,3), -1", "negative count"}}, .gradient = everywhere)),
      row(
          "repeat(x, repeats, axis=null)",
          [](T x, std::int64_t n, Maybe<int> axis) { return trigon::repeat(x, n, axis); },
          TRIGON_FACTS(.like = "np.repeat", .examples = {"f(2,3), 2", "f(2,3), 2, 1"},
                       .refused = {{"f(2,3), 2, 2", bad_axis}, {"f(2,3), -1", "negative count"}},
                       .gradient = everywhere)),
  };
}

}  // namespace trigon::detail::table
