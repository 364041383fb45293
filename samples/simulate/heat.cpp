// SPDX-License-Identifier: MIT
#include "heat.hpp"

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "grid.hpp"
#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

Heat::Heat(std::int64_t side, std::int64_t seed) : initial{discs(side, seed, 24, 0.05)} {}

Heat::State Heat::next(const State& s, const Tensor&) const {
  const Tensor around = Neighbours(s.heat, 0.0).sum_of_4();
  return {s.heat + rate * (around - 4.0 * s.heat)};
}

// One step per call, since a kernel reads the texture that the last step wrote.
Heat::State Heat::by_hand(State s, std::int64_t, std::int64_t steps) const {
  static const trigon::Kernel kernel(
      {.name = "heat", .inputs = {"u"}, .uniforms = {{"rate", rate}}, .body = R"(
        int r = _out_0, c = _out_1;
        float up = r > 0 ? u(r - 1, c) : 0.0;
        float down = r < _u_shape_0 - 1 ? u(r + 1, c) : 0.0;
        float left = c > 0 ? u(r, c - 1) : 0.0;
        float right = c < _u_shape_1 - 1 ? u(r, c + 1) : 0.0;
        float here = u(r, c);
        out = here + rate * (up + down + left + right - 4.0 * here);)"});
  for (std::int64_t k = 0; k < steps; ++k) s.heat = kernel(s.heat).eval();
  return s;
}

Tensor Heat::picture(const State& s) const { return trigon::cm::magma(s.heat); }

std::unique_ptr<Simulation> make_heat(const Settings& settings) {
  return std::make_unique<Looped<Heat>>(Heat(settings.elements, settings.seed), settings.report);
}

}  // namespace simulate
