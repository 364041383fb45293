// SPDX-License-Identifier: MIT
#include "fluid.hpp"

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "grid.hpp"
#include "looped.hpp"

namespace simulate {
namespace {

using trigon::Tensor;

// Only the pressure depends on the form.
class FluidSimulation : public Simulation {
 public:
  explicit FluidSimulation(const Settings& settings)
      : whole_(settings.elements, settings.seed), single_(whole_), report_(settings.report) {
    single_.single = true;
  }
  std::unique_ptr<Run> start(Form form) const override {
    const Fluid& model = form == Form::steps ? single_ : whole_;
    return std::make_unique<LoopedRun<Fluid>>(model, form, report_);
  }
  // Runs by single steps are compared with others, so theirs stay.
  std::span<Parameter> parameters() override { return whole_.parameters; }

 private:
  Fluid whole_, single_;
  Report report_;
};

}  // namespace

Tensor sample(const Tensor& field, const Tensor& row, const Tensor& column) {
  const std::int64_t rows = field.shape()[0];
  const std::int64_t columns = field.shape()[1];
  const Tensor r = clip(row, 0.0, static_cast<double>(rows - 1));
  const Tensor c = clip(column, 0.0, static_cast<double>(columns - 1));
  const Tensor top = floor(r);
  const Tensor left = floor(c);
  const Tensor r0 = top.astype(trigon::int32);
  const Tensor c0 = left.astype(trigon::int32);
  const Tensor r1 = minimum(r0 + 1, rows - 1);
  const Tensor c1 = minimum(c0 + 1, columns - 1);
  const Tensor flat = ravel(field);
  const auto at = [&](const Tensor& i, const Tensor& j) { return take(flat, i * columns + j); };
  const Tensor right_share = c - left;
  const auto between = [&](const Tensor& i) {
    const Tensor first = at(i, c0);
    const Tensor second = at(i, c1);
    return first + (second - first) * right_share;
  };
  const Tensor above = between(r0);
  const Tensor below = between(r1);
  const Tensor change = below - above;
  return above + change * (r - top);
}

Fluid::Fluid(std::int64_t n, std::int64_t seed) : side(n) {
  // A disc near the bottom, slightly off the middle.
  const double size = static_cast<double>(n);
  const double middle = size * (0.5 + 0.02 * static_cast<double>(seed % 5 - 2));
  const Tensor i = trigon::arange(n).astype(trigon::float32);
  const Tensor height = square(expand_dims(i, 1) - 0.88 * size);
  const Tensor distance = height + square(i - middle);
  source = (distance < square(Tensor(0.05 * size))).astype(trigon::float32).eval();
}

Fluid::State Fluid::start() const {
  const Tensor zero = trigon::zeros({side, side});
  return {zero, zero, zero};
}

Tensor Fluid::pressure(const Tensor& divergence) const {
  const auto relax = [&](const Tensor& p) {
    return (Neighbours(p, 0.0).sum_of_4() - divergence) * 0.25;
  };
  Tensor p = trigon::zeros({side, side});
  if (single) {
    for (int k = 0; k < pressure_steps; ++k) p = relax(p).eval();
    return p;
  }
  return trigon::fori_loop(
      0, pressure_steps, [&](const Tensor&, const Tensor& last) { return relax(last); }, p);
}

Fluid::State Fluid::next(const State& s, const Tensor&) const {
  const trigon::Scalar buoyancy = parameters[0].value;
  const Tensor i = trigon::arange(side).astype(trigon::float32);
  const Tensor row = expand_dims(i, 1) - s.down;
  const Tensor column = i - s.across;
  const Tensor smoke = maximum(sample(s.smoke, row, column) * 0.999, source);
  const Tensor across = sample(s.across, row, column);
  const Tensor fallen = sample(s.down, row, column);
  const Tensor down = fallen - buoyancy * smoke;

  // Walls: outside of the box nothing flows.
  const Neighbours a(across, 0.0);
  const Neighbours d(down, 0.0);
  const Tensor right = a.at(0, 1);
  const Tensor left = a.at(0, -1);
  const Tensor below = d.at(1, 0);
  const Tensor above = d.at(-1, 0);
  const Tensor divergence = 0.5 * (right - left + below - above);
  const Neighbours p(pressure(divergence), 0.0);
  const Tensor at_right = p.at(0, 1);
  const Tensor at_left = p.at(0, -1);
  const Tensor at_bottom = p.at(1, 0);
  const Tensor at_top = p.at(-1, 0);
  return {across - 0.5 * (at_right - at_left), down - 0.5 * (at_bottom - at_top), smoke};
}

std::vector<Value> Fluid::values(const State& s) const {
  return {{"across", s.across}, {"down", s.down}, {"smoke", s.smoke}};
}

Tensor Fluid::picture(const State& s) const { return trigon::cm::magma(0.95 * sqrt(s.smoke)); }

Fluid::State Fluid::touched(const State& s, const Touch& touch, std::int64_t) const {
  const double size = static_cast<double>(side);
  const double radius = 0.035 * size;
  const Tensor share = exp(squared_distances(side, touch) * (-1.0 / (radius * radius)));
  const trigon::Scalar across = touch.dx * size;
  const trigon::Scalar down = touch.dy * size;
  return evaluated(State{s.across + share * (across - s.across), s.down + share * (down - s.down),
                         maximum(s.smoke, share)});
}

std::unique_ptr<Simulation> make_fluid(const Settings& settings) {
  return std::make_unique<FluidSimulation>(settings);
}

}  // namespace simulate
