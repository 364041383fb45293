// SPDX-License-Identifier: MIT
#include <trigon/trigon.hpp>

#include "target.hpp"

// Graphs of public functions with hostile numbers: each byte takes tensors from a stack and puts
// the result there.

namespace trigon::fuzz {
namespace {

class Machine {
 public:
  explicit Machine(Bytes bytes) : reader_(bytes) {}

  void step() {
    if (values_.size() > 8) values_.erase(values_.begin());
    const int group = reader_.below(5);
    const Tensor next = group == 0   ? create()
                        : group == 1 ? view()
                        : group == 2 ? arrange()
                        : group == 3 ? reduce()
                                     : combine();
    require(next.size() >= 0 && next.ndim() <= Shape::max_rank, "a tensor has a size");
    values_.push_back(next);
  }
  bool is_done() const { return reader_.empty(); }

 private:
  Tensor take_value() {
    if (values_.empty()) return ones({2, 3});
    return values_[static_cast<std::size_t>(reader_.below(static_cast<int>(values_.size())))];
  }
  std::int64_t number() { return reader_.number(); }
  int axis() { return reader_.below(10) == 9 ? static_cast<int>(number()) : reader_.below(5) - 2; }
  DType dtype() { return static_cast<DType>(reader_.below(6)); }
  std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> all(static_cast<std::size_t>(reader_.below(5)));
    for (std::int64_t& one : all) one = number();
    return all;
  }
  std::vector<int> axes() {
    std::vector<int> all(static_cast<std::size_t>(reader_.below(4)));
    for (int& one : all) one = axis();
    return all;
  }

  Tensor create() {
    switch (reader_.below(7)) {
      case 0: return full(Shape(numbers()), 1.5, dtype());
      case 1: return arange(number(), number(), number());
      case 2: return eye(number(), number(), static_cast<int>(number()), dtype());
      case 3: return linspace(0, 1, number());
      case 4: return iota(number());
      case 5: return take_value().astype(dtype());
      default: return Tensor(static_cast<double>(number()));
    }
  }
  Tensor view() {
    const Tensor x = take_value();
    switch (reader_.below(10)) {
      case 0: return reshape(x, Dims(numbers()));
      case 1: return transpose(x, axes());
      case 2: return broadcast_to(x, Shape(numbers()));
      case 3: return expand_dims(x, axis());
      case 4: return squeeze(x);
      case 5: return flip(x, axis());
      case 6: return diagonal(x, number(), axis(), axis());
      case 7: return sliding_window_view(x, numbers(), axes());
      case 8: return moveaxis(x, axis(), axis());
      default: return x.at(Slice{number(), number(), number()}, ellipsis, number()).get();
    }
  }
  Tensor arrange() {
    const Tensor x = take_value();
    switch (reader_.below(9)) {
      case 0: {
        std::vector<PadWidth> widths;
        for (int k = 0; k < x.ndim(); ++k) widths.push_back({number(), number()});
        return pad(x, widths);
      }
      case 1: return tile(x, numbers());
      case 2: return repeat(x, number(), axis());
      case 3: return roll(x, number(), axis());
      case 4: return tril(x, static_cast<int>(number()));
      case 5: return rot90(x, static_cast<int>(number()), {axis(), axis()});
      case 6: return diag(x, number());
      case 7: return split(x, static_cast<int>(number() % 100), axis()).front();
      default: return trace(x, number(), axis(), axis());
    }
  }
  Tensor reduce() {
    const Tensor x = take_value();
    switch (reader_.below(7)) {
      case 0: return sum(x, axis());
      case 1: return mean(x, axis(), true);
      case 2: return argmax(x, axis());
      case 3: return max(x, axis());
      case 4: return var(x, axis());
      case 5: return prod(x, axis());
      default: return any(x != 0);
    }
  }
  Tensor combine() {
    const Tensor a = take_value(), b = take_value();
    switch (reader_.below(10)) {
      case 0: return a + b;
      case 1: return matmul(a, b);
      case 2: return concatenate({a, b}, axis());
      case 3: return stack({a, b}, axis());
      case 4: return take(a, b, axis());
      case 5: return where(a, b, a);
      case 6: return kron(a, b);
      case 7: return tensordot(a, b, static_cast<int>(number()));
      case 8: return outer(a, b);
      default: return take_along_axis(a, b.astype(int32), axis());
    }
  }

  Reader reader_;
  std::vector<Tensor> values_;
};

}  // namespace

void run(Bytes bytes) {
  Machine machine(bytes);
  for (int steps = 0; steps < 40 && !machine.is_done(); ++steps) {
    allow_errors([&] { machine.step(); });
  }
}

}  // namespace trigon::fuzz
