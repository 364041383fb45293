// SPDX-License-Identifier: MIT
#include "support/public_calls.hpp"

#include <cstdint>
#include <utility>

#ifdef TRIGON_TEST_IMAGE
#include <trigon/extend.hpp>
#include <trigon/image.hpp>
#endif
#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"

namespace trigon {
namespace {

Row unary(const std::string& name, std::function<Tensor(const Tensor&)> f,
          std::function<Tensor(const Tensor&)> on_axis = nullptr,
          const std::string& operand = "x") {
  Row row{.name = name, .operands = {operand}, .call = [f](Tensors x) { f(x[0]); }};
  row.shapes = {{2, 3}};
  if (on_axis) row.on_axis = [on_axis](Tensors x) { on_axis(x[0]); };
  return row;
}

Row binary(const std::string& name, std::function<void(const Tensor&, const Tensor&)> f,
           std::vector<std::string> operands = {"a", "b"}) {
  Row row{.name = name, .operands = std::move(operands)};
  row.call = [f](Tensors x) { f(x[0], x[1]); };
  row.shapes = {{2, 3}, {2, 3}};
  row.unfit = {{2, 3}, {4}};
  return row;
}

Row list(const std::string& name, const std::string& what,
         std::function<void(std::span<const Tensor>)> f, const Shape& shape = {2, 3}) {
  Row row{.name = name, .operands = {what + " 0", what + " 1"}, .call = std::move(f)};
  row.shapes = {shape, shape};
  return row;
}

template <class F>
Row reduction(const std::string& name, F f) {
  return unary(
      name, [f](const Tensor& x) { return f(x, 1); }, [f](const Tensor& x) { return f(x, 2); });
}

#define REDUCTION(NAME) reduction(#NAME, [](const Tensor& x, int axis) { return NAME(x, axis); })

std::vector<Row> rows_of_ops() {
  std::vector<Row> rows;
  for (const Op* op : registry()) {
    const std::string name(op->name);
    switch (op->family) {
      case Family::unary:
        rows.push_back(unary(name, [op](const Tensor& x) { return detail::apply(*op, x); }));
        break;
      case Family::binary:
        rows.push_back(binary(
            name, [op](const Tensor& a, const Tensor& b) { return detail::apply(*op, a, b); }));
        if (op->binary().integers_only) rows.back().dtype = int32;
        if (op->binary().uint32_only) rows.back().dtype = uint32;
        break;
      case Family::ternary:
        rows.push_back({.name = name,
                        .operands = {"a", "b", "c"},
                        .call = [op](Tensors x) { return detail::apply(*op, x[0], x[1], x[2]); },
                        .shapes = {{2, 3}, {}, {3}},
                        .unfit = {{2, 3}, {3}, {4}}});
        break;
      default: break;
    }
  }
  return rows;
}

std::vector<Row> rows_of_reductions() {
  return {REDUCTION(sum),    REDUCTION(prod),          REDUCTION(max),        REDUCTION(min),
          REDUCTION(argmax), REDUCTION(argmin),        REDUCTION(moments),    REDUCTION(mean),
          REDUCTION(var),    REDUCTION(stddev),        REDUCTION(max_sumexp), REDUCTION(ptp),
          REDUCTION(any),    REDUCTION(count_nonzero), REDUCTION(all),        REDUCTION(nansum),
          REDUCTION(nanmax), REDUCTION(nanmean),       REDUCTION(logsumexp),  REDUCTION(norm)};
}

std::vector<Row> rows_of_views() {
  std::vector<Row> rows{
      unary("zeros_like", zeros_like),
      unary("ones_like", ones_like),
      unary("empty_like", empty_like),
      unary("full_like", [](const Tensor& x) { return full_like(x, 2); }),
      unary("tril", [](const Tensor& x) { return tril(x); }),
      unary("triu", [](const Tensor& x) { return triu(x); }),
      unary("reshape", [](const Tensor& x) { return reshape(x, {6}); }),
      unary("ravel", ravel),
      unary(
          "transpose", [](const Tensor& x) { return transpose(x); },
          [](const Tensor& x) {
            return transpose(x, {0, 2});
          }),
      unary(
          "swapaxes", [](const Tensor& x) { return swapaxes(x, 0, 1); },
          [](const Tensor& x) { return swapaxes(x, 0, 2); }),
      unary(
          "moveaxis", [](const Tensor& x) { return moveaxis(x, 0, 1); },
          [](const Tensor& x) { return moveaxis(x, 2, 0); }),
      unary(
          "moveaxis",
          [](const Tensor& x) {
            return moveaxis(x, {0, 1}, {1, 0});
          },
          [](const Tensor& x) {
            return moveaxis(x, {0, 2}, {1, 0});
          }),
      unary("broadcast_to",
            [](const Tensor& x) {
              return broadcast_to(x, {4, 2, 3});
            }),
      unary(
          "expand_dims", [](const Tensor& x) { return expand_dims(x, 0); },
          [](const Tensor& x) { return expand_dims(x, 3); }),
      unary(
          "squeeze", [](const Tensor& x) { return squeeze(x); },
          [](const Tensor& x) { return squeeze(x, 2); }),
      unary(
          "flip", [](const Tensor& x) { return flip(x); },
          [](const Tensor& x) { return flip(x, 2); }),
      unary("index", [](const Tensor& x) { return index(x, std::vector<Index>{1}); }),
      unary(
          "sliding_window_view", [](const Tensor& x) { return sliding_window_view(x, 2, 1); },
          [](const Tensor& x) { return sliding_window_view(x, 2, 2); }),
      unary(
          "diagonal", [](const Tensor& x) { return diagonal(x); },
          [](const Tensor& x) { return diagonal(x, 0, 0, 2); }),
      unary("diag", [](const Tensor& x) { return diag(x); }),
      unary("pad",
            [](const Tensor& x) {
              return pad(x, {{1, 1}, {1, 1}});
            }),
      unary("pad",
            [](const Tensor& x) {
              return pad(x, {{1, 1}, {1, 1}}, "edge");
            }),
      unary("stop_gradient", stop_gradient),
      unary(
          "roll", [](const Tensor& x) { return roll(x, 1); },
          [](const Tensor& x) { return roll(x, 1, 2); }),
      unary(
          "roll",
          [](const Tensor& x) {
            return roll(x, {1, 1}, {0, 1});
          },
          [](const Tensor& x) {
            return roll(x, {1, 1}, {0, 2});
          }),
      unary("tile", [](const Tensor& x) { return tile(x, 2); }),
      unary(
          "repeat", [](const Tensor& x) { return repeat(x, 2); },
          [](const Tensor& x) { return repeat(x, 2, 2); }),
      unary(
          "rot90", [](const Tensor& x) { return rot90(x); },
          [](const Tensor& x) {
            return rot90(x, 1, {0, 2});
          }),
      unary(
          "split", [](const Tensor& x) { return split(x, 2)[0]; },
          [](const Tensor& x) { return split(x, 2, 2)[0]; }),
      unary(
          "array_split", [](const Tensor& x) { return array_split(x, 2)[0]; },
          [](const Tensor& x) { return array_split(x, 2, 2)[0]; }),
      unary(
          "array_split", [](const Tensor& x) { return array_split(x, {1})[0]; },
          [](const Tensor& x) { return array_split(x, {1}, 2)[0]; }),
      unary(
          "trace", [](const Tensor& x) { return trace(x); },
          [](const Tensor& x) { return trace(x, 0, 0, 2); }),
      list("meshgrid", "x", [](Tensors x) { return meshgrid(x); }, {3}),
      list("broadcast_arrays", "x", [](Tensors x) { return broadcast_arrays(x); }),
      list("vstack", "part", [](Tensors x) { return vstack(x); }),
      list("hstack", "part", [](Tensors x) { return hstack(x); }),
      list("concatenate", "part", [](Tensors x) { return concatenate(x); }),
      list("stack", "part", [](Tensors x) { return stack(x); }),
  };
  for (Row& row : rows) {
    if (row.name == "meshgrid") row.unfit = {{3}, {2, 3}};
    if (row.name == "broadcast_arrays" || row.name == "stack") row.unfit = {{2, 3}, {4}};
    if (row.name.ends_with("stack") || row.name == "concatenate") row.unfit = {{2, 3}, {3, 4, 4}};
    if (row.name == "concatenate") row.on_axis = [](Tensors x) { return concatenate(x, 2); };
    if (row.name == "stack") row.on_axis = [](Tensors x) { return stack(x, 3); };
  }
  return rows;
}

std::vector<Row> rows_of_products() {
  std::vector<Row> rows{
      binary("matmul", [](const Tensor& a, const Tensor& b) { return matmul(a, b); }),
      binary("dot", dot),
      binary("inner", inner),
      binary("outer", outer),
      binary("kron", kron),
      binary("tensordot", [](const Tensor& a, const Tensor& b) { return tensordot(a, b); }),
      binary("tensordot",
             [](const Tensor& a, const Tensor& b) {
               return tensordot(a, b, {{0}, {0}});
             }),
      binary("vecdot", [](const Tensor& a, const Tensor& b) { return vecdot(a, b); }),
      binary("cross", [](const Tensor& a, const Tensor& b) { return cross(a, b); }),
      binary("take", [](const Tensor& x, const Tensor& i) { return take(x, i); }, {"x", "indices"}),
      binary("take_along_axis",
             [](const Tensor& x, const Tensor& i) { return take_along_axis(x, i, 0); },
             {"x", "indices"}),
      list("einsum", "operand", [](Tensors x) { return einsum("ij,ij", x); }),
      list("linalg::multi_dot", "x", [](Tensors x) { return linalg::multi_dot(x); }, {3, 3}),
      unary("linalg::matrix_power", [](const Tensor& x) { return linalg::matrix_power(x, 3); }),
  };
  for (Row& row : rows) {
    const bool stacked = row.name == "matmul" || row.name == "dot";
    if (stacked) row.shapes = {{2, 3}, {3, 4}};
    if (row.name == "einsum") row.unfit = {{2, 3}, {2, 4}};
    if (row.name == "linalg::multi_dot") row.unfit = {{2, 3}, {4, 2}};
    if (row.name == "linalg::matrix_power") row.shapes = {{3, 3}};
    if (row.name == "take") row.unfit.clear();
    if (row.name == "outer") row.unfit.clear();
    if (row.name == "kron") row.unfit = {{1, 1, 1, 1, 1}, {2}};
    if (row.name == "vecdot" || row.name == "cross") row.unfit = {{2, 3}, {4, 3}};
    const auto axis = [&row](auto f) { row.on_axis = [f](Tensors x) { f(x[0], x[1]); }; };
    using T = const Tensor&;
    if (row.name == "vecdot") axis([](T a, T b) { return vecdot(a, b, 2); });
    if (row.name == "cross") axis([](T a, T b) { return cross(a, b, 2); });
    if (row.name == "take") axis([](T x, T i) { return take(x, i, 2); });
    if (row.name == "take_along_axis") axis([](T x, T i) { return take_along_axis(x, i, 2); });
    if (row.name == "tensordot") axis([](T a, T b) { return tensordot(a, b, {{2}, {0}}); });
  }
  rows.push_back({.name = "scatter_add",
                  .operands = {"x", "indices", "v"},
                  .call = [](Tensors x) { return scatter_add(x[0], x[1], x[2], 0); },
                  .shapes = {{4, 3}, {2}, {2, 3}},
                  .on_axis = [](Tensors x) { return scatter_add(x[0], x[1], x[2], 2); },
                  .unfit = {{4, 3}, {2}, {3, 3}}});
  return rows;
}

std::vector<Row> rows_of_special() {
  using T = const Tensor&;
  std::vector<Row> rows{
      binary("isclose", [](T a, T b) { return isclose(a, b); }),
      binary("allclose", [](T a, T b) { return allclose(a, b); }),
      binary("array_equal", [](T a, T b) { return array_equal(a, b); }),
      binary("heaviside", heaviside, {"x", "at_zero"}),
      binary("xlogy", xlogy, {"x", "y"}),
      binary("divmod", divmod),
      unary(
          "random::bernoulli", [](T p) { return random::bernoulli(1, p); }, nullptr, "p"),
      unary(
          "random::categorical", [](T x) { return random::categorical(1, x); },
          [](T x) { return random::categorical(1, x, 2); }, "logits"),
      unary("nan_to_num", [](T x) { return nan_to_num(x); }),
      unary("sinc", sinc),
      unary("logit", logit),
      unary("bitwise_not", bitwise_not),
      binary("average", [](T x, T w) { return average(x, 1, w); }, {"x", ""}),
      unary("cond", [](T x) { return cond(x > 0, sin, cos, 1.0); }),
  };
  for (Row& row : rows) {
    if (row.name == "array_equal") row.unfit.clear();  // they are not equal
    if (row.name == "bitwise_not") row.dtype = int32;
    if (row.name == "average") row.on_axis = [](Tensors x) { return average(x[0], 2, x[1]); };
    if (row.name != "cond") continue;
    row = {.name = "cond", .operands = {"predicate"}, .dtype = boolean};
    row.call = [](Tensors x) { return cond(x[0], sin, cos, leaf({2, 3})); };
    row.shapes = {{2, 3}};
    row.unfit = {{4}};
  }
  return rows;
}

std::vector<Row> rows_of_nn() {
  using T = const Tensor&;
  const auto attend = [](Tensors x) { return nn::scaled_dot_product_attention(x[0], x[1], x[2]); };
  std::vector<Row> rows{
      reduction("nn::softmax", [](T x, int axis) { return nn::softmax(x, axis); }),
      reduction("nn::log_softmax", [](T x, int axis) { return nn::log_softmax(x, axis); }),
      unary("nn::gelu", [](T x) { return nn::gelu(x); }),
      unary("nn::silu", nn::silu),
      {.name = "nn::one_hot",
       .operands = {"ids"},
       .call = [](Tensors x) { return nn::one_hot(x[0], 3); },
       .shapes = {{2, 3}}},
      binary("nn::rms_norm", [](T x, T w) { return nn::rms_norm(x, w); }, {"x", ""}),
      binary("nn::embedding", nn::embedding, {"ids", "weight"}),
      binary("nn::mse_loss", [](T x, T y) { return nn::mse_loss(x, y); }, {"x", "target"}),
      binary("nn::cross_entropy", [](T x, T y) { return nn::cross_entropy(x, y); },
             {"logits", "target"}),
      {.name = "nn::layer_norm",
       .operands = {"x", "", ""},
       .call = [](Tensors x) { return nn::layer_norm(x[0], x[1], x[2]); },
       .shapes = {{2, 3}, {3}, {3}},
       .unfit = {{2, 3}, {3}, {2}}},
      {.name = "nn::linear",
       .operands = {"x", "weight", ""},
       .call = [](Tensors x) { return nn::linear(x[0], x[1], x[2]); },
       .shapes = {{2, 3}, {4, 3}, {4}},
       .unfit = {{2, 3}, {4, 3}, {3}}},
      {.name = "nn::scaled_dot_product_attention",
       .operands = {"q", "k", "v"},
       .call = attend,
       .shapes = {{2, 3}, {4, 3}, {4, 5}},
       .unfit = {{2, 2, 3}, {3, 4, 3}, {4, 5}}},
  };
  for (Row& row : rows) {
    if (row.name == "nn::rms_norm") row.shapes = {{2, 3}, {3}};
  }
  return rows;
}

std::vector<Row> rows_of_images() {
#ifdef TRIGON_TEST_IMAGE
  return {unary("cm::viridis", cm::viridis), unary("cm::magma", cm::magma),
          unary("cm::coolwarm", cm::coolwarm), unary("cm::turbo", cm::turbo)};
#else
  return {};
#endif
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> list;
    for (const auto& part :
         {rows_of_ops(), rows_of_reductions(), rows_of_views(), rows_of_products(),
          rows_of_special(), rows_of_nn(), rows_of_images()}) {
      list.insert(list.end(), part.begin(), part.end());
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
