// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {

std::vector<Row> rows_of_nn() {
  return {
      row(
          "nn::softmax(x, axis=-1, length=null)",
          [](T x, int axis, Length length) { return nn::softmax(x, axis, length); },
          TRIGON_FACTS(.like = "torch.nn.functional.softmax", .examples = {"f(2,3), 1"},
                       .refused = {{"f(2,3), 2", bad_axis}}, .gradient = everywhere)),
      row(
          "nn::log_softmax(x, axis=-1)", [](T x, int axis) { return nn::log_softmax(x, axis); },
          TRIGON_FACTS(.like = "torch.nn.functional.log_softmax", .examples = {"f(2,3), 1"},
                       .refused = {{"f(2,3), 2", bad_axis}}, .gradient = everywhere)),
      row(
          "nn::layer_norm(x, weight=null, bias=null, eps=1e-5)",
          [](T x, T weight, T bias, double eps) {
            return nn::layer_norm(x, weight, bias, {.eps = eps});
          },
          TRIGON_FACTS(.like = "torch.nn.functional.layer_norm", .examples = {"f(2,3), f(3), f(3)"},
                       .refused = {{"f(2,3), f(3), f(2)", "bias does not fit"}},
                       .gradient = everywhere)),
      row(
          "nn::rms_norm(x, weight=null, eps=1e-6)",
          [](T x, T weight, double eps) { return nn::rms_norm(x, weight, eps); },
          TRIGON_FACTS(.like = "torch.nn.functional.rms_norm", .examples = {"f(2,3), f(3)"},
                       .refused = {{"f(2,3), f(4)", "weight does not fit"}},
                       .gradient = everywhere)),
      row(
          "nn::gelu(x, approximate=\"none\")",
          [](T x, nn::Gelu approximate) { return nn::gelu(x, approximate); },
          TRIGON_FACTS(.like = "torch.nn.functional.gelu",
                       .examples = {"f(2,3)", "f(2,3), \"tanh\""}, .gradient = everywhere)),
      row(
          "nn::silu(x)", [](T x) { return nn::silu(x); },
          TRIGON_FACTS(.like = "torch.nn.functional.silu", .examples = {"f(2,3)"},
                       .gradient = everywhere)),
      row(
          "nn::embedding(ids, weight)", [](T ids, T weight) { return nn::embedding(ids, weight); },
          TRIGON_FACTS(.like = "torch.nn.functional.embedding", .examples = {"i(2,3), f(2,3)"},
                       .refused = {{"i(2,3), f(4)", "weight is not a matrix"},
                                   {"f(2,3), f(2,3)", "ids are not integers"}},
                       .gradient = {{"weight"}})),
      row(
          "nn::linear(x, weight, bias=null)",
          [](T x, T weight, T bias) { return nn::linear(x, weight, bias); },
          TRIGON_FACTS(.like = "torch.nn.functional.linear", .examples = {"f(2,3), f(4,3), f(4)"},
                       .refused = {{"f(2,3), f(4,3), f(3)", "bias does not fit"}},
                       .gradient = everywhere)),
      row(
          "nn::scaled_dot_product_attention(q, k, v, is_causal=false, scale=null, past=null)",
          [](T q, T k, T v, bool causal, Maybe<double> scale, Length past) {
            return nn::scaled_dot_product_attention(
                q, k, v, {.is_causal = causal, .scale = scale, .past = past});
          },
          TRIGON_FACTS(.like = "torch.nn.functional.scaled_dot_product_attention",
                       .examples = {"f(2,3), f(4,3), f(4,5)"},
                       .refused = {{"f(2,2,3), f(3,4,3), f(4,5)", "shapes do not fit"}},
                       .gradient = everywhere)),
      row(
          "nn::one_hot(ids, classes, dtype=\"float32\")",
          [](T ids, std::int64_t classes, DType dtype) { return nn::one_hot(ids, classes, dtype); },
          TRIGON_FACTS(.like = "torch.nn.functional.one_hot", .examples = {"i(2,3), 3"},
                       .refused = {{"i(2,3), -1", "negative count"},
                                   {"f(2,3), 3", "ids are not integers"}})),
      row(
          "nn::mse_loss(x, target, reduction=\"mean\")",
          [](T x, T target, nn::Reduction reduction) { return nn::mse_loss(x, target, reduction); },
          TRIGON_FACTS(.like = "torch.nn.functional.mse_loss", .examples = {"f(2,3), f(2,3)"},
                       .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}},
                       .gradient = everywhere)),
      row(
          "nn::cross_entropy(logits, target, reduction=\"mean\")",
          [](T logits, T target, nn::Reduction reduction) {
            return nn::cross_entropy(logits, target, reduction);
          },
          TRIGON_FACTS(.like = "torch.nn.functional.cross_entropy",
                       .examples = {"f(2,3), f(2,3)", "f(2,3), i(2)"},
                       .refused = {{"f(2,3), f(4)", "target does not fit"}},
                       .gradient = everywhere)),
  };
}

}  // namespace trigon::detail::table
