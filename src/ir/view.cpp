// SPDX-License-Identifier: MIT
#include "core/item.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::ir {

View whole_view(const Shape& shape) {
  View view = vector_of<ViewAxis>(shape.rank());
  for (int k = 0; k < shape.rank(); ++k) item(item(view, k).factors, k) = 1;
  return view;
}

View broadcast_view(const Shape& from, const Shape& shape) {
  View view = vector_of<ViewAxis>(from.rank());
  const int missing = shape.rank() - from.rank();
  for (int k = 0; k < from.rank(); ++k) {
    if (from[k] == 1) continue;
    item(item(view, k).factors, k + missing) = 1;
  }
  return view;
}

bool reshape_view(const Shape& from, const Shape& shape, View& view) {
  view = vector_of<ViewAxis>(from.rank());
  int next = 0;
  for (int k = 0; k < from.rank(); ++k) {
    if (from[k] == 1) continue;
    // The axes of `shape` that this one is split into: their sizes multiply to its size.
    std::int64_t product = 1;
    const int first = next;
    while (next < shape.rank() && product < from[k]) product *= shape[next++];
    if (product != from[k]) return false;
    std::int64_t factor = 1;
    for (int axis = next; axis-- > first;) {
      if (shape[axis] != 1) {
        item(item(view, k).factors, axis) = factor;
      }
      factor *= shape[axis];
    }
  }
  return true;
}

View compose(const View& outer, const View& inner) {
  View result(inner.size());
  for (std::size_t k = 0; k < inner.size(); ++k) {
    ViewAxis& axis = result[k];
    axis.start = inner[k].start;
    axis.terms = inner[k].terms;
    for (std::size_t m = 0; m < outer.size(); ++m) {
      const std::int64_t factor = inner[k].factors[m];
      if (factor == 0) continue;
      axis.start += factor * outer[m].start;
      for (std::size_t o = 0; o < axis.factors.size(); ++o) {
        axis.factors[o] += factor * outer[m].factors[o];
      }
      for (ViewAxis::Term term : outer[m].terms) {
        term.factor *= factor;
        axis.terms.push_back(term);
      }
    }
  }
  return result;
}

void normalise(View& view, const Shape& from, const Shape& shape) {
  for (std::size_t k = 0; k < view.size(); ++k) {
    if (from[static_cast<int>(k)] == 1) {
      view[k] = {};
      continue;
    }
    for (int o = 0; o < Shape::max_rank; ++o) {
      const bool unused = o >= shape.rank() || shape[o] == 1;
      if (unused) item(view[k].factors, o) = 0;
    }
    std::erase_if(view[k].terms,
                  [](const ViewAxis::Term& term) { return term.factor == 0 || term.high == 0; });
  }
}

}  // namespace trigon::detail::ir
