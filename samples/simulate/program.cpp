// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/image.hpp>

#include "picture.hpp"
#include "progress.hpp"

namespace simulate {
namespace {

std::vector<Generation> evolve(Simulation& simulation, const Options& options, Progress& progress) {
  std::vector<Generation> generations;
  for (std::int64_t k = 0; k < options.generations; ++k) {
    progress.label(k == 0
                       ? "generation 1"
                       : fmt::format("generation {}, best {:.4g}", k + 1, generations.back().best));
    progress.update(k, options.generations);
    const std::optional<Generation> reached = simulation.evolve();
    if (!reached) break;
    generations.push_back(*reached);
    if (reached->solved) break;
  }
  return generations;
}

void draw_frames(const Simulation& simulation, const Options& options, Progress& progress) {
  const auto run = simulation.start(options.form);
  std::int64_t done = 0;
  for (std::int64_t k = 1; k <= options.frames; ++k) {
    progress.label(fmt::format("frame {} of {}", k, options.frames));
    progress.update(k - 1, options.frames);
    const std::int64_t until = options.settings.steps * k / options.frames;
    const trigon::Tensor picture = run->frame(until - done);
    done = until;
    trigon::save_png(frame_file(options.picture, k, options.frames), picture);
  }
}

void draw_curve(const Options& options, std::span<const Generation> generations) {
  std::vector<std::vector<double>> curves(2);
  for (const Generation& one : generations) {
    curves[0].push_back(one.best);
    curves[1].push_back(one.mean);
  }
  trigon::save_png(options.picture, to_tensor(curve_picture(curves)));
}

std::string counted(std::int64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

std::int64_t element_count(const Options& options) {
  const std::int64_t elements = options.settings.elements;
  return options.entry->grid ? elements * elements : elements;
}

std::string to_json(const Options& options, const Measurement& measurement,
                    std::span<const Generation> generations) {
  const auto or_null = [](const std::optional<double>& x) {
    return x ? nlohmann::ordered_json(*x) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json object{{"name", options.entry->name},
                                {"form", name_of(options.form)},
                                {"elements", element_count(options)},
                                {"steps", options.settings.steps},
                                {"draws", measurement.cost.draws},
                                {"programs", measurement.cost.programs_compiled},
                                {"bytes_uploaded", measurement.cost.bytes_uploaded},
                                {"textures_created", measurement.cost.textures_created},
                                {"ms", measurement.ms},
                                {"max_difference", or_null(measurement.max_difference)},
                                {"compared_with", name_of(measurement.compared_with)},
                                {"compared_steps", measurement.compared_steps},
                                {"programs_first", measurement.programs_first},
                                {"uniform_bytes", measurement.cost.uniform_bytes},
                                {"driver", trigon::Device::default_device().name()}};
  if (options.entry->chaotic) {
    object["mean_difference"] = or_null(measurement.mean_difference);
  }
  if (!measurement.summary.empty()) object["summary"] = measurement.summary;
  if (!generations.empty()) {
    for (const Generation& one : generations) {
      nlohmann::ordered_json entry{{"best", one.best}, {"mean", one.mean}};
      if (one.check) entry["check"] = *one.check;
      object["generations"].push_back(entry);
    }
    if (generations.back().check) object["solved"] = generations.back().solved;
  }
  return object.dump();
}

std::string to_text(const Options& options, const Measurement& measurement,
                    std::span<const Generation> generations) {
  const trigon::Counters& cost = measurement.cost;
  std::string text =
      fmt::format("{}, form {}: {} elements, {}\n", options.entry->name, name_of(options.form),
                  element_count(options), counted(options.settings.steps, "step"));
  text += fmt::format("second run: {}, {} compiled, {} uploaded, {} created, {:.1f} ms\n",
                      counted(cost.draws, "draw"), counted(cost.programs_compiled, "program"),
                      counted(cost.bytes_uploaded, "byte"),
                      counted(cost.textures_created, "texture"), measurement.ms);
  if (!measurement.summary.empty()) text += measurement.summary + "\n";
  if (generations.empty()) return text;
  const Generation& last = generations.back();
  text += fmt::format("{}: best {:.4g}, mean {:.4g}",
                      counted(static_cast<std::int64_t>(generations.size()), "generation"),
                      last.best, last.mean);
  if (last.check) {
    text += fmt::format("; the best one's mean reward over 100 new starts is {:.4g}: {}",
                        *last.check, last.solved ? "solved" : "not solved");
  }
  return text + "\n";
}

void run(const Options& options) {
  if (!options.help.empty()) {
    fmt::print("{}", options.help);
    return;
  }
  std::vector<Generation> generations;
  Measurement measurement;
  {
    Progress progress(options.entry->name);
    Settings settings = options.settings;
    settings.report = [&](std::int64_t done, std::int64_t total) { progress.update(done, total); };
    const auto simulation = options.entry->make(settings);
    std::unique_ptr<Run> last;
    measurement = measure(*simulation, options.form, settings.steps, last);
    if (options.json) {
      compare(*simulation, *options.entry, options.form, settings.steps, measurement);
    }
    if (options.entry->frames && !options.picture.empty()) {
      if (options.frames == 1) {
        trigon::save_png(options.picture, last->picture());
      } else {
        draw_frames(*simulation, options, progress);
      }
    }
    last.reset();
    generations = evolve(*simulation, options, progress);
  }
  if (options.entry->generations > 0 && !options.picture.empty()) draw_curve(options, generations);
  if (options.json) {
    fmt::print("{}\n", to_json(options, measurement, generations));
  } else {
    fmt::print("{}", to_text(options, measurement, generations));
  }
}

}  // namespace simulate
