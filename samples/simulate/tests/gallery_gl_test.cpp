// SPDX-License-Identifier: MIT
#include "gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "../mandelbrot.hpp"
#include "../n_body.hpp"
#include "support.hpp"

namespace simulate {
namespace {

using test::doubles;
using test::error_of;
using test::Pixels;
using trigon::Tensor;

std::string name_of_item(const testing::TestParamInfo<Gallery::Item>& info) {
  return info.param.entry->name;
}

class SimulateGallery : public testing::TestWithParam<Gallery::Item> {
 protected:
  static constexpr std::int64_t size = 24;
};

TEST_P(SimulateGallery, ShowsWhatTheProgramComputes) {
  const Gallery::Item& item = GetParam();
  Gallery gallery(item.entry->name, size, 3);
  gallery.frame(2);
  const Tensor shown = gallery.frame(3);
  const auto simulation = item.entry->make({.elements = size, .seed = 3});
  const auto run = simulation->start(Form::tensor);
  run->advance(5);
  test::expect_near(shown, doubles(run->picture()), 1e-4);
  EXPECT_GE(min(shown).item(), 0.0F);
  EXPECT_LE(max(shown).item(), 1.0F);
}

TEST_P(SimulateGallery, BeginsAnew) {
  Gallery gallery(GetParam().entry->name, size);
  const test::Floats first = gallery.frame().to_vector<float>();
  gallery.pointer(0.4, 0.6, 0.1, 0.1, true);
  gallery.zoom(2.0);
  gallery.frame();
  gallery.reset();
  EXPECT_EQ(gallery.frame().to_vector<float>(), first);
}

TEST_P(SimulateGallery, AnswersAPointerThatIsPressed) {
  Gallery gallery(GetParam().entry->name, size);
  Gallery alone(GetParam().entry->name, size);
  gallery.frame();
  alone.frame();
  gallery.pointer(0.3, 0.3, 0.1, 0.05, false);
  EXPECT_EQ(gallery.frame().to_vector<float>(), alone.frame().to_vector<float>());
  gallery.pointer(0.3, 0.3, 0.1, 0.05, true);
  EXPECT_NE(gallery.frame().to_vector<float>(), alone.frame().to_vector<float>());
}

TEST_P(SimulateGallery, ChangesItsParametersWithoutAPlan) {
  const char* const name = GetParam().entry->name;
  Gallery gallery(name, size), alone(name, size);
  for (int k = 0; k < 2; ++k) gallery.frame(), alone.frame();
  for (const Parameter& one : gallery.parameters()) {
    EXPECT_LT(one.least, one.value);
    gallery.set(one.name, one.most);
    gallery.frame(), alone.frame();  // a fluid first changes its speed
    EXPECT_NE(gallery.frame().to_vector<float>(), alone.frame().to_vector<float>()) << one.name;
    EXPECT_EQ(gallery.cost().plans_made, 0);
    const std::string range = fmt::format("must be from {} to {}", one.least, one.most);
    for (const double bad :
         {one.least - 0.001, one.most * 1.01, std::numeric_limits<double>::quiet_NaN()}) {
      EXPECT_NE(error_of([&] { gallery.set(one.name, bad); }).find(range), std::string::npos);
    }
  }
  EXPECT_NE(error_of([&] { gallery.set("weight", 1.0); }).find("no such parameter"),
            std::string::npos);
}

TEST_P(SimulateGallery, ExplainsTheNextFrame) {
  const Gallery::Item& item = GetParam();
  Gallery gallery(item.entry->name, size);
  for (int k = 0; k < 2; ++k) gallery.frame();
  const trigon::Counters before = trigon::counters();
  const std::string text = gallery.explain();
  EXPECT_EQ((trigon::counters() - before).draws, 0);
  EXPECT_NE(text.find("gl_FragCoord"), std::string::npos);
  gallery.frame();
  EXPECT_NE(text.find(std::to_string(gallery.cost().draws) + " draws"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(All, SimulateGallery,
                         testing::ValuesIn(Gallery::items().begin(), Gallery::items().end()),
                         name_of_item);

// ---- The work of a frame

struct FrameCost {
  const char* name;
  std::int64_t draws;          // of a frame
  std::int64_t pointer_draws;  // of a frame for which the pointer was pressed
};

class SimulateFrames : public testing::TestWithParam<FrameCost> {};

TEST_P(SimulateFrames, MakeNothingButDraws) {
  Gallery gallery(GetParam().name);
  const auto touch = [&](int k) {
    gallery.zoom(1.0 + 0.01 * k, 0.4, 0.3 + 0.1 * k);
    gallery.pointer(0.5 + 0.1 * k, 0.5, 0.01 * k, -0.02, true);
  };
  for (int k = 0; k < 3; ++k) {
    gallery.frame();
    touch(k);
  }
  for (int k = 0; k < 2; ++k) gallery.frame();
  for (int k = 0; k < 4; ++k) {
    if (k % 2 == 1) touch(k);
    gallery.frame();
    const trigon::Counters& cost = gallery.cost();
    EXPECT_EQ(cost.draws, k % 2 == 1 ? GetParam().pointer_draws : GetParam().draws) << k;
    EXPECT_EQ(cost.programs_compiled, 0) << k;
    EXPECT_EQ(cost.program_formats, 0) << k;
    EXPECT_EQ(cost.plans_made, 0) << k;
    EXPECT_EQ(cost.textures_created, 0) << k;
    EXPECT_EQ(cost.bytes_uploaded, 0) << k;
    EXPECT_EQ(cost.bytes_read, 0) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SimulateFrames,
                         testing::Values(FrameCost{"mandelbrot", 3, 3},
                                         FrameCost{"gray_scott", 20, 21},
                                         FrameCost{"fluid", 45, 46}, FrameCost{"life", 3, 4},
                                         FrameCost{"n_body", 7, 7}),
                         [](const auto& one) { return one.param.name; });

TEST(SimulateFrames, CostWhatTheyDoAndNothingOfOthers) {
  Gallery gallery("life", 16), other("fluid", 16);
  for (int k = 0; k < 3; ++k) gallery.frame();
  const std::int64_t draws = gallery.cost().draws;
  other.frame();
  gallery.pointer(0.5, 0.5, 0.0, 0.0, true);
  other.frame();
  gallery.frame();
  EXPECT_EQ(gallery.cost().draws, draws + 1);
}

TEST(SimulateFrames, RestWhereNothingChanges) {
  Gallery gallery("mandelbrot", 16);
  for (std::int64_t steps = 0; steps < gallery.item().still_after;) {
    gallery.frame(1000);
    EXPECT_GT(gallery.cost().draws, 0);
    steps += 1000;
  }
  const Tensor last = gallery.frame();
  EXPECT_EQ(gallery.cost().draws, 0);
  EXPECT_TRUE(last.has_value());
  gallery.zoom(2.0);
  gallery.frame();
  EXPECT_GT(gallery.cost().draws, 0);
}

// ---- Effects of the pointer

// The share of a run's values that differ from those of another run.
double difference(const Run& run, const Run& other, std::size_t value) {
  const test::Doubles a = doubles(run.values()[value].tensor);
  const test::Doubles b = doubles(other.values()[value].tensor);
  double count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) count += a[k] == b[k] ? 0 : 1;
  return count / static_cast<double>(a.size());
}

TEST(SimulatePointer, DrawsALineWithoutGaps) {
  const auto simulation = make_gray_scott({.elements = 40});
  const auto run = simulation->start(Form::tensor);
  run->touch({.x = 0.9, .y = 0.5, .dx = 0.8});
  const test::Doubles v = doubles(run->values()[1].tensor);
  const test::Doubles u = doubles(run->values()[0].tensor);
  for (std::size_t column = 4; column < 36; ++column) {
    EXPECT_EQ(v[20 * 40 + column], 0.25) << column;
    EXPECT_EQ(u[20 * 40 + column], 0.5) << column;
  }
}

TEST(SimulatePointer, BringsCellsToLifeNearIt) {
  const auto simulation = make_life({.elements = 100});
  const auto run = simulation->start(Form::tensor);
  const auto alone = simulation->start(Form::tensor);
  const test::Doubles before = doubles(run->values()[0].tensor);
  run->touch({.x = 0.25, .y = 0.75});
  const test::Doubles after = doubles(run->values()[0].tensor);
  double born = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_GE(after[k], before[k]);
    if (after[k] == before[k]) continue;
    EXPECT_LT(std::hypot(static_cast<double>(k % 100) - 25, static_cast<double>(k / 100) - 75), 3);
    born += 1;
  }
  EXPECT_GT(born, 0);
}

TEST(SimulatePointer, TakesTheFluidAlong) {
  constexpr std::size_t side = 32;
  const auto simulation = make_fluid({.elements = side});
  const auto run = simulation->start(Form::tensor);
  run->touch({.x = 0.5, .y = 0.25, .dx = 0.125, .dy = -0.0625});
  const std::size_t here = 8 * side + 15;  // half a cell beside the pointer
  EXPECT_NEAR(doubles(run->values()[0].tensor)[here], 4.0, 1.5);
  EXPECT_NEAR(doubles(run->values()[1].tensor)[here], -2.0, 0.75);
  EXPECT_GT(doubles(run->values()[2].tensor)[here], 0.6);
  EXPECT_LT(doubles(run->values()[2].tensor)[30 * side + 15], 1e-6);
}

TEST(SimulatePointer, TurnsTheCameraAndNoStar) {
  const auto simulation = make_n_body({.elements = 12});
  const auto run = simulation->start(Form::tensor);
  const auto alone = simulation->start(Form::tensor);
  const test::Floats before = run->picture().to_vector<float>();
  run->touch({.dx = 0.2, .dy = 0.1});
  run->zoom({.factor = 1.5});
  EXPECT_NE(run->picture().to_vector<float>(), before);
  run->advance(3);
  alone->advance(3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(difference(*run, *alone, k), 0.0) << k;
}

TEST(SimulatePointer, KeepsThePlaceThatItZoomsAt) {
  const Mandelbrot model{64, {}};
  Mandelbrot::State s = model.zoomed(model.start(), {.factor = 4, .x = 0.25, .y = 0.75});
  EXPECT_EQ(s.region.width, 0.75);
  // The place in the plane, before and after.
  EXPECT_NEAR(-0.7 - 0.25 * 3.0, s.region.x - 0.25 * 0.75, 1e-12);
  EXPECT_NEAR(0.0 - 0.25 * 3.0, s.region.y - 0.25 * 0.75, 1e-12);
  s = model.zoomed(s, {.factor = 0.25, .x = 0.25, .y = 0.75});
  EXPECT_NEAR(s.region.x, -0.7, 1e-12);
  EXPECT_NEAR(s.region.y, 0.0, 1e-12);
}

TEST(SimulatePointer, StopsZoomingWhereFloatsEnd) {
  const Mandelbrot model{64, {}};
  const Mandelbrot::State in = model.zoomed(model.start(), {.factor = 1e30});
  EXPECT_EQ(in.region.width, Mandelbrot::least_width(64));
  EXPECT_EQ(model.zoomed(in, {.factor = 1e-30}).region.width, Mandelbrot::most_width);
  // Neighbouring points still differ.
  Mandelbrot::State s = model.start({.x = -1.9, .y = 1.9, .width = Mandelbrot::least_width(64)});
  s = model.next(s);
  const test::Doubles x = doubles(s.x), y = doubles(s.y);
  for (std::size_t k = 1; k < 64; ++k) {
    EXPECT_LT(x[k - 1], x[k]);
    EXPECT_GT(y[64 * (k - 1)], y[64 * k]);
  }
}

TEST(SimulatePointer, MovesThePlane) {
  constexpr std::int64_t side = 33;  // pixels at distances of 3 / 32
  const auto simulation = make_mandelbrot({.elements = side});
  const auto run = simulation->start(Form::tensor);
  run->advance(30);
  const test::Doubles before = doubles(run->values()[0].tensor);
  run->touch({.dx = 5.0 / 32.0, .dy = -3.0 / 32.0});
  run->advance(30);
  const test::Doubles after = doubles(run->values()[0].tensor);
  double equal = 0;
  for (std::size_t row = 0; row < 30; ++row) {
    for (std::size_t column = 5; column < 33; ++column) {
      equal += after[row * 33 + column] == before[(row + 3) * 33 + column - 5] ? 1 : 0;
    }
  }
  EXPECT_GT(equal / (30 * 28), 0.99);  // c is rounded differently
}

// ---- Errors

TEST(SimulateGalleryErrors, NameTheValueAndTheRule) {
  EXPECT_EQ(error_of([] { Gallery("chess"); }),
            "simulate::Gallery: no such simulation: name is \"chess\"; must be one of mandelbrot, "
            "gray_scott, fluid, life, n_body");
  EXPECT_EQ(error_of([] { Gallery("life", 3); }),
            "simulate::Gallery: bad size: size is 3; must be from 4 to 8192");
  Gallery life("life", 8);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { life.frame(-1); }),
            "simulate::Gallery::frame: bad steps: steps is -1; must be from 0 to 10000");
  EXPECT_EQ(error_of([&] { life.pointer(0, nan, 0, 0, true); }),
            "simulate::Gallery::pointer: bad place: a number is nan; must be finite");
  EXPECT_EQ(error_of([&] { life.zoom(2, nan, 0); }),
            "simulate::Gallery::zoom: bad place: a number is nan; must be finite");
  for (const double factor : {0.0, -1.0, nan}) {
    EXPECT_EQ(error_of([&] { life.zoom(factor); }),
              "simulate::Gallery::zoom: bad factor: factor is " + fmt::format("{}", factor) +
                  "; must be finite and larger than 0");
  }
}

}  // namespace
}  // namespace simulate
