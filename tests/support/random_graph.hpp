// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <trigon/ops/trigonometric.hpp>
#include <trigon/trigon.hpp>

#include "graph/interpret.hpp"
#include "support/values.hpp"

namespace trigon::support {

/// Random expressions over element-wise ops, views, reductions, matmul, where and concatenate. No
/// NaN and no infinity arises, and a bound on the error of float32 goes with every value. Integer
/// values are exact.
class RandomGraph {
 public:
  struct Value {
    Tensor tensor;
    /// Largest distance of an element from that of exact arithmetic.
    double error = 0;
    /// Largest absolute value, from the reference.
    double size = 0;
    std::vector<double> want;
  };

  /// `each` is called on every new tensor; the graph is the same whatever it does.
  RandomGraph(std::uint32_t seed, int nodes, void (*each)(const Tensor&), bool with_reference)
      : random_(seed), each_(each), with_reference_(with_reference) {
    for (int i = 0; i < 4; ++i) add_leaf();
    while (static_cast<int>(values_.size()) < nodes) grow();
  }

  const std::vector<Value>& values() const { return values_; }
  /// The steps, to say what a failure was made of.
  const std::string& text() const { return text_; }

 private:
  static constexpr double epsilon = 1.0 / 16777216;

  void keep(Tensor x, double error, const std::string& step) {
    if (x.size() > 4096 || x.ndim() > 5) return;
    each_(x);
    Value v;
    v.tensor = std::move(x);
    // Decisions hang on the shapes alone, so that runs with and without a reference make the same
    // graph.
    v.error = error;
    if (with_reference_) {
      v.want = graph::interpret(v.tensor.node());
      for (const double w : v.want) v.size = std::max(v.size, std::abs(w));
      v.error += 12 * epsilon * v.size;
    }
    text_ += step + " -> " + to_string(v.tensor.shape()) + "; ";
    values_.push_back(std::move(v));
  }

  void add_leaf() {
    static const Shape shapes[] = {{3, 5}, {5}, {3, 1}, {4, 3}, {2, 3, 4}, {}, {6}, {1, 5, 2}};
    const Shape& shape = shapes[random_.below(8)];
    keep(random_tensor(random_, shape, {-2, 2}), 0, "leaf");
  }

  const Value& pick() {
    return values_[static_cast<std::size_t>(random_.below(static_cast<int>(values_.size())))];
  }

  static bool fits(const Shape& a, const Shape& b) {
    for (int k = 1; k <= std::min(a.rank(), b.rank()); ++k) {
      if (a[-k] != b[-k] && a[-k] != 1 && b[-k] != 1) return false;
    }
    return true;
  }

  void grow() {
    const int choice = random_.below(12);
    if (choice < 3) return unary();
    if (choice < 6) return binary();
    if (choice < 8) return view();
    if (choice == 8) return reduction();
    if (choice == 9) return product();
    if (choice == 10) return select();
    join();
  }

  // Each maps any number into a range that the next op bears.
  void unary() {
    const Value& x = pick();
    const Tensor& t = x.tensor;
    switch (random_.below(8)) {
      case 0: return keep(tanh(t), x.error, "tanh");
      case 1: return keep(sin(clip(t, -50.0, 50.0)), x.error, "sin");
      case 2: return keep(abs(t), x.error, "abs");
      case 3: return keep(-t, x.error, "negative");
      case 4: return keep(sqrt(t * t + 1.0), x.error, "sqrt");
      case 5: return keep(1.0 / (t * t + 1.0), x.error, "reciprocal");
      case 6: return keep(sigmoid(t), x.error, "sigmoid");
      default: return keep(exp(-abs(t)), x.error, "exp");
    }
  }

  void binary() {
    const Value& x = pick();
    const Value& y = pick();
    if (!fits(x.tensor.shape(), y.tensor.shape())) return;
    const Tensor& a = x.tensor;
    const Tensor& b = y.tensor;
    switch (random_.below(5)) {
      case 0: return keep(a + b, x.error + y.error, "add");
      case 1: return keep(a - b, x.error + y.error, "subtract");
      case 2: return keep(maximum(a, b), std::max(x.error, y.error), "maximum");
      case 3: return keep(minimum(a, b), std::max(x.error, y.error), "minimum");
      default: {
        // The product of bounded factors, so that forty of them stay small.
        const Tensor factor = tanh(b);
        return keep(a * factor, x.error + (x.size + x.error) * (y.error + 4 * epsilon), "multiply");
      }
    }
  }

  void view() {
    const Value& x = pick();
    const Tensor& t = x.tensor;
    const int rank = t.ndim();
    switch (random_.below(7)) {
      case 0: return keep(t.T(), x.error, "transpose");
      case 1: return keep(flip(t), x.error, "flip");
      case 2: return keep(ravel(t), x.error, "ravel");
      case 3: return keep(expand_dims(t, random_.below(rank + 1)), x.error, "expand_dims");
      case 4:
        if (rank == 0 || t.shape()[0] < 2) return;
        return keep(t[Slice{random_.below(2), {}, 1 + random_.below(2)}], x.error, "slice");
      case 5: {
        if (rank == 0) return;
        std::vector<PadWidth> widths(static_cast<std::size_t>(rank), {0, 0});
        widths.back() = {random_.below(3), random_.below(3)};
        return keep(pad(t, widths, 0.5), x.error, "pad");
      }
      default: {
        if (rank > 3) return;
        Shape wide = t.shape();
        wide.insert(0, 2);
        return keep(broadcast_to(t, wide), x.error, "broadcast_to");
      }
    }
  }

  void reduction() {
    const Value& x = pick();
    const Tensor& t = x.tensor;
    if (t.ndim() == 0) return;
    const int axis = random_.below(t.ndim());
    const bool keepdims = random_.chance(0.5);
    const auto n = static_cast<double>(t.shape()[axis]);
    switch (random_.below(5)) {
      case 0: return keep(mean(t, axis, keepdims), x.error + n * epsilon * x.size, "mean");
      case 1: return keep(max(t, axis, keepdims), x.error, "max");
      case 2: return keep(min(t, axis, keepdims), x.error, "min");
      case 3: {
        const double error = n * x.error + n * n * epsilon * x.size;
        return keep(tanh(sum(t, axis, keepdims)), error, "sum");
      }
      default: {
        // Each weight moves by at most twice what its input does.
        const double error = 2 * x.error + (4 * x.size + 16) * epsilon;
        return keep(nn::softmax(t, axis), error, "softmax");
      }
    }
  }

  void product() {
    const Value& x = pick();
    const Value& y = pick();
    if (x.tensor.ndim() < 2 || y.tensor.ndim() < 2) return;
    Tensor b = y.tensor;
    if (b.shape()[-2] != x.tensor.shape()[-1]) b = swapaxes(b, -1, -2);
    if (b.shape()[-2] != x.tensor.shape()[-1]) return;
    Shape batch_a = x.tensor.shape();
    Shape batch_b = b.shape();
    for (int k = 0; k < 2; ++k) {
      batch_a.erase(-1);
      batch_b.erase(-1);
    }
    if (!fits(batch_a, batch_b)) return;
    const auto n = static_cast<double>(b.shape()[-2]);
    const double sizes = (x.size + x.error) * (y.size + y.error);
    const double error = n * (x.error * (y.size + y.error) + y.error * (x.size + x.error)) +
                         2 * n * n * epsilon * sizes;
    keep(tanh(matmul(x.tensor, b)), error, "matmul");
  }

  // Conditions come from whole numbers, where no rounding can turn them.
  void select() {
    const Value& x = pick();
    const Value& y = pick();
    if (!fits(x.tensor.shape(), y.tensor.shape())) return;
    const Shape shape = broadcast("where", x.tensor.shape(), y.tensor.shape());
    const Tensor numbers = random_ints(random_, shape, -3, 3);
    each_(numbers);
    keep(where(numbers * 2 < numbers + 1, x.tensor, y.tensor), std::max(x.error, y.error), "where");
  }

  void join() {
    const Value& x = pick();
    const Value& y = pick();
    const int rank = x.tensor.ndim();
    if (rank == 0 || y.tensor.ndim() != rank) return;
    const int axis = random_.below(rank);
    Shape a = x.tensor.shape();
    Shape b = y.tensor.shape();
    a[axis] = b[axis] = 1;
    if (a != b) return;
    keep(concatenate({x.tensor, y.tensor}, axis), std::max(x.error, y.error), "concatenate");
  }

  Random random_;
  void (*each_)(const Tensor&);
  bool with_reference_;
  std::vector<Value> values_;
  std::string text_;
};

}  // namespace trigon::support
