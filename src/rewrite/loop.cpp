// SPDX-License-Identifier: MIT
#include "rewrite/loop.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "entries/entries.hpp"

namespace trigon::detail::rewrite {
namespace {

/// Builds the graph of one or more iterations.
class Iterations {
 public:
  Iterations(const ir::Graph& graph, const ir::Graph::Entry& loop, const IterationRange& range)
      : graph_(graph), loop_(loop), body_(*loop.body), numbers_(loop_attrs(loop)), range_(range) {}

  ir::Graph run() {
    copy_body();
    while (++done_ < range_.count) {
      std::vector<std::int32_t> next;
      for (std::int64_t j = 0; j < numbers_.carries; ++j) next.push_back(as_stored(result(j)));
      carried_ = std::move(next);
      copy_body();
    }
    std::vector<std::int32_t> results;
    for (std::int64_t j = 0; j < numbers_.carries; ++j) results.push_back(next_carry(j));
    for (std::int64_t o = 0; o < numbers_.outputs; ++o) results.push_back(written(o));
    std::vector<std::int32_t> roots(results.size());
    for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = static_cast<std::int32_t>(k);
    return b_.finish(std::move(results), roots);
  }

  ir::Graph any_goes_on() {
    copy_body();
    const std::int32_t mask = result(numbers_.condition());
    const Shape shape = b_[mask].shape;
    std::int32_t found =
        b_.add({.kind = ir::Kind::cast, .dtype = DType::float32, .shape = shape, .inputs = {mask}});
    if (shape.rank() > 0) {
      ir::Graph::Entry any{
          .kind = ir::Kind::reduce, .dtype = DType::float32, .op = &entries::named<"max">()};
      any.shape.push_back(1);
      for (int axis = 0; axis < shape.rank(); ++axis) any.shape.push_back(1);
      any.attrs = core::ReduceAttrs{vector_of<bool>(shape.rank(), true)};
      any.inputs = {found};
      found = b_.reshape(b_.add(std::move(any)), {});
    }
    return b_.finish({found}, {0});
  }

 private:
  void copy_body() {
    moved_.assign(body_.entries.size(), -1);
    for (std::int32_t k = 0; k < body_.size(); ++k) item(moved_, k) = entry(body_[k]);
  }
  std::int32_t result(std::int64_t which) const { return item(moved_, item(body_.results, which)); }
  std::int32_t leaf(std::int64_t number, DType dtype, const Shape& shape) {
    return b_.add({.kind = ir::Kind::leaf,
                   .dtype = dtype,
                   .shape = shape,
                   .leaf = static_cast<std::int32_t>(number)});
  }

  std::int32_t entry(const ir::Graph::Entry& known) {
    if (known.kind == ir::Kind::parameter) return parameter(known);
    if (known.kind == ir::Kind::view) {
      ir::View view = known.view;
      for (ir::ViewAxis& axis : view) {
        for (ir::ViewAxis::Term& term : axis.terms) {
          if (term.scalar == ir::ViewAxis::Term::iteration) term.scalar = range_.counter;
        }
      }
      return b_.view(item(moved_, known.inputs[0]), std::move(view), known.shape);
    }
    if (known.kind == ir::Kind::reshape)
      return b_.reshape(item(moved_, known.inputs[0]), known.shape);
    ir::Graph::Entry copy = known;
    for (std::int32_t& input : copy.inputs) input = item(moved_, input);
    return b_.add(std::move(copy));
  }

  std::int32_t parameter(const ir::Graph::Entry& known) {
    const std::int64_t input = known.as<ir::ParameterAttrs>().input;
    if (input < 0) return step();
    if (numbers_.is_carry(input) && !carried_.empty()) return item(carried_, input);
    if (!numbers_.is_sliced(input)) return leaf(input, known.dtype, known.shape);
    const ir::Graph::Entry& whole = graph_[item(loop_.inputs, input)];
    auto row = vector_of<ir::ViewAxis>(whole.shape.rank());
    row[0].terms = {{range_.counter, 1, std::max<std::int64_t>(whole.shape[0] - 1, 0)}};
    for (std::size_t k = 1; k < row.size(); ++k) row[k].factors[k - 1] = 1;
    return b_.view(leaf(input, whole.dtype, whole.shape), std::move(row), known.shape);
  }

  /// The value of a carry between two iterations, rounded as if a texture had held it.
  std::int32_t as_stored(std::int32_t x) {
    const ir::Graph::Entry& value = b_[x];
    const bool is_rounded = value.kind == ir::Kind::leaf || value.kind == ir::Kind::cast;
    if (value.dtype != DType::float16 || is_rounded) return x;
    return b_.add({.kind = ir::Kind::cast,
                   .dtype = DType::float16,
                   .shape = value.shape,
                   .attrs = core::CastAttrs{.rounds = true},
                   .inputs = {x}});
  }

  /// The step as a value: finished iterations + the first step.
  std::int32_t step() {
    const std::int32_t finished = b_.add({.kind = ir::Kind::scalar,
                                          .dtype = DType::int32,
                                          .attrs = core::ScalarNumber{range_.counter}});
    std::int32_t sum = finished;
    if (const std::int64_t first = numbers_.first + range_.first + done_; first != 0) {
      sum = add(sum, b_.add({.kind = ir::Kind::constant,
                             .dtype = DType::int32,
                             .value = static_cast<double>(first)}));
    }
    if (numbers_.first_scalar.is_given()) {
      sum = add(sum, b_.add({.kind = ir::Kind::scalar,
                             .dtype = DType::int32,
                             .attrs = numbers_.first_scalar}));
    }
    return sum;
  }
  std::int32_t add(std::int32_t a, std::int32_t b) {
    return b_.add({.kind = ir::Kind::map,
                   .dtype = DType::int32,
                   .op = &entries::named<"add">(),
                   .inputs = {a, b}});
  }

  /// Once a while loop's one condition has ended it, further iterations change nothing. A condition
  /// per element is part of the body instead.
  std::int32_t next_carry(std::int64_t j) {
    const std::int32_t next = result(j);
    if (!numbers_.has_condition) return next;
    std::int32_t goes_on = result(numbers_.condition());
    if (b_[goes_on].shape.rank() > 0) return next;
    const DType dtype = b_[next].dtype;
    const Shape shape = b_[next].shape;
    goes_on = b_.view(goes_on, ir::broadcast_view({}, shape), shape);
    return b_.add({.kind = ir::Kind::map,
                   .dtype = dtype,
                   .shape = shape,
                   .op = &entries::named<"where">(),
                   .inputs = {goes_on, next, leaf(j, dtype, shape)}});
  }

  /// The stacked outputs with the row of this iteration written.
  std::int32_t written(std::int64_t o) {
    const std::int32_t row = result(numbers_.carries + o);
    Shape one = b_[row].shape;
    one.insert(0, 1);
    Shape whole = one;
    whole[0] = numbers_.iterations;
    ir::Graph::Entry write{.kind = ir::Kind::write, .dtype = b_[row].dtype, .shape = whole};
    core::RegionAttrs box{
        vector_of<core::RegionAttrs::Axis>(whole.rank(), {.start = 0, .step = 1})};
    box.axes[0].scalar.number = range_.counter;
    write.attrs = std::move(box);
    write.inputs = {leaf(numbers_.inputs() + o, write.dtype, whole), b_.reshape(row, one)};
    return b_.add(std::move(write));
  }

  const ir::Graph& graph_;
  const ir::Graph::Entry& loop_;
  const ir::Graph& body_;
  const ir::LoopAttrs numbers_;
  const IterationRange range_;
  ir::GraphBuilder b_;
  std::int64_t done_ = 0;              ///< finished iterations of the range
  std::vector<std::int32_t> carried_;  ///< the carries' values after the first iteration
  std::vector<std::int32_t> moved_;    ///< by entry of the body: its entry here
};

}  // namespace

ir::Graph any_goes_on(const ir::Graph& graph, const ir::Graph::Entry& loop) {
  return Iterations(graph, loop, {}).any_goes_on();
}

ir::Graph one_iteration(const ir::Graph& graph, const ir::Graph::Entry& loop,
                        const IterationRange& range) {
  return Iterations(graph, loop, range).run();
}

ir::Graph zeros_graph(DType dtype, const Shape& shape) {
  ir::GraphBuilder b;
  const std::int32_t zero = b.add({.kind = ir::Kind::constant, .dtype = dtype});
  return b.finish({b.view(zero, ir::broadcast_view({}, shape), shape)}, {0});
}

}  // namespace trigon::detail::rewrite
