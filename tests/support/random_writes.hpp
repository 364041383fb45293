// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include <trigon/trigon.hpp>

#include "support/random_pool.hpp"
#include "support/random_values.hpp"
#include "support/random_views.hpp"

// Writes and scatters of random graphs, into stored and unstored values, held (copied) or dropped
// (in place).

namespace trigon::support {

/// A tensor that broadcasts to what is written, its error and its text.
struct RandomUpdate {
  Tensor tensor;
  double error = 0;
  std::string text;
};

/// Whether a write into a tensor of `dtype` casts v without a rounding that could change the
/// result.
inline bool can_be_written(const RandomPool& pool, const RandomValue& v, DType dtype) {
  if (dtype == float32) return promotes_exactly(v, {{}, {}, {}, dtype, 0, 0, nullptr});
  if (dtype == float16) return v.dtype == float16 || (v.is_whole() && v.size <= 2048);
  return casts_exactly(pool, v, dtype);
}

/// Whether x has slices of the shape of `written`.
inline bool is_box_of(const Shape& x, const Shape& written) {
  bool fits = x.rank() == written.rank();
  for (int k = 0; fits && k < x.rank(); ++k) fits = written[k] <= x[k];
  return fits;
}

/// A number, a leaf, a held value, or other elements of x itself, which overlap those written.
inline RandomUpdate random_update(RandomPool& pool, const Tensor& x, double x_error,
                                  const Shape& written) {
  Random& random = pool.random;
  const int choice = random.below(4);
  if (choice == 0) {
    const int value = random.below(4);
    return {value, 0, std::to_string(value)};
  }
  if (choice == 1 && is_box_of(x.shape(), written)) {
    // Reads the values that it overwrites.
    RandomIndex at;
    for (int k = 0; k < x.ndim(); ++k) {
      const std::int64_t start = random.below(static_cast<int>(x.shape()[k] - written[k]) + 1);
      at.entries.emplace_back(Slice{start, start + written[k]});
      at.text += fmt::format("{}:{} ", start, start + written[k]);
    }
    return {index(x, at.entries), x_error, fmt::format("itself[{}]", at.text)};
  }
  if (choice == 2) {
    const RandomValue* v = pool.pick([&](const RandomValue& y) {
      return broadcasts_to(y.shape, written) && can_be_written(pool, y, x.dtype());
    });
    if (v != nullptr) return {v->tensor, v->error, label(*v)};
  }
  return {random_leaf(pool, x.dtype(), random_written(pool, written)), 0, "leaf"};
}

/// Whole rows, as in writes to a cache: one rectangle of texels can overwrite them.
inline RandomIndex random_rows(Random& random, const Shape& shape) {
  const int n = static_cast<int>(shape[0]);
  const int start = random.below(n);
  switch (random.below(3)) {
    case 0: return {{start}, std::to_string(start)};
    case 1: {
      const int stop = start + 1 + random.below(n - start);
      return {{Slice{start, stop}}, fmt::format("{}:{}", start, stop)};
    }
    default: {
      const Window window{Scalar(start), 1 + random.below(n)};
      return {{window}, fmt::format("Window({}, {})", start, window.size)};
    }
  }
}

/// One write. A dropped source may be overwritten in place.
inline void write_once(RandomPool& pool, RandomValue& source, bool lets_go) {
  const bool writes_rows = source.shape[0] > 0 && pool.random.chance(0.7);
  const RandomIndex at =
      writes_rows ? random_rows(pool.random, source.shape) : random_index(pool, source.shape);
  const double error = source.error;
  const std::string name = label(source);
  const Shape written = index(source.tensor, at.entries).shape();
  RandomUpdate update = random_update(pool, source.tensor, error, written);
  Tensor x = lets_go ? pool.drop(source) : source.tensor;
  Tensor y = SelectedPart(std::move(x), at.entries).set(update.tensor);
  update.tensor = Tensor();
  pool.keep(std::move(y), std::max(error, update.error),
            fmt::format("{}.at({}).set({})", name, at.text, update.text));
}

/// A function of x that is not evaluated yet: x must not be overwritten before it.
inline void grow_reader(RandomPool& pool, const RandomValue& x) {
  const std::string v = label(x);
  switch (pool.random.below(4)) {
    case 0: return pool.keep(flip(x.tensor), x.error, "flip(" + v + ")");
    case 1: return pool.keep(ravel(x.tensor), x.error, "ravel(" + v + ")");
    case 2:
      if (!is_float(x.dtype)) return;
      return pool.keep_rounded(tanh(x.tensor), x.error, "tanh(" + v + ")");
    default: return pool.keep(maximum(x.tensor, 1), x.error, "maximum(" + v + ", 1)");
  }
}

/// Up to four writes, one into the result of the other. Evaluations before and after one decide
/// whether its source is stored by then and whether its readers have run.
inline void grow_write(RandomPool& pool) {
  RandomValue* x = pool.pick([](const RandomValue& v) { return v.shape.rank() > 0; });
  if (x == nullptr) return;
  Random& random = pool.random;
  for (int k = random.below(4); k >= 0; --k) {
    if (random.chance(0.4)) pool.evaluate({x});
    std::size_t count = pool.values().size();
    if (random.chance(0.6)) grow_reader(pool, *x);
    const RandomValue* reader = pool.values().size() > count ? &pool.values().back() : nullptr;
    count = pool.values().size();
    write_once(pool, *x, random.chance(0.7));
    if (pool.values().size() == count) return;
    x = pool.pick([&](const RandomValue& v) { return v.number == static_cast<int>(count); });
    if (!random.chance(0.4)) continue;
    if (reader == nullptr || random.chance(0.5)) {
      pool.evaluate({x});
    } else {
      pool.evaluate({x, reader});
    }
  }
}

/// Updates added at rows that may coincide or be out of range. A dropped source may be added to in
/// place.
inline void grow_scatter(RandomPool& pool) {
  RandomValue* x = pool.pick([&](const RandomValue& v) {
    const bool is_byte_or_unsigned = v.dtype == DType::uint8 || v.dtype == DType::uint32;
    if (pool.is_webgl1() && is_byte_or_unsigned) return false;  // floats there: they do not wrap
    return v.shape.rank() > 0 && v.shape.numel() > 0 && v.dtype != DType::boolean;
  });
  if (x == nullptr) return;
  Random& random = pool.random;
  const int axis = random.below(x->shape.rank());
  const std::int64_t n = x->shape[axis];
  static const Shape shapes[] = {{}, {1}, {3}, {8}, {2, 3}};
  const bool along = random.chance(0.4);
  Shape named = shapes[random.below(5)];
  Shape written = x->shape;
  if (along) {
    named = x->shape;
    named[axis] = 1 + random.below(6);
    written = named;
  } else {
    written.erase(axis);
    if (written.rank() + named.rank() > Shape::max_rank) return;
    for (int k = 0; k < named.rank(); ++k) written.insert(axis + k, named[k]);
  }
  if (written.numel() > 4096) return;
  std::string text = label(*x);
  const Tensor indices = random_indices(pool, n, named, text);
  const Tensor v = random_leaf(pool, x->dtype, written);
  // Leaves of floats are at most 3.
  const auto count = static_cast<double>(along ? named[axis] : named.numel());
  const double most = x->size + 3 * count;
  const double half = x->dtype == float16 ? most / 1024 + 1.0 / 16777216 : 0;
  const double error = x->error + 2 * (count + 1) * float_epsilon * most + half;
  Tensor source = random.chance(0.5) ? pool.drop(*x) : x->tensor;
  pool.keep(scatter_add(std::move(source), indices, v, axis), error,
            fmt::format("scatter_add({}, axis {})", text, axis));
}

}  // namespace trigon::support
