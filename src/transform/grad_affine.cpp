// SPDX-License-Identifier: MIT
#include "transform/grad_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"

// The gradient of y[j] = x[start + factors j] at i is the sum of g over all j that lead to i. The
// equations i = start + factors j are solved for j. Each equation gives one index of y, whose
// factor is 1 or -1 in all existing views, or only relates indices of x and masks the gradient.
// Indices of y that no equation gives are summed over. So the gradient is an affine view of g,
// padded with zeros, and can be differentiated again.

namespace trigon::detail::transform {
namespace {

// A linear form: a constant, factors of x's indices, factors of y's indices.
using Form = std::vector<std::int64_t>;

void add_scaled(Form& to, const Form& from, std::int64_t scale) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += scale * from[k];
}

struct System {
  int x_rank, y_rank;
  std::vector<Form> solved;     ///< by axis of y; empty: not solved
  std::vector<Form> condition;  ///< forms of x's indices that must be 0

  int of_y(int axis) const { return 1 + x_rank + axis; }

  // Replaces the index of y along `axis` wherever it occurs.
  void substitute(int axis, Form& in) const {
    const std::int64_t factor = item(in, of_y(axis));
    if (factor == 0 || item(solved, axis).empty()) return;
    item(in, of_y(axis)) = 0;
    add_scaled(in, item(solved, axis), factor);
  }

  // Adds the equation `form` = 0.
  void add(Form form) {
    for (int axis = 0; axis < y_rank; ++axis) substitute(axis, form);
    for (int axis = 0; axis < y_rank; ++axis) {
      const std::int64_t factor = item(form, of_y(axis));
      if (std::abs(factor) != 1) continue;
      Form value(form.size(), 0);
      add_scaled(value, form, -factor);
      item(value, of_y(axis)) = 0;
      item(solved, axis) = value;
      for (Form& other : solved) {
        if (!other.empty()) substitute(axis, other);
      }
      return;
    }
    const auto first = form.begin() + of_y(0);
    if (std::any_of(first, form.end(), [](std::int64_t f) { return f != 0; })) {
      throw std::logic_error("trigon::graph: an affine view steps over elements");
    }
    condition.push_back(std::move(form));
  }
};

System solve(const core::AffineAttrs& view, int x_rank, int y_rank) {
  System system{x_rank, y_rank, vector_of<Form>(y_rank), {}};
  for (int axis = 0; axis < x_rank; ++axis) {
    const core::AffineAttrs::Axis& at = item(view.axes, axis);
    Form form = vector_of<std::int64_t>(1 + x_rank + y_rank);
    form[0] = at.start;
    item(form, 1 + axis) = -1;
    for (int j = 0; j < y_rank; ++j) item(form, system.of_y(j)) = item(at.factors, j);
    system.add(std::move(form));
  }
  return system;
}

// 1 where all conditions hold; an empty handle if there are none.
Tensor mask_of(const System& system, const Shape& x) {
  Tensor mask;
  for (const Form& form : system.condition) {
    Tensor sum = Tensor(form[0]);
    for (int axis = 0; axis < x.rank(); ++axis) {
      const std::int64_t factor = item(form, axis + 1);
      if (factor != 0) sum = sum + graph::positions(x[axis], axis, x.rank()) * factor;
    }
    const Tensor holds = sum == 0;
    mask = mask.has_value() ? logical_and(mask, holds) : holds;
  }
  return mask;
}

}  // namespace

Tensor affine_gradient(const core::AffineAttrs& given, const Shape& shape, const Tensor& g) {
  const int x_rank = shape.rank();
  const int y_rank = g.ndim();
  const System system = solve(given, x_rank, y_rank);
  // The view has x's axes and those of g that are summed over.
  Shape result = shape;
  std::vector<int> summed;
  auto place = vector_of<int>(y_rank);
  for (int j = 0; j < y_rank; ++j) {
    if (!item(system.solved, j).empty()) continue;
    item(place, j) = result.rank();
    summed.push_back(result.rank());
    result.push_back(g.shape()[j]);
  }
  const int rank = result.rank();
  Shape padded = g.shape();
  auto before = vector_of<std::int64_t>(y_rank);
  core::AffineAttrs view{vector_of<core::AffineAttrs::Axis>(y_rank)};
  for (int j = 0; j < y_rank; ++j) {
    core::AffineAttrs::Axis& at = item(view.axes, j);
    if (item(system.solved, j).empty()) {
      item(at.factors, item(place, j)) = 1;
      continue;
    }
    const Form& form = item(system.solved, j);
    at.start = form[0];
    for (int k = 0; k < x_rank; ++k) item(at.factors, k) = item(form, 1 + k);
    for (int k = 0; k < y_rank; ++k) {
      const std::int64_t factor = item(form, system.of_y(k));
      if (factor != 0) item(at.factors, item(place, k)) = factor;
    }
    std::int64_t low = at.start;
    std::int64_t high = at.start;
    for (int k = 0; k < rank; ++k) {
      const std::int64_t reach = item(at.factors, k) * (result[k] - 1);
      (reach < 0 ? low : high) += reach;
    }
    std::int64_t& size = padded[j];
    item(before, j) = std::max<std::int64_t>(-low, 0);
    size = item(before, j) + std::max(size, high + 1);
    at.start += item(before, j);
  }
  Tensor dx = graph::affine(graph::pad_to(g, before, padded, 0), std::move(view), result);
  if (!summed.empty()) dx = sum(dx, Axes(summed));
  const Tensor mask = mask_of(system, shape);
  return mask.has_value() ? where(mask, dx, 0.0) : dx;
}

}  // namespace trigon::detail::transform
