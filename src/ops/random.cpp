// SPDX-License-Identifier: MIT
#include "trigon/random.hpp"
#include "core/list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "graph/random.hpp"
#include "trigon/create.hpp"
#include "trigon/error.hpp"
#include "trigon/join.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon::random {
namespace {

using graph::Threefry;
using graph::WordPair;

constexpr double unit = 1.0 / 16777216;        // 2^-24
constexpr double exact_integers = 16'777'216;  // in profile webgl1
constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;

Tensor scalar(double value) {
  return detail::Internals::tensor(graph::scalar(value, DType::int32));
}

// ---- Keys and counters

Tensor whole(const char* what, const Tensor& x) {
  graph::check_operand(what, x);
  if (detail::Internals::node(x)->kind == graph::Kind::scalar) graph::whole_number(what, x);
  if (!is_integer(x.dtype())) {
    graph::fail("{} is not an integer: it is {}; must be of an integer type", what,
                name(x.dtype()));
  }
  return x.astype(int32);
}

WordPair words_of(const char* what, const Key& key) {
  WordPair words;
  for (std::size_t k = 0; k < words.size(); ++k) {
    item(words, k) = whole(what, item(detail::Internals::pieces(key), k));
  }
  return words;
}

bool broadcasts_to(const Shape& x, const Shape& shape) {
  const auto both = broadcast(x, shape);
  return both && *both == shape;
}

Shape shape_of(const WordPair& words) {
  Shape shape;
  for (const Tensor& piece : words) shape = graph::require_broadcast(shape, piece.shape());
  return shape;
}

// 0 ... n - 1 along the axes [first, last) of `shape`; the others have size 1.
Tensor numbers_along(const Shape& shape, int first, int last) {
  Shape ones = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis < first || axis >= last) ones[axis] = 1;
  }
  return reshape(iota(core::product(shape, first, last)), ones);
}

// The position of each element as the second word. All devices hold it up to 2^24. Above, it is row
// * columns + column with columns = 256 n + rest. So the word's two pieces are row * n, in units of
// 256, and row * rest + column; both are below 2^24.
WordPair counter(const Shape& shape) {
  constexpr std::int64_t most_rows = 1 << 15, most_columns = 1 << 23;
  const int rank = shape.rank();
  const std::int64_t count = shape.numel();
  if (static_cast<double>(count) <= exact_integers) {
    return {0, 0, 0, numbers_along(shape, 0, rank)};
  }
  for (int axis = 1; axis < rank; ++axis) {
    const std::int64_t columns = core::product(shape, axis, rank);
    if (core::product(shape, 0, axis) > most_rows || columns > most_columns) continue;
    const Tensor row = numbers_along(shape, 0, axis);
    const Tensor high = row * (columns / 256), low = row * (columns % 256);
    return {0, 0, high, low + numbers_along(shape, axis, rank)};
  }
  // The limit raises DeviceError in profile webgl1.
  return {0, 0, 0, minimum(numbers_along(shape, 0, rank), count - 1)};
}

Threefry blocks(const Key& key, const Shape& shape) {
  const WordPair words = words_of("key", key);
  const Shape of_key = shape_of(words);
  if (!broadcasts_to(of_key, shape)) {
    graph::fail("key does not fit: it is {}, the numbers are {}; must broadcast to their shape",
                to_string(of_key), to_string(shape));
  }
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  if (shape.numel() > limit) {
    graph::fail("too many elements: shape is {}; must hold at most {}", to_string(shape), limit);
  }
  return graph::threefry(words, counter(shape), shape);
}

// ---- Numbers

// 0 ... 2^24 - 1, from a word's upper 24 bits.
Tensor whole_float(const Tensor& upper) { return upper.astype(float32); }

// Multiples of 2^-24 in [0, 1).
Tensor fraction(const Key& key, const Shape& shape) {
  return whole_float(blocks(key, shape).mixed[0]) * unit;
}

// The word of its upper 24 and lower 8 bits.
Tensor joined(const std::array<Tensor, 2>& pieces) {
  const Tensor upper = left_shift(pieces[0].astype(uint32), 8);
  return bitwise_or(upper, pieces[1].astype(uint32));
}

Tensor gumbels(const Key& key, const Shape& shape) {
  return -log(-log(maximum(fraction(key, shape), unit / 2)));
}

Tensor moved(const Tensor& x, double loc, double scale) {
  if (loc == 0 && scale == 1) return x;
  return x * scale + loc;
}

void check_scale(const char* what, double scale) {
  if (scale >= 0) return;
  graph::fail("{} is negative: {}; must be 0 or more", what, scale);
}

[[noreturn]] void throw_interval(const char* low, const char* high, double a, double b) {
  graph::fail("bounds do not fit: {0} is {2}, {1} is {3}; {0} must be below {1}", low, high, a, b);
}

}  // namespace

// ---- Keys ---------------------------------------------------------------------------------------

Key::Key(const Scalar& seed) : Key(seed.tensor()) {}
Key::Key(const Tensor& seed) : pieces_{0, 0, 0, seed} {}

Key Key::of_words(std::uint32_t first, std::uint32_t second) {
  std::array<Tensor, 4> pieces;
  std::size_t k = 0;
  for (const std::uint32_t word : {first, second}) {
    // Words up to 2^24 stay in one piece, so that rolling recognises seeds that count up.
    const bool is_small = word <= exact_integers;
    item(pieces, k++) = scalar(is_small ? 0 : word >> 8U);
    item(pieces, k++) = scalar(is_small ? word : word & 255U);
  }
  return Key(pieces);
}

// Keeps the number as given, since the error names it.
Key Key::of_number(double seed) {
  const graph::NodePtr node = graph::scalar(0, DType::float32);
  node->value = seed;
  return Key(detail::Internals::tensor(node));
}

Key key(const Key& seed) {
  const graph::Named named("random::key");
  return detail::Internals::key(words_of("seed", seed));
}

std::vector<Key> split(const Key& key, int n) {
  const graph::Named named("random::split");
  if (n < 0) {
    graph::fail("negative number of keys: {}; must be 0 or more", n);
  }
  graph::check_result_count("keys", n);
  const Key checked = detail::Internals::key(words_of("key", key));
  std::vector<Key> keys;
  for (int k = 0; k < n; ++k) keys.push_back(fold_in(checked, k));
  return keys;
}

Key fold_in(const Key& key, const Key& number) {
  const graph::Named named("random::fold_in");
  const WordPair words = words_of("key", key);
  const WordPair counter = words_of("number", number);
  const auto shape = broadcast(shape_of(words), shape_of(counter));
  if (!shape) {
    graph::fail(
        "shapes do not broadcast: key is {}, number is {}; axes must be equal or 1, counted from "
        "the last",
        to_string(shape_of(words)), to_string(shape_of(counter)));
  }
  return detail::Internals::key(graph::threefry(words, counter, *shape).words);
}

Tensor key_data(const Key& key) {
  const graph::Named named("random::key_data");
  const WordPair words = words_of("key", key);
  const Shape shape = shape_of(words);
  const auto [high, low] = graph::halves(words[0], words[1], shape);
  const auto [next_high, next_low] = graph::halves(words[2], words[3], shape);
  return stack({high, low, next_high, next_low}, -1);
}

// ---- Bits and whole numbers ---------------------------------------------------------------------

Tensor bits(const Key& key, const Shape& shape) {
  const graph::Named named("random::bits");
  return joined(blocks(key, shape).mixed);
}

Tensor integers(const Key& key, const Shape& shape, std::int64_t low, std::int64_t high) {
  const graph::Named named("random::integers");
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (low < -limit || high > limit || low >= high) {
    graph::fail(
        "bounds do not fit: low is {}, high is {}; low must be below high, both in [-2147483648, "
        "2147483648]",
        low, high);
  }
  const Threefry x = blocks(key, shape);
  // Only the first word is needed. Flipping its upper bit makes it a signed number from -2^31.
  if (high - low == two_to_32) {
    const Tensor word = joined({x.words[0], x.words[1]});
    return bitwise_xor(word, std::uint32_t{1} << 31U).astype(int32);
  }
  return graph::scaled_words(x.words, high - low, low, shape);
}

Tensor integers(const Key& key, const Shape& shape, std::int64_t high) {
  return integers(key, shape, 0, high);
}

Tensor bernoulli(const Key& key, const Tensor& p) {
  const graph::Named named("random::bernoulli", {{"p", p}});
  return bernoulli(key, p, p.shape());
}

Tensor bernoulli(const Key& key, const Tensor& p, const Shape& shape) {
  const graph::Named named("random::bernoulli", {{"p", p}});
  const graph::Node& node = *detail::Internals::node(p);
  if (info(node.kind).is_one_number && !(node.value >= 0 && node.value <= 1)) {
    graph::fail("p is not a probability: {}; must be in [0, 1]", node.value);
  }
  if (!broadcasts_to(p.shape(), shape)) {
    graph::fail("p does not fit: it is {}, shape is {}; must broadcast to the shape",
                to_string(p.shape()), to_string(shape));
  }
  const Tensor x = fraction(key, shape);
  return x < p.astype(float32);
}

Tensor categorical(const Key& key, const Tensor& logits, int axis,
                   const std::optional<Shape>& shape) {
  const graph::Named named("random::categorical", {{"logits", logits}});
  const int rank = logits.ndim();
  if (axis < -rank || axis >= rank) {
    graph::fail("axis out of range: axis is {}, logits is {}; must be in [{}, {})", axis,
                to_string(logits.shape()), -rank, rank);
  }
  const int from_end = axis < 0 ? axis : axis - rank;
  Shape batch = logits.shape();
  batch.erase(from_end);
  const Shape result = shape.value_or(batch);
  if (!broadcasts_to(batch, result)) {
    graph::fail(
        "shape does not fit: it is {}, logits is {}; logits without axis {} must broadcast to it",
        to_string(result), to_string(logits.shape()), axis);
  }
  const std::int64_t size = logits.shape()[from_end];
  if (size == 0) {
    graph::fail("nothing to choose from: logits is {}; axis {} must not be empty",
                to_string(logits.shape()), axis);
  }
  // The axis has the same distance from the end as in logits.
  const int place = result.rank() + 1 + from_end;
  Shape all;
  for (int k = 0; k <= result.rank(); ++k) {
    if (k == place) all.push_back(size);
    if (k < result.rank()) all.push_back(result[k]);
  }
  return argmax(gumbels(key, all) + logits, place);
}

// ---- Numbers ------------------------------------------------------------------------------------

Tensor uniform(const Key& key, const Shape& shape, double low, double high) {
  const graph::Named named("random::uniform");
  constexpr double largest = std::numeric_limits<float>::max();
  if (!(low < high)) throw_interval("low", "high", low, high);
  if (low < -largest || high > largest || high - low > largest ||
      static_cast<float>(low) == static_cast<float>(high)) {
    graph::fail(
        "bounds do not fit: low is {}, high is {}; they must differ as float32, by a finite "
        "distance",
        low, high);
  }
  const Tensor x = fraction(key, shape);
  if (low == 0 && high == 1) return x;
  const auto end = static_cast<float>(high);
  return graph::interval(x, low, high - low, std::nextafter(end, static_cast<float>(low)));
}

Tensor normal(const Key& key, const Shape& shape, double mean, double stddev) {
  const graph::Named named("random::normal");
  check_scale("stddev", stddev);
  constexpr double two_pi = 6.28318530717958647692;
  const Threefry x = blocks(key, shape);
  const Tensor u = (whole_float(x.words[0]) + 1.0) * unit;   // (0, 1]
  const Tensor turn = whole_float(x.words[2]) * unit - 0.5;  // [-0.5, 0.5)
  const Tensor radius = sqrt(-2.0 * log(u));
  return moved(radius * cos(two_pi * turn), mean, stddev);
}

Tensor truncated_normal(const Key& key, double lower, double upper, const Shape& shape) {
  const graph::Named named("random::truncated_normal");
  if (!(lower < upper)) throw_interval("lower", "upper", lower, upper);
  const double root = std::sqrt(2.0);
  // Within (-1, 1), where erfinv is finite.
  constexpr double most = 1 - unit;
  const double low = std::clamp(std::erf(lower / root), -most, most);
  const double high = std::clamp(std::erf(upper / root), -most, most);
  const Tensor x = fraction(key, shape);
  const Tensor z = root * erfinv(graph::interval(x, low, high - low, high));
  constexpr double largest = std::numeric_limits<float>::max();
  return minimum(maximum(z, std::max(lower, -largest)), std::min(upper, largest));
}

Tensor exponential(const Key& key, const Shape& shape, double scale) {
  const graph::Named named("random::exponential");
  check_scale("scale", scale);
  return moved(-log(1.0 - fraction(key, shape)), 0, scale);
}

Tensor gumbel(const Key& key, const Shape& shape, double loc, double scale) {
  const graph::Named named("random::gumbel");
  check_scale("scale", scale);
  return moved(gumbels(key, shape), loc, scale);
}

}  // namespace trigon::random
