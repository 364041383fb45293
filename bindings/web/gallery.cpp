// SPDX-License-Identifier: MIT
#include "gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "fluid.hpp"
#include "gray_scott.hpp"
#include "life.hpp"
#include "mandelbrot.hpp"
#include "n_body.hpp"

namespace simulate {
namespace {

constexpr std::array table = {
    Gallery::Item{.entry = &mandelbrot_entry,
                  .pointer = "drag to move, turn the wheel or pinch to zoom",
                  .size = 400,
                  .steps = 200,
                  .still_after = 4000},
    Gallery::Item{.entry = &gray_scott_entry,
                  .pointer = "press to pour in the second substance",
                  .size = 256,
                  .steps = 16},
    Gallery::Item{.entry = &fluid_entry,
                  .pointer = "drag to stir, and to leave smoke",
                  .size = 160,
                  .steps = 1},
    Gallery::Item{
        .entry = &life_entry, .pointer = "press to bring cells to life", .size = 200, .steps = 1},
    Gallery::Item{.entry = &n_body_entry,
                  .pointer = "drag to turn the view, turn the wheel or pinch to come nearer",
                  .size = 512,
                  .steps = 1},
};

const Gallery::Item& find_item(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Gallery::Item& one) {
    return one.entry->name == name;
  });
  if (found != table.end()) return *found;
  std::vector<std::string_view> names;
  for (const Gallery::Item& one : table) names.emplace_back(one.entry->name);
  throw trigon::Error(
      fmt::format("simulate::Gallery: no such simulation: name is \"{}\"; must be "
                  "one of {}",
                  name, fmt::join(names, ", ")));
}

std::int64_t checked_size(const Entry& entry, std::int64_t size) {
  constexpr std::int64_t least = 4;
  if (size >= least && size <= entry.most_elements) return size;
  throw trigon::Error(fmt::format("simulate::Gallery: bad size: size is {}; must be from {} to {}",
                                  size, least, entry.most_elements));
}

void check_finite(const char* function, std::initializer_list<double> numbers) {
  for (const double x : numbers) {
    if (std::isfinite(x)) continue;
    throw trigon::Error(fmt::format(
        "simulate::Gallery::{}: bad place: a number is {}; must be finite", function, x));
  }
}

// (fields, size): the share of each of `fields` equal intervals that a pixel covers.
trigon::Tensor shares(std::int64_t fields, std::int64_t size) {
  const double length = static_cast<double>(size) / static_cast<double>(fields);
  const trigon::Tensor row = trigon::arange(static_cast<double>(size));
  const trigon::Tensor field = trigon::arange(static_cast<double>(fields)).reshape(fields, 1);
  const trigon::Tensor right = row + 1.0;
  const trigon::Tensor end = minimum(right, (field + 1.0) * length);
  const trigon::Tensor overlap = end - maximum(row, field * length);
  return maximum(overlap, 0.0) / length;
}

}  // namespace

std::span<const Gallery::Item> Gallery::items() { return table; }

Gallery::Gallery(std::string_view name, std::int64_t size, std::int64_t seed)
    : item_(find_item(name)),
      size_(checked_size(*item_.entry, size == 0 ? item_.size : size)),
      simulation_(item_.entry->make({.elements = size_, .steps = item_.steps, .seed = seed})) {
  reset();
}

// Others may draw between two calls.
template <class F>
void Gallery::count(F&& work) {
  const trigon::Counters before = trigon::counters() - spent_;
  std::forward<F>(work)();
  spent_ = trigon::counters() - before;
}

trigon::Tensor Gallery::frame(std::int64_t steps) {
  constexpr std::int64_t most = 10'000;
  if (steps < 0 || steps > most) {
    throw trigon::Error(fmt::format(
        "simulate::Gallery::frame: bad steps: steps is {}; must be from 0 to {}", steps, most));
  }
  if (item_.still_after == 0 || still_ < item_.still_after) {
    const std::int64_t due = steps == 0 ? item_.steps : steps;
    picture_ = {};  // its texture is free for the next one
    count([&] { picture_ = run_->frame(due); });
    still_ += due;
  }
  cost_ = std::exchange(spent_, {});
  return picture_;
}

trigon::Tensor Gallery::brightness(std::int64_t fields) const {
  constexpr std::int64_t most = 256;
  if (fields < 1 || fields > most) {
    throw trigon::Error(
        fmt::format("simulate::Gallery::brightness: bad fields: fields is {}; must be from 1 to {}",
                    fields, most));
  }
  const trigon::Tensor colours = picture_.has_value() ? picture_ : run_->picture();
  const trigon::Shape& shape = colours.shape();
  const trigon::Tensor luma = sum(colours * trigon::tensor({0.2126F, 0.7152F, 0.0722F}), 2);
  const trigon::Tensor rows = matmul(shares(fields, shape[0]), luma);
  return matmul(rows, shares(fields, shape[1]).T());
}

void Gallery::pointer(double x, double y, double dx, double dy, bool pressed) {
  check_finite("pointer", {x, y, dx, dy});
  if (!pressed) return;
  count([&] { run_->touch({x, y, dx, dy}); });
  still_ = 0;
}

void Gallery::zoom(double factor, double x, double y) {
  check_finite("zoom", {x, y});
  if (!(std::isfinite(factor) && factor > 0.0)) {
    throw trigon::Error(fmt::format(
        "simulate::Gallery::zoom: bad factor: factor is {}; must be finite and larger than 0",
        factor));
  }
  count([&] { run_->zoom({factor, x, y}); });
  still_ = 0;
}

void Gallery::set(std::string_view name, double value) {
  std::vector<std::string_view> names;
  for (Parameter& one : simulation_->parameters()) {
    if (one.name == name) {
      if (!(value >= one.least && value <= one.most)) {
        throw trigon::Error(
            fmt::format("simulate::Gallery::set: bad value: {} is {}; must be from {} to {}", name,
                        value, one.least, one.most));
      }
      one.value = value;
      still_ = 0;
      return;
    }
    names.emplace_back(one.name);
  }
  throw trigon::Error(fmt::format(
      "simulate::Gallery::set: no such parameter: name is \"{}\"; {} has {}", name,
      item_.entry->name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void Gallery::reset() {
  spent_ = {};
  count([&] { run_ = simulation_->start(Form::tensor); });
  still_ = 0;
}

std::string Gallery::explain() const { return run_->explain(item_.steps); }

}  // namespace simulate
