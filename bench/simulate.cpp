// SPDX-License-Identifier: MIT
// The simulations of samples/simulate, each in all its forms, in turns within one run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <trigon/trigon.hpp>
#include <vector>

#include "common.hpp"
#include "export.hpp"
#include "gallery.hpp"
#include "measure.hpp"
#include "simulation.hpp"

namespace {

using bench::Bench;
using simulate::Entry;
using simulate::Form;
using simulate::Settings;
using simulate::Simulation;

// Sizes that take llvmpipe seconds; --full takes those of the sample.
struct Size {
  const char* name;
  std::int64_t elements, steps;
};
constexpr Size quick_sizes[] = {
    {"mandelbrot", 512, 100}, {"black_scholes", 1'000'000, 1},
    {"acrobot", 4096, 100},   {"mountain_car", 4096, 100},
    {"cart_pole", 4096, 100}, {"trading", 10'000, 50},
    {"rastrigin", 512, 5},    {"pi", 4096, 1000},
    {"n_body", 512, 50},      {"heat", 512, 100},
    {"life", 512, 100},       {"gray_scott", 512, 100},
    {"fluid", 256, 5},
};

struct Sizes {
  bool full = false;
  bool euler = false;
  std::int64_t elements = 0;  // 0: as the table says
  std::int64_t steps = 0;
};

Settings settings_of(const Entry& entry, const Sizes& sizes) {
  Settings settings{.elements = entry.elements, .steps = entry.steps};
  const std::string_view name = entry.name;
  for (const Size& quick : quick_sizes) {
    if (sizes.full || name != quick.name) continue;
    settings.elements = quick.elements;
    settings.steps = quick.steps;
  }
  if (sizes.elements > 0) settings.elements = std::min(sizes.elements, entry.most_elements);
  if (sizes.steps > 0 && entry.steps > 1) settings.steps = sizes.steps;
  settings.euler = sizes.euler && name == "acrobot";
  return settings;
}

std::unique_ptr<simulate::Run> run(const Simulation& simulation, Form form, std::int64_t steps) {
  auto one = simulation.start(form);
  one->advance(steps);
  trigon::synchronize();
  return one;
}

struct Counted {
  std::int64_t draws = 0;
  std::int64_t programs = 0;  // compiled by the first run
};

// On a new device, which has compiled nothing.
Counted count(const Bench& bench, const Entry& entry, const Settings& settings, Form form) {
  trigon::Device::set_default(trigon::Device({.index = bench.index()}));
  Counted result;
  {
    const auto simulation = entry.make(settings);
    const trigon::Counters before = trigon::counters();
    run(*simulation, form, settings.steps);
    const trigon::Counters first = trigon::counters();
    run(*simulation, form, settings.steps);
    result.draws = (trigon::counters() - first).draws;
    result.programs = (first - before).programs_compiled;
  }
  trigon::Device::set_default(bench.device());
  return result;
}

// Reports the forms whose values after so many steps are not those of the reference.
void check(Bench& bench, const Simulation& simulation, const std::string& name,
           const std::vector<Form>& forms, Form reference, std::int64_t steps) {
  const auto expected = run(simulation, reference, steps)->values();
  for (const Form form : forms) {
    const auto values = run(simulation, form, steps)->values();
    const double difference = simulate::max_difference(values, expected);
    if (!(difference <= 1e-4)) {
      bench.wrong(fmt::format("{}, {}: {}", name, name_of(form), difference));
    }
  }
}

void measure(Bench& bench, const Entry& entry, const Settings& settings) {
  const std::string shape = fmt::format("{} x {}", settings.elements, settings.steps);
  if (!bench.wanted(entry.name, shape)) return;
  const auto simulation = entry.make(settings);
  const std::int64_t steps = settings.steps;
  std::vector<Form> forms = {Form::tensor, Form::steps};
  if (entry.by_hand) forms.push_back(Form::hand);

  std::vector<Counted> counted;
  std::vector<std::function<void()>> works;
  check(bench, *simulation, fmt::format("{} {}", entry.name, shape), forms, Form::steps,
        simulate::compared_steps(entry, steps));
  for (const Form form : forms) {
    counted.push_back(count(bench, entry, settings, form));
    works.emplace_back([&simulation, form, steps] { run(*simulation, form, steps); });
  }
  const std::vector<double> ms = bench::best_ms(works, 5, 10);
  for (std::size_t k = 0; k < forms.size(); ++k) {
    bench::Entry line{entry.name, shape, name_of(forms[k]), ms[k]};
    line.figures = {{"draws", static_cast<double>(counted[k].draws)},
                    {"programs", static_cast<double>(counted[k].programs)}};
    if (forms[k] == Form::tensor) {
      if (entry.by_hand) line.figures.emplace_back("tensor/hand", ms[0] / ms[2]);
      line.figures.emplace_back("steps/tensor", ms[1] / ms[0]);
    }
    bench.add(line);
  }
}

// The frames of the gallery, each computed before the next one.
void measure_frames(Bench& bench) {
  for (const simulate::Gallery::Item& item : simulate::Gallery::items()) {
    const std::string shape = fmt::format("{} x {}", item.size, item.steps);
    if (!bench.wanted(item.entry->name, shape)) continue;
    simulate::Gallery gallery(item.entry->name);
    const auto frame = [&] {
      gallery.pointer(0.5, 0.5, 0.001, 0.0, true);
      gallery.frame();
      trigon::synchronize();
    };
    for (int k = 0; k < 3; ++k) frame();
    bench::Entry line{item.entry->name, shape, "frame", bench::best_ms(frame, 5, 10)};
    line.figures = {{"draws", static_cast<double>(gallery.cost().draws)},
                    {"frames/s", 1000.0 / line.ms}};
    bench.add(line);
  }
}

// Times the forms of one loop and writes the files that bench/compare needs; false if there are
// none.
bool write_export(Bench& bench, const Entry& entry, const Settings& settings,
                  const std::filesystem::path& folder) {
  if (!bench.wanted(entry.name)) return false;
  const auto simulation = entry.make(settings);
  if (simulation->inputs().empty()) return false;
  std::vector<Form> forms = {Form::tensor};
  if (entry.by_hand) forms.push_back(Form::hand);
  check(bench, *simulation, entry.name, forms, Form::tensor,
        std::min(settings.steps, simulate::predictable_steps));
  std::vector<std::function<void()>> works;
  for (const Form form : forms) {
    works.emplace_back(
        [&simulation, form, steps = settings.steps] { run(*simulation, form, steps); });
  }
  const std::vector<double> medians = bench::median_ms(works);
  std::map<std::string, double> ms;
  for (std::size_t k = 0; k < forms.size(); ++k) ms[name_of(forms[k])] = medians[k];
  simulate::export_run(folder / entry.name, *simulation, entry, settings, ms);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("simulate", "Simulations as one loop, as single steps and by hand",
              {"draws", "programs", "tensor/hand", "steps/tensor", "frames/s"});
  Sizes sizes;
  std::filesystem::path exported;
  bench.options()
      .add_option("--export", exported,
                  "Write inputs, results and median times for bench/compare in place of the table")
      ->type_name("FOLDER");
  bench.options().add_flag("--full", sizes.full, "The sizes of samples/simulate: minutes");
  bench.options().add_flag("--euler", sizes.euler, "acrobot by Euler's method, steps of 0.05 s");
  bench.options()
      .add_option("--elements", sizes.elements, "Of all; of a grid: along a side")
      ->check(CLI::Range(4, 50'000'000));
  bench.options()
      .add_option("--steps", sizes.steps, "Of all that have several")
      ->check(CLI::Range(1, 1'000'000));
  bool frames = false;
  bench.options().add_flag("--frames", frames,
                           "Frames of the browser's gallery, stirred, in place of the table");
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    if (frames) {
      measure_frames(bench);
      return bench.exit_code();
    }
    bool any = false;
    for (const Entry& entry : simulate::entries()) {
      const Settings settings = settings_of(entry, sizes);
      if (exported.empty()) {
        measure(bench, entry, settings);
      } else {
        any |= write_export(bench, entry, settings, exported);
      }
    }
    if (!exported.empty() && !any) {
      fmt::print(stderr,
                 "simulate: --export: nothing to write: no simulation of that name gives its "
                 "inputs out\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
