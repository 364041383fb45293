// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <random>
#include <string_view>
#include <system_error>

namespace gpt2 {
namespace {

constexpr const char* about =
    "Continues a text with GPT-2, computed in fragment shaders by Trigon.\n"
    "Prints the prompt and what follows it as it comes; a newline ends the output.";

constexpr const char* more =
    "The prompt is --prompt, TEXT or, without either, standard input as it is, its last\n"
    "newline included. An empty one starts from <|endoftext|>. The text ends after --tokens\n"
    "tokens, before --stop's text or at <|endoftext|>. Past the model's context it goes on\n"
    "from the newest half.\n"
    "\n"
    "--pictures makes DIR where it is missing, with attention.png (layers down, heads to the\n"
    "right), attention-LAYER-HEAD.png, block-LAYER.png (tokens down), and lens.png and lens.tsv:\n"
    "the likeliest token that each layer would say, and its probability.\n"
    "\n"
    "With --ids no tokenizer is needed, and the new ids are printed on one line. --stats and\n"
    "--json give rates of the first pass, its shaders' compiling included, and of the last\n"
    "half of the decoded tokens. Exit status: 0, 1 for an error, 2 for a wrong command line.\n"
    "\n"
    "Example: gpt2 --greedy --tokens 40 \"To be, or not to be\"";

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t low,
                                         std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < low || value > high) return std::nullopt;
  return value;
}

void add_whole_number(CLI::App& app, const char* name, std::int64_t low, std::int64_t high,
                      const std::function<void(std::int64_t)>& set, const char* description) {
  const auto read = [=](const std::string& text) {
    const auto value = whole_number(text, low, high);
    if (!value) {
      throw CLI::ValidationError(
          name, fmt::format("\"{}\" is not a whole number from {} to {}", text, low, high));
    }
    set(*value);
  };
  app.add_option_function<std::string>(name, read, description)->type_name("N");
}

void add_number(CLI::App& app, const char* name, double low, double high, double& target,
                const char* description) {
  const auto read = [=, &target](const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || !(value >= low && value <= high)) {
      throw CLI::ValidationError(
          name, fmt::format("\"{}\" is not a number from {:g} to {:g}", text, low, high));
    }
    target = value;
  };
  app.add_option_function<std::string>(name, read, description)->type_name("X");
}

// "1 2 3", also with commas.
std::vector<std::int32_t> read_ids(const std::string& text) {
  constexpr const char* separators = " ,\t\n";
  std::vector<std::int32_t> ids;
  for (std::size_t from = text.find_first_not_of(separators); from != std::string::npos;) {
    const std::size_t to = std::min(text.find_first_of(separators, from), text.size());
    const std::string word = text.substr(from, to - from);
    const auto id = whole_number(word, 0, 2147483647);
    if (!id) {
      throw CLI::ValidationError(
          "--ids", fmt::format("\"{}\" is not a whole number from 0 to 2147483647", word));
    }
    ids.push_back(static_cast<std::int32_t>(*id));
    from = text.find_first_not_of(separators, to);
  }
  return ids;
}

trigon::Profile read_profile(const std::string& text) {
  if (text == "webgl2") return trigon::Profile::webgl2;
  if (text == "webgl1") return trigon::Profile::webgl1;
  throw CLI::ValidationError("--profile", fmt::format("\"{}\" is not one of webgl2, webgl1", text));
}

void add_sampling(CLI::App& app, Options& options, std::optional<std::uint64_t>& seed) {
  SamplingOptions& sampling = options.sampling;
  add_whole_number(
      app, "--tokens", 0, 1'000'000'000,
      [&options](std::int64_t n) { options.tokens = static_cast<std::size_t>(n); },
      "the most new tokens [200]");
  add_number(app, "--temperature", 0, 1000, sampling.temperature,
             "divides the logits; 0 is --greedy [0.8]");
  add_whole_number(
      app, "--top-k", 0, 1'000'000'000,
      [&sampling](std::int64_t k) { sampling.top_k = static_cast<std::int32_t>(k); },
      "sample from the N likeliest tokens; 0: from all [40]");
  add_number(app, "--top-p", 0, 1, sampling.top_p,
             "sample from the fewest tokens whose probabilities reach X [1]");
  add_whole_number(
      app, "--seed", 0, std::numeric_limits<std::int64_t>::max(),
      [&seed](std::int64_t s) { seed = static_cast<std::uint64_t>(s); },
      "of the random numbers; equal seeds give equal texts [random]");
}

void add_output(CLI::App& app, Options& options) {
  app.add_flag("--tokenize", options.tokenize, "print the prompt's ids and end; needs no GPU");
  app.add_flag("--stats", options.stats, "print rates and a token's cost to standard error");
  app.add_flag("--json", options.json,
               "print one object: text, prompt_ids, ids (the new ones), stats");
  app.add_option("--logits", options.logits,
                 "write the prompt's logits (tokens, vocabulary) as a NumPy file too")
      ->type_name("FILE");
  app.add_option("--attention", options.inspect.attention,
                 "write the whole text's attention (layers, heads, tokens, tokens) likewise")
      ->type_name("FILE");
  app.add_option("--pictures", options.inspect.pictures,
                 "write pictures of the whole text's attention, blocks and logit lens")
      ->type_name("DIR");
}

void add_device(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--profile", [&options](const std::string& text) { options.profile = read_profile(text); },
         "webgl2 or webgl1 [TRIGON_PROFILE, else webgl2]")
      ->type_name("P");
  add_whole_number(
      app, "--device", 0, 1000,
      [&options](std::int64_t n) { options.device = static_cast<int>(n); },
      "which of EGL's devices [TRIGON_DEVICE, else the first that works]");
}

void check_together(const CLI::App& app, const Options& options) {
  const auto given = [&app](const char* name) { return app.count(name) > 0; };
  const auto exclude = [&given](const char* a, const char* b) {
    if (given(a) && given(b)) throw UsageError(fmt::format("{} and {} exclude each other", a, b));
  };
  exclude("--prompt", "TEXT");
  exclude("--ids", "TEXT");
  exclude("--ids", "--prompt");
  exclude("--ids", "--stop");
  exclude("--ids", "--tokenize");
  if (given("--stop") && options.stop.empty()) {
    throw UsageError("--stop: \"\" is empty; it must be a text");
  }
  if (given("--logits") && options.logits.empty()) {
    throw UsageError("--logits: \"\" is empty; it must be a file's name");
  }
  if (given("--attention") && options.inspect.attention.empty()) {
    throw UsageError("--attention: \"\" is empty; it must be a file's name");
  }
  if (given("--pictures") && options.inspect.pictures.empty()) {
    throw UsageError("--pictures: \"\" is empty; it must be a folder's name");
  }
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  options.model = GPT2_MODEL_DIR;
  std::optional<std::uint64_t> seed;
  bool greedy = false;

  CLI::App app(about, "gpt2");
  app.footer(more);
  const auto set_prompt = [&options](const std::string& text) { options.prompt = text; };
  app.add_option_function<std::string>("TEXT", set_prompt, "the prompt")->type_name("");
  app.add_option("--model", options.model,
                 "folder of config.json, model.safetensors and the tokenizer's files [the "
                 "bundled one]")
      ->type_name("DIR");
  app.add_option_function<std::string>("--prompt", set_prompt, "the prompt")->type_name("TEXT");
  app.add_option_function<std::string>(
         "--ids", [&options](const std::string& text) { options.ids = read_ids(text); },
         "the prompt as token ids: \"1 2 3\"")
      ->type_name("IDS");
  add_sampling(app, options, seed);
  app.add_flag("--greedy", greedy, "always take the likeliest token");
  app.add_option("--stop", options.stop, "end before this text")->type_name("TEXT");
  add_output(app, options);
  add_device(app, options);

  try {
    app.parse(argc, argv);
    check_together(app, options);
  } catch (const CLI::CallForHelp&) {
    options.help = app.help();
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  if (greedy) options.sampling.temperature = 0.0;
  options.sampling.seed = seed ? *seed : std::random_device{}();
  return options;
}

}  // namespace gpt2
