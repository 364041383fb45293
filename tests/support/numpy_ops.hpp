// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"

// How the library says what NumPy's functions compute: the table behind the golden cases.

namespace trigon::support {

using Json = nlohmann::json;

/// What a case of golden/numpy hands to its op: tensors, other arguments, keywords.
struct Call {
  std::vector<Tensor> tensors;
  std::vector<Json> literals;
  Json kw;

  const Tensor& x(std::size_t k = 0) const { return tensors.at(k); }
  int integer(std::size_t k) const { return literals.at(k).get<int>(); }
  int keyword(const char* name, int otherwise) const {
    return has(name) ? kw[name].get<int>() : otherwise;
  }
  bool has(const char* name) const { return kw.contains(name) && !kw[name].is_null(); }
  bool keepdims() const { return kw.value("keepdims", false); }
  Axes axes() const {
    if (!has("axis")) return {};
    if (kw["axis"].is_array()) return Axes(kw["axis"].get<std::vector<int>>());
    return Axes(kw["axis"].get<int>());
  }
  std::optional<int> one_axis() const {
    return has("axis") ? std::optional<int>(kw["axis"].get<int>()) : std::nullopt;
  }
};

struct NumpyOp {
  std::vector<Tensor> (*call)(const Call& call) = nullptr;
  Tolerance tolerance = Ulp{0};
};

inline Shape shape_from(const Json& list) {
  const auto dims = list.get<std::vector<std::int64_t>>();
  return Shape(std::span<const std::int64_t>(dims));
}

inline Slice slice_from(const Json& start, const Json& stop, const Json& step) {
  Slice slice;
  if (!start.is_null()) slice.start = start.get<std::int64_t>();
  if (!stop.is_null()) slice.stop = stop.get<std::int64_t>();
  if (!step.is_null()) slice.step = step.get<std::int64_t>();
  return slice;
}

/// [0, ["s", 1, null, 2], "...", null] is [0, 1::2, ..., newaxis].
inline std::vector<Index> index_from(const Json& list) {
  std::vector<Index> entries;
  for (const Json& e : list) {
    if (e.is_null()) {
      entries.emplace_back(newaxis);
    } else if (e.is_string()) {
      entries.emplace_back(ellipsis);
    } else if (e.is_array()) {
      entries.emplace_back(slice_from(e[1], e[2], e[3]));
    } else {
      entries.emplace_back(e.get<std::int64_t>());
    }
  }
  return entries;
}

/// x seen through one step of a recipe: ["transpose", [1, 0]], ["slice", [[0, 4, 2], null]].
inline Tensor apply_view(const Tensor& x, const Json& step) {
  const std::string name = step[0];
  const Json& argument = step[1];
  if (name == "transpose") return transpose(x, argument.get<std::vector<int>>());
  if (name == "broadcast_to") return broadcast_to(x, shape_from(argument));
  if (name == "reshape") return reshape(x, shape_from(argument));
  if (name == "flip") return flip(x, argument.get<std::vector<int>>());
  if (name == "expand_dims") return expand_dims(x, argument.get<int>());
  if (name != "slice") throw std::runtime_error("no view " + name);
  std::vector<Index> entries;
  for (const Json& s : argument) {
    entries.emplace_back(s.is_null() ? Slice{} : slice_from(s[0], s[1], s[2]));
  }
  return index(x, entries);
}

namespace numpy {

template <Tensor (*function)(const Tensor&, const Axes&, bool)>
std::vector<Tensor> reduction(const Call& c) {
  return {function(c.x(), c.axes(), c.keepdims())};
}

template <Tensor (*function)(const Tensor&, std::optional<int>, bool)>
std::vector<Tensor> position(const Call& c) {
  return {function(c.x(), c.one_axis(), c.keepdims())};
}

template <Tensor (*function)(const Tensor&, const Axes&, bool, int)>
std::vector<Tensor> spread(const Call& c) {
  return {function(c.x(), c.axes(), c.keepdims(), c.keyword("ddof", 0))};
}

inline std::vector<Tensor> take_call(const Call& c) {
  if (!c.has("axis")) return {take(ravel(c.x()), c.x(1), 0)};
  return {take(c.x(), c.x(1), c.kw["axis"].get<int>())};
}

inline std::vector<Tensor> pad_call(const Call& c) {
  std::vector<PadWidth> widths;
  for (const Json& w : c.literals[0]) widths.push_back({w[0], w[1]});
  const std::string mode = c.kw.value("mode", "constant");
  return {mode == "constant" ? pad(c.x(), widths) : pad(c.x(), widths, mode)};
}

inline std::vector<Tensor> squeeze_call(const Call& c) {
  return {c.has("axis") ? squeeze(c.x(), c.kw["axis"].get<int>()) : squeeze(c.x())};
}

inline std::vector<Tensor> flip_call(const Call& c) {
  return {c.has("axis") ? flip(c.x(), c.kw["axis"].get<int>()) : flip(c.x())};
}

inline std::vector<Tensor> arange_call(const Call& c) {
  const bool whole = std::all_of(c.literals.begin(), c.literals.end(),
                                 [](const Json& v) { return v.is_number_integer(); });
  const Json step = c.literals.size() > 2 ? c.literals[2] : Json(1);
  if (whole) return {arange(c.integer(0), c.integer(1), step.get<int>())};
  return {arange(c.literals[0].get<double>(), c.literals[1].get<double>(), step.get<double>())};
}

inline std::vector<Tensor> split_call(const Call& c) {
  if (c.literals[0].is_number()) return split(c.x(), c.integer(0), c.keyword("axis", 0));
  std::vector<Tensor> parts;
  std::int64_t from = 0;
  for (const Json& to : c.literals[0]) {
    parts.push_back(c.x()[Slice{from, to.get<std::int64_t>()}]);
    from = to.get<std::int64_t>();
  }
  parts.push_back(c.x()[Slice{from, {}}]);
  return parts;
}

inline std::vector<Tensor> tensordot_call(const Call& c) {
  const auto axes = c.kw["axes"].get<std::vector<std::vector<int>>>();
  return {tensordot(c.x(), c.x(1), axes[0], axes[1])};
}

using Table = std::map<std::string, NumpyOp>;

inline void add_reductions(Table& t) {
  const Tolerance of_sum = find_op("sum")->reduce().tolerance;
  const Tolerance of_moments = find_op("moments")->reduce().tolerance;
  t["sum"] = {reduction<sum>, of_sum};
  t["nansum"] = {reduction<nansum>, of_sum};
  t["mean"] = {reduction<mean>, of_sum};
  t["nanmean"] = {reduction<nanmean>, of_sum};
  t["prod"] = {reduction<prod>, find_op("prod")->reduce().tolerance};
  t["max"] = {reduction<max>, Ulp{0}};
  t["min"] = {reduction<min>, Ulp{0}};
  t["nanmax"] = {reduction<nanmax>, Ulp{0}};
  t["ptp"] = {reduction<ptp>, Ulp{1}};
  t["any"] = {reduction<any>, Ulp{0}};
  t["all"] = {reduction<all>, Ulp{0}};
  t["count_nonzero"] = {reduction<count_nonzero>, Ulp{0}};
  t["norm2"] = {reduction<norm>, Ulp{8}};
  t["logsumexp"] = {reduction<logsumexp>, Tolerance(Ulp{8}, Abs{2e-6})};
  t["argmax"] = {position<argmax>, Ulp{0}};
  t["argmin"] = {position<argmin>, Ulp{0}};
  t["var"] = {spread<var>, of_moments};
  t["std"] = {spread<stddev>, of_moments};
}

inline void add_networks(Table& t) {
  t["silu"] = {[](const Call& c) { return std::vector{nn::silu(c.x())}; }, Ulp{6}};
  t["gelu_tanh"] = {[](const Call& c) { return std::vector{nn::gelu(c.x(), nn::Gelu::tanh)}; },
                    Tolerance(Ulp{8}, Abs{1e-6})};
  t["gelu_erf"] = {[](const Call& c) { return std::vector{nn::gelu(c.x())}; },
                   Tolerance(Ulp{8}, Abs{1e-6})};
  // x - max is rounded at the size of x (100 here), and exp makes a relative error of it.
  t["softmax"] = {
      [](const Call& c) { return std::vector{nn::softmax(c.x(), c.keyword("axis", -1))}; },
      Tolerance(Ulp{64}, Abs{1e-6})};
  t["log_softmax"] = {
      [](const Call& c) { return std::vector{nn::log_softmax(c.x(), c.keyword("axis", -1))}; },
      Tolerance(Ulp{8}, Abs{2e-5})};
  t["layer_norm"] = {
      [](const Call& c) { return std::vector{nn::layer_norm(c.x(), c.x(1), c.x(2))}; },
      Tolerance(Ulp{64}, Abs{2e-5})};
}

inline void add_products(Table& t) {
  const Tolerance of_products(Ulp{16}, Abs{1e-5});
  t["matmul"] = {[](const Call& c) { return std::vector{matmul(c.x(), c.x(1))}; }, of_products};
  t["outer"] = {[](const Call& c) { return std::vector{outer(c.x(), c.x(1))}; }, Ulp{1}};
  t["dot"] = {[](const Call& c) { return std::vector{dot(c.x(), c.x(1))}; }, of_products};
  t["inner"] = {[](const Call& c) { return std::vector{inner(c.x(), c.x(1))}; }, of_products};
  t["tensordot"] = {tensordot_call, of_products};
  t["einsum"] = {[](const Call& c) {
                   return std::vector{einsum(c.literals[0].get<std::string>(), c.tensors)};
                 },
                 of_products};
  t["kron"] = {[](const Call& c) { return std::vector{kron(c.x(), c.x(1))}; }, Ulp{1}};
  t["trace"] = {[](const Call& c) { return std::vector{trace(c.x())}; }, of_products};
}

inline void add_views(Table& t) {
  const Tolerance exact = Ulp{0};
  t["reshape"] = {
      [](const Call& c) {
        return std::vector{reshape(c.x(), c.literals[0].get<std::vector<std::int64_t>>())};
      },
      exact};
  t["transpose"] = {[](const Call& c) {
                      return std::vector{transpose(c.x(), c.literals[0].get<std::vector<int>>())};
                    },
                    exact};
  t["swapaxes"] = {
      [](const Call& c) { return std::vector{swapaxes(c.x(), c.integer(0), c.integer(1))}; },
      exact};
  t["moveaxis"] = {
      [](const Call& c) { return std::vector{moveaxis(c.x(), c.integer(0), c.integer(1))}; },
      exact};
  t["expand_dims"] = {[](const Call& c) { return std::vector{expand_dims(c.x(), c.integer(0))}; },
                      exact};
  t["squeeze"] = {squeeze_call, exact};
  t["broadcast_to"] = {
      [](const Call& c) { return std::vector{broadcast_to(c.x(), shape_from(c.literals[0]))}; },
      exact};
  t["flip"] = {flip_call, exact};
  t["getitem"] = {
      [](const Call& c) { return std::vector{index(c.x(), index_from(c.literals[0]))}; }, exact};
  t["concatenate"] = {
      [](const Call& c) { return std::vector{concatenate(c.tensors, c.keyword("axis", 0))}; },
      exact};
  t["stack"] = {[](const Call& c) { return std::vector{stack(c.tensors, c.keyword("axis", 0))}; },
                exact};
  t["split"] = {split_call, exact};
  t["roll"] = {[](const Call& c) { return std::vector{roll(c.x(), c.integer(0), c.one_axis())}; },
               exact};
  t["tile"] = {[](const Call& c) {
                 return std::vector{tile(c.x(), c.literals[0].get<std::vector<std::int64_t>>())};
               },
               exact};
  t["repeat"] = {
      [](const Call& c) { return std::vector{repeat(c.x(), c.integer(0), c.one_axis())}; }, exact};
  for (const char* mode : {"", ":edge", ":reflect", ":symmetric", ":wrap"}) {
    t[std::string("pad") + mode] = {pad_call, exact};
  }
}

inline void add_rest(Table& t) {
  const Tolerance exact = Ulp{0};
  t["where"] = {[](const Call& c) { return std::vector{where(c.x(), c.x(1), c.x(2))}; }, exact};
  t["nonzero"] = {[](const Call& c) { return nonzero(c.x()); }, exact};
  t["take"] = {take_call, exact};
  t["take_along_axis"] = {
      [](const Call& c) {
        return std::vector{take_along_axis(c.x(), c.x(1), c.keyword("axis", 0))};
      },
      exact};
  t["tril"] = {[](const Call& c) { return std::vector{tril(c.x(), c.keyword("k", 0))}; }, exact};
  t["triu"] = {[](const Call& c) { return std::vector{triu(c.x(), c.keyword("k", 0))}; }, exact};
  // start + i * step in float32: three roundings, and nothing where they cancel.
  const Tolerance of_steps(Ulp{2}, Abs{1e-7});
  t["arange"] = {arange_call, of_steps};
  t["linspace"] = {
      [](const Call& c) { return std::vector{linspace(c.integer(0), c.integer(1), c.integer(2))}; },
      of_steps};
  t["linspace_noend"] = {
      [](const Call& c) {
        return std::vector{linspace(c.integer(0), c.integer(1), c.integer(2), false)};
      },
      of_steps};
  t["diag"] = {[](const Call& c) { return std::vector{diag(c.x(), c.keyword("k", 0))}; }, exact};
  t["eye"] = {
      [](const Call& c) { return std::vector{eye(c.integer(0), c.integer(1), c.integer(2))}; },
      exact};
}

inline const Table& table() {
  static const Table all = [] {
    Table t;
    add_reductions(t);
    add_networks(t);
    add_products(t);
    add_views(t);
    add_rest(t);
    return t;
  }();
  return all;
}

}  // namespace numpy

/// The declared op that NumPy's function is, under the name that it has in the golden cases, or
/// nullptr.
inline const Op* elementwise_op(const std::string& name) {
  static const std::map<std::string, std::string> renamed = {
      {"neg", "negative"},  {"asin", "arcsin"},   {"acos", "arccos"},   {"atan", "arctan"},
      {"asinh", "arcsinh"}, {"acosh", "arccosh"}, {"atanh", "arctanh"}, {"sub", "subtract"},
      {"mul", "multiply"},  {"div", "divide"},    {"pow", "power"},     {"atan2", "arctan2"}};
  const auto found = renamed.find(name);
  const Op* op = find_op(found == renamed.end() ? name : found->second);
  return op != nullptr && (op->family == Family::unary || op->family == Family::binary) ? op
                                                                                        : nullptr;
}

/// Computes a call; an empty list where the library has no such function.
inline std::vector<Tensor> compute(const std::string& name, const Call& c) {
  if (const Op* op = elementwise_op(name)) {
    if (op->family == Family::unary) return {detail::apply(*op, c.x())};
    return {detail::apply(*op, c.x(), c.x(1))};
  }
  return numpy::table().at(name).call(c);
}

inline bool knows(const std::string& name) {
  return elementwise_op(name) != nullptr || numpy::table().count(name) != 0;
}

inline Tolerance tolerance_of(const std::string& name) {
  const Op* op = elementwise_op(name);
  return op != nullptr ? tolerance_of(*op) : numpy::table().at(name).tolerance;
}

}  // namespace trigon::support
