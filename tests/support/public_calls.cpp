// SPDX-License-Identifier: MIT
#include "support/public_calls.hpp"

#include <cstdint>

#ifdef TRIGON_TEST_IMAGE
#include <trigon/extend.hpp>
#include <trigon/image.hpp>
#endif
#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "table/table.hpp"

namespace trigon {

std::vector<Tensor> leaves(const detail::table::Example& example) {
  std::vector<Tensor> all;
  for (const auto& one : example.operands) all.push_back(leaf(one.shape, one.dtype));
  return all;
}

const std::vector<PublicCall>& public_calls() {
  // The predicate of a function of functions.
  static const detail::table::Row of_cond = detail::table::row(
      "cond(predicate)",
      [](const Tensor& predicate) {
        return cond(predicate, sin, cos, leaf({2, 3}));
      },
      {.examples = {"b(2,3)"}, .refused = {{"b(4)", "shapes do not broadcast"}}});
  static const std::vector<PublicCall> all = [] {
    std::vector<PublicCall> list;
    const auto add = [&](const detail::table::Row& row) {
      for (const char* one : row.facts.examples) list.push_back({row, read_example(row, one)});
      for (const auto& [arguments, wrong] : row.facts.refused) {
        list.push_back({row, read_example(row, arguments), wrong});
      }
    };
    add(of_cond);
    for (const detail::table::Row* row : detail::table::rows()) {
      if (!row->facts.reads && !row->facts.of_pages) add(*row);  // calls_that_read() has them
    }
    return list;
  }();
  return all;
}

const std::vector<EmptyCall>& calls_that_read() {
  using T = const Tensor&;
  static const std::vector<EmptyCall> calls{
      {"nonzero", "x", [](T x) { return nonzero(x); }},
      {"eval", "a root", [](T x) { eval(std::span(&x, 1)); }},
      {"cost", "a root", [](T x) { return cost(x); }},
      {"explain", "a root", [](T x) { return explain(x); }},
      {"to_string", "x", [](T x) { return to_string(x); }},
      {"save_npy", "x", [](T x) { save_npy("x.npy", x); }},
#ifdef TRIGON_TEST_IMAGE
      {"save_png", "image", [](T x) { save_png("x.png", x); }},
#endif
      {"save_safetensors", "tensor \"w\"",
       [](T x) {
         save_safetensors("x", {{"w", x}});
       }},
      {"grad", "the result of f", [](T x) { return grad([x](T) { return x; }, leaf({2})); }},
      {"vjp", "dy", [](T x) { return vjp([](T in) { return in; }, leaf({2})).pullback(x); }},
      {"fori_loop", "a bound",
       [](T x) {
         return fori_loop(
             0, x, [](T, T y) { return y; }, leaf({2}));
       }},
      {"while_loop", "the condition",
       [](T x) { return while_loop([x](T) { return x; }, [](T y) { return y; }, leaf({2})); }},
      {"index", "x", [](T x) { return x[0]; }},
      {"index", "x", [](T x) { return x.at(0).get(); }},
      {"set", "x", [](T x) { return x.at(0).set(1); }},
      {"set", "v", [](T x) { return leaf({2}).at(0).set(x); }},
      {"add", "x", [](T x) { return x.at(0).add(1); }},
      {"reshape", "x", [](T x) { return x.reshape(2, 3); }},
      {"transpose", "x", [](T x) { return x.T(); }},
      {"astype", "x", [](T x) { return x.astype(int32); }},
      {"Tensor::shape", "it", [](T x) { return x.shape(); }},
      {"Tensor::dtype", "it", [](T x) { return x.dtype(); }},
      {"Tensor::ndim", "it", [](T x) { return x.ndim(); }},
      {"Tensor::size", "it", [](T x) { return x.size(); }},
      {"Tensor::device", "it", [](T x) { return x.device(); }},
      {"Tensor::eval", "it", [](T x) { x.eval(); }},
      {"Tensor::to_vector", "it", [](T x) { return x.to_vector<float>(); }},
      {"Tensor::to_vector", "it", [](T x) { return x.to_vector<double>(); }},
      {"Tensor::to_vector", "it", [](T x) { return x.to_vector<std::int64_t>(); }},
      {"Tensor::read_async", "it", [](T x) { return x.read_async<float>(); }},
      {"Tensor::read_async", "it", [](T x) { return x.read_async<std::int64_t>(); }},
      {"Tensor::item", "it", [](T x) { return x.item(); }},
      {"Tensor::read", "it", [](T x) { x.read(nullptr, float32); }},
      {"square_all", "x",
       [](T x) { return ElementwiseKernel("float x", "float y", "y = x * x", "square_all")(x); }},
  };
  return calls;
}

}  // namespace trigon
