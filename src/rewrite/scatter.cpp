// SPDX-License-Identifier: MIT
#include "rewrite/scatter.hpp"

#include <utility>
#include <vector>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "entries/entries.hpp"

namespace trigon::detail::rewrite {
namespace {

// The most pairs of an element and an update that are compared: they take a two-core processor tens
// of seconds.
constexpr std::int64_t most_pairs = std::int64_t{1} << 34;

std::int32_t constant(ir::GraphBuilder& b, double value, DType dtype, const Shape& shape) {
  const std::int32_t number = b.add({.kind = ir::Kind::constant, .dtype = dtype, .value = value});
  return shape.rank() == 0 ? number : b.view(number, {}, shape);
}

std::int32_t map(ir::GraphBuilder& b, const Op& op, DType dtype, std::vector<std::int32_t> inputs) {
  const Shape shape = b[inputs.back()].shape;
  return b.add({.kind = ir::Kind::map,
                .dtype = dtype,
                .shape = shape,
                .op = &op,
                .inputs = std::move(inputs)});
}

std::int32_t cast(ir::GraphBuilder& b, std::int32_t x, DType dtype) {
  return b.add({.kind = ir::Kind::cast, .dtype = dtype, .shape = b[x].shape, .inputs = {x}});
}

/// The rows that indices name, as int32. Dropped ones become a row outside [0, n).
std::int32_t rows_of(ir::GraphBuilder& b, std::int32_t indices, std::int64_t n, bool clamps) {
  const DType dtype = b[indices].dtype;
  const Shape shape = b[indices].shape;
  std::int32_t row = indices;
  if (dtype == DType::uint32) {
    // Numbers past int32 would become negative and count from the end.
    row = map(b, entries::named<"minimum">(), dtype,
              {row, constant(b, static_cast<double>(n), dtype, shape)});
  }
  row = cast(b, row, DType::int32);
  const auto number = [&](std::int64_t value) {
    return constant(b, static_cast<double>(value), DType::int32, shape);
  };
  if (dtype == DType::int32) {
    const std::int32_t negative =
        map(b, entries::named<"less">(), DType::boolean, {row, number(0)});
    const std::int32_t from_end = map(b, entries::named<"add">(), DType::int32, {row, number(n)});
    row = map(b, entries::named<"where">(), DType::int32, {negative, from_end, row});
  }
  if (!clamps) return row;
  row = map(b, entries::named<"maximum">(), DType::int32, {row, number(0)});
  return map(b, entries::named<"minimum">(), DType::int32, {row, number(n - 1)});
}

/// A view of an entry, repeated along a new axis.
std::int32_t repeat(ir::GraphBuilder& b, std::int32_t x, int axis, const Shape& shape) {
  ir::View view = vector_of<ir::ViewAxis>(b[x].shape.rank());
  for (int k = 0; k < b[x].shape.rank(); ++k) {
    item(item(view, k).factors, k < axis ? k : k + 1) = 1;
  }
  return b.view(x, std::move(view), shape);
}

/// A vector along one axis of a shape.
std::int32_t spread(ir::GraphBuilder& b, std::int32_t x, int axis, const Shape& shape) {
  ir::View view(1);
  item(view[0].factors, axis) = 1;
  return b.view(x, std::move(view), shape);
}

/// Merges the axes before `axis`, and those after it, in x, v and indices with v's axes.
void merge_axes(ir::GraphBuilder& b, ScatterAdd& scatter) {
  const Shape shape = b[scatter.x].shape;
  const std::int64_t outer = core::product(shape, 0, scatter.axis);
  const std::int64_t n = shape[scatter.axis];
  const std::int64_t inner = shape.numel() / (outer * n);
  const Shape updates{outer, b[scatter.v].shape.numel() / (outer * inner), inner};
  scatter.x = b.reshape(scatter.x, {outer, n, inner});
  scatter.v = b.reshape(scatter.v, updates);
  if (scatter.along) scatter.indices = b.reshape(scatter.indices, updates);
  scatter.axis = 1;
}

void check_work(const ir::Graph::Entry& x, std::int64_t count) {
  if (x.shape.numel() <= most_pairs / count) return;
  core::fail_on_device("scatter_add",
                       "too much work: x is {} {}, each element reads {} indices; the device "
                       "can't add {} by blending, so both may multiply to at most {}",
                       to_string(x.shape), name(x.dtype), count, name(x.dtype), most_pairs);
}

}  // namespace

std::int32_t scatter_by_sums(ir::GraphBuilder& b, ScatterAdd scatter) {
  const Shape result = b[scatter.x].shape;
  const std::int64_t count =
      scatter.along ? b[scatter.v].shape[scatter.axis] : b[scatter.indices].shape.numel();
  check_work(b[scatter.x], count);
  if (!scatter.along) scatter.indices = b.reshape(scatter.indices, {count});
  // The sums have an axis of results and one of updates.
  if (result.rank() + 2 > Shape::max_rank) merge_axes(b, scatter);
  const int axis = scatter.axis;
  const Shape shape = b[scatter.x].shape;
  Shape updates = shape;
  updates[axis] = count;
  Shape pairs = shape;  // (..., row, update, ...)
  pairs.insert(axis + 1, count);

  const DType dtype = b[scatter.x].dtype;
  const DType wide = dtype == DType::uint8 ? DType::uint32 : dtype;
  const std::int32_t named = rows_of(b, scatter.indices, shape[axis], scatter.clamps);
  const std::int32_t wanted =
      b.add({.kind = ir::Kind::iota, .dtype = DType::int32, .shape = {shape[axis]}});
  const std::int32_t is_named =
      map(b, entries::named<"equal">(), DType::boolean,
          {scatter.along ? repeat(b, named, axis, pairs) : spread(b, named, axis + 1, pairs),
           spread(b, wanted, axis, pairs)});
  const std::int32_t v = cast(b, b.reshape(scatter.v, updates), wide);
  const std::int32_t chosen =
      map(b, entries::named<"where">(), wide,
          {is_named, repeat(b, v, axis, pairs), constant(b, 0, wide, pairs)});

  auto reduced = vector_of<bool>(pairs.rank());
  item(reduced, axis + 1) = true;
  Shape sums = pairs;
  sums[axis + 1] = 1;
  sums.insert(0, 1);
  const std::int32_t sum = b.add({.kind = ir::Kind::reduce,
                                  .dtype = wide,
                                  .shape = sums,
                                  .op = &entries::named<"sum">(),
                                  .attrs = core::ReduceAttrs{std::move(reduced)},
                                  .inputs = {chosen}});
  const std::int32_t added = cast(b, b.reshape(sum, shape), dtype);
  return b.reshape(map(b, entries::named<"add">(), dtype, {scatter.x, added}), result);
}

}  // namespace trigon::detail::rewrite
