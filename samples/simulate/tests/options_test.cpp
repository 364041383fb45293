// SPDX-License-Identifier: MIT
#include "../options.hpp"

#include <nlohmann/json.hpp>

#include "../program.hpp"
#include "support.hpp"

namespace simulate {
namespace {

using test::error_of;

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "simulate");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

void expect_usage(const std::vector<const char*>& arguments, const std::string& error) {
  EXPECT_THROW(parse(arguments), UsageError);
  EXPECT_EQ(error_of([&] { parse(arguments); }), error);
}

TEST(SimulateOptions, TakesTheTablesSizes) {
  const Options options = parse({"trading"});
  EXPECT_STREQ(options.entry->name, "trading");
  EXPECT_EQ(options.form, Form::tensor);
  EXPECT_EQ(options.settings.elements, 10'000);
  EXPECT_EQ(options.settings.steps, 1500);
  EXPECT_EQ(options.generations, 10);
}

TEST(SimulateOptions, TakesSizesOfItsOwn) {
  const Options options = parse({"acrobot", "--elements", "64", "--steps", "7", "--seed", "3",
                                 "--form", "hand", "--integrator", "euler", "--json"});
  EXPECT_EQ(options.settings.elements, 64);
  EXPECT_EQ(options.settings.steps, 7);
  EXPECT_EQ(options.settings.seed, 3);
  EXPECT_EQ(options.form, Form::hand);
  EXPECT_TRUE(options.settings.euler);
  EXPECT_TRUE(options.json);
}

TEST(SimulateOptions, CountsAllElementsOfAGrid) {
  EXPECT_EQ(element_count(parse({"life", "--elements", "10"})), 100);
  EXPECT_EQ(element_count(parse({"pi", "--elements", "10"})), 10);
}

TEST(SimulateOptions, HelpListsSimulationsAndOptions) {
  const std::string help = parse({"--help"}).help;
  for (const Entry& entry : entries()) {
    EXPECT_NE(help.find(entry.name), std::string::npos) << entry.name;
  }
  for (const char* option :
       {"--form", "--elements", "--steps", "--seed", "--integrator", "--centre", "--width",
        "--generations", "--json", "--picture", "--frames"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(SimulateOptions, NamesAnUnknownOptionBeforeAMissingName) {
  expect_usage({}, "NAME is required");
  expect_usage({"--bad"}, "The following argument was not expected: --bad");
}

TEST(SimulateOptions, NamesAWrongValueAndTheRule) {
  expect_usage({"chess"},
               "\"chess\" is not a simulation; there are mandelbrot, black_scholes, acrobot, "
               "mountain_car, cart_pole, trading, rastrigin, pi, n_body, heat, life, gray_scott, "
               "fluid");
  expect_usage({"pi", "--form", "hand"},
               "--form: pi has no form hand; mandelbrot, acrobot, trading, n_body, heat have one");
  expect_usage({"pi", "--form", "fast"}, "--form: \"fast\" is not one of tensor, steps, hand");
  expect_usage({"pi", "--elements", "3"},
               "--elements: \"3\" is not a whole number from 4 to 10000000");
  expect_usage({"pi", "--steps", "1e3"},
               "--steps: \"1e3\" is not a whole number from 1 to 1000000");
  expect_usage({"pi", "--seed", "-1"}, "--seed: \"-1\" is not a whole number from 0 to 1000000");
  expect_usage({"black_scholes", "--steps", "2"}, "--steps: black_scholes has one step");
  expect_usage({"acrobot", "--integrator", "verlet"},
               "--integrator: \"verlet\" is not one of rk4, euler");
  expect_usage({"pi", "--integrator", "euler"}, "--integrator: pi has only one; acrobot has two");
  expect_usage({"pi", "--generations", "2"},
               "--generations: pi does not evolve; mountain_car, cart_pole, trading do");
}

TEST(SimulateOptions, TakesAPartOfThePlane) {
  const Options options = parse({"mandelbrot", "--centre", "-0.745,0.113", "--width", "0.01"});
  EXPECT_EQ(options.settings.region.x, -0.745);
  EXPECT_EQ(options.settings.region.y, 0.113);
  EXPECT_EQ(options.settings.region.width, 0.01);
}

TEST(SimulateOptions, NamesWhatIsWrongWithAPartOfThePlane) {
  expect_usage({"life", "--centre", "0,0"},
               "--centre: life has no plane to look at; mandelbrot has");
  expect_usage({"life", "--width", "1"}, "--width: life has no plane to look at; mandelbrot has");
  for (const char* centre : {"0", "0,", ",0", "0,3", "0,0,0", "nan,0"}) {
    expect_usage({"mandelbrot", "--centre", centre},
                 std::string("--centre: \"") + centre + "\" is not X,Y, two numbers from -2 to 2");
  }
  for (const char* width : {"", "0", "1e-4", "9", "1m"}) {
    expect_usage({"mandelbrot", "--width", width},
                 std::string("--width: \"") + width +
                     "\" is not a number from 0.000244 to 8; with less, neighbouring pixels of "
                     "1024 are the same point in float32");
  }
}

TEST(SimulateOptions, NamesWhatIsWrongWithAPicture) {
  expect_usage({"life", "--picture", ""}, "--picture: \"\" is empty; it must be a file's name");
  expect_usage({"life", "--picture", "/nowhere/life.png"}, "--picture: /nowhere: no such folder");
  expect_usage({"life", "--frames", "3"}, "--frames: needs --picture");
  expect_usage(
      {"cart_pole", "--picture", "a.png", "--frames", "3"},
      "--frames: cart_pole has no pictures of its state; mandelbrot, black_scholes, acrobot, "
      "rastrigin, pi, n_body, heat, life, gray_scott, fluid have");
  expect_usage({"life", "--picture", "a.png", "--frames", "1001"},
               "--frames: \"1001\" is not a whole number from 1 to 1000");
}

TEST(SimulateOptions, NumbersTheFramesOfARun) {
  EXPECT_EQ(frame_file("a/life.png", 1, 1), "a/life.png");
  EXPECT_EQ(frame_file("a/life.png", 3, 12), "a/life-03.png");
  EXPECT_EQ(frame_file("life", 3, 5), "life-3");
}

TEST(SimulateReport, IsOneObject) {
  Measurement measurement;
  measurement.cost.draws = 2;
  measurement.cost.bytes_uploaded = 16;
  measurement.cost.textures_created = 3;
  measurement.ms = 1.5;
  measurement.max_difference = 0.25;
  const auto object = nlohmann::json::parse(to_json(parse({"heat"}), measurement, {}));
  EXPECT_EQ(object["name"], "heat");
  EXPECT_EQ(object["form"], "tensor");
  EXPECT_EQ(object["elements"], 1024 * 1024);
  EXPECT_EQ(object["steps"], 1000);
  EXPECT_EQ(object["draws"], 2);
  EXPECT_EQ(object["programs"], 0);
  EXPECT_EQ(object["bytes_uploaded"], 16);
  EXPECT_EQ(object["textures_created"], 3);
  EXPECT_EQ(object["ms"], 1.5);
  EXPECT_EQ(object["max_difference"], 0.25);
}

TEST(SimulateReport, TellsWhetherItIsSolved) {
  const std::vector<Generation> generations = {
      {.best = 1, .mean = 0}, {.best = 3, .mean = 2, .check = 480.5, .solved = true}};
  const Options options = parse({"cart_pole"});
  EXPECT_EQ(to_text(options, {}, generations),
            "cart_pole, form tensor: 4096 elements, 500 steps\n"
            "second run: 0 draws, 0 programs compiled, 0 bytes uploaded, 0 textures created, "
            "0.0 ms\n"
            "2 generations: best 3, mean 2; the best one's mean reward over 100 new starts is "
            "480.5: solved\n");
  EXPECT_EQ(nlohmann::json::parse(to_json(options, {}, generations))["solved"], true);
}

TEST(SimulateReport, DifferencesAreRelativeAboveOne) {
  const auto values = [](float a, float b) {
    return std::vector<Value>{{"x", trigon::tensor<float>({a, b})}};
  };
  EXPECT_DOUBLE_EQ(max_difference(values(0, 9), values(0.25F, 10)), 0.25);
  EXPECT_DOUBLE_EQ(max_difference(values(0, 5), values(0.25F, 10)), 0.5);
  EXPECT_EQ(max_difference(values(0, std::nanf("")), values(0, 1)),
            std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(mean_difference(values(2, 4), values(3, 3)), 0);
  EXPECT_DOUBLE_EQ(mean_difference(values(3, 3), values(4, 4)), 0.25);
}

}  // namespace
}  // namespace simulate
