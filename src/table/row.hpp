// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "table/arguments.hpp"

namespace trigon::detail::table {

struct Parameter {
  std::string name;
  std::string type;                  ///< TypeScript's; "" without a call
  std::optional<Json> by_default{};  ///< the value passed if it is left out
};

/// Arguments that must be refused, in the form of an example, and the beginning of the error's text
/// after the function's name.
struct Refusal {
  const char* arguments;
  const char* wrong;
};

inline constexpr const char* bad_axis = "axis out of range";

/// A parameter towards which there is a gradient where its elements lie between `low` and `high`.
struct Domain {
  const char* parameter = "";  ///< "": all float parameters
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

inline const std::vector<Domain> everywhere{{}};

/// The facts of a function that tests and the manual use. An example is a list of arguments: f(2,3)
/// is a tensor of that shape, i, u, b or h for the other dtypes; all else is JSON.
struct Facts {
  std::string like{};  ///< the function in NumPy or PyTorch, or both: "np.max, torch.amax"
  std::vector<const char*> examples{};
  std::vector<Refusal> refused{};
  std::vector<Domain> gradient{};  ///< towards other parameters it is 0
  const char* kinks = "";          ///< where there is none in spite of that: "a / b is whole"
  const char* items = "";          ///< how errors name the tensors of a list
  bool reads = false;              ///< it evaluates its operands
  const char* left_out = "";       ///< why pages do not have it
  bool of_pages = false;           ///< no public function: how pages write a call of one
};

/// "0 < x < 1", "everywhere except where a / b is whole", or "none".
std::string gradient_text(const Facts& facts);

/// Why JavaScript lacks some functions.
inline constexpr const char* host = "has to do with C++ or the host alone";

// The browser's module has no room for facts.
#ifdef TRIGON_TABLE_OF_CALLS
inline const Facts no_facts{};
#define TRIGON_FACTS(...) ::trigon::detail::table::no_facts
#else
#define TRIGON_FACTS(...) \
  ::trigon::detail::table::Facts { __VA_ARGS__ }
#endif

struct Given;
using Call = std::vector<Tensor> (*)(const Given& given);

/// A public function of the library.
struct Row {
  std::string name;  ///< "nn::softmax"
  std::vector<Parameter> parameters{};
  /// Tensors that it gives: 1 for one tensor, 2 for DivMod, the name of the parameter whose number
  /// or length says it, null where the values decide.
  Json count = 1;
  /// Null for functions of functions, of files or of host values.
  Call function = nullptr;
  const Op* op = nullptr;  ///< of an elementwise function, otherwise null
  Facts facts{};

  /// Raises Error if an argument has a wrong type, and as the function does.
  std::vector<Tensor> call(const TensorSource& tensors, const Json& arguments) const;
};

/// The arguments of a call, one for each parameter.
struct Given {
  const Row& row;
  const TensorSource& tensors;
  const Json& arguments;

  Argument operator[](std::size_t k) const {
    return {tensors, row.name, row.parameters.at(k).name, arguments.at(k)};
  }
};

/// "sum(x, axis=null, keepdims=false)": names and defaults, which are JSON. "-> axis" after it
/// names the parameter that gives the number of tensors; "-> ?": the values do. `types` are those
/// of the call's parameters.
Row make_row(std::string_view signature, std::span<const char* const> types, int count, Call call,
             const Facts& facts);

/// The row of a function without a call.
Row no_call(std::string_view signature, const Facts& facts);

inline std::vector<Tensor> listed(Tensor y) { return {std::move(y)}; }
inline std::vector<Tensor> listed(std::vector<Tensor> y) { return y; }
inline std::vector<Tensor> listed(DivMod y) {
  return {std::move(y.quotient), std::move(y.remainder)};
}

template <class R>
constexpr int count_of = std::is_same_v<R, DivMod> ? 2 : 1;

// Braces guarantee that the arguments are read in order.
template <class F, class... A, std::size_t... K>
std::vector<Tensor> invoke(const Given& given, std::index_sequence<K...>) {
  std::tuple<A...> values{Type<A>::read(given[K])...};
  return listed(std::apply(F(), std::move(values)));
}

template <class F, class R, class... A>
Row row_of(std::string_view signature, R (F::*)(A...) const, const Facts& facts) {
  static constexpr const char* types[] = {Type<std::remove_cvref_t<A>>::name...};
  const Call call = [](const Given& given) {
    return invoke<F, std::remove_cvref_t<A>...>(given, std::index_sequence_for<A...>());
  };
  return make_row(signature, types, count_of<R>, call, facts);
}

/// A row whose call is a lambda without captures. The types of its parameters decide how arguments
/// are read.
template <class F>
Row row(std::string_view signature, F, const Facts& facts) {
  return row_of(signature, &F::operator(), facts);
}

}  // namespace trigon::detail::table
