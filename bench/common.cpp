// SPDX-License-Identifier: MIT
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/internals.hpp"
#include "gl/settings.hpp"
#include "run/device_state.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  using trigon::detail::gl::environment;
  if (const std::string named = environment("MESA_SHADER_CACHE_DIR"); !named.empty()) return named;
  if (const std::string named = environment("XDG_CACHE_HOME"); !named.empty()) return named;
  return fs::path(environment("HOME")) / ".cache";
}

// Before the device opens, since opening may fill it.
std::string shader_cache() {
  const std::string off = trigon::detail::gl::environment("MESA_SHADER_CACHE_DISABLE");
  if (off == "1" || off == "true" || off == "yes") return "disabled";
  const fs::path folder = cache_folder();
  for (const char* name : {"mesa_shader_cache", "mesa_shader_cache_db", "mesa_shader_cache_sf"}) {
    std::error_code ignored;
    const fs::path inside = folder / name;
    if (fs::is_directory(inside, ignored) && !fs::is_empty(inside, ignored)) {
      return fmt::format("warm ({})", inside.string());
    }
  }
  return fmt::format("cold ({})", folder.string());
}

std::string figure(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.3f}", value);
}

// The times of each piece of work; the pieces take turns.
std::vector<std::vector<double>> times_ms(std::span<const std::function<void()>> works, int rounds,
                                          double seconds) {
  for (const auto& work : works) work();
  std::vector<std::vector<double>> times(works.size());
  double spent = 0;
  for (int round = 0; round < rounds && (round < 2 || spent < seconds * 1e3); ++round) {
    for (std::size_t k = 0; k < works.size(); ++k) {
      times[k].push_back(time_ms(works[k]));
      spent += times[k].back();
    }
  }
  return times;
}

}  // namespace

Bench::Bench(const std::string& name, const std::string& what,
             std::vector<std::string_view> columns)
    : name_(name), columns_(std::move(columns)), app_(what, name) {
  app_.add_option("--device", index_, "Which EGL device, from 0; the first that works otherwise")
      ->type_name("N");
  app_.add_option("--filter", filter_, "Only what has this text in its name or shape")
      ->type_name("TEXT");
  app_.add_flag("--json", json_, "One JSON object a line in place of the table");
}

std::optional<int> Bench::start(int argc, char** argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_.exit(error);
    fmt::print(stderr, "{}: {}\n  hint: {} --help lists the options\n", name_, error.what(), name_);
    return 2;
  }
  cache_ = shader_cache();
  try {
    device_ = trigon::Device({.index = index_});
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}: {}\n", name_, error.what());
    return 2;
  }
  trigon::Device::set_default(*device_);
  if (device_->name().find("NVIDIA") != std::string::npos) cache_ = "the driver's own";
  if (!json_) print_head();
  return std::nullopt;
}

void Bench::print_head() const {
  fmt::print("driver: {}, {}\nshader cache at the start: {}\n\n", device_->name(),
             trigon::detail::Internals::state(*device_)->caps().version, cache_);
  fmt::print("{:<22} {:<20} {:<34} {:>10}", "bench", "shape", "variant", "ms");
  for (const std::string_view column : columns_) fmt::print(" {:>14}", column);
  fmt::print("\n");
}

bool Bench::wanted(std::string_view bench, std::string_view shape) const {
  return bench.find(filter_) != std::string_view::npos ||
         shape.find(filter_) != std::string_view::npos;
}

void Bench::add(const Entry& entry) const {
  if (json_) {
    nlohmann::ordered_json line{{"bench", entry.bench},
                                {"shape", entry.shape},
                                {"variant", entry.variant},
                                {"ms", entry.ms}};
    for (const auto& [column, value] : entry.figures) line[std::string(column)] = value;
    line["driver"] = device_->name();
    line["shader_cache"] = cache_;
    fmt::print("{}\n", line.dump());
  } else {
    fmt::print("{:<22} {:<20} {:<34} {:>10}", entry.bench, entry.shape, entry.variant,
               figure(entry.ms));
    for (const std::string_view column : columns_) {
      const auto found = std::find_if(entry.figures.begin(), entry.figures.end(),
                                      [&](const auto& one) { return one.first == column; });
      fmt::print(" {:>14}", found == entry.figures.end() ? "" : figure(found->second));
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

void Bench::wrong(const std::string& what) {
  fmt::print(stderr, "{}: wrong result: {}\n", name_, what);
  wrong_ = true;
}

double time_ms(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

std::vector<double> best_ms(std::span<const std::function<void()>> works, int rounds,
                            double seconds) {
  std::vector<double> best;
  for (const auto& times : times_ms(works, rounds, seconds)) {
    best.push_back(*std::min_element(times.begin(), times.end()));
  }
  return best;
}

std::vector<double> median_ms(std::span<const std::function<void()>> works, int rounds,
                              double seconds) {
  double warm = 0;
  while (warm < 500) {
    for (const auto& work : works) warm += time_ms(work);
  }
  std::vector<double> medians;
  for (auto& times : times_ms(works, rounds, seconds)) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    medians.push_back(*middle);
  }
  return medians;
}

double best_ms(const std::function<void()>& work, int rounds, double seconds) {
  return best_ms(std::span(&work, 1), rounds, seconds)[0];
}

std::vector<float> numbers(std::size_t n, std::uint32_t seed) {
  std::vector<float> values(n);
  std::uint32_t state = seed * 2654435769u + 12345u;
  for (float& value : values) {
    state = state * 747796405u + 2891336453u;
    value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

}  // namespace bench
