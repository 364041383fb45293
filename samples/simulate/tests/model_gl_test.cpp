// SPDX-License-Identifier: MIT
// Models against plain C++ in double, and the forms of all simulations against each other.
#include <algorithm>
#include <cstdint>

#include "../black_scholes.hpp"
#include "../fluid.hpp"
#include "../gray_scott.hpp"
#include "../heat.hpp"
#include "../keys.hpp"
#include "../life.hpp"
#include "../mandelbrot.hpp"
#include "../measure.hpp"
#include "../n_body.hpp"
#include "../pi.hpp"
#include "../rastrigin.hpp"
#include "../trading.hpp"
#include "support.hpp"

namespace simulate {
namespace {

using test::Doubles;
using test::doubles;
using test::expect_near;
using trigon::Scalar;
using trigon::Tensor;

constexpr std::int64_t side = 12;

// An element of a square, or `outside`.
double at(const Doubles& grid, std::int64_t row, std::int64_t column, double outside) {
  if (row < 0 || row >= side || column < 0 || column >= side) return outside;
  return grid[static_cast<std::size_t>(row * side + column)];
}

double sum_of_4(const Doubles& grid, std::int64_t r, std::int64_t c, double outside) {
  return at(grid, r - 1, c, outside) + at(grid, r + 1, c, outside) + at(grid, r, c - 1, outside) +
         at(grid, r, c + 1, outside);
}

template <class F>
Doubles for_each_place(F&& f) {
  Doubles result;
  for (std::int64_t r = 0; r < side; ++r) {
    for (std::int64_t c = 0; c < side; ++c) result.push_back(f(r, c));
  }
  return result;
}

TEST(SimulateHeat, Spreads) {
  const Heat model(side, 2);
  Heat::State s = model.start();
  Doubles u = doubles(s.heat);
  EXPECT_GT(*std::max_element(u.begin(), u.end()), 0.0);
  for (int step = 0; step < 4; ++step) {
    s = model.next(s, Scalar(step));
    u = for_each_place([&](auto r, auto c) {
      return at(u, r, c, 0) + 0.2 * (sum_of_4(u, r, c, 0) - 4 * at(u, r, c, 0));
    });
  }
  expect_near(s.heat, u);
}

TEST(SimulateLife, FollowsConwaysRules) {
  const Life model(side, 2);
  Life::State s = model.start();
  Doubles u = doubles(s.alive);
  for (int step = 0; step < 4; ++step) {
    s = model.next(s, Scalar(step));
    u = for_each_place([&](auto r, auto c) {
      double count = -at(u, r, c, 0);
      for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) count += at(u, r + i, c + j, 0);
      }
      return count == 3 || (count == 2 && at(u, r, c, 0) == 1) ? 1.0 : 0.0;
    });
  }
  EXPECT_EQ(doubles(s.alive), u);
  EXPECT_GT(std::count(u.begin(), u.end(), 1.0), 0);
}

TEST(SimulateGrayScott, SpreadsAndReacts) {
  const GrayScott model(side, 2);
  GrayScott::State s = model.start();
  Doubles u = doubles(s.u);
  Doubles v = doubles(s.v);
  for (int step = 0; step < 4; ++step) {
    s = model.next(s, Scalar(step));
    const auto reaction = [&, u, v](auto r, auto c) {
      return at(u, r, c, 1) * at(v, r, c, 0) * at(v, r, c, 0);
    };
    const Doubles next_u = for_each_place([&](auto r, auto c) {
      return at(u, r, c, 1) + 0.16 * (sum_of_4(u, r, c, 1) - 4 * at(u, r, c, 1)) - reaction(r, c) +
             0.037 * (1 - at(u, r, c, 1));
    });
    v = for_each_place([&](auto r, auto c) {
      return at(v, r, c, 0) + 0.08 * (sum_of_4(v, r, c, 0) - 4 * at(v, r, c, 0)) + reaction(r, c) -
             0.097 * at(v, r, c, 0);
    });
    u = next_u;
  }
  expect_near(s.u, u);
  expect_near(s.v, v);
}

TEST(SimulateFluid, SamplesBetweenElements) {
  const Tensor field = trigon::tensor<float>({0, 1, 2, 10, 20, 30}, {2, 3});
  const Tensor row = trigon::tensor<float>({0, 0.5F, 1, -3, 9});
  const Tensor column = trigon::tensor<float>({1.5F, 1, 0.25F, 0, 2});
  expect_near(sample(field, row, column), {1.5, 10.5, 12.5, 0, 30});
}

TEST(SimulateFluid, LiftsSmoke) {
  const Settings settings{.elements = 32, .steps = 20};
  const auto simulation = make_fluid(settings);
  const auto run = simulation->start(Form::steps);
  run->advance(settings.steps);
  double height = 0;
  double all = 0;
  const Doubles smoke = doubles(run->values()[2].tensor);
  const Doubles source = doubles(Fluid(32, settings.seed).source);
  double source_height = 0;
  for (std::size_t k = 0; k < smoke.size(); ++k) {
    height -= smoke[k] * static_cast<double>(k / 32);
    all += smoke[k];
    source_height -= source[k] * static_cast<double>(k / 32);
  }
  const double of_source = source_height / std::count(source.begin(), source.end(), 1.0);
  EXPECT_GT(height / all, of_source + 0.5);
}

TEST(SimulateNBody, AttractsAsNewtonSays) {
  const NBody model(10, 3);
  NBody::State s = model.start();
  std::vector<Doubles> p = {doubles(s.x), doubles(s.y), doubles(s.z)};
  std::vector<Doubles> v = {doubles(s.vx), doubles(s.vy), doubles(s.vz)};
  for (int step = 0; step < 5; ++step) {
    s = model.next(s, Scalar(step));
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = 0; j < 10; ++j) {
        double square = 0.05 * 0.05;
        for (const Doubles& axis : p) square += (axis[j] - axis[i]) * (axis[j] - axis[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          v[axis][i] += 0.01 * 0.1 * (p[axis][j] - p[axis][i]) / (square * std::sqrt(square));
        }
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < 10; ++i) p[axis][i] += 0.01 * v[axis][i];
    }
  }
  expect_near(s.x, p[0]);
  expect_near(s.y, p[1]);
  expect_near(s.z, p[2]);
  expect_near(s.vx, v[0]);
}

TEST(SimulateNBody, ShowsNoStarBehindTheCamera) {
  const NBody model(2, 3);
  NBody::State s = model.start();
  s.camera = {.turn = 0, .height = 0, .distance = 1};  // at y = -1
  const auto gold = [&](float y) {
    s.x = s.z = trigon::zeros({2});
    s.y = trigon::tensor<float>({y, y});
    return trigon::max(model.picture(s).at(trigon::ellipsis, 0).get()).item<float>();
  };
  EXPECT_GT(gold(0), 0.5F);
  EXPECT_NEAR(gold(-3), 0.02, 1e-6);
  EXPECT_NEAR(gold(-1.05F), 0.02, 1e-6);  // nearer than the nearest that is seen
}

TEST(SimulateMandelbrot, CountsStepsUntilThePointEscapes) {
  const auto simulation = make_mandelbrot({.elements = 16, .steps = 30});
  const auto run = simulation->start(Form::steps);
  run->advance(30);
  std::vector<std::int32_t> expected;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      const double cx = -2.2 + 3.0 * column / 15;
      const double cy = 1.5 - 3.0 * row / 15;
      double x = 0;
      double y = 0;
      std::int32_t n = 0;
      while (n < 30 && x * x + y * y <= 4) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++n;
      }
      expected.push_back(n);
    }
  }
  EXPECT_EQ(run->values()[0].tensor.to_vector<std::int32_t>(), expected);
}

TEST(SimulateBlackScholes, FollowsTheFormula) {
  const BlackScholes model(100, 1);
  const auto [call, put] = model.prices([](const Tensor& x) { return x; });
  const Doubles s = doubles(model.price), k = doubles(model.strike), t = doubles(model.years);
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  Doubles calls;
  Doubles puts;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double d1 = (std::log(s[i] / k[i]) + (0.02 + 0.045) * t[i]) / (0.3 * std::sqrt(t[i]));
    const double d2 = d1 - 0.3 * std::sqrt(t[i]);
    const double discounted = k[i] * std::exp(-0.02 * t[i]);
    calls.push_back(s[i] * below(d1) - discounted * below(d2));
    puts.push_back(discounted * below(-d2) - s[i] * below(-d1));
  }
  expect_near(call, calls, 2e-5);
  expect_near(put, puts, 2e-5);
}

TEST(SimulateBlackScholes, ShowsDearCallsBrightly) {
  const BlackScholes model(40'000, 1);
  const test::Pixels image(model.picture(model.prices([](const Tensor& x) { return x; })));
  const auto light = [&](int left, int top) {
    float sum = 0;
    for (int y = top; y < top + 40; ++y) {
      for (int x = left; x < left + 40; ++x) sum += image.at(x, y)[0];
    }
    return sum;
  };
  const int right = image.width - 40;
  const int bottom = image.height - 40;
  EXPECT_GT(light(right, bottom), 2 * light(0, bottom));  // the share is dear
  EXPECT_GT(light(right, bottom), 2 * light(right, 0));   // the strike is low
  EXPECT_GT(light(right, bottom), 20 * light(0, 0));
}

TEST(SimulatePi, ShowsPointsWithinTheCircleInGold) {
  const Pi model{4096, Scalar(1)};
  const test::Pixels image(model.picture(model.start(), 3));
  double gold = 0;
  double blue = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto pixel = image.at(x, y);
      if (std::max(pixel[0], pixel[2]) < 0.12F) continue;  // no point
      const double up = image.height - 0.5 - y;
      const double radius = std::hypot(x + 0.5, up) / image.width;
      if (std::abs(radius - 1.0) < 0.004) continue;  // pixels on the circle
      const bool is_gold = pixel[0] > pixel[2];
      EXPECT_EQ(is_gold, radius < 1.0) << x << ", " << y;
      (is_gold ? gold : blue) += 1;
    }
  }
  EXPECT_GT(blue, 1000);
  EXPECT_NEAR(gold / (gold + blue), 0.785, 0.02);
}

TEST(SimulateTrading, DividesThePortfolioEachDay) {
  const Trading model(3, 20, 1);
  Trading::State s = model.start();
  const Doubles table = doubles(model.table);
  std::vector<Doubles> held(3, {0, 0, 0, 0, 0, 1});
  Doubles wealth(3), peak(3), drawdown(3), costs(3);
  for (std::size_t day = 0; day < 20; ++day) {
    const auto row = [&](std::size_t kind, std::size_t a) {
      return table[day * 36 + kind * 6 + a];
    };
    std::vector<float> seen;
    for (std::size_t element = 0; element < 3; ++element) {
      for (std::size_t a = 0; a < 6; ++a) {
        seen.push_back(
            static_cast<float>((row(1, a) + row(2, a)) / row(3, a) * row(5, a) - 4 * row(4, a)));
      }
      seen.push_back(static_cast<float>(10 * (peak[element] - wealth[element])));
      seen.push_back(static_cast<float>(1 - held[element][5]));
    }
    const Doubles logits = doubles(model.policy(trigon::tensor(seen, {3, 8})));
    for (std::size_t element = 0; element < 3; ++element) {
      double total = 0, traded = 0, growth = 0;
      for (std::size_t a = 0; a < 6; ++a) total += std::exp(logits[element * 6 + a]);
      for (std::size_t a = 0; a < 6; ++a) {
        const double share = std::exp(logits[element * 6 + a]) / total;
        traded += std::abs(share - held[element][a]);
        held[element][a] = share * (1 + row(0, a));
        growth += held[element][a];
      }
      for (double& h : held[element]) h /= growth;
      wealth[element] += std::log(growth * (1 - 0.001 * traded));
      costs[element] += 0.001 * traded;
      peak[element] = std::max(peak[element], wealth[element]);
      drawdown[element] = std::max(drawdown[element], peak[element] - wealth[element]);
    }
    s = model.next(s, Scalar(static_cast<std::int64_t>(day)));
  }
  expect_near(s.wealth, wealth);
  expect_near(s.drawdown, drawdown);
  expect_near(s.costs, costs);
}

TEST(SimulateRastrigin, IsZeroAtZeroOnly) {
  expect_near(Rastrigin::cost(trigon::zeros({2, Rastrigin::genes})), {0, 0}, 1e-3);
  expect_near(Rastrigin::cost(trigon::full({1, 4}, 0.5)), {4 * (0.25 + 20)}, 1e-5);
}

TEST(SimulateRastrigin, NeverLosesTheBest) {
  const auto simulation = make_rastrigin({.elements = 32, .steps = 6});
  const auto run = simulation->start(Form::steps);
  double best = 1e30;
  for (int k = 0; k < 6; ++k) {
    run->advance(1);
    const double now = min(run->values()[0].tensor).item();
    EXPECT_LE(now, best);
    best = now;
  }
}

// ---- forms

std::string name_of_entry(const testing::TestParamInfo<Entry>& info) { return info.param.name; }

class SimulateForms : public testing::TestWithParam<Entry> {
 protected:
  Settings settings() const {
    const Entry& entry = GetParam();
    return {.elements = entry.grid ? 20 : 36, .steps = std::min<std::int64_t>(entry.steps, 10)};
  }
};

TEST_P(SimulateForms, Agree) {
  const Entry& entry = GetParam();
  const auto simulation = entry.make(settings());
  const auto values = [&](Form form) {
    const auto run = simulation->start(form);
    run->advance(settings().steps);
    return run->values();
  };
  const std::vector<Value> single = values(Form::steps);
  EXPECT_LE(max_difference(values(Form::tensor), single), 1e-5);
  if (entry.by_hand) {
    EXPECT_LE(max_difference(values(Form::hand), single), 1e-5);
  }
}

TEST(SimulateEuler, FormsAgree) {
  const auto simulation = make_acrobot({.elements = 36, .steps = 10, .euler = true});
  const auto values = [&](Form form) {
    const auto run = simulation->start(form);
    run->advance(10);
    return run->values();
  };
  const std::vector<Value> single = values(Form::steps);
  EXPECT_LE(max_difference(values(Form::tensor), single), 1e-5);
  EXPECT_LE(max_difference(values(Form::hand), single), 1e-5);
}

TEST_P(SimulateForms, GoOnWhereTheyStopped) {
  const Entry& entry = GetParam();
  if (!entry.frames) return;  // only these are advanced in parts
  const auto simulation = entry.make(settings());
  const auto values = [&](Form form, std::int64_t first, std::int64_t then) {
    const auto run = simulation->start(form);
    run->advance(first);
    run->advance(then);
    return run->values();
  };
  for (const Form form : {Form::tensor, Form::steps, Form::hand}) {
    if (form == Form::hand && !entry.by_hand) continue;
    EXPECT_LE(max_difference(values(form, 4, 6), values(form, 7, 3)), 1e-5) << name_of(form);
  }
}

TEST_P(SimulateForms, HaveThePicturesThatTheTablePromises) {
  const Entry& entry = GetParam();
  const auto run = entry.make(settings());
  const auto one = run->start(Form::steps);
  one->advance(2 < settings().steps ? 2 : 1);
  const Tensor picture = one->picture();
  ASSERT_EQ(picture.has_value(), entry.frames);
  if (!entry.frames) return;
  EXPECT_EQ(picture.dtype(), trigon::float32);
  ASSERT_EQ(picture.shape().rank(), 3);
  EXPECT_EQ(picture.shape()[2], 3);
  EXPECT_GE(min(picture).item(), 0.0F);
  EXPECT_LE(max(picture).item(), 1.0F);
}

INSTANTIATE_TEST_SUITE_P(All, SimulateForms, testing::ValuesIn(entries().begin(), entries().end()),
                         name_of_entry);

}  // namespace
}  // namespace simulate
