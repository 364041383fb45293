// SPDX-License-Identifier: MIT
#include "rewrite/rewrite.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "core/item.hpp"
#include "graph/loop.hpp"
#include "ir/graph.hpp"
#include "rewrite/scatter.hpp"

namespace trigon::detail::rewrite {
namespace {

using graph::Node;

/// The canonical kind of the same name, for each kind of nodes.
constexpr auto canonical_kinds = [] {
  std::array<std::optional<ir::Kind>, graph::kind_count> kinds;
  for (const graph::KindInfo& one : graph::kind_table) {
    for (const ir::KindInfo& other : ir::kind_table) {
      if (one.name == other.name) item(kinds, one.kind) = other.kind;
    }
  }
  return kinds;
}();

/// Turns each node of the user's graph into an entry.
class Rewriter {
 public:
  /// `outer`: the rewriter of the graph around a loop's body.
  Rewriter(const graph::Collected& collected, const core::Target& target,
           const Rewriter* outer = nullptr)
      : collected_(collected), target_(target) {
    for (std::int32_t k : collected.scalars) {
      const Node* scalar = collected[k].node;
      numbers_.push_back(outer == nullptr ? static_cast<std::int32_t>(numbers_.size())
                                          : outer->number_of(scalar));
    }
  }

  ir::Graph run() {
    // In the order of creation, which also puts inputs first, so that values of one iteration of a
    // user's C++ loop stay together.
    std::vector<std::int32_t> order(collected_.entries.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
      return collected_[a].node->id < collected_[b].node->id;
    });
    became_.assign(order.size(), -1);
    for (std::int32_t k : order) item(became_, k) = entry(k);
    return b_.finish(std::move(became_), collected_.roots);
  }

 private:
  /// The entry of an input, or the plan's number of a scalar among the inputs.
  std::int32_t input(std::int32_t k, std::integral auto which) const {
    return item(became_, item(collected_.inputs(k), which));
  }
  core::ScalarNumber scalar(std::int32_t k, core::ScalarNumber which) const {
    if (!which.is_given()) return {};
    return {number_of(item(collected_.inputs(k), which.number))};
  }
  core::RegionAttrs region(std::int32_t k, const Node& node) const {
    core::RegionAttrs box = node.as<core::RegionAttrs>();
    box.for_each_scalar([&](core::ScalarNumber& one) { one = scalar(k, one); });
    return box;
  }
  /// The plan's number of a collected scalar.
  std::int32_t number_of(std::int32_t k) const {
    const auto at = std::lower_bound(collected_.scalars.begin(), collected_.scalars.end(), k);
    if (at == collected_.scalars.end() || *at != k) {
      throw std::logic_error("trigon::rewrite: a start or length is not a scalar");
    }
    return item(numbers_, at - collected_.scalars.begin());
  }
  std::int32_t number_of(const Node* scalar) const {
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      if (collected_[collected_.scalars[k]].node == scalar) return numbers_[k];
    }
    throw std::logic_error("trigon::rewrite: a loop lacks a scalar of its body as an input");
  }

  std::int32_t leaf(std::int32_t k) {
    const graph::Collected::Entry& stored = collected_[k];
    // Leaves with the same elements of one texture become one entry, that of the first leaf.
    std::vector<std::int32_t>& known = leaves_[{stored.alias, collected_.layout(k).offset}];
    const auto same = std::find_if(known.begin(), known.end(), [&](std::int32_t other) {
      return collected_.layout(other) == collected_.layout(k);
    });
    const std::int32_t first = same != known.end() ? *same : known.emplace_back(k);
    return b_.add({.kind = ir::Kind::leaf,
                   .dtype = stored.node->dtype,
                   .shape = collected_.layout(k).shape,
                   .leaf = first});
  }

  std::int32_t entry(std::int32_t k) {
    const Node& node = *collected_[k].node;
    if (collected_[k].stored) return leaf(k);
    if (node.kind == graph::Kind::reduce) return reduction(k, node);
    if (node.kind == graph::Kind::loop) return loop(k, node);
    if (has_outputs(node)) return -1;
    ir::Graph::Entry entry{.dtype = node.dtype, .shape = node.shape, .op = node.op};
    switch (node.kind) {
      case graph::Kind::leaf: return b_.add({.dtype = node.dtype, .shape = node.shape, .leaf = k});
      case graph::Kind::constant:
        entry.kind = ir::Kind::constant;
        entry.value = node.value;
        return b_.add(std::move(entry));
      case graph::Kind::scalar:
        entry.kind = ir::Kind::scalar;
        entry.attrs = core::ScalarNumber{number_of(k)};
        return b_.add(std::move(entry));
      case graph::Kind::parameter:
        entry.kind = ir::Kind::parameter;
        entry.attrs = ir::ParameterAttrs{node.as<graph::ParameterAttrs>().number - 1};
        return b_.add(std::move(entry));
      case graph::Kind::iota: entry.kind = ir::Kind::iota; return b_.add(std::move(entry));
      case graph::Kind::argument: return input(k, 0);
      case graph::Kind::output: return output(k, std::move(entry));
      case graph::Kind::reshape: return b_.reshape(input(k, 0), node.shape);
      case graph::Kind::permute: return permute(k, node);
      case graph::Kind::slice: return slice(k, node);
      case graph::Kind::affine: return affine(k, node);
      case graph::Kind::scatter_add: return scatter_add(k, node);
      case graph::Kind::broadcast:
        return b_.view(input(k, 0), ir::broadcast_view(node.inputs[0]->shape, node.shape),
                       node.shape);
      default: return same(k, node, std::move(entry));
    }
  }

  /// A result of a node of several results.
  std::int32_t output(std::int32_t k, ir::Graph::Entry entry) {
    const std::int32_t of = item(collected_.inputs(k), 0);
    const std::int32_t number = collected_[k].node->as<graph::OutputAttrs>().number;
    const Node& node = *collected_[of].node;
    if (node.kind == graph::Kind::reduce) return result_of(item(became_, of), number, node.shape);
    if (node.kind == graph::Kind::call) return input(of, number);
    if (node.kind == graph::Kind::loop) {
      entry.kind = ir::Kind::output;
      entry.attrs = ir::OutputAttrs{number};
      entry.inputs = {item(became_, of)};
      return b_.add(std::move(entry));
    }
    entry.kind = node.kind == graph::Kind::map ? ir::Kind::map : ir::Kind::kernel;
    entry.op = node.op;
    entry.attrs = core::ApplyAttrs{.output = number};
    for (std::size_t i = 0; i < node.inputs.size(); ++i) entry.inputs.push_back(input(of, i));
    return b_.add(std::move(entry));
  }

  /// An entry of the same kind with the same attributes, except for the numbers of Scalars.
  std::int32_t same(std::int32_t k, const Node& node, ir::Graph::Entry entry) {
    const std::optional<ir::Kind> kind = item(canonical_kinds, node.kind);
    if (!kind) throw std::logic_error("trigon::rewrite: a kind has no rule");
    entry.kind = *kind;
    if (!node.weak) entry.value = node.value;  // a weak node's is only the host's number
    auto inputs = static_cast<std::int32_t>(node.inputs.size());
    std::visit(
        [&]<class T>(T attrs) {
          if constexpr (requires { attrs.for_each_scalar([](core::ScalarNumber&) {}); }) {
            attrs.for_each_scalar([&](core::ScalarNumber& one) {
              if (one.is_given()) inputs = std::min(inputs, one.number);
              one = scalar(k, one);
            });
          }
          if constexpr (std::constructible_from<ir::Attrs, T>) entry.attrs = std::move(attrs);
        },
        node.attrs);
    for (std::int32_t i = 0; i < inputs; ++i) entry.inputs.push_back(input(k, i));
    return b_.add(std::move(entry));
  }

  /// A reduction's only result, or the stack of several.
  std::int32_t reduction(std::int32_t k, const Node& node) {
    core::ReduceAttrs attrs = node.as<core::ReduceAttrs>();
    attrs.length = scalar(k, attrs.length);
    std::int32_t x = input(k, 0);
    Shape shape = node.shape;
    if (shape.rank() == Shape::max_rank) {
      x = in_two_axes(x, attrs.reduced);
      attrs.reduced = {false, true};
      shape = {b_[x].shape[0], 1};
    }
    shape.insert(0, node.op->reduce().outputs);
    const std::int32_t stack = b_.add({.kind = ir::Kind::reduce,
                                       .dtype = node.dtype,
                                       .shape = shape,
                                       .op = node.op,
                                       .attrs = std::move(attrs),
                                       .inputs = {x}});
    return has_outputs(node) ? stack : result_of(stack, 0, node.shape);
  }

  std::int32_t result_of(std::int32_t stack, std::int32_t number, const Shape& shape) {
    Shape one = b_[stack].shape;
    ir::View view = ir::whole_view(one);
    view[0] = {.start = number};
    one[0] = 1;
    return b_.reshape(b_.view(stack, std::move(view), one), shape);
  }

  /// x with its axes merged, first those that are kept: there is no room for the axis of a stack.
  std::int32_t in_two_axes(std::int32_t x, const std::vector<bool>& reduced) {
    const Shape shape = b_[x].shape;
    Shape ordered;
    ir::View view(reduced.size());
    std::array<std::int64_t, 2> sizes{1, 1};
    for (const bool is_reduced : {false, true}) {
      for (int axis = 0; axis < shape.rank(); ++axis) {
        if (item(reduced, axis) != is_reduced) continue;
        item(item(view, axis).factors, ordered.rank()) = 1;
        ordered.push_back(shape[axis]);
        item(sizes, is_reduced) *= shape[axis];
      }
    }
    return b_.reshape(b_.view(x, std::move(view), ordered), {sizes[0], sizes[1]});
  }

  std::int32_t loop(std::int32_t k, const Node& node) {
    const graph::LoopBody& body = *node.body;
    auto& canonical = bodies_[&body];
    if (canonical == nullptr) {
      const graph::Collected inside = collect_body(body);
      canonical = std::make_shared<const ir::Graph>(Rewriter(inside, target_, this).run());
    }
    const auto& attrs = node.as<graph::LoopAttrs>();
    ir::Graph::Entry entry{.kind = ir::Kind::loop, .body = canonical};
    entry.attrs = ir::LoopAttrs{.first = attrs.first,
                                .iterations = attrs.iterations,
                                .first_scalar = scalar(k, attrs.first_scalar),
                                .iterations_scalar = scalar(k, attrs.iterations_scalar),
                                .carries = body.carries,
                                .slices = body.slices,
                                .captured = body.captured,
                                .outputs = body.outputs,
                                .has_condition = body.has_condition};
    const std::int64_t inputs = loop_attrs(entry).inputs();
    for (std::int64_t i = 0; i < inputs; ++i) entry.inputs.push_back(input(k, i));
    return b_.add(std::move(entry));
  }

  std::int32_t permute(std::int32_t k, const Node& node) {
    const std::vector<int>& axes = node.as<core::PermuteAttrs>().axes;
    ir::View view(axes.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      item(view, axes[axis]).factors[axis] = 1;
    }
    return b_.view(input(k, 0), std::move(view), node.shape);
  }

  std::int32_t slice(std::int32_t k, const Node& node) {
    const Shape& source = node.inputs[0]->shape;
    ir::View view = vector_of<ir::ViewAxis>(source.rank());
    const core::RegionAttrs box = region(k, node);
    for (int axis = 0; axis < source.rank(); ++axis) {
      const auto& [start, step, scalar] = item(box.axes, axis);
      ir::ViewAxis& at = item(view, axis);
      at.start = start;
      item(at.factors, axis) = step;
      if (!scalar.is_given()) continue;
      const std::int64_t room = std::max<std::int64_t>(source[axis] - node.shape[axis] - start, 0);
      at.terms.push_back(
          {.scalar = scalar.number, .factor = 1, .high = room, .size = source[axis]});
    }
    return b_.view(input(k, 0), std::move(view), node.shape);
  }

  std::int32_t affine(std::int32_t k, const Node& node) {
    ir::View view;
    for (const core::AffineAttrs::Axis& axis : node.as<core::AffineAttrs>().axes) {
      view.push_back({.start = axis.start, .factors = axis.factors});
    }
    return b_.view(input(k, 0), std::move(view), node.shape);
  }

  std::int32_t scatter_add(std::int32_t k, const Node& node) {
    const auto& rows = node.as<core::ScatterAttrs>();
    if (target_.float_blend && node.dtype == DType::float32) {
      return b_.add({.kind = ir::Kind::scatter,
                     .dtype = node.dtype,
                     .shape = node.shape,
                     .attrs = rows,
                     .inputs = {input(k, 0), input(k, 1), input(k, 2)}});
    }
    return scatter_by_sums(b_, {.x = input(k, 0),
                                .indices = input(k, 1),
                                .v = input(k, 2),
                                .axis = rows.axis,
                                .along = rows.along,
                                .clamps = rows.clamps});
  }

  const graph::Collected& collected_;
  const core::Target& target_;
  std::vector<std::int32_t> numbers_;  ///< the plan's number of each collected scalar
  std::map<const graph::LoopBody*, std::shared_ptr<const ir::Graph>> bodies_;
  ir::GraphBuilder b_;
  std::vector<std::int32_t> became_;
  /// Leaves that share a texture, by the first one's number and the offset of their elements.
  std::map<std::pair<std::int32_t, std::int64_t>, std::vector<std::int32_t>> leaves_;
};

}  // namespace

ir::Graph rewrite(const graph::Collected& collected, const core::Target& target) {
  return Rewriter(collected, target).run();
}

}  // namespace trigon::detail::rewrite
