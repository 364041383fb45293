// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include <trigon/extend.hpp>
#include <trigon/image.hpp>

#include "row.hpp"

namespace web {

using trigon::Axes;
using trigon::DType;
using trigon::Scalar;
using trigon::Shape;
using trigon::Tensor;
using trigon::random::Key;
namespace cm = trigon::cm;
namespace linalg = trigon::linalg;
namespace nn = trigon::nn;
namespace random = trigon::random;

Row parse_signature(std::string_view signature, std::span<const char* const> types, int count) {
  Row row;
  const std::size_t open = signature.find('(');
  const std::size_t close = signature.rfind(')');
  row.name = signature.substr(0, open);
  row.count = count;
  if (const std::size_t arrow = signature.find("-> ", close); arrow != signature.npos) {
    const std::string_view by = signature.substr(arrow + 3);
    row.count = by == "?" ? Json(nullptr) : Json(by);
  }
  std::string_view rest = signature.substr(open + 1, close - open - 1);
  for (const char* type : types) {
    std::size_t end = rest.find(", ");
    while (end != rest.npos && rest.find('[') < end && rest.find(']') > end) {
      end = rest.find(", ", rest.find(']'));  // within a list
    }
    const std::string_view one = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 2);
    const std::size_t equals = one.find('=');
    Parameter parameter{.name = std::string(one.substr(0, equals)), .type = type};
    if (equals != one.npos) parameter.by_default = Json::parse(one.substr(equals + 1));
    row.parameters.push_back(std::move(parameter));
  }
  return row;
}

namespace {

using T = const Tensor&;
using List = const std::vector<Tensor>&;
using Ints = const Integers&;
using Text = const std::string&;
using Random = const Key&;
using Length = const std::optional<Scalar>&;
template <class V>
using Maybe = std::optional<V>;

std::vector<Tensor> call_op(const Given& given) {
  std::vector<Tensor> x;
  for (std::size_t k = 0; k < given.row.parameters.size(); ++k) {
    x.push_back(Type<Tensor>::read(given[k]));
  }
  const trigon::Op& op = *given.row.op;
  if (x.size() == 1) return {trigon::detail::apply(op, x[0])};
  if (x.size() == 2) return {trigon::detail::apply(op, x[0], x[1])};
  return {trigon::detail::apply(op, x[0], x[1], x[2])};
}

// Elementwise ops are declared to the library: name and number of operands say all.
std::vector<Row> rows_of_ops() {
  static const std::map<std::string_view, const char*> named{{"where", "where(condition, x, y)"},
                                                             {"clip", "clip(x, min, max)"}};
  constexpr const char* types[] = {"Tensor", "Tensor", "Tensor"};
  std::vector<Row> rows;
  const auto add = [&](const trigon::Op* op, const std::string& signature, std::size_t operands) {
    rows.push_back(parse_signature(signature, std::span(types).first(operands), 1));
    rows.back().function = call_op;
    rows.back().op = op;
  };
  for (const trigon::Op* op : trigon::registry()) {
    const std::string name(op->name);
    switch (op->family) {
      case trigon::Family::unary: add(op, name + "(x)", 1); break;
      case trigon::Family::binary: add(op, name + "(a, b)", 2); break;
      case trigon::Family::ternary: add(op, named.at(name), 3); break;
      default: break;
    }
  }
  return rows;
}

#define WEB_REDUCTION(NAME)                   \
  row(#NAME "(x, axis=null, keepdims=false)", \
      [](T x, const Axes& axis, bool keep) { return trigon::NAME(x, axis, keep); })

std::vector<Row> rows_of_reductions() {
  return {
      WEB_REDUCTION(sum),
      WEB_REDUCTION(prod),
      WEB_REDUCTION(max),
      WEB_REDUCTION(min),
      WEB_REDUCTION(moments),
      WEB_REDUCTION(max_sumexp),
      WEB_REDUCTION(mean),
      WEB_REDUCTION(ptp),
      WEB_REDUCTION(count_nonzero),
      WEB_REDUCTION(any),
      WEB_REDUCTION(all),
      WEB_REDUCTION(nansum),
      WEB_REDUCTION(nanmax),
      WEB_REDUCTION(nanmean),
      WEB_REDUCTION(logsumexp),
      WEB_REDUCTION(norm),
      row("argmax(x, axis=null, keepdims=false)",
          [](T x, Maybe<int> axis, bool keep) { return trigon::argmax(x, axis, keep); }),
      row("argmin(x, axis=null, keepdims=false)",
          [](T x, Maybe<int> axis, bool keep) { return trigon::argmin(x, axis, keep); }),
      row("var(x, axis=null, ddof=0, keepdims=false)",
          [](T x, const Axes& axis, int ddof, bool keep) {
            return trigon::var(x, axis, keep, ddof);
          }),
      row("stddev(x, axis=null, ddof=0, keepdims=false)",
          [](T x, const Axes& axis, int ddof, bool keep) {
            return trigon::stddev(x, axis, keep, ddof);
          }),
      row("average(x, axis=null, weights=null)",
          [](T x, const Axes& axis, Maybe<Tensor> weights) {
            return trigon::average(x, axis, weights.value_or(Tensor()));
          }),
  };
}

std::vector<Row> rows_of_creation() {
  return {
      row("scalar(value)", [](const Scalar& value) { return value.tensor(); }),
      row("zeros(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::zeros(shape, dtype); }),
      row("ones(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::ones(shape, dtype); }),
      row("empty(shape, dtype=\"float32\")",
          [](const Shape& shape, DType dtype) { return trigon::empty(shape, dtype); }),
      row("full(shape, fill_value, dtype=\"float32\")",
          [](const Shape& shape, double value, DType dtype) {
            return trigon::full(shape, value, dtype);
          }),
      row("zeros_like(x)", [](T x) { return trigon::zeros_like(x); }),
      row("ones_like(x)", [](T x) { return trigon::ones_like(x); }),
      row("empty_like(x)", [](T x) { return trigon::empty_like(x); }),
      row("full_like(x, fill_value, dtype=null)",
          [](T x, double value, Maybe<DType> dtype) { return trigon::full_like(x, value, dtype); }),
      row("arange(start, stop=null, step=1)",
          [](Number start, Maybe<Number> stop, Number step) {
            if (!stop) stop = std::exchange(start, Number{0, true});
            if (!start.is_whole || !stop->is_whole || !step.is_whole) {
              return trigon::arange(start.value, stop->value, step.value);
            }
            return trigon::arange(static_cast<std::int64_t>(start.value),
                                  static_cast<std::int64_t>(stop->value),
                                  static_cast<std::int64_t>(step.value));
          }),
      row("iota(n)", [](std::int64_t n) { return trigon::iota(n); }),
      row("linspace(start, stop, num=50, endpoint=true)",
          [](double start, double stop, std::int64_t n, bool endpoint) {
            return trigon::linspace(start, stop, n, endpoint);
          }),
      row("logspace(start, stop, num=50, endpoint=true, base=10)",
          [](double start, double stop, std::int64_t n, bool endpoint, double base) {
            return trigon::logspace(start, stop, n, endpoint, base);
          }),
      row("eye(N, M=null, k=0, dtype=\"float32\")",
          [](std::int64_t n, Maybe<std::int64_t> m, int k, DType dtype) {
            return trigon::eye(n, m.value_or(n), k, dtype);
          }),
      row("indices(dimensions)", [](const Shape& shape) { return trigon::indices(shape); }),
      row("meshgrid(xs, indexing=\"xy\") -> xs",
          [](List xs, Text indexing) { return trigon::meshgrid(xs, indexing); }),
  };
}

Tensor rolled(T x, Ints shift, const Maybe<Integers>& axis) {
  if (!shift.is_list && (!axis || !axis->is_list)) {
    return trigon::roll(x, shift.values[0],
                        axis ? Maybe<int>(static_cast<int>(axis->values[0])) : Maybe<int>());
  }
  std::vector<int> axes;
  if (axis) axes.assign(axis->values.begin(), axis->values.end());
  return trigon::roll(x, shift.values, axes);
}

Tensor moved(T x, Ints source, Ints destination) {
  const std::vector<int> from(source.values.begin(), source.values.end());
  const std::vector<int> to(destination.values.begin(), destination.values.end());
  return trigon::moveaxis(x, from, to);
}

Tensor windows(T x, Ints shape, const Maybe<Integers>& axis) {
  std::vector<int> axes;
  if (axis) axes.assign(axis->values.begin(), axis->values.end());
  return trigon::sliding_window_view(x, shape.values, axes);
}

Tensor padded(T x, const std::vector<trigon::PadWidth>& widths, Text mode, double value) {
  if (mode == "constant") return trigon::pad(x, widths, value);
  return trigon::pad(x, widths, std::string_view(mode));
}

std::vector<Tensor> split_at(T x, Ints where, int axis) {
  if (where.is_list) return trigon::array_split(x, where.values, axis);
  return trigon::array_split(x, where.values[0], axis);
}

std::vector<Row> rows_of_views() {
  return {
      row("astype(x, dtype)", [](T x, DType dtype) { return x.astype(dtype); }),
      row("reshape(x, shape)", [](T x, const trigon::Dims& s) { return trigon::reshape(x, s); }),
      row("ravel(x)", [](T x) { return trigon::ravel(x); }),
      row("transpose(x, axes=null)",
          [](T x, const Maybe<std::vector<int>>& axes) {
            return axes ? trigon::transpose(x, *axes) : trigon::transpose(x);
          }),
      row("swapaxes(x, axis1, axis2)", [](T x, int a, int b) { return trigon::swapaxes(x, a, b); }),
      row("moveaxis(x, source, destination)",
          [](T x, Ints source, Ints destination) { return moved(x, source, destination); }),
      row("broadcast_to(x, shape)",
          [](T x, const Shape& shape) { return trigon::broadcast_to(x, shape); }),
      row("broadcast_arrays(xs) -> xs", [](List xs) { return trigon::broadcast_arrays(xs); }),
      row("expand_dims(x, axis)", [](T x, int axis) { return trigon::expand_dims(x, axis); }),
      row("squeeze(x, axis=null)", [](T x, const Axes& axis) { return trigon::squeeze(x, axis); }),
      row("flip(x, axis=null)", [](T x, const Axes& axis) { return trigon::flip(x, axis); }),
      row("roll(x, shift, axis=null)",
          [](T x, Ints shift, const Maybe<Integers>& axis) { return rolled(x, shift, axis); }),
      row("rot90(x, k=1, axes=[0, 1])",
          [](T x, int k, Ints axes) {
            return trigon::rot90(
                x, k, {static_cast<int>(axes.values.at(0)), static_cast<int>(axes.values.at(1))});
          }),
      row("tile(x, reps)", [](T x, Ints reps) { return trigon::tile(x, reps.values); }),
      row("repeat(x, repeats, axis=null)",
          [](T x, std::int64_t n, Maybe<int> axis) { return trigon::repeat(x, n, axis); }),
      row("index(x, entries)",
          [](T x, const std::vector<trigon::Index>& at) { return trigon::index(x, at); }),
      row("set_at(x, entries, value)", [](T x, const std::vector<trigon::Index>& at,
                                          T v) { return trigon::SelectedPart(x, at).set(v); }),
      row("add_at(x, entries, value)", [](T x, const std::vector<trigon::Index>& at,
                                          T v) { return trigon::SelectedPart(x, at).add(v); }),
      row("sliding_window_view(x, window_shape, axis=null)",
          [](T x, Ints shape, const Maybe<Integers>& axis) { return windows(x, shape, axis); }),
      row("diagonal(x, offset=0, axis1=0, axis2=1)",
          [](T x, std::int64_t offset, int a, int b) { return trigon::diagonal(x, offset, a, b); }),
      row("diag(x, k=0)", [](T x, std::int64_t k) { return trigon::diag(x, k); }),
      row("tril(x, k=0)", [](T x, int k) { return trigon::tril(x, k); }),
      row("triu(x, k=0)", [](T x, int k) { return trigon::triu(x, k); }),
      row("pad(x, pad_width, mode=\"constant\", constant_values=0)",
          [](T x, const std::vector<trigon::PadWidth>& widths, Text mode, double value) {
            return padded(x, widths, mode, value);
          }),
      row("concatenate(arrays, axis=0)",
          [](List parts, int axis) { return trigon::concatenate(parts, axis); }),
      row("stack(arrays, axis=0)", [](List parts, int axis) { return trigon::stack(parts, axis); }),
      row("vstack(arrays)", [](List parts) { return trigon::vstack(parts); }),
      row("hstack(arrays)", [](List parts) { return trigon::hstack(parts); }),
      row("split(x, sections, axis=0) -> sections",
          [](T x, int sections, int axis) { return trigon::split(x, sections, axis); }),
      row("array_split(x, indices_or_sections, axis=0) -> indices_or_sections",
          [](T x, Ints where, int axis) { return split_at(x, where, axis); }),
  };
}

std::vector<Row> rows_of_indexing() {
  return {
      row("take(x, indices, axis=0)",
          [](T x, T indices, int axis) { return trigon::take(x, indices, axis); }),
      row("take_along_axis(x, indices, axis)",
          [](T x, T indices, int axis) { return trigon::take_along_axis(x, indices, axis); }),
      row("scatter_add(x, indices, v, axis)",
          [](T x, T indices, T v, int axis) { return trigon::scatter_add(x, indices, v, axis); }),
      row("nonzero(x) -> ?", [](T x) { return trigon::nonzero(x); }),
  };
}

std::vector<Row> rows_of_products() {
  return {
      row("matmul(a, b, inner=null, columns=null)",
          [](T a, T b, Length inner, Length columns) {
            return trigon::matmul(a, b, {.inner = inner, .columns = columns});
          }),
      row("dot(a, b)", [](T a, T b) { return trigon::dot(a, b); }),
      row("inner(a, b)", [](T a, T b) { return trigon::inner(a, b); }),
      row("outer(a, b)", [](T a, T b) { return trigon::outer(a, b); }),
      row("kron(a, b)", [](T a, T b) { return trigon::kron(a, b); }),
      row("vecdot(a, b, axis=-1)", [](T a, T b, int axis) { return trigon::vecdot(a, b, axis); }),
      row("cross(a, b, axis=-1)", [](T a, T b, int axis) { return trigon::cross(a, b, axis); }),
      row("tensordot(a, b, axes=2)",
          [](T a, T b, const ProductAxes& axes) {
            if (!axes.listed) return trigon::tensordot(a, b, axes.count);
            return trigon::tensordot(a, b, axes.listed->first, axes.listed->second);
          }),
      row("einsum(subscripts, operands)",
          [](Text subscripts, List operands) { return trigon::einsum(subscripts, operands); }),
      row("trace(x, offset=0, axis1=0, axis2=1)",
          [](T x, std::int64_t offset, int a, int b) { return trigon::trace(x, offset, a, b); }),
      row("linalg::matrix_power(x, n)",
          [](T x, std::int64_t n) { return linalg::matrix_power(x, n); }),
      row("linalg::multi_dot(arrays)", [](List parts) { return linalg::multi_dot(parts); }),
  };
}

std::vector<Row> rows_of_special() {
  return {
      row("bitwise_not(x)", [](T x) { return trigon::bitwise_not(x); }),
      row("isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=false)",
          [](T a, T b, double rtol, double atol, bool nan) {
            return trigon::isclose(a, b, rtol, atol, nan);
          }),
      row("allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=false)",
          [](T a, T b, double rtol, double atol, bool nan) {
            return trigon::allclose(a, b, rtol, atol, nan);
          }),
      row("array_equal(a, b, equal_nan=false)",
          [](T a, T b, bool nan) { return trigon::array_equal(a, b, nan); }),
      row("nan_to_num(x, nan=0, posinf=null, neginf=null)",
          [](T x, double nan, Maybe<double> high, Maybe<double> low) {
            return trigon::nan_to_num(x, nan, high, low);
          }),
      row("heaviside(x, at_zero)", [](T x, T at_zero) { return trigon::heaviside(x, at_zero); }),
      row("sinc(x)", [](T x) { return trigon::sinc(x); }),
      row("xlogy(x, y)", [](T x, T y) { return trigon::xlogy(x, y); }),
      row("logit(x)", [](T x) { return trigon::logit(x); }),
      row("divmod(a, b)", [](T a, T b) { return trigon::divmod(a, b); }),
  };
}

std::vector<Row> rows_of_random() {
  return {
      row("random::key_data(key)", [](Random key) { return random::key_data(key); }),
      row("random::bits(key, shape)",
          [](Random key, const Shape& shape) { return random::bits(key, shape); }),
      row("random::halves(key, shape)",
          [](Random key, const Shape& shape) { return random::halves(key, shape); }),
      row("random::uniform(key, shape, low=0, high=1)",
          [](Random key, const Shape& shape, double low, double high) {
            return random::uniform(key, shape, low, high);
          }),
      row("random::normal(key, shape, mean=0, stddev=1)",
          [](Random key, const Shape& shape, double mean, double stddev) {
            return random::normal(key, shape, mean, stddev);
          }),
      row("random::truncated_normal(key, lower, upper, shape)",
          [](Random key, double lower, double upper, const Shape& shape) {
            return random::truncated_normal(key, lower, upper, shape);
          }),
      row("random::exponential(key, shape, scale=1)",
          [](Random key, const Shape& shape, double scale) {
            return random::exponential(key, shape, scale);
          }),
      row("random::gumbel(key, shape, loc=0, scale=1)",
          [](Random key, const Shape& shape, double loc, double scale) {
            return random::gumbel(key, shape, loc, scale);
          }),
      row("random::integers(key, shape, low, high=null)",
          [](Random key, const Shape& shape, std::int64_t low, Maybe<std::int64_t> high) {
            return high ? random::integers(key, shape, low, *high)
                        : random::integers(key, shape, low);
          }),
      row("random::bernoulli(key, p=0.5, shape=null)",
          [](Random key, T p, const Maybe<Shape>& shape) {
            return random::bernoulli(key, p, shape);
          }),
      row("random::categorical(key, logits, axis=-1, shape=null)",
          [](Random key, T logits, int axis, const Maybe<Shape>& shape) {
            return random::categorical(key, logits, axis, shape);
          }),
  };
}

std::vector<Row> rows_of_nn() {
  return {
      row("nn::softmax(x, axis=-1, length=null)",
          [](T x, int axis, Length length) { return nn::softmax(x, axis, length); }),
      row("nn::log_softmax(x, axis=-1)", [](T x, int axis) { return nn::log_softmax(x, axis); }),
      row("nn::layer_norm(x, weight=null, bias=null, eps=1e-5)",
          [](T x, T weight, T bias, double eps) { return nn::layer_norm(x, weight, bias, eps); }),
      row("nn::rms_norm(x, weight=null, eps=1e-6)",
          [](T x, T weight, double eps) { return nn::rms_norm(x, weight, eps); }),
      row("nn::gelu(x, approximate=\"none\")",
          [](T x, nn::Gelu approximate) { return nn::gelu(x, approximate); }),
      row("nn::silu(x)", [](T x) { return nn::silu(x); }),
      row("nn::embedding(ids, weight)", [](T ids, T weight) { return nn::embedding(ids, weight); }),
      row("nn::linear(x, weight, bias=null)",
          [](T x, T weight, T bias) { return nn::linear(x, weight, bias); }),
      row("nn::scaled_dot_product_attention(q, k, v, is_causal=false, scale=null, past=null)",
          [](T q, T k, T v, bool causal, Maybe<double> scale, Length past) {
            return nn::scaled_dot_product_attention(
                q, k, v, {.is_causal = causal, .scale = scale, .past = past});
          }),
      row("nn::one_hot(ids, classes, dtype=\"float32\")",
          [](T ids, std::int64_t classes, DType dtype) {
            return nn::one_hot(ids, classes, dtype);
          }),
      row("nn::mse_loss(x, target, reduction=\"mean\")",
          [](T x, T target, nn::Reduction reduction) {
            return nn::mse_loss(x, target, reduction);
          }),
      row("nn::cross_entropy(logits, target, reduction=\"mean\")",
          [](T logits, T target, nn::Reduction reduction) {
            return nn::cross_entropy(logits, target, reduction);
          }),
      row("cm::viridis(x)", [](T x) { return cm::viridis(x); }),
      row("cm::magma(x)", [](T x) { return cm::magma(x); }),
      row("cm::coolwarm(x)", [](T x) { return cm::coolwarm(x); }),
      row("cm::turbo(x)", [](T x) { return cm::turbo(x); }),
  };
}

}  // namespace

const std::vector<Row>& table() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (auto* part :
         {rows_of_ops, rows_of_reductions, rows_of_creation, rows_of_views, rows_of_indexing,
          rows_of_products, rows_of_special, rows_of_random, rows_of_nn}) {
      for (Row& one : part()) all.push_back(std::move(one));
    }
    return all;
  }();
  return rows;
}

const std::vector<std::pair<std::string, std::string>>& left_out() {
  const char* own = "the page has its own: eval(), data(), item(), shape(), dtype(), explain()";
  const char* files = "a page has no files";
  const char* code = "takes C++ functions, which a page cannot send";
  static const std::vector<std::pair<std::string, std::string>> names{
      {"eval", own},
      {"explain", own},
      {"cost", own},
      {"to_string", own},
      {"save_npy", files},
      {"save_safetensors", files},
      {"save_png", files},
      {"grad", code},
      {"vjp", code},
      {"fori_loop", code},
      {"while_loop", code},
      {"cond", code},
      {"stop_gradient", "means nothing without gradients"},
      {"set", "set_at, and x.at(...).set(v)"},
      {"square_all", "a kernel of the user's own, which pages do not make yet"}};
  return names;
}

const Row& row_of(std::string_view name) {
  static const std::map<std::string_view, const Row*> rows = [] {
    std::map<std::string_view, const Row*> all;
    for (const Row& one : table()) all.emplace(one.name, &one);
    return all;
  }();
  const auto found = rows.find(name);
  if (found == rows.end())
    throw trigon::Error(fmt::format("trigon: there is no function {}", name));
  return *found->second;
}

std::vector<Tensor> Row::call(const Handles& handles, const Json& arguments) const {
  return function({*this, handles, arguments});
}

std::string Row::js_name() const {
  std::string text = name;
  if (const std::size_t colons = text.find("::"); colons != text.npos) text.replace(colons, 2, ".");
  return text;
}

Json describe_table() {
  Json rows = Json::array();
  for (const Row& one : table()) {
    Json parameters = Json::array();
    for (const Parameter& parameter : one.parameters) {
      Json described{{"name", parameter.name}, {"type", parameter.type}};
      if (parameter.by_default) described["default"] = *parameter.by_default;
      parameters.push_back(std::move(described));
    }
    rows.push_back({{"name", one.name},
                    {"js", one.js_name()},
                    {"count", one.count},
                    {"parameters", std::move(parameters)}});
  }
  return rows;
}

}  // namespace web
