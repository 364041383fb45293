// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "table.hpp"

namespace web {

/// A row of the table without its call. "sum(x, axis=null, keepdims=false)": names and defaults,
/// which are JSON. "-> axis" after it names the parameter that says how many tensors there are,
/// "-> ?" says that the values do.
Row parse_signature(std::string_view signature, std::span<const char* const> types, int count);

namespace detail {

inline std::vector<trigon::Tensor> listed(trigon::Tensor y) { return {std::move(y)}; }
inline std::vector<trigon::Tensor> listed(std::vector<trigon::Tensor> y) { return y; }
inline std::vector<trigon::Tensor> listed(std::pair<trigon::Tensor, trigon::Tensor> y) {
  return {std::move(y.first), std::move(y.second)};
}

template <class R>
constexpr int count_of = std::is_same_v<R, std::pair<trigon::Tensor, trigon::Tensor>> ? 2 : 1;

// Braces: the arguments are read in their order.
template <class F, class... A, std::size_t... K>
std::vector<trigon::Tensor> invoke(const Given& given, std::index_sequence<K...>) {
  std::tuple<A...> values{Type<A>::read(given[K])...};
  return listed(std::apply(F(), std::move(values)));
}

template <class F, class R, class... A>
Row make_row(std::string_view signature, R (F::*)(A...) const) {
  static constexpr const char* types[] = {Type<std::remove_cvref_t<A>>::name...};
  Row row = parse_signature(signature, types, count_of<R>);
  row.function = [](const Given& given) {
    return invoke<F, std::remove_cvref_t<A>...>(given, std::index_sequence_for<A...>());
  };
  return row;
}

}  // namespace detail

/// A row whose call is a lambda without captures: the types of its arguments say how they are read.
template <class F>
Row row(std::string_view signature, F) {
  return detail::make_row(signature, &F::operator());
}

}  // namespace web
