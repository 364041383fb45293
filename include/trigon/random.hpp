// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/scalar.hpp>
#include <trigon/tensor.hpp>

// Random numbers are pure functions of a key and a position in C order. Equal keys give equal
// numbers on every device, in both profiles and in any order of evaluation. The generator is
// Threefry-2x32 of 20 rounds: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011. Keys, names and bits are those of JAX (jax.random, jax_threefry_partitionable). Element n
// uses the block with counter (0, n), whose two words give one number.
//
// Numbers are computed in the draws that read them, without separate draws. A seed is a run-time
// number, so changing it reuses plan and program. In the body of a loop, fold_in makes a key for
// each step:
//
//   Tensor walk = fori_loop(0, 100, [](Tensor i, Tensor x) {
//     return x + random::normal(random::fold_in(7, i), x.shape());
//   }, zeros({1000}));
//
// bits, uniform, integers and bernoulli give the same bits on all devices. The other
// functions agree within the tolerance of the logarithms and other functions that they use.
//
// All raise Error when the key is not an integer (a host bool counts as 0 or 1) or does not
// broadcast to the shape. Also when the shape has 2^31 elements or more. In profile webgl1,
// integers are exact up to 2^24. There computed seeds and steps, and those in a Scalar, are rounded
// above it; plain numbers are not. A shape of more than 2^24 elements must have leading axes of at
// most 2^15 elements in total, before trailing ones of at most 2^23. Evaluating others in webgl1
// raises DeviceError.
//
// Keys are computed in the draws that read them, too: a reader of fold_in(fold_in(key, a), b)
// computes three blocks for each element.

namespace trigon::random {

/// Two words of 32 bits, or a tensor of such pairs that broadcasts to the shape of the numbers. A
/// key of shape (N, 1) gives each row a separate stream.
///
/// It converts from a seed: any integer, a Scalar or a tensor of integers. The second word is the
/// seed modulo 2^32. The first one is 0 for seeds in [-2^31, 2^32), otherwise the upper half of the
/// 64 bits.
class Key {
 public:
  template <HostScalar T>
  Key(T seed) : Key(of(seed)) {}
  Key(const Scalar& seed);
  Key(const Tensor& seed);

 private:
  friend struct detail::Internals;
  explicit Key(std::array<Tensor, 4> pieces) : pieces_(std::move(pieces)) {}
  static Key of_words(std::uint32_t first, std::uint32_t second);
  static Key of_number(double seed);
  template <HostScalar T>
  static Key of(T seed) {
    if constexpr (!std::is_integral_v<T>) return of_number(static_cast<double>(seed));
    const auto bits = static_cast<std::uint64_t>(seed);
    bool is_small = false;
    if constexpr (std::is_signed_v<T>) is_small = seed < 0 && seed >= -2147483648.0;
    return of_words(is_small ? 0 : static_cast<std::uint32_t>(bits >> 32U),
                    static_cast<std::uint32_t>(bits));
  }

  std::array<Tensor, 4> pieces_;
};

// ---- Keys

/// The key of a seed; seeds also convert implicitly. JAX's `key`. Raises Error when the seed is not
/// an integer.
[[nodiscard]] Key key(const Key& seed);

/// n keys whose streams differ from each other and from that of `key`; number k is fold_in(key, k).
/// JAX's `split`. Raises Error unless 0 <= n <= 2^20.
///
///   const auto keys = random::split(7);
///   Tensor x = random::normal(keys[0], {64}), y = random::uniform(keys[1], {64});
[[nodiscard]] std::vector<Key> split(const Key& key, int n = 2);
/// The same for a constant number of keys: `auto [k1, k2] = random::split<2>(7)`.
template <std::size_t N>
[[nodiscard]] std::array<Key, N> split(const Key& key) {
  static_assert(N > 0 && N <= 64, "trigon: split<N>(key) makes 1 to 64 keys; write split(key, n)");
  const std::vector<Key> keys = split(key, static_cast<int>(N));
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::array<Key, N>{keys[I]...}; }
  (std::make_index_sequence<N>());
}

/// A key derived from `key` and a number, such as the step of a loop: the block whose counter is
/// the number's words. Both broadcast. JAX's `fold_in`. Raises Error when one is not an integer.
[[nodiscard]] Key fold_in(const Key& key, const Key& number);

/// The key's words as int32 (..., 4): upper and lower 16 bits of the first, then of the second.
[[nodiscard]] Tensor key_data(const Key& key);

// ---- Bits and whole numbers

/// 32 random bits for each element, as uint32: the exclusive or of a block's words. Evaluating it
/// raises DeviceError in profile webgl1, which has no such integers.
[[nodiscard]] Tensor bits(const Key& key, const Shape& shape);

/// Whole numbers in [low, high), int32: low + floor(w (high - low) / 2^64), w being the 64 bits of
/// a block, the first word above the second. Each number's probability is right to 2^-64.
///
/// low, high : -2^31 <= low < high <= 2^31. In profile webgl1 both must be in [-2^24, 2^24], and
///     their distance at most 2^24.
///
/// Raises Error for other bounds. Bounds that only webgl1 rejects raise it when evaluated there.
[[nodiscard]] Tensor integers(const Key& key, const Shape& shape, std::int64_t low,
                              std::int64_t high);
/// Whole numbers in [0, high).
[[nodiscard]] Tensor integers(const Key& key, const Shape& shape, std::int64_t high);

/// True with probability p, as bool: uniform(key, shape) < p.
///
/// p : float32, broadcasts to `shape`; without a shape the result has p's.
///
/// Raises Error when p does not broadcast to `shape`, or is a number outside of [0, 1].
[[nodiscard]] Tensor bernoulli(const Key& key, const Tensor& p, const Shape& shape);
[[nodiscard]] Tensor bernoulli(const Key& key, const Tensor& p = 0.5);

/// Positions along `axis`, int32, with the probabilities softmax(logits): the argmax of logits plus
/// gumbel numbers. JAX's `categorical`.
///
/// logits : float32, at least one axis; -inf for positions of probability 0.
/// shape : the shape of the result. The axes of `logits` without `axis` must broadcast to its last
///     axes. By default the shape of `logits` without `axis`.
///
/// Raises Error for an axis out of range or of size 0, and when the axes of `logits` do not
/// broadcast to the last ones of `shape`.
[[nodiscard]] Tensor categorical(const Key& key, const Tensor& logits, int axis = -1,
                                 const std::optional<Shape>& shape = {});

// ---- Numbers, float32

/// Uniform numbers in [low, high): low + (high - low) u, where u is a multiple of 2^-24 in [0, 1).
/// Both operations round; a sum that rounds up to `high` becomes the float below it. Raises Error
/// unless low < high as float32, and their distance is finite.
[[nodiscard]] Tensor uniform(const Key& key, const Shape& shape, double low = 0.0,
                             double high = 1.0);

/// Normal numbers, at most 5.77 standard deviations from the mean. A block's words give radius and
/// angle. Raises Error when stddev is negative. Source: Box and Muller, "A Note on the Generation
/// of Random Normal Deviates", 1958.
[[nodiscard]] Tensor normal(const Key& key, const Shape& shape, double mean = 0.0,
                            double stddev = 1.0);

/// Normal numbers of mean 0 and standard deviation 1, truncated to [lower, upper]. Their cumulative
/// probability is uniform, in steps of 2^-24 or of a float, so intervals beyond about 4 contain few
/// different numbers. Raises Error unless lower < upper; they may be infinite.
[[nodiscard]] Tensor truncated_normal(const Key& key, double lower, double upper,
                                      const Shape& shape);

/// Exponential numbers of mean `scale`, at most 16.7 times it: -log(1 - u). Raises Error when scale
/// is negative.
[[nodiscard]] Tensor exponential(const Key& key, const Shape& shape, double scale = 1.0);

/// Gumbel numbers, loc - scale log(-log(u)), in [-2.86, 16.7] for loc 0 and scale 1. Raises Error
/// when scale is negative.
[[nodiscard]] Tensor gumbel(const Key& key, const Shape& shape, double loc = 0.0,
                            double scale = 1.0);

// Compile errors for common mistakes: `normal({2, 3})` has no key. `normal(2, 3)` and `normal(7, 3,
// 0, 1)` have no braces around the shape, and their first number would be the key.
#define TRIGON_MISTAKES_(NAME, CALL)                                                   \
  template <HostScalar... More>                                                        \
  Tensor NAME(std::initializer_list<std::int64_t>, const More&...) {                   \
    static_assert(detail::never<More...>, TRIGON_NEEDS_KEY_ CALL);                     \
    return {};                                                                         \
  }                                                                                    \
  template <std::same_as<Shape> S, HostScalar... More>                                 \
  Tensor NAME(const S&, const More&...) {                                              \
    static_assert(detail::never<S>, TRIGON_NEEDS_KEY_ CALL);                           \
    return {};                                                                         \
  }                                                                                    \
  template <std::convertible_to<Key> K, HostScalar... N>                               \
  Tensor NAME(const K&, N...) {                                                        \
    static_assert(detail::never<K>, TRIGON_NEEDS_BRACES_ CALL ", where 7 is the key"); \
    return {};                                                                         \
  }
#define TRIGON_NEEDS_KEY_ \
  "trigon: random numbers need a key, as equal keys give equal numbers; write random::"
#define TRIGON_NEEDS_BRACES_ \
  "trigon: random numbers take a key, then a shape in braces; write random::"
#define TRIGON_NEEDS_P_ \
  "trigon: a probability comes before the shape; write random::bernoulli(7, 0.5, {2, 3})"
TRIGON_MISTAKES_(uniform, "uniform(7, {2, 3})")
TRIGON_MISTAKES_(normal, "normal(7, {2, 3})")
TRIGON_MISTAKES_(exponential, "exponential(7, {2, 3})")
TRIGON_MISTAKES_(gumbel, "gumbel(7, {2, 3})")
TRIGON_MISTAKES_(integers, "integers(7, {2, 3}, 10)")
TRIGON_MISTAKES_(bits, "bits(7, {2, 3})")
#undef TRIGON_MISTAKES_
// The sizes of a shape would be probabilities: this does not compile.
template <std::integral N, class... More>
[[nodiscard]] Tensor bernoulli(const Key&, std::initializer_list<N>, const More&...) {
  static_assert(detail::never<N>, TRIGON_NEEDS_P_);
  return {};
}
template <std::same_as<Shape> S, class... More>
[[nodiscard]] Tensor bernoulli(const Key&, const S&, const More&...) {
  static_assert(detail::never<S>, TRIGON_NEEDS_P_);
  return {};
}
#undef TRIGON_NEEDS_P_
#undef TRIGON_NEEDS_BRACES_
#undef TRIGON_NEEDS_KEY_

}  // namespace trigon::random
