// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {

std::vector<Row> rows_of_create() {
  return {
      no_call("tensor(values, shape, device=null)",
              TRIGON_FACTS(.like = "np.array", .left_out = "the page has its own: tensor()")),
      row(
          "zeros(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::zeros(shape, dtype); },
          TRIGON_FACTS(.like = "np.zeros", .examples = {"[2, 3]", "[2, 3], \"int32\""})),
      row(
          "ones(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::ones(shape, dtype); },
          TRIGON_FACTS(.like = "np.ones", .examples = {"[2, 3]"})),
      row(
          "empty(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::empty(shape, dtype); },
          TRIGON_FACTS(.like = "np.empty", .examples = {"[2, 3]"})),
      row(
          "full(shape, fill_value, dtype=\"float32\")",
          [](const Shape& shape, double value, DType dtype) {
            return trigon::full(shape, value, dtype);
          },
          TRIGON_FACTS(.like = "np.full", .examples = {"[2, 3], 7"},
                       .refused = {{"[2, 3], 3e9, \"int32\"", "number out of range"}})),
      row(
          "zeros_like(x)", [](T x) { return trigon::zeros_like(x); },
          TRIGON_FACTS(.like = "np.zeros_like", .examples = {"f(2,3)"})),
      row(
          "ones_like(x)", [](T x) { return trigon::ones_like(x); },
          TRIGON_FACTS(.like = "np.ones_like", .examples = {"f(2,3)"})),
      row(
          "empty_like(x)", [](T x) { return trigon::empty_like(x); },
          TRIGON_FACTS(.like = "np.empty_like", .examples = {"f(2,3)"})),
      row(
          "full_like(x, fill_value, dtype=null)",
          [](T x, double value, Maybe<DType> dtype) { return trigon::full_like(x, value, dtype); },
          TRIGON_FACTS(.like = "np.full_like", .examples = {"f(2,3), 2"},
                       .refused = {{"f(2,3), 3e9, \"int32\"", "number out of range"}})),
      row(
          "arange(start, stop=null, step=1)",
          [](Number start, Maybe<Number> stop, Number step) {
            if (!stop) stop = std::exchange(start, Number{0, true});
            if (!start.is_whole || !stop->is_whole || !step.is_whole) {
              return trigon::arange(start.value, stop->value, step.value);
            }
            return trigon::arange(static_cast<std::int64_t>(start.value),
                                  static_cast<std::int64_t>(stop->value),
                                  static_cast<std::int64_t>(step.value));
          },
          TRIGON_FACTS(.like = "np.arange", .examples = {"5", "0, 1, 0.25"},
                       .refused = {{"0, 5, 0", "step is zero"}})),
      row(
          "iota(n)", [](std::int64_t n) { return trigon::iota(n); },
          TRIGON_FACTS(.like = "np.arange", .examples = {"5"},
                       .refused = {{"-1", "number of elements out of range"}})),
      row(
          "linspace(start, stop, num=50, endpoint=true)",
          [](double start, double stop, std::int64_t n, bool endpoint) {
            return trigon::linspace(start, stop, n, endpoint);
          },
          TRIGON_FACTS(.like = "np.linspace", .examples = {"0, 1, 5"},
                       .refused = {{"0, 1, -1", "number of elements out of range"}})),
      row(
          "logspace(start, stop, num=50, endpoint=true, base=10)",
          [](double start, double stop, std::int64_t n, bool endpoint, double base) {
            return trigon::logspace(start, stop, n, {.endpoint = endpoint, .base = base});
          },
          TRIGON_FACTS(.like = "np.logspace", .examples = {"0, 3, 4"},
                       .refused = {{"0, 3, -1", "number of elements out of range"}})),
      row(
          "eye(N, M=null, k=0, dtype=\"float32\")",
          [](std::int64_t n, Maybe<std::int64_t> m, int k, DType dtype) {
            return trigon::eye(n, m.value_or(n), {.k = k, .dtype = dtype});
          },
          TRIGON_FACTS(.like = "np.eye", .examples = {"3", "2, 3, 1"},
                       .refused = {{"-1", "negative size"}})),
      row(
          "indices(dimensions)", [](const Shape& shape) { return trigon::indices(shape); },
          TRIGON_FACTS(.like = "np.indices", .examples = {"[2, 3]"},
                       .refused = {{"[1, 1, 1, 1, 1, 1, 1, 1]", "too many axes"}})),
      row(
          "meshgrid(xs, indexing=\"xy\") -> xs",
          [](List xs, Text indexing) { return trigon::meshgrid(xs, indexing); },
          TRIGON_FACTS(.like = "np.meshgrid", .examples = {"[f(3), f(3)]"},
                       .refused = {{"[f(3), f(2,3)]", "x 1 is not a vector"},
                                   {"[f(3), f(3)], \"ji\"", "unknown indexing"}},
                       .gradient = everywhere, .items = "x")),
  };
}

}  // namespace trigon::detail::table
