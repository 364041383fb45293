// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <trigon/trigon.hpp>

#include "support/values.hpp"

namespace trigon::support {

/// A random recurrence as a plain C++ `for`. It has carries of several dtypes, constants that stay,
/// count or follow no rule, Scalars, and rows and slices of stored tensors. It can be run any
/// number of times, on tensors of any device; values are never NaN or infinite.
class RandomLoop {
  template <class Choices>
  typename Choices::value_type pick(const Choices& choices) {
    return item(choices, random_.below(static_cast<int>(choices.size())));
  }
  template <class T>
  static auto& item(T& from, int k) {
    return from[static_cast<std::size_t>(k)];
  }

 public:
  using Tensors = std::vector<Tensor>;
  /// Makes a stored tensor. `values`: as many as it has elements.
  using Leaf = std::function<Tensor(const std::vector<double>& values, DType, const Shape&)>;

  explicit RandomLoop(std::uint32_t seed) : random_(seed) {
    iterations_ = 8 + random_.below(33);
    shape_ = pick(std::vector<Shape>{{}, {13}, {3, 5}, {2, 3, 4}, {1, 6}});
    const int carries = 2 + random_.below(3);
    for (int k = 0; k < carries; ++k) carried_.push_back(pick(carried_dtypes));
    is_smooth_ = random_.chance(0.6);
    for (const DType dtype : {float32, float32, int32, boolean}) add_leaf(dtype, shape_);
    Shape rows = shape_;
    rows.insert(0, iterations_ + 3);
    add_leaf(float32, rows);
    add_leaf(int32, rows);
    add_leaf(float32, {iterations_ + 3 + width()});
    for (const DType dtype : carried_) {
      add_leaf(dtype, shape_);
      has_halves_ = has_halves_ || dtype == float16;
    }
    for (int k = 2 + random_.below(6); k > 0; --k) add_operation();
    for (std::size_t k = 0; k < carried_.size(); ++k) add_update(k);
    if (random_.chance(0.2)) held_after_ = random_.below(iterations_);
  }

  /// The last carries, and those of an earlier stage if the recurrence holds them. `between`:
  /// called with the carries after each iteration.
  Tensors run(const Leaf& leaf, const std::function<void(Tensors&)>& between = {}) const {
    Tensors leaves;
    for (const Stored& one : leaves_) leaves.push_back(leaf(one.values, one.dtype, one.shape));
    Tensors now(leaves.begin() + first_carry, leaves.end()), before = now, held;
    for (int t = 0; t < iterations_; ++t) {
      Tensors next = body(leaves, now, before, t);
      before = std::exchange(now, std::move(next));
      if (t == held_after_) held = now;
      if (between) between(now);
    }
    now.insert(now.end(), held.begin(), held.end());
    return now;
  }

  /// Whether small errors stay small: no decision depends on a float.
  bool is_smooth() const { return is_smooth_; }
  bool has_halves() const { return has_halves_; }
  /// The operations as text, for failures.
  const std::string& text() const { return text_; }

 private:
  static constexpr std::array carried_dtypes{float32, float32, float32, int32,
                                             int32,   float16, boolean};
  static constexpr int first_carry = 7;  ///< among the leaves

  struct Stored {
    std::vector<double> values;
    DType dtype;
    Shape shape;
  };
  enum class From : std::uint8_t {
    leaf,      ///< `number`
    carry,     ///< `number`
    older,     ///< the carry `number`, two iterations back
    result,    ///< of the operation `number` of this iteration
    row,       ///< of the leaf `number`: in iteration t the one at numbers[t]
    row_at,    ///< the same, by a Scalar
    window,    ///< elements from numbers[t] on, as many as the last axis has, of that leaf
    constant,  ///< numbers[t]
    scalar,    ///< numbers[t]
  };
  struct Operand {
    From from;
    DType dtype;
    int number = 0;
    std::vector<double> numbers{};
  };
  struct Operation {
    int what;
    DType dtype;
    std::vector<Operand> operands;
  };

  void add_leaf(DType dtype, const Shape& shape) {
    std::vector<double> values(static_cast<std::size_t>(shape.numel()));
    for (double& value : values) {
      value = dtype == boolean ? random_.below(2) : random_.below(9) - (is_float(dtype) ? 4 : 0);
      if (is_float(dtype)) value *= 0.25;
    }
    leaves_.push_back({std::move(values), dtype, shape});
  }

  /// Numbers for all iterations: equal ones, a progression, one and then another, or any.
  std::vector<double> numbers_of(DType dtype) {
    const int how = random_.below(4), turn = random_.below(iterations_);
    const double unit = is_float(dtype) ? (random_.chance(0.5) ? 0.125 : 0.01) : 1;
    const auto any = [&] { return unit * random_.below(is_float(dtype) ? 9 : 1000); };
    const double first = any(), second = any();
    const double step = unit * (random_.below(5) - 2) / (is_float(dtype) ? iterations_ : 1);
    std::vector<double> numbers;
    for (int t = 0; t < iterations_; ++t) {
      double number = how == 0 ? first : how == 1 ? first + t * step : any();
      if (how == 2) number = t < turn ? first : second;
      numbers.push_back(dtype == boolean ? std::fmod(std::abs(number), 2) : number);
    }
    return numbers;
  }

  Operand number(DType dtype) {
    const bool is_scalar = dtype != boolean && dtype != float16 && random_.chance(0.3);
    return {is_scalar ? From::scalar : From::constant, dtype, 0, numbers_of(dtype)};
  }

  std::int64_t width() const { return shape_.rank() > 0 ? shape_.back() : 1; }

  Operand row(DType dtype) {
    const int how = random_.below(dtype == float32 ? 4 : 3);
    std::vector<double> places;
    for (int t = 0; t < iterations_; ++t) {
      const int moving = how == 0 ? t : how == 1 ? iterations_ - t : t + 1;
      places.push_back(how == 2 ? random_.below(iterations_ + 6) - 2 : moving);
    }
    if (how == 3) return {From::window, dtype, 6, std::move(places)};
    return {how == 2 ? From::row_at : From::row, dtype, dtype == int32 ? 5 : 4, std::move(places)};
  }

  /// A value of that dtype; float16 is read as float32.
  Operand operand(DType dtype) {
    std::vector<Operand> all;
    for (int k = 0; k < static_cast<int>(carried_.size()); ++k) {
      const DType of = item(carried_, k);
      if (of != dtype && !(dtype == float32 && of == float16)) continue;
      all.insert(all.end(), 3, {From::carry, of, k});
      all.push_back({From::older, of, k});
    }
    for (int k = 0; k < static_cast<int>(operations_.size()); ++k) {
      if (item(operations_, k).dtype == dtype) all.insert(all.end(), 3, {From::result, dtype, k});
    }
    for (int k = 0; k < 4; ++k) {
      if (item(leaves_, k).dtype == dtype) all.push_back({From::leaf, dtype, k});
    }
    if (dtype != boolean) all.push_back(row(dtype));
    return pick(all);
  }

  void add(int what, DType dtype, std::vector<Operand> operands) {
    text_ += fmt::format("  %{} = {} {}", operations_.size(), what, name(dtype));
    for (const Operand& one : operands) {
      text_ += fmt::format(" {}:{}", static_cast<int>(one.from), one.number);
    }
    text_ += "\n";
    operations_.push_back({what, dtype, std::move(operands)});
  }

  void add_operation() {
    const DType dtype = pick(std::array{float32, float32, int32, boolean});
    const int what = random_.below(5);
    const DType compared = is_smooth_ || random_.chance(0.5) ? int32 : float32;
    if (dtype == boolean) {
      const DType of = what == 4 ? boolean : compared;
      return add(what, dtype, {operand(of), random_.chance(0.5) ? number(of) : operand(of)});
    }
    if (what == 4) return add(what, dtype, {operand(boolean), operand(dtype), operand(dtype)});
    if (what == 3 && dtype == float32) {
      has_halves_ = true;
      return add(what, dtype, {operand(float32), number(float16), operand(int32)});
    }
    add(what, dtype, {operand(dtype), number(dtype), operand(dtype)});
  }

  void add_update(std::size_t carry) {
    const DType dtype = carried_[carry];
    const DType computed = dtype == float16 ? float32 : dtype;
    if (dtype == boolean) return add(4, boolean, {operand(boolean), operand(boolean)});
    Operand own{From::carry, dtype, static_cast<int>(carry)};
    add(0, computed, {std::move(own), number(computed), operand(computed)});
  }

  Tensors body(const Tensors& leaves, const Tensors& now, const Tensors& before, int t) const {
    Tensors results;
    for (const Operation& operation : operations_) {
      Tensors x;
      for (const Operand& one : operation.operands) {
        const Tensor value = value_of(one, leaves, now, before, results, t);
        x.push_back(one.from != From::constant && value.dtype() == float16 ? value.astype(float32)
                                                                           : value);
      }
      results.push_back(broadcast_to(result_of(operation, x), shape_));
    }
    Tensors next(results.end() - static_cast<std::ptrdiff_t>(carried_.size()), results.end());
    for (std::size_t k = 0; k < next.size(); ++k) next[k] = next[k].astype(carried_[k]);
    return next;
  }

  Tensor value_of(const Operand& one, const Tensors& leaves, const Tensors& now,
                  const Tensors& before, const Tensors& results, int t) const {
    const double number = one.numbers.empty() ? 0 : item(one.numbers, t);
    const auto whole = static_cast<std::int64_t>(number);
    switch (one.from) {
      case From::leaf: return item(leaves, one.number);
      case From::carry: return item(now, one.number);
      case From::older: return item(before, one.number);
      case From::result: return item(results, one.number);
      case From::row: return item(leaves, one.number)[whole];
      case From::row_at: return item(leaves, one.number)[Scalar(whole)];
      case From::window: {
        const Tensor window = item(leaves, one.number)[Slice{whole, whole + width()}];
        return shape_.rank() > 0 ? window : reshape(window, {});
      }
      case From::scalar:
        return is_float(one.dtype) ? Tensor(Scalar(number)) : Tensor(Scalar(whole));
      default: return full({}, number, one.dtype);
    }
  }

  static Tensor result_of(const Operation& operation, const Tensors& x) {
    if (operation.dtype == boolean) {
      switch (operation.what) {
        case 0: return x[0] > x[1];
        case 1: return x[0] <= x[1];
        case 2: return x[0] == x[1];
        case 3: return x[1] < x[0];
        default: return x[0] != x[1];
      }
    }
    if (operation.what == 4) return where(x[0], x[1], x[2]);
    if (operation.dtype == int32) {
      switch (operation.what) {
        case 0: return (x[0] + x[1] + x[2]) % 1009;
        case 1: {
          const Tensor larger = maximum(x[0], x[1]);
          return larger - minimum(x[1], x[2]);
        }
        case 2: return (x[0] * 3 + x[2] - x[1]) % 509;
        default: {
          const Tensor distance = abs(x[0] - x[2]);
          return distance % (abs(x[1]) + 1);
        }
      }
    }
    switch (operation.what) {
      case 0: {
        const Tensor a = x[0] * 0.5, b = x[1] * 0.125, c = x[2] * 0.25;
        return a + c + b;
      }
      case 1: return clip(x[0] * x[1] - x[2], -2.0, 2.0);
      case 2: {
        const Tensor larger = maximum(x[0], x[1]) * 0.5;
        return larger - minimum(x[2], x[1]) * 0.375;
      }
      default: {
        const Tensor rounded = x[0].astype(float16) * x[1];
        const Tensor within = clip(rounded.astype(float32), -2.0, 2.0);
        return within + x[2].astype(float32) * 0.001;
      }
    }
  }

  Random random_;
  int iterations_;
  Shape shape_;
  std::vector<DType> carried_;
  bool is_smooth_;
  bool has_halves_ = false;
  int held_after_ = -1;
  std::vector<Stored> leaves_;
  std::vector<Operation> operations_;
  std::string text_;
};

}  // namespace trigon::support
