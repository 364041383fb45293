// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include <trigon/detail/shape_class.hpp>

// Attributes of a node, one struct for each kind. The user's graph and the canonical graph have a
// variant each, of those that its kinds use. `fields()` names the fields once, for keys and hashes;
// `for_each_scalar` gives the numbers of Scalars, which are a node's last inputs.

namespace trigon::detail::core {

/// A run-time number of the host, by its number: among the node's inputs in the user's graph, among
/// the plan's scalars in the canonical graph.
struct ScalarNumber {
  std::int32_t number = -1;

  bool is_given() const { return number >= 0; }
  auto fields() const { return std::tie(number); }
  friend bool operator==(const ScalarNumber&, const ScalarNumber&) = default;
};

/// For `map` and `kernel`.
struct ApplyAttrs {
  std::int32_t output = 0;  ///< number of the kernel's output
  bool is_branch = false;   ///< a `where` that chooses for all elements at once

  auto fields() const { return std::tie(output, is_branch); }
  friend bool operator==(const ApplyAttrs&, const ApplyAttrs&) = default;
};

/// Whether the attributes are those of a `where` that chooses for all elements at once.
template <class... Attrs>
bool is_branch(const std::variant<Attrs...>& attrs) {
  const auto* const apply = std::get_if<ApplyAttrs>(&attrs);
  return apply != nullptr && apply->is_branch;
}

struct CastAttrs {
  bool rounds = false;  ///< to what a texture of the dtype holds

  auto fields() const { return std::tie(rounds); }
  friend bool operator==(const CastAttrs&, const CastAttrs&) = default;
};

struct PermuteAttrs {
  std::vector<int> axes;  ///< the input's axis, for each axis of the result

  auto fields() const { return std::tie(axes); }
  friend bool operator==(const PermuteAttrs&, const PermuteAttrs&) = default;
};

/// For `slice` and `write`: a strided box of the whole tensor.
struct RegionAttrs {
  struct Axis {
    std::int64_t start;
    std::int64_t step;
    ScalarNumber scalar{};  ///< added to `start`

    auto fields() const { return std::tie(start, step, scalar); }
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::vector<Axis> axes;

  void for_each_scalar(auto call) {
    for (Axis& axis : axes) call(axis.scalar);
  }
  auto fields() const { return std::tie(axes); }
  friend bool operator==(const RegionAttrs&, const RegionAttrs&) = default;
};

struct PadAttrs {
  std::vector<std::int64_t> before;  ///< elements added before each axis

  auto fields() const { return std::tie(before); }
  friend bool operator==(const PadAttrs&, const PadAttrs&) = default;
};

/// For `take` and `take_along`.
struct TakeAttrs {
  int axis;

  auto fields() const { return std::tie(axis); }
  friend bool operator==(const TakeAttrs&, const TakeAttrs&) = default;
};

/// For `affine`: the index along each axis of the input is start + the sum of factors[k] * index k
/// of the result.
struct AffineAttrs {
  struct Axis {
    std::int64_t start = 0;
    std::array<std::int64_t, Shape::max_rank> factors{};

    auto fields() const { return std::tie(start, factors); }
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::vector<Axis> axes;

  auto fields() const { return std::tie(axes); }
  friend bool operator==(const AffineAttrs&, const AffineAttrs&) = default;
};

struct ReduceAttrs {
  std::vector<bool> reduced;  ///< for each axis of the input
  ScalarNumber length{};      ///< how many of the reduced axis's first elements count

  void for_each_scalar(auto call) { call(length); }
  auto fields() const { return std::tie(reduced, length); }
  friend bool operator==(const ReduceAttrs&, const ReduceAttrs&) = default;
};

struct ContractAttrs {
  ScalarNumber inner{};    ///< length of the inner axis
  ScalarNumber columns{};  ///< number of result columns that count

  void for_each_scalar(auto call) {
    call(inner);
    call(columns);
  }
  auto fields() const { return std::tie(inner, columns); }
  friend bool operator==(const ContractAttrs&, const ContractAttrs&) = default;
};

/// For `scatter_add`: how the indices name rows.
struct ScatterAttrs {
  int axis;
  bool along;   ///< the indices have the updates' shape; otherwise they name rows, as in take
  bool clamps;  ///< rows out of range are clamped, otherwise dropped

  auto fields() const { return std::tie(axis, along, clamps); }
  friend bool operator==(const ScatterAttrs&, const ScatterAttrs&) = default;
};

/// Calls `add(word)` for each number in a value. The value is a number, a struct with `fields()`,
/// an array, or a vector, whose size comes first.
template <class T, class Add>
void for_each_word(const T& value, Add&& add) {
  if constexpr (std::same_as<T, std::monostate>) {
  } else if constexpr (std::floating_point<T>) {
    add(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  } else if constexpr (std::integral<T> || std::is_enum_v<T>) {
    add(static_cast<std::uint64_t>(value));
  } else if constexpr (requires { value.fields(); }) {
    std::apply([&](const auto&... field) { (for_each_word(field, add), ...); }, value.fields());
  } else {
    if constexpr (requires { value.capacity(); }) add(static_cast<std::uint64_t>(value.size()));
    // The type is named because a std::vector<bool> gives proxies.
    for (const typename T::value_type& each : value) for_each_word(each, add);
  }
}

/// The same for a variant: the number of its alternative, then the words of the value.
template <class... Attrs, class Add>
void for_each_word(const std::variant<Attrs...>& attrs, Add&& add) {
  add(static_cast<std::uint64_t>(attrs.index()));
  std::visit([&](const auto& one) { for_each_word(one, add); }, attrs);
}

}  // namespace trigon::detail::core
