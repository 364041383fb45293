// SPDX-License-Identifier: MIT
#include "gray_scott.hpp"

#include <trigon/trigon.hpp>

#include "grid.hpp"
#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

GrayScott::GrayScott(std::int64_t side, std::int64_t seed) {
  const Tensor spots = discs(side, seed, 60, 0.012);
  initial = {(1.0 - 0.5 * spots).eval(), (0.25 * spots).eval()};
}

// Outside there is U alone.
GrayScott::State GrayScott::next(const State& s, const Tensor&) const {
  const Tensor around_u = Neighbours(s.u, 1.0).sum_of_4() - 4.0 * s.u;
  const Tensor around_v = Neighbours(s.v, 0.0).sum_of_4() - 4.0 * s.v;
  const Tensor reaction = s.u * s.v * s.v;
  return {s.u + spread_u * around_u - reaction + feed * (1.0 - s.u),
          s.v + spread_v * around_v + reaction - (feed + kill) * s.v};
}

Image GrayScott::picture(const State& s) const { return field_picture(s.v, 0.0, 0.4); }

std::unique_ptr<Simulation> make_gray_scott(const Settings& settings) {
  return std::make_unique<Looped<GrayScott>>(GrayScott(settings.lanes, settings.seed),
                                             settings.report);
}

}  // namespace simulate
