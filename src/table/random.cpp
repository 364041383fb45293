// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

[[maybe_unused]] constexpr const char* lists =
    "the page has its own: keys are lists there, and [7, 3] is fold_in(7, 3)";

}  // namespace

std::vector<Row> rows_of_random() {
  return {
      no_call("random::key(seed)", TRIGON_FACTS(.like = "jax.random.key", .left_out = lists)),
      no_call("random::split(key, n=2)",
              TRIGON_FACTS(.like = "jax.random.split", .left_out = lists)),
      no_call("random::fold_in(key, number)",
              TRIGON_FACTS(.like = "jax.random.fold_in", .left_out = lists)),
      row(
          "random::key_data(key)", [](Random key) { return random::key_data(key); },
          TRIGON_FACTS(.like = "jax.random.key_data", .examples = {"7", "[7, 3]"},
                       .refused = {{"1.5", "bad argument"}})),
      row(
          "random::bits(key, shape)",
          [](Random key, const Shape& shape) { return random::bits(key, shape); },
          TRIGON_FACTS(.like = "jax.random.bits", .examples = {"7, [2, 3]"})),
      row(
          "random::uniform(key, shape, low=0, high=1)",
          [](Random key, const Shape& shape, double low, double high) {
            return random::uniform(key, shape, low, high);
          },
          TRIGON_FACTS(.like = "jax.random.uniform", .examples = {"7, [2, 3]"},
                       .refused = {{"7, [2, 3], 1, 0", "bounds do not fit"}})),
      row(
          "random::normal(key, shape, mean=0, stddev=1)",
          [](Random key, const Shape& shape, double mean, double stddev) {
            return random::normal(key, shape, mean, stddev);
          },
          TRIGON_FACTS(.like = "jax.random.normal", .examples = {"7, [2, 3]"},
                       .refused = {{"7, [2, 3], 0, -1", "stddev is negative"}})),
      row(
          "random::truncated_normal(key, lower, upper, shape)",
          [](Random key, double lower, double upper, const Shape& shape) {
            return random::truncated_normal(key, lower, upper, shape);
          },
          TRIGON_FACTS(.like = "jax.random.truncated_normal", .examples = {"7, -1, 1, [2, 3]"},
                       .refused = {{"7, 1, -1, [2, 3]", "bounds do not fit"}})),
      row(
          "random::exponential(key, shape, scale=1)",
          [](Random key, const Shape& shape, double scale) {
            return random::exponential(key, shape, scale);
          },
          TRIGON_FACTS(.like = "jax.random.exponential", .examples = {"7, [2, 3]"},
                       .refused = {{"7, [2, 3], -1", "scale is negative"}})),
      row(
          "random::gumbel(key, shape, loc=0, scale=1)",
          [](Random key, const Shape& shape, double loc, double scale) {
            return random::gumbel(key, shape, loc, scale);
          },
          TRIGON_FACTS(.like = "jax.random.gumbel", .examples = {"7, [2, 3]"},
                       .refused = {{"7, [2, 3], 0, -1", "scale is negative"}})),
      row(
          "random::integers(key, shape, low, high=null)",
          [](Random key, const Shape& shape, std::int64_t low, Maybe<std::int64_t> high) {
            return high ? random::integers(key, shape, low, *high)
                        : random::integers(key, shape, low);
          },
          TRIGON_FACTS(.like = "jax.random.randint",
                       .examples = {"7, [2, 3], 10", "7, [2, 3], -5, 5"},
                       .refused = {{"7, [2, 3], 5, 5", "bounds do not fit"}})),
      row(
          "random::bernoulli(key, p=0.5, shape=null)",
          [](Random key, T p, const Maybe<Shape>& shape) {
            return shape ? random::bernoulli(key, p, *shape) : random::bernoulli(key, p);
          },
          TRIGON_FACTS(.like = "jax.random.bernoulli", .examples = {"1, f(2,3)"},
                       .refused = {{"1, f(2,3), [4]", "p does not fit"},
                                   {"1, 2.0", "p is not a probability"}})),
      row(
          "random::categorical(key, logits, axis=-1, shape=null)",
          [](Random key, T logits, int axis, const Maybe<Shape>& shape) {
            return random::categorical(key, logits, axis, shape);
          },
          TRIGON_FACTS(.like = "jax.random.categorical", .examples = {"1, f(2,3)"},
                       .refused = {{"1, f(2,3), 2", bad_axis}})),
  };
}

}  // namespace trigon::detail::table
