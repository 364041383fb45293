// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/item.hpp"
#include "core/storage.hpp"

namespace trigon {
struct Op;
}

// The operations of instructions, a struct each.

namespace trigon::detail::kernel {

struct Instr;
struct Block;
struct KernelInput;
struct IntExpr;
struct FloatExpr;

/// The number of a Thing; -1: none.
template <class Thing, class Stored = std::int32_t>
class NumberOf {
 public:
  constexpr NumberOf() = default;
  constexpr NumberOf(std::int32_t number) : number_(static_cast<Stored>(number)) {}
  constexpr operator std::int32_t() const { return number_; }

 private:
  Stored number_ = -1;
};
using Operand = NumberOf<Instr>;           ///< the value of that instruction
using IntUniform = NumberOf<IntExpr>;      ///< the value of that integer uniform
using FloatUniform = NumberOf<FloatExpr>;  ///< the value of that real uniform
using InputNumber = NumberOf<KernelInput, std::int16_t>;
using BlockNumber = NumberOf<Block, std::int16_t>;
using OpNumber = NumberOf<Op>;  ///< Op::id
/// A row of core::encodings(); none: plain.
using EncodingNumber = NumberOf<core::EncodingInfo, std::int8_t>;

using core::item;
/// The item with that number.
template <class Items, class Thing, class Stored>
constexpr decltype(auto) item(Items&& items, NumberOf<Thing, Stored> k) {
  return core::item(std::forward<Items>(items), static_cast<std::int32_t>(k));
}

/// How an index varies over the four lanes of a register.
enum class Lane : std::uint8_t {
  uniform,      ///< the same in all lanes: one int
  consecutive,  ///< one int, of lane 0; each lane is one more than the last
  vector,       ///< of any kind: an ivec4
};

/// How a load fetches.
enum class Fetch : std::uint8_t {
  row,    ///< one texel: four neighbours in it, from a multiple of four on
  splat,  ///< one element, in all lanes
  lanes,  ///< four elements, each in its own texel
};

/// The ways of Convert.
enum class Conversion : std::uint8_t {
  plain,     ///< GLSL's conversion
  truth,     ///< 1 where not 0; NaN is true
  half,      ///< rounded to float16
  truncate,  ///< towards zero, staying a float; 0 if not finite
  byte,      ///< modulo 256
  wrap,      ///< of a float through int, so that negative numbers wrap
  word,      ///< modulo 2^32, of an integer stored as a float
};

enum class Swizzle : std::uint8_t { xxxx, yyyy, zzzz, wwww, yxwz, zwxy };

/// How two fragments of a quad lie.
enum class Pair : std::uint8_t { horizontal, vertical };

// ---- Indices ----

/// Texel column.
struct FragColumn {};
/// 4 * (texel column - begin), consecutive.
struct FragColumn4 {
  IntUniform begin{};
};
/// Texture row - begin + rows_before. At most one of them is given.
struct FragRow {
  IntUniform begin{};
  IntUniform rows_before{};
};
/// Finished trips of the block.
struct Counter {
  BlockNumber block;
};
/// Four times as many, consecutive.
struct Counter4 {
  BlockNumber block;
};
/// 0, 1, 2, 3: consecutive, from 0.
struct LaneNumber {};
/// Texel column / 2, texture row / 2: the place of the quad.
struct QuadColumn {};
struct QuadRow {};
/// Texel column % 2, texture row % 2: the place within the quad.
struct MemberColumn {};
struct MemberRow {};
/// Number of the overlay: the triangle, among overlapping ones.
struct OverlayNumber {};
struct IntScalar {
  IntUniform value;
};
/// The sum of value * factor, plus the constant.
struct Sum {
  struct Term {
    Operand value;
    IntUniform factor{};  ///< none: 1
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms{};
  IntUniform constant{};   ///< none: 0
  bool is_number = false;  ///< rounded if it exceeds the integers
};
/// dividend / divisor, for dividend >= 0.
struct Quotient {
  Operand dividend;
  IntUniform divisor;
  bool is_small;  ///< the dividend is below 2^20
};
/// dividend - quotient * divisor.
struct Remainder {
  Operand dividend;
  Operand quotient;
  IntUniform divisor;
};
/// A value as an index below the size: counted from the end if negative, then clamped.
struct ClampIndex {
  Operand value;
  IntUniform size;
};
/// trips if index < end, otherwise 0.
struct TripsIf {
  Operand trips;
  Operand index;
  IntUniform end;
};

// ---- Addresses ----

/// Where a texel of the input lies.
struct TexelCoordinate {
  Operand index;  ///< an element offset in a texture row, or the row
  bool is_row;
  InputNumber input{};                            ///< none unless texels are read by texture()
  FloatUniform inverse{};                         ///< 1 / side, for the same
  std::int32_t elements_per_texel = core::lanes;  ///< of a column
};

// ---- Values ----

struct Load {
  InputNumber input;
  Fetch fetch = Fetch::row;
  std::int8_t component = -1;  ///< of four, for splat and lanes; -1: only known at run time
  Operand x{}, y{};            ///< texel coordinates
  Operand layer{};
  Operand offset{};  ///< in the texture row, where the component or the decoding depends on it
  EncodingNumber encoding{};
};
struct Uniform {
  FloatUniform value;
};
/// The uniform first + index: a real one if the type is f, otherwise an integer.
struct Table {
  Operand index;       ///< in GLSL ES 1.00 a counter
  std::int32_t first;  ///< a multiple of 4
  std::int32_t last;
};
/// An index as a value.
struct IndexValue {
  Operand index;
};
/// A mask, 0 or 1: 0 <= index < end.
struct Inside {
  Operand index;
  bool from_zero;    ///< checks the lower side
  IntUniform end{};  ///< none: the upper side is not checked
};
/// A mask: index == 0.
struct IsZero {
  Operand index;
};
/// In each lane `yes` where the mask is not 0, otherwise `no`.
struct Select {
  Operand mask;
  Operand yes;
  Operand no;
};
/// An elementwise op.
struct Apply {
  OpNumber op;
  std::array<Operand, 3> operands{};  ///< as many as the op has

  std::size_t count() const { return operands[1] < 0 ? 1 : operands[2] < 0 ? 2 : 3; }
};
/// Access to an input by indices that a kernel computes, as an argument of a call.
struct Raw {
  /// Where an element's texel lies.
  struct Place {
    IntUniform offset{};                        ///< of the first element
    IntUniform pitch{};                         ///< elements per texture row
    IntUniform slab{}, layers{};                ///< rows per slab and layers; none in one layer
    Operand inverse_width{}, inverse_height{};  ///< 1 / width and 1 / height, if sampled
    friend bool operator==(const Place&, const Place&) = default;
  };
  IntUniform count{};  ///< of elements, if an index is a number in C order; none: one for each axis
  std::vector<IntUniform> sizes{}, strides{};  ///< of each axis
  Place place{};
  InputNumber input;
  EncodingNumber encoding{};
  std::int32_t elements_per_texel = core::lanes;

  bool by_number() const { return count >= 0; }
  bool layered() const { return place.layers >= 0; }
};
/// The results of a kernel, a tuple.
struct Call {
  std::vector<Operand> arguments{};  ///< its inputs, then its numbers
  OpNumber op;
  Operand mask{};  ///< of existing elements, where it has to know them
};
/// The product of two masks.
struct Both {
  Operand a;
  Operand b;
};
/// The value as the instruction's type.
struct Convert {
  Operand value;
  Conversion how;
};
/// The value with its lanes in another order.
struct Reorder {
  Operand value;
  Swizzle order;
};
/// Lane k is lane 0 of values[k]; 0 where there are fewer than four.
struct Pack {
  std::array<Operand, 4> values{};
};
/// Lane k is one lane of texels[k].
struct Column {
  std::array<Operand, 4> texels;
  std::int32_t lane;
};
/// Four of the eight lanes of low and high, side by side, from the lane `by` on.
struct Shift {
  Operand low;
  Operand high;
  std::int32_t by;
};
/// The value where one lane of the mask is set, 0 elsewhere.
struct Keep {
  Operand mask;
  std::int32_t lane;
  Operand value;
};
/// sum + a product of `left` and a matrix, which has a row or a column of it in each value.
struct Product {
  /// rows: adds lane k of left times right[k]. dots: adds to lane k the dot product of left and
  /// right[k].
  enum class Form : std::uint8_t { rows, dots };
  Form form;
  Operand sum;
  Operand left;
  std::array<Operand, 4> right;
};
/// The sum of both fragments' `first` in the left or lower one of a pair, the sum of both `second`
/// in the other one.
struct Exchange {
  Operand first;
  Operand second;
  Pair pair;
};
/// The value of the other fragment of a pair.
struct Neighbour {
  Operand value;
  Pair pair;
};
/// Accumulators of a value at a position, or the identity if there is no value.
struct Lift {
  OpNumber op;
  Operand value{};
  Operand position{};
};
/// Accumulators of two tuples of them.
struct Combine {
  std::vector<Operand> accumulators{};  ///< of the first tuple, then of the second
  OpNumber op;
  Operand mask{};  ///< lanes to combine; the other lanes keep the first tuple's
};
/// The op's outputs, from accumulators.
struct Finish {
  std::vector<Operand> accumulators{};
  OpNumber op;
};
/// A component of the tuple of a Call, Lift, Combine or Finish.
struct Extract {
  Operand tuple;
  std::int32_t number;
};
struct CarriedValue {
  BlockNumber block;
  std::int32_t number;
  friend bool operator==(const CarriedValue&, const CarriedValue&) = default;
};
/// A carried value within its block.
struct Carried {
  CarriedValue of;
};
/// A carried value after its block.
struct Result {
  CarriedValue of;
};

/// Indices come first, then addresses, then values.
using Operation =
    std::variant<FragColumn, FragColumn4, FragRow, Counter, Counter4, LaneNumber, QuadColumn,
                 QuadRow, MemberColumn, MemberRow, OverlayNumber, IntScalar, Sum, Quotient,
                 Remainder, ClampIndex, TripsIf, TexelCoordinate, Load, Uniform, Table, IndexValue,
                 Inside, IsZero, Select, Apply, Raw, Call, Both, Convert, Reorder, Pack, Column,
                 Shift, Keep, Product, Exchange, Neighbour, Lift, Combine, Finish, Extract, Carried,
                 Result>;

/// The number of an operation among them.
template <class T, class... All>
constexpr std::size_t number_among(const std::variant<All...>*) {
  constexpr std::array same{std::is_same_v<T, All>...};
  std::size_t k = 0;
  while (!same[k]) ++k;
  return k;
}
template <class T>
inline constexpr std::size_t number_of = number_among<T>(static_cast<const Operation*>(nullptr));

/// One function of several, by the type of its argument: std::visit(OneOf{...}, operation).
template <class... Functions>
struct OneOf : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
OneOf(Functions...) -> OneOf<Functions...>;

/// `count` operands as an array, as many as there are.
template <std::size_t count, class Values>
std::array<Operand, count> operands_of(const Values& values) {
  std::array<Operand, count> all;
  for (std::size_t k = 0; k < values.size(); ++k) all.at(k) = values[k];
  return all;
}

}  // namespace trigon::detail::kernel
