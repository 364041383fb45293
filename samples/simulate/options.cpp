// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "mandelbrot.hpp"

namespace simulate {
namespace {

constexpr const char* about =
    "Runs a simulation in fragment shaders: as tensor code in one loop, as the same code with a\n"
    "draw or more for each step, or as a kernel written by hand.";

std::string names(const std::function<bool(const Entry&)>& which) {
  std::vector<std::string_view> found;
  for (const Entry& entry : entries()) {
    if (which(entry)) found.emplace_back(entry.name);
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string footer() {
  std::string text = "Simulations, with their elements and steps:\n";
  for (const Entry& entry : entries()) {
    text += fmt::format("  {:<14} {:<57} {} x {}\n", entry.name, entry.about, entry.elements,
                        entry.steps);
  }
  text += fmt::format(
      "\nForm hand: {}.\nPictures of the state: {}.\nPictures of the learning curve, best in gold "
      "and mean in blue: {}.\n",
      names([](const Entry& e) { return e.by_hand; }),
      names([](const Entry& e) { return e.frames; }),
      names([](const Entry& e) { return e.generations > 0; }));
  text +=
      "\n--json counts the draws, programs compiled, bytes uploaded and textures created of the\n"
      "second run, and compares its values with those of form hand, else steps: max_difference\n"
      "is the largest |a - b| / max(1, |b|). Where rounding grows, it is that of the first 50\n"
      "steps, and mean_difference compares means over the elements after all steps.\n"
      "Exit status: 0, 1 for an error, 2 for a wrong command line.\n"
      "\n"
      "Example: simulate mandelbrot --picture mandelbrot.png";
  return text;
}

std::int64_t whole_number(const char* name, const std::string& text, std::int64_t low,
                          std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < low || value > high) {
    throw UsageError(
        fmt::format("{}: \"{}\" is not a whole number from {} to {}", name, text, low, high));
  }
  return value;
}

std::optional<double> number_in(std::string_view text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

// Options as they were given: their limits depend on the simulation.
struct Given {
  std::string name;
  std::string form = "tensor";
  std::string integrator = "rk4";
  std::optional<std::string> elements, steps, seed, centre, width, generations, frames, picture;
};

Form read_form(const Given& given, const Entry& entry) {
  for (const Form form : {Form::tensor, Form::steps, Form::hand}) {
    if (given.form != name_of(form)) continue;
    if (form == Form::hand && !entry.by_hand) {
      throw UsageError(fmt::format("--form: {} has no form hand; {} have one", entry.name,
                                   names([](const Entry& e) { return e.by_hand; })));
    }
    return form;
  }
  throw UsageError(fmt::format("--form: \"{}\" is not one of tensor, steps, hand", given.form));
}

bool read_integrator(const Given& given, const Entry& entry) {
  if (given.integrator != "rk4" && given.integrator != "euler") {
    throw UsageError(
        fmt::format("--integrator: \"{}\" is not one of rk4, euler", given.integrator));
  }
  const bool euler = given.integrator == "euler";
  if (euler && std::string_view(entry.name) != "acrobot") {
    throw UsageError(fmt::format("--integrator: {} has only one; acrobot has two", entry.name));
  }
  return euler;
}

Region read_region(const Given& given, const Entry& entry, std::int64_t elements) {
  Region region;
  const char* name = given.centre ? "--centre" : "--width";
  if ((given.centre || given.width) && std::string_view(entry.name) != "mandelbrot") {
    throw UsageError(
        fmt::format("{}: {} has no plane to look at; mandelbrot has", name, entry.name));
  }
  if (given.centre) {
    const std::size_t comma = std::min(given.centre->find(','), given.centre->size());
    const std::string_view text = *given.centre;
    const std::optional<double> x = number_in(text.substr(0, comma), -2.0, 2.0);
    const std::optional<double> y =
        number_in(text.substr(std::min(comma + 1, text.size())), -2.0, 2.0);
    if (!x || !y) {
      throw UsageError(fmt::format("--centre: \"{}\" is not X,Y, two numbers from -2 to 2", text));
    }
    region.x = *x;
    region.y = *y;
  }
  if (given.width) {
    const double least = Mandelbrot::least_width(elements);
    const std::optional<double> width = number_in(*given.width, least, Mandelbrot::most_width);
    if (!width) {
      throw UsageError(fmt::format(
          "--width: \"{}\" is not a number from {:.3g} to {}; with less, neighbouring pixels of {} "
          "are the same point in float32",
          *given.width, least, Mandelbrot::most_width, elements));
    }
    region.width = *width;
  }
  return region;
}

void read_picture(const Given& given, const Entry& entry, Options& options) {
  if (given.frames && !given.picture) throw UsageError("--frames: needs --picture");
  if (given.frames && !entry.frames) {
    throw UsageError(fmt::format("--frames: {} has no pictures of its state; {} have", entry.name,
                                 names([](const Entry& e) { return e.frames; })));
  }
  if (given.frames) {
    options.frames = whole_number("--frames", *given.frames, 1, options.settings.steps);
  }
  if (!given.picture) return;
  if (given.picture->empty())
    throw UsageError("--picture: \"\" is empty; it must be a file's name");
  options.picture = *given.picture;
  const std::filesystem::path folder = options.picture.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw UsageError(fmt::format("--picture: {}: no such folder", folder.string()));
  }
}

void read(const Given& given, Options& options) {
  if (given.name.empty()) throw UsageError("NAME is required");
  const Entry* entry = find_entry(given.name);
  if (entry == nullptr) {
    throw UsageError(fmt::format("\"{}\" is not a simulation; there are {}", given.name,
                                 names([](const Entry&) { return true; })));
  }
  options.entry = entry;
  options.form = read_form(given, *entry);
  Settings& settings = options.settings;
  settings = {.elements = entry->elements, .steps = entry->steps};
  settings.euler = read_integrator(given, *entry);
  if (given.elements)
    settings.elements = whole_number("--elements", *given.elements, 4, entry->most_elements);
  if (given.steps) {
    if (entry->steps == 1) throw UsageError(fmt::format("--steps: {} has one step", entry->name));
    settings.steps = whole_number("--steps", *given.steps, 1, 1'000'000);
  }
  if (given.seed) settings.seed = whole_number("--seed", *given.seed, 0, 1'000'000);
  settings.region = read_region(given, *entry, settings.elements);
  options.generations = entry->generations;
  if (given.generations) {
    if (entry->generations == 0) {
      throw UsageError(fmt::format("--generations: {} does not evolve; {} do", entry->name,
                                   names([](const Entry& e) { return e.generations > 0; })));
    }
    options.generations = whole_number("--generations", *given.generations, 0, 1000);
  }
  read_picture(given, *entry, options);
}

void add_options(CLI::App& app, Given& given, Options& options) {
  const auto text = [&](const char* name, std::optional<std::string>& target, const char* type,
                        const char* description) {
    app.add_option_function<std::string>(
           name, [&target](const std::string& value) { target = value; }, description)
        ->type_name(type);
  };
  const auto number = [&](const char* name, std::optional<std::string>& target,
                          const char* description) { text(name, target, "N", description); };
  app.add_option("NAME", given.name, "the simulation")->type_name("");
  app.add_option("--form", given.form, "tensor, steps or hand [tensor]")->type_name("FORM");
  number("--elements", given.elements, "how many run side by side; of a grid: along a side");
  number("--steps", given.steps, "how many; of rastrigin: generations");
  number("--seed", given.seed, "of the random numbers; equal seeds give equal results [1]");
  app.add_option("--integrator", given.integrator,
                 "acrobot: rk4 with steps of 0.2 s, or euler with 0.05 s [rk4]")
      ->type_name("I");
  text("--centre", given.centre, "X,Y", "mandelbrot: the picture's middle [-0.7,0]");
  text("--width", given.width, "W", "mandelbrot: of the picture, in the plane [3]");
  number("--generations", given.generations,
         "the most, where a population evolves until it is solved; 0: none");
  app.add_flag("--json", options.json, "print one object in place of text");
  text("--picture", given.picture, "FILE", "write a PNG: the last state, or the learning curve");
  number("--frames", given.frames,
         "pictures over the run, as FILE-1.png to FILE-N.png [1, as FILE]");
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  Given given;
  CLI::App app(about, "simulate");
  app.footer(footer());
  add_options(app, given, options);
  try {
    app.parse(argc, argv);
    read(given, options);
  } catch (const CLI::CallForHelp&) {
    options.help = app.help();
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  return options;
}

std::filesystem::path frame_file(const std::filesystem::path& file, std::int64_t frame,
                                 std::int64_t frames) {
  if (frames == 1) return file;
  std::filesystem::path result = file.parent_path() / file.stem();
  result += fmt::format("-{:0{}}", frame, std::to_string(frames).size());
  result += file.extension();
  return result;
}

}  // namespace simulate
