// SPDX-License-Identifier: MIT
#include "trigon/detail/shape_class.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/quote.hpp"

namespace trigon {
namespace {

void check_rank(std::int64_t rank) {
  if (rank > Shape::max_rank) {
    core::fail_in("Shape", "too many axes: rank is {}; must be at most {}", rank, Shape::max_rank);
  }
}

void check_sizes(std::span<const std::int64_t> dims) {
  if (std::any_of(dims.begin(), dims.end(), [](std::int64_t d) { return d < 0; })) {
    core::fail_in("Shape", "negative size: shape is {}; every size must be 0 or more",
                  core::shape_text(dims));
  }
}

}  // namespace

Shape::Shape(std::span<const std::int64_t> dims) {
  check_rank(std::ssize(dims));
  check_sizes(dims);
  std::copy(dims.begin(), dims.end(), dims_.begin());
  rank_ = static_cast<std::int8_t>(dims.size());
}

void Shape::refuse_axis(int axis) const {
  const std::string rule =
      rank_ == 0 ? "it has no axes" : fmt::format("must be in [{}, {})", -rank_, int{rank_});
  core::fail_in("Shape::operator[]", "axis out of range: axis is {}, shape is {} of rank {}; {}",
                axis, to_string(*this), rank_, rule);
}

void Shape::refuse_sizes(int count) const {
  core::fail_in("Shape::sizes",
                "number of axes differs: {} sizes are asked for, shape is {}; rank must be {}",
                count, to_string(*this), count);
}

Dims::Dims(std::span<const std::int64_t> sizes) {
  check_rank(std::ssize(sizes));
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  rank_ = static_cast<std::int8_t>(sizes.size());
}

std::int64_t Shape::numel() const {
  if (core::contains(*this, 0)) return 0;  // whatever the other sizes are
  std::int64_t product = 1;
  for (const std::int64_t dim : *this) {
    if (product > std::numeric_limits<std::int64_t>::max() / dim) {
      core::fail_in("Shape::numel",
                    "too many elements: shape is {}; their number must be below 2^63",
                    to_string(*this));
    }
    product *= dim;
  }
  return product;
}

void Shape::push_back(std::int64_t dim) { insert(rank_, dim); }

void Shape::insert(int axis, std::int64_t dim) {
  check_rank(rank_ + 1);
  const int at = [&] {
    const core::Called called("Shape::insert");
    return normalize_axis(axis, rank_ + 1);
  }();
  Shape grown = *this;
  std::copy_backward(grown.dims_.begin() + at, grown.dims_.begin() + rank_,
                     grown.dims_.begin() + rank_ + 1);
  item(grown.dims_, at) = dim;
  ++grown.rank_;
  check_sizes({grown.begin(), grown.end()});
  *this = grown;
}

void Shape::erase(int axis) {
  const core::Called called("Shape::erase");
  const int at = normalize_axis(axis, rank_);
  std::copy(dims_.begin() + at + 1, dims_.begin() + rank_, dims_.begin() + at);
  --rank_;
  item(dims_, rank_) = 0;  // operator== compares the unused places too
}

std::string to_string(const Shape& shape) { return core::shape_text({shape.begin(), shape.end()}); }

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape result = a.rank() >= b.rank() ? a : b;
  const int common = std::min(a.rank(), b.rank());
  for (int back = 1; back <= common; ++back) {
    const std::int64_t x = a[-back];
    const std::int64_t y = b[-back];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[-back] = x == 1 ? y : x;
  }
  return result;
}

int normalize_axis(std::int64_t axis, int rank) {
  if (axis < -std::int64_t{rank} || axis >= rank) {
    core::fail_in("normalize_axis",
                  "axis out of range: axis is {}, rank is {}; must be in [{}, {})", axis, rank,
                  -rank, rank);
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace trigon
