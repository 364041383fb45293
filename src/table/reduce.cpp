// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

// The facts of a reduction along axes.
Facts reduces([[maybe_unused]] const char* like, [[maybe_unused]] std::vector<Domain> gradient,
              [[maybe_unused]] const char* kinks = "") {
  return TRIGON_FACTS(.like = like, .examples = {"f(2,3), 1"}, .refused = {{"f(2,3), 2", bad_axis}},
                      .gradient = std::move(gradient), .kinks = kinks);
}

#define TRIGON_REDUCTION(NAME, LIKE, ...)                                           \
  row(                                                                              \
      #NAME "(x, axis=null, keepdims=false)",                                       \
      [](T x, const Axes& axis, bool keep) { return trigon::NAME(x, axis, keep); }, \
      reduces(LIKE, __VA_ARGS__))

}  // namespace

std::vector<Row> rows_of_reduce() {
  return {
      TRIGON_REDUCTION(sum, "np.sum", everywhere),
      TRIGON_REDUCTION(prod, "np.prod", everywhere),
      TRIGON_REDUCTION(max, "np.max, torch.amax", everywhere, "several elements are the largest"),
      TRIGON_REDUCTION(min, "np.min, torch.amin", everywhere, "several elements are the smallest"),
      TRIGON_REDUCTION(mean, "np.mean", everywhere),
      TRIGON_REDUCTION(ptp, "np.ptp", everywhere,
                       "several elements are the largest or the smallest"),
      TRIGON_REDUCTION(count_nonzero, "np.count_nonzero", {}),
      TRIGON_REDUCTION(any, "np.any", {}),
      TRIGON_REDUCTION(all, "np.all", {}),
      TRIGON_REDUCTION(nansum, "np.nansum", everywhere),
      TRIGON_REDUCTION(nanmax, "np.nanmax", everywhere, "several elements are the largest"),
      TRIGON_REDUCTION(nanmean, "np.nanmean", everywhere),
      TRIGON_REDUCTION(logsumexp, "scipy.special.logsumexp", everywhere),
      TRIGON_REDUCTION(norm, "np.linalg.norm", everywhere, "all elements are 0"),
      row(
          "argmax(x, axis=null, keepdims=false)",
          [](T x, Maybe<int> axis, bool keep) { return trigon::argmax(x, axis, keep); },
          reduces("np.argmax", {})),
      row(
          "argmin(x, axis=null, keepdims=false)",
          [](T x, Maybe<int> axis, bool keep) { return trigon::argmin(x, axis, keep); },
          reduces("np.argmin", {})),
      row(
          "var(x, axis=null, ddof=0, keepdims=false)",
          [](T x, const Axes& axis, int ddof, bool keep) {
            return trigon::var(x, axis, {.keepdims = keep, .ddof = ddof});
          },
          reduces("np.var", everywhere)),
      row(
          "stddev(x, axis=null, ddof=0, keepdims=false)",
          [](T x, const Axes& axis, int ddof, bool keep) {
            return trigon::stddev(x, axis, {.keepdims = keep, .ddof = ddof});
          },
          reduces("np.std", everywhere, "all elements are equal")),
      row(
          "average(x, axis=null, weights=null)",
          [](T x, const Axes& axis, const Maybe<Tensor>& weights) {
            return trigon::average(x, axis, weights.value_or(Tensor()));
          },
          TRIGON_FACTS(.like = "np.average", .examples = {"f(2,3), 1, f(2,3)"},
                       .refused = {{"f(2,3), 2, f(2,3)", bad_axis},
                                   {"f(2,3), 1, f(4)", "weights do not fit"}},
                       .gradient = everywhere, .kinks = "the weights sum to 0")),
  };
}

}  // namespace trigon::detail::table
