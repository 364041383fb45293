// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <utility>

#include "core/rooms.hpp"
#include "trigon/detail/shape_class.hpp"
#include "trigon/tensor.hpp"

// The ops of random numbers. All work on tensors of one shape.

namespace trigon::detail::graph {

/// Two words of 32 bits, each as two int32: 256 times the first plus the second, modulo 2^32.
using WordPair = std::array<Tensor, 4>;

/// The result of Threefry-2x32 for a key and a counter. Each word is split into its upper 24 and
/// lower 8 bits.
struct Threefry {
  std::array<Tensor, 2> mixed;  ///< the exclusive or of both words
  WordPair words;
};
Threefry threefry(const WordPair& key, const WordPair& counter, const Shape& shape);

/// A word's upper and lower 16 bits, from its halves as in a WordPair.
std::pair<Tensor, Tensor> halves(const Tensor& upper, const Tensor& rest, const Shape& shape);

/// low + floor(w * range / 2^64) as int32, w the 64 bits of two words as threefry() gives them.
Tensor scaled_words(const WordPair& words, const Tensor& range, const Tensor& low,
                    const Shape& shape);

/// min(low + range * x, last), each operation rounded to float32.
Tensor interval(const Tensor& x, double low, double range, double last);

}  // namespace trigon::detail::graph
