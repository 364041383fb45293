// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

Tensor padded(T x, const std::vector<PadWidth>& widths, Text mode, double value) {
  if (mode == "constant") return trigon::pad(x, widths, value);
  return trigon::pad(x, widths, std::string_view(mode));
}

std::vector<Tensor> split_at(T x, Ints where, int axis) {
  if (where.is_list) return trigon::array_split(x, where.values, axis);
  return trigon::array_split(x, where.values[0], axis);
}

}  // namespace

std::vector<Row> rows_of_join() {
  return {
      row(
          "pad(x, pad_width, mode=\"constant\", constant_values=0)",
          [](T x, const std::vector<PadWidth>& widths, Text mode, double value) {
            return padded(x, widths, mode, value);
          },
          TRIGON_FACTS(.like = "np.pad",
                       .examples = {"f(2,3), 1", "f(2,3), [[1, 1], [1, 1]]",
                                    "f(2,3), [[1, 1], [1, 1]], \"edge\""},
                       .refused = {{"f(2,3), [[1, 1], [1, 1], [1, 1]]", "number of widths differs"},
                                   {"f(2,3), 1, \"edges\"", "unknown mode"},
                                   {"f(2,3), -1", "negative width"}},
                       .gradient = everywhere)),
      row(
          "concatenate(arrays, axis=0)",
          [](List arrays, int axis) { return trigon::concatenate(arrays, axis); },
          TRIGON_FACTS(.like = "np.concatenate",
                       .examples = {"[f(2,3), f(2,3)]", "[f(2,3), f(2,3)], 1"},
                       .refused = {{"[f(2,3), f(2,3)], 2", bad_axis},
                                   {"[f(2,3), f(3,4,4)]", "shapes differ"},
                                   {"[]", "no parts"}},
                       .gradient = everywhere, .items = "part")),
      row(
          "stack(arrays, axis=0)",
          [](List arrays, int axis) { return trigon::stack(arrays, axis); },
          TRIGON_FACTS(.like = "np.stack", .examples = {"[f(2,3), f(2,3)]"},
                       .refused = {{"[f(2,3), f(2,3)], 3", bad_axis},
                                   {"[f(2,3), f(4)]", "shapes differ"},
                                   {"[f(2,3), f(3,4,4)]", "shapes differ"},
                                   {"[]", "no parts"}},
                       .gradient = everywhere, .items = "part")),
      row(
          "vstack(arrays)", [](List arrays) { return trigon::vstack(arrays); },
          TRIGON_FACTS(.like = "np.vstack", .examples = {"[f(2,3), f(2,3)]"},
                       .refused = {{"[f(2,3), f(3,4,4)]", "shapes differ"}}, .gradient = everywhere,
                       .items = "part")),
      row(
          "hstack(arrays)", [](List arrays) { return trigon::hstack(arrays); },
          TRIGON_FACTS(.like = "np.hstack", .examples = {"[f(2,3), f(2,3)]"},
                       .refused = {{"[f(2,3), f(3,4,4)]", "shapes differ"}}, .gradient = everywhere,
                       .items = "part")),
      row(
          "split(x, sections, axis=0) -> sections",
          [](T x, int sections, int axis) { return trigon::split(x, sections, axis); },
          TRIGON_FACTS(.like = "np.split", .examples = {"f(2,3), 2"},
                       .refused = {{"f(2,3), 2, 2", bad_axis}, {"f(2,3), 4", "no equal parts"}},
                       .gradient = everywhere)),
      row(
          "array_split(x, indices_or_sections, axis=0) -> indices_or_sections",
          [](T x, Ints where, int axis) { return split_at(x, where, axis); },
          TRIGON_FACTS(.like = "np.array_split", .examples = {"f(2,3), 2", "f(2,3), [1]"},
                       .refused = {{"f(2,3), 2, 2", bad_axis},
                                   {"f(2,3), [1], 2", bad_axis},
                                   {"f(2,3), 0", "too few sections"}},
                       .gradient = everywhere)),
  };
}

}  // namespace trigon::detail::table
