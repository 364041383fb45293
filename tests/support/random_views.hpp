// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/random_pool.hpp"
#include "support/random_values.hpp"

// Views, indexing and joins of random graphs. They move elements and round nothing.

namespace trigon::support {

// ---- Basic indices ------------------------------------------------------------------------------

/// Entries of x.at(...) and their text.
struct RandomIndex {
  std::vector<Index> entries;
  std::string text;
};

/// A slice of either direction, with bounds that may count from the end or lie outside.
inline Slice random_slice(Random& random, std::int64_t n, std::string& text) {
  static constexpr std::int64_t steps[] = {1, 1, 1, 2, 3, -1, -1, -2, -3};
  Slice slice;
  slice.step = steps[random.below(9)];
  const int span = static_cast<int>(n) + 2;
  const bool down = slice.step < 0;
  // The near end is taken from the first half, so that most slices are not empty.
  const int first = random.below(span / 2 + 1);
  if (random.chance(0.6)) slice.start = down ? n - 1 - first : first;
  if (random.chance(0.4))
    slice.stop = down ? -1 - n + random.below(span / 2) : n - random.below(span / 2);
  if (slice.start && *slice.start >= 0 && random.chance(0.2)) *slice.start -= n;
  const auto bound = [](const std::optional<std::int64_t>& b) {
    return b ? std::to_string(*b) : std::string();
  };
  text += fmt::format("{}:{}:{}", bound(slice.start), bound(slice.stop), slice.step);
  return slice;
}

inline Index random_entry(Random& random, std::int64_t n, std::string& text) {
  const int size = static_cast<int>(n);
  const int choice = random.below(10);
  if (n == 0 || choice < 5) return random_slice(random, n, text);
  if (choice == 5) {
    const int i = random.below(2 * size) - size;
    text += std::to_string(i);
    return i;
  }
  // Run-time starts count from the end if negative, and are clamped into the axis.
  const Scalar start(random.below(2 * size + 6) - size - 3);
  if (choice == 6) {
    text += fmt::format("Scalar({})", start.value());
    return start;
  }
  const Window window{start, 1 + random.below(size)};
  text += fmt::format("Window({}, {})", start.value(), window.size);
  return window;
}

inline RandomIndex random_index(RandomPool& pool, const Shape& shape) {
  RandomIndex index;
  std::string& text = index.text;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    if (index.entries.size() == static_cast<std::size_t>(axis) && pool.random.chance(0.08)) {
      index.entries.emplace_back(newaxis);
      text += "newaxis, ";
    }
    if (pool.random.chance(0.15)) {
      index.entries.emplace_back(ellipsis);
      text += "...";
      // The axes up to the one that the last entry takes.
      if (axis + 1 < shape.rank()) {
        text += ", ";
        index.entries.push_back(random_entry(pool.random, shape[-1], text));
      }
      return index;
    }
    index.entries.push_back(random_entry(pool.random, shape[axis], text));
  }
  return index;
}

// ---- Views --------------------------------------------------------------------------------------

inline std::vector<int> random_order(Random& random, int rank) {
  std::vector<int> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  for (std::size_t k = axes.size(); k > 1; --k) {
    std::swap(axes[k - 1], axes[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
  }
  return axes;
}

/// Factors of `count` in random order, at most four of them.
inline Shape random_factors(Random& random, std::int64_t count) {
  if (count == 0) return {0, 1 + random.below(3)};
  Shape shape;
  while (shape.rank() < 3 && count > 1) {
    std::int64_t factor = 1 + random.below(static_cast<int>(std::min<std::int64_t>(count, 16)));
    while (count % factor != 0) --factor;
    shape.insert(random.below(shape.rank() + 1), factor);
    count /= factor;
  }
  shape.insert(random.below(shape.rank() + 1), count);
  return shape;
}

inline void grow_reshape(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  const Tensor& t = x.tensor;
  const std::string v = label(x);
  Random& random = pool.random;
  switch (random.below(5)) {
    case 0: return pool.keep(ravel(t), x.error, "ravel(" + v + ")");
    case 1: {
      const int axis = random.below(t.ndim() + 1);
      return pool.keep(expand_dims(t, axis), x.error, fmt::format("expand_dims({}, {})", v, axis));
    }
    case 2: return pool.keep(squeeze(t), x.error, "squeeze(" + v + ")");
    case 3: return pool.keep(stop_gradient(t), x.error, "stop_gradient(" + v + ")");
    default:
      return pool.keep(reshape(t, random_factors(random, t.size())), x.error, v + ".reshape");
  }
}

inline void grow_view(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  const Tensor& t = x.tensor;
  const std::string v = label(x);
  const int rank = t.ndim();
  Random& random = pool.random;
  switch (random.below(7)) {
    case 0: return pool.keep(t.T(), x.error, v + ".T");
    case 1: {
      const std::vector<int> axes = random_order(random, rank);
      if (axes.empty()) return;
      return pool.keep(transpose(t, axes), x.error,
                       fmt::format("transpose({}, {})", v, fmt::join(axes, " ")));
    }
    case 2: {
      if (rank == 0) return;
      const int axis = random.below(rank);
      return pool.keep(flip(t, axis), x.error, fmt::format("flip({}, {})", v, axis));
    }
    case 3: {
      if (rank == 0) return;
      std::vector<PadWidth> widths;
      for (int k = 0; k < rank; ++k) widths.push_back({random.below(3), random.below(3)});
      const double value = is_float(x.dtype) ? 0.5 : 1;
      return pool.keep(pad(t, widths, value), x.error, "pad(" + v + ")");
    }
    case 4: {
      Shape wide = t.shape();
      for (int k = 0; k < rank; ++k) {
        if (wide[k] == 1) wide[k] = 1 + random.below(5);
      }
      if (rank < 5) wide.insert(0, 1 + random.below(3));
      return pool.keep(broadcast_to(t, wide), x.error, "broadcast_to(" + v + ")");
    }
    case 5: {
      if (rank < 2 || x.size == 0) return;
      const int k = random.below(4) - 2;
      return pool.keep(tril(t, k), x.error, fmt::format("tril({}, {})", v, k));
    }
    default: return grow_reshape(pool);
  }
}

inline void grow_index(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  const RandomIndex at = random_index(pool, x.shape);
  pool.keep(index(x.tensor, at.entries), x.error, fmt::format("{}[{}]", label(x), at.text));
}

// ---- Gathers ------------------------------------------------------------------------------------

/// Indices around [0, n) of a random integer dtype: negative ones count from the end, others past
/// either end are clamped.
inline Tensor random_indices(RandomPool& pool, std::int64_t n, const Shape& shape,
                             std::string& text) {
  static constexpr DType dtypes[] = {int32, int32, uint8, uint32};
  const DType dtype = dtypes[pool.random.below(4)];
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (double& v : values) {
    const int most = static_cast<int>(std::min<std::int64_t>(n, 120));
    v = dtype == int32 ? pool.random.below(2 * most + 5) - most - 2 : pool.random.below(most + 2);
  }
  text += fmt::format(", {} ({})", name(dtype),
                      fmt::join(values.begin(),
                                values.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min<std::size_t>(values.size(), 12)),
                                " "));
  return pool.leaf(std::move(values), dtype, shape);
}

inline void grow_take(RandomPool& pool) {
  const RandomValue* x =
      pool.pick([](const RandomValue& v) { return v.shape.rank() > 0 && v.shape.numel() > 0; });
  if (x == nullptr) return;
  Random& random = pool.random;
  const int axis = random.below(x->shape.rank());
  const std::int64_t n = x->shape[axis];
  std::string text = label(*x);
  if (random.chance(0.3)) {
    Shape shape = x->shape;
    shape[axis] = 1 + random.below(6);
    if (shape.numel() > 4096) return;
    const Tensor indices = random_indices(pool, n, shape, text);
    return pool.keep(take_along_axis(x->tensor, indices, axis), x->error,
                     fmt::format("take_along_axis({}, axis {})", text, axis));
  }
  static const Shape shapes[] = {{}, {1}, {3}, {5}, {8}, {2, 3}, {0}};
  // Values that a cast bounds serve as indices too, so that producers are fused into an address.
  const RandomValue* computed = random.chance(0.4) ? pool.pick([](const RandomValue& v) {
    return is_integer(v.dtype) && v.shape.rank() < 3 && v.shape.numel() <= 64;
  })
                                                   : nullptr;
  if (computed != nullptr) {
    return pool.keep(take(x->tensor, computed->tensor, axis), x->error,
                     fmt::format("take({}, {}, axis {})", text, label(*computed), axis));
  }
  const Tensor indices = random_indices(pool, n, shapes[random.below(7)], text);
  pool.keep(take(x->tensor, indices, axis), x->error, fmt::format("take({}, axis {})", text, axis));
}

// ---- Windows and diagonals ----------------------------------------------------------------------

inline void grow_window(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) {
    return v.shape.rank() > 0 && v.shape.rank() < 6 && v.shape.numel() > 0;
  });
  if (x == nullptr) return;
  Random& random = pool.random;
  const std::string v = label(*x);
  if (x->shape.rank() >= 2 && random.chance(0.3)) {
    const int offset = random.below(3) - 1;
    return pool.keep(diagonal(x->tensor, offset, {0, -1}), x->error,
                     fmt::format("diagonal({}, {})", v, offset));
  }
  const int axis = random.below(x->shape.rank());
  const int size = 1 + random.below(static_cast<int>(std::min<std::int64_t>(x->shape[axis], 4)));
  pool.keep(sliding_window_view(x->tensor, size, axis), x->error,
            fmt::format("sliding_window_view({}, {}, axis {})", v, size, axis));
}

// ---- Joins and many readers ---------------------------------------------------------------------

inline void grow_join(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) { return v.shape.rank() > 0; });
  if (x == nullptr) return;
  Random& random = pool.random;
  const int axis = random.below(x->shape.rank());
  std::vector<Tensor> tensors{x->tensor};
  std::string text = label(*x);
  double error = x->error;
  for (int k = random.below(3); k >= 0; --k) {
    const RandomValue& y = *pool.pick([&](const RandomValue& v) {
      if (v.shape.rank() != x->shape.rank() || !promotes_exactly(*x, v)) return false;
      Shape a = x->shape;
      Shape b = v.shape;
      a[axis] = b[axis] = 1;
      return a == b;
    });
    if (pool.is_webgl1() && y.dtype != x->dtype) return;
    tensors.push_back(y.tensor);
    text += ", " + label(y);
    error = std::max(error, y.error);
  }
  const bool is_stack = std::all_of(tensors.begin(), tensors.end(), [&](const Tensor& one) {
    return one.shape() == tensors[0].shape();
  });
  if (is_stack && random.chance(0.3)) {
    return pool.keep(stack(tensors, axis), error, fmt::format("stack({}, axis {})", text, axis));
  }
  pool.keep(concatenate(tensors, axis), error, fmt::format("concatenate({}, axis {})", text, axis));
}

/// The parts of a split are separate values.
inline void grow_split(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) { return v.shape.rank() > 0; });
  if (x == nullptr) return;
  const int axis = pool.random.below(x->shape.rank());
  int sections = 2 + pool.random.below(3);
  while (x->shape[axis] % sections != 0) --sections;
  for (const Tensor& one : split(x->tensor, sections, axis)) {
    pool.keep(one, x->error, fmt::format("split({}, {}, axis {})", label(*x), sections, axis));
  }
}

/// x read at several places by one expression and by several.
inline void grow_stencil(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) {
    return v.shape.rank() > 0 && is_float(v.dtype) && v.shape.numel() > 0;
  });
  if (x == nullptr) return;
  const int axis = pool.random.below(x->shape.rank());
  const std::int64_t n = x->shape[axis];
  const auto from = [&](std::int64_t start, std::int64_t stop) {
    std::vector<Index> entries(static_cast<std::size_t>(axis), Index(Slice{}));
    entries.emplace_back(Slice{start, stop});
    return index(x->tensor, entries);
  };
  const std::string v = label(*x);
  const double error = x->error;
  if (n < 3) return;
  const Tensor rolled = concatenate({from(1, n), from(0, 1)}, axis);
  pool.keep(rolled, error, fmt::format("roll({}, axis {})", v, axis));
  const Tensor last = from(0, n - 2), here = from(1, n - 1), next = from(2, n);
  const Tensor sum = (last - 2.0 * here) + next;
  pool.keep_rounded(sum, 4 * error + 8 * float_epsilon * x->size,
                    fmt::format("second difference({}, axis {})", v, axis));
}

}  // namespace trigon::support
