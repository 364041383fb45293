// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/einsum.hpp"
#include "trigon/create.hpp"
#include "trigon/linalg.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/result_type.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace detail::ops {
namespace {

bool has(const std::string& axes, char name) { return axes.find(name) != std::string::npos; }
int position(const std::string& axes, char name) { return static_cast<int>(axes.find(name)); }

Shape sizes_of(const Named& a, const std::string& axes) {
  Shape shape;
  for (const char name : axes) shape.push_back(a.x.shape()[position(a.axes, name)]);
  return shape;
}

// The axes in that order; those that `a` lacks have size 1.
Tensor stretched(const Named& a, const std::string& axes) {
  std::string own;
  Shape shape;
  for (const char name : axes) {
    const bool known = has(a.axes, name);
    if (known) own += name;
    shape.push_back(known ? a.x.shape()[position(a.axes, name)] : 1);
  }
  return reshape(ordered(a, own), shape);
}

}  // namespace

std::vector<Tensor> widened(std::span<const Tensor> xs) {
  const std::vector<detail::TypeOperand> types(xs.begin(), xs.end());
  const DType common = detail::result_type(types);
  std::vector<Tensor> all(xs.begin(), xs.end());
  for (Tensor& x : all) {
    if (!is_float(x.dtype())) x = graph::cast(x, info(common).summed);
  }
  return all;
}

Tensor widened_product(const Tensor& a, const Tensor& b) {
  const std::array<Tensor, 2> operands{a, b};
  const std::vector<Tensor> x = widened(operands);
  return x[0] * x[1];
}

Tensor ordered(const Named& a, const std::string& axes) {
  std::vector<int> order;
  for (const char name : axes) order.push_back(position(a.axes, name));
  return order.empty() ? a.x : transpose(a.x, order);
}

Named product(const Named& a, const Named& b, const std::set<char>& kept) {
  std::string batch, inner, left, right;
  for (const char name : a.axes) {
    (!has(b.axes, name) ? left : kept.count(name) > 0 ? batch : inner) += name;
  }
  for (const char name : b.axes) {
    if (!has(a.axes, name)) right += name;
  }
  const std::string result = batch + left + right;
  const bool sums =
      (left.empty() && right.empty()) || !is_float(a.x.dtype()) || !is_float(b.x.dtype());
  const std::string all = sums ? result + inner : result;
  if (all.size() > Shape::max_rank) {
    graph::fail("too many axes: a product has {}; at most {}", all.size(), Shape::max_rank);
  }
  if (inner.empty() || sums) {
    const Tensor x = stretched(a, all), y = stretched(b, all);
    if (inner.empty()) return {x * y, result};
    std::vector<int> axes;
    for (std::size_t k = result.size(); k < all.size(); ++k) axes.push_back(static_cast<int>(k));
    return {sum(x * y, Axes(axes)), result};
  }
  const auto matrix = [&](const Named& x, const std::string& rows, const std::string& columns) {
    const Shape of_batch = sizes_of(x, batch);
    Shape shape = batch.size() + 2 > Shape::max_rank ? Shape{of_batch.numel()} : of_batch;
    shape.push_back(sizes_of(x, rows).numel());
    shape.push_back(sizes_of(x, columns).numel());
    return reshape(ordered(x, batch + rows + columns), shape);
  };
  Shape shape = sizes_of(a, batch + left);
  for (const std::int64_t size : sizes_of(b, right)) shape.push_back(size);
  const Tensor x = matrix(a, left, inner), y = matrix(b, inner, right);
  return {reshape(matmul(x, y), shape), result};
}

}  // namespace detail::ops

namespace {

// Letters for the axes of x, from `first` on.
std::string letters(const Tensor& x, char first) {
  std::string names;
  for (int k = 0; k < x.ndim(); ++k) names += static_cast<char>(first + k);
  return names;
}

// x and y are a and b with the vectors along the last axis.
void check_vectors(const Tensor& a, const Tensor& b, const Tensor& x, const Tensor& y) {
  if (broadcast(x.shape(), y.shape())) return;
  graph::fail(
      "shapes do not broadcast: a is {}, b is {}; axes but that of the vectors must be equal or 1, "
      "counted from the last",
      to_string(a.shape()), to_string(b.shape()));
}

}  // namespace

Tensor tensordot(const Tensor& a, const Tensor& b, int axes) {
  const graph::Named named("tensordot", {{"a", a}, {"b", b}});
  if (axes < 0) {
    graph::fail("negative number of axes: {}; must be 0 or more", axes);
  }
  if (axes > a.ndim() || axes > b.ndim()) {
    graph::fail("too few axes: a is {}, b is {}; both must have {}", to_string(a.shape()),
                to_string(b.shape()), axes);
  }
  std::vector<int> of_a, of_b;
  for (int k = 0; k < axes; ++k) {
    of_a.push_back(a.ndim() - axes + k);
    of_b.push_back(k);
  }
  return tensordot(a, b, {of_a, of_b});
}

Tensor tensordot(const Tensor& a, const Tensor& b, const SummedAxes& axes) {
  const graph::Named named("tensordot", {{"a", a}, {"b", b}});
  if (axes.of_a.size() != axes.of_b.size()) {
    graph::fail("numbers of axes differ: {} of a, {} of b; each needs one of the other",
                axes.of_a.size(), axes.of_b.size());
  }
  ops::Named left{a, letters(a, 'a')}, right{b, letters(b, 'A')};
  std::set<char> kept(left.axes.begin(), left.axes.end());
  kept.insert(right.axes.begin(), right.axes.end());
  for (std::size_t k = 0; k < axes.of_a.size(); ++k) {
    const int i = graph::require_axis(axes.of_a[k], a.ndim());
    const int j = graph::require_axis(axes.of_b[k], b.ndim());
    const char name = left.axes[static_cast<std::size_t>(i)];
    char& other = right.axes[static_cast<std::size_t>(j)];
    if (kept.erase(name) == 0 || kept.erase(other) == 0) {
      graph::fail("an axis occurs twice: {} of a, {} of b; each may occur once", axes.of_a[k],
                  axes.of_b[k]);
    }
    if (a.shape()[i] != b.shape()[j]) {
      graph::fail("sizes differ: axis {} of a, {}, is {}, axis {} of b, {}, is {}; must be equal",
                  i, to_string(a.shape()), a.shape()[i], j, to_string(b.shape()), b.shape()[j]);
    }
    other = name;
  }
  const std::array<Tensor, 2> operands{a, b};
  const std::vector<Tensor> x = ops::widened(operands);
  left.x = x[0];
  right.x = x[1];
  return ops::product(left, right, kept).x;
}

Tensor inner(const Tensor& a, const Tensor& b) {
  const graph::Named named("inner", {{"a", a}, {"b", b}});
  if (a.ndim() == 0 || b.ndim() == 0) return ops::widened_product(a, b);
  if (a.shape()[-1] != b.shape()[-1]) {
    graph::fail("last sizes differ: a is {}, b is {}; must be equal", to_string(a.shape()),
                to_string(b.shape()));
  }
  return tensordot(a, b, {-1, -1});
}

Tensor vecdot(const Tensor& a, const Tensor& b, int axis) {
  const graph::Named named("vecdot", {{"a", a}, {"b", b}});
  const int i = graph::require_axis(axis, a.ndim());
  const int j = graph::require_axis(axis, b.ndim());
  if (a.shape()[i] != b.shape()[j]) {
    graph::fail("sizes differ along axis {}: a is {}, b is {}; must be equal", axis,
                to_string(a.shape()), to_string(b.shape()));
  }
  const Tensor x = moveaxis(a, i, -1), y = moveaxis(b, j, -1);
  check_vectors(a, b, x, y);
  return sum(ops::widened_product(x, y), -1);
}

Tensor cross(const Tensor& a, const Tensor& b, int axis) {
  const graph::Named named("cross", {{"a", a}, {"b", b}});
  const int i = graph::require_axis(axis, a.ndim());
  const int j = graph::require_axis(axis, b.ndim());
  if (a.shape()[i] != 3 || b.shape()[j] != 3) {
    graph::fail("not of three elements along axis {}: a is {}, b is {}; must be vectors of three",
                axis, to_string(a.shape()), to_string(b.shape()));
  }
  const Tensor x = moveaxis(a, i, -1), y = moveaxis(b, j, -1);
  check_vectors(a, b, x, y);
  const Tensor next_x = roll(x, -1, -1), next_y = roll(y, -1, -1);
  const Tensor last_x = roll(x, 1, -1), last_y = roll(y, 1, -1);
  const Tensor added = next_x * last_y;
  return moveaxis(added - last_x * next_y, -1, axis);
}

namespace linalg {

Tensor matrix_power(const Tensor& x, std::int64_t n) {
  const graph::Named named("linalg::matrix_power", {{"x", x}});
  graph::require_square("x", x);
  graph::check_floats({{"x", x}});
  if (n < 0) {
    graph::fail("negative power: {}; must be 0 or more", n);
  }
  if (n == 0) return graph::expand(eye(x.shape()[-1]), x.shape());
  Tensor power, square = x.astype(float32);
  for (std::int64_t left = n;; square = matmul(square, square)) {
    if (left % 2 == 1) power = power.has_value() ? matmul(power, square) : square;
    left /= 2;
    if (left == 0) return power;
  }
}

namespace {

/// The order of least multiplications. Source: Cormen, Leiserson, Rivest, Stein, "Introduction to
/// Algorithms", 15.2.
class Chain {
 public:
  explicit Chain(std::span<const Tensor> xs) : xs_(xs) {
    const std::size_t n = xs.size();
    for (std::size_t k = 0; k < n; ++k) {
      const Shape& s = xs[k].shape();
      if (k == 0) sizes_.push_back(s.rank() == 1 ? 1 : s[-2]);
      sizes_.push_back(s.rank() == 1 && k > 0 ? 1 : s[-1]);
    }
    cost_.assign(n, std::vector<double>(n, 0));
    cut_.assign(n, std::vector<std::size_t>(n, 0));
    for (std::size_t length = 1; length < n; ++length) {
      for (std::size_t i = 0; i + length < n; ++i) choose(i, i + length);
    }
  }

  Tensor run() const { return product(0, xs_.size() - 1); }

 private:
  void choose(std::size_t i, std::size_t j) {
    for (std::size_t k = i; k < j; ++k) {
      const double cost = cost_[i][k] + cost_[k + 1][j] +
                          static_cast<double>(sizes_[i]) * static_cast<double>(sizes_[k + 1]) *
                              static_cast<double>(sizes_[j + 1]);
      if (k > i && cost >= cost_[i][j]) continue;
      cost_[i][j] = cost;
      cut_[i][j] = k;
    }
  }
  Tensor product(std::size_t i, std::size_t j) const {
    if (i == j) return xs_[i];
    const Tensor left = product(i, cut_[i][j]), right = product(cut_[i][j] + 1, j);
    return matmul(left, right);
  }

  std::span<const Tensor> xs_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::vector<double>> cost_;
  std::vector<std::vector<std::size_t>> cut_;
};

}  // namespace

Tensor multi_dot(const TensorList& xs) {
  const graph::Named named("linalg::multi_dot", "x", xs);
  if (xs.size() < 2) {
    graph::fail("too few matrices: {}; needs two or more", xs.size());
  }
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const bool end = k == 0 || k + 1 == xs.size();
    const int rank = xs[k].ndim();
    if (rank == 2 || (end && rank == 1)) continue;
    graph::fail("x {} is not a matrix: it is {}; only the first and the last may be vectors", k,
                to_string(xs[k].shape()));
  }
  for (std::size_t k = 1; k < xs.size(); ++k) {
    const std::int64_t rows = xs[k].shape()[k + 1 == xs.size() && xs[k].ndim() == 1 ? 0 : -2];
    if (xs[k - 1].shape()[-1] == rows) continue;
    graph::fail(
        "inner sizes differ: x {} is {}, x {} is {}; the columns of one must be as many as the "
        "rows of the next",
        k - 1, to_string(xs[k - 1].shape()), k, to_string(xs[k].shape()));
  }
  return Chain(xs).run();
}

}  // namespace linalg
}  // namespace trigon
