// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include <trigon/error.hpp>
#include <trigon/io.hpp>

#include "files.hpp"
#include "generate.hpp"
#include "model.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stop_filter.hpp"
#include "tokenizer.hpp"
#include "utf8_stream.hpp"

namespace gpt2 {
namespace {

// Writes to standard output at once; false if its reader has closed it.
bool print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EPIPE) return false;
    if (written < 0 && !waits_to_retry(STDOUT_FILENO, POLLOUT)) {
      throw trigon::Error(
          fmt::format("gpt2: standard output: cannot be written: {}", std::strerror(errno)));
    }
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

struct Prompt {
  std::string text;  // as given; empty with --ids
  std::vector<std::int32_t> ids;
};

std::string prompt_text(const Options& options) {
  if (options.prompt) return *options.prompt;
  if (isatty(STDIN_FILENO) == 1) return "";  // the program does not wait for typed text
  return read_standard_input();
}

Prompt read_prompt(const Options& options, const std::optional<Tokenizer>& tokenizer) {
  if (options.ids) return {"", *options.ids};
  std::string text = prompt_text(options);
  auto ids = tokenizer->encode(text);
  return {std::move(text), std::move(ids)};
}

std::string ids_line(std::span<const std::int32_t> ids) {
  return fmt::format("{}\n", fmt::join(ids, " "));
}

// An empty prompt becomes <|endoftext|>, with which each training text began, or bos_token_id.
void fill_empty_prompt(Prompt& prompt, const std::optional<Tokenizer>& tokenizer,
                       const Config& config) {
  if (!prompt.ids.empty()) return;
  if (tokenizer && tokenizer->end_of_text()) {
    prompt.ids = {*tokenizer->end_of_text()};
  } else if (config.bos_token_id) {
    prompt.ids = {*config.bos_token_id};
  } else {
    throw trigon::Error(
        "gpt2: the prompt is empty and the model has neither <|endoftext|> nor bos_token_id; there "
        "must be something to start from");
  }
}

void check_fits(const Tokenizer& tokenizer, const Config& config, const Options& options) {
  if (static_cast<std::int64_t>(tokenizer.size()) > config.vocab_size) {
    throw trigon::Error(fmt::format(
        "gpt2: {}: the tokenizer has {} tokens and config.json's vocab_size is {}; it must be at "
        "least the number of tokens",
        options.model.string(), tokenizer.size(), config.vocab_size));
  }
}

std::vector<std::int32_t> stop_ids(const std::optional<Tokenizer>& tokenizer,
                                   const Config& config) {
  std::vector<std::int32_t> ids = config.eos_token_ids;
  if (tokenizer && tokenizer->end_of_text()) ids.push_back(*tokenizer->end_of_text());
  return ids;
}

trigon::Device open_device(const Options& options) {
  if (!options.profile && !options.device) return trigon::Device::default_device();
  return trigon::Device({.index = options.device.value_or(-1),
                         .profile = options.profile.value_or(trigon::Profile::webgl2)});
}

Model load_model(const Options& options, const trigon::Device& device) {
  Progress progress("loading weights");
  return Model::load(options.model, device, [&progress](std::int64_t done, std::int64_t total) {
    progress.update(done, total);
  });
}

// Turns new ids into text: whole characters only, and nothing of the stop text.
class Continuation {
 public:
  Continuation(const Tokenizer& tokenizer, const std::string& stop)
      : tokenizer_(tokenizer), filter_(stop) {}

  std::string push(std::int32_t id) {
    // A model's vocabulary may be padded past the tokenizer's; such ids have no bytes.
    const bool known = static_cast<std::size_t>(id) < tokenizer_.size();
    return filter_.push(utf8_.push(known ? tokenizer_.bytes(id) : "\uFFFD"));
  }
  std::string finish() {
    const std::string last = filter_.push(utf8_.finish());
    return last + filter_.finish();
  }
  bool stopped() const { return filter_.stopped(); }

 private:
  const Tokenizer& tokenizer_;
  Utf8Stream utf8_;
  StopFilter filter_;
};

// Generates text and passes it to `out` piece by piece, the prompt first, until `out` returns
// false.
Generation generate_text(const Model& model, const Prompt& prompt, const GenerateOptions& options,
                         Continuation& continuation,
                         const std::function<bool(std::string_view)>& out) {
  bool open = true;
  bool echoed = false;
  const auto echo = [&] {
    if (!std::exchange(echoed, true)) open = out(prompt.text);
  };
  Generation generation = generate(model, prompt.ids, options, [&](std::int32_t id) {
    echo();  // only after the first pass has succeeded
    open = open && out(continuation.push(id));
    return open && !continuation.stopped();
  });
  echo();
  if (open) out(continuation.finish());
  return generation;
}

void save_logits(const Options& options, const Model& model, const Prompt& prompt) {
  if (options.logits.empty()) return;
  trigon::save_npy(options.logits, model.start().forward_all(prompt.ids));
}

// Prints the text, and returns its new ids. If it fails before the first pass, nothing was printed.
std::vector<std::int32_t> complete(const Options& options, const Model& model,
                                   const std::optional<Tokenizer>& tokenizer, const Prompt& prompt,
                                   double load_s) {
  const GenerateOptions generate_options{.tokens = options.tokens,
                                         .sampling = options.sampling,
                                         .stop_ids = stop_ids(tokenizer, model.config())};
  std::optional<std::string> text;
  Generation generation;
  if (tokenizer) {
    Continuation continuation(*tokenizer, options.stop);
    text = "";
    generation =
        generate_text(model, prompt, generate_options, continuation, [&](std::string_view piece) {
          *text += piece;
          return options.json || print(piece);
        });
    if (!options.json && !text->ends_with('\n')) print("\n");
  } else {
    generation = generate(model, prompt.ids, generate_options);
    if (!options.json) print(ids_line(generation.ids));
  }
  const Stats stats = make_stats(load_s, generation);
  if (options.json) print(to_json(text, prompt.ids, generation.ids, stats) + "\n");
  if (options.stats) std::fputs(to_text(stats).c_str(), stderr);
  return std::move(generation.ids);
}

}  // namespace

void run(const Options& options) {
  take_closed_streams();
  // Writes report a closed pipe and a limit of file sizes; without this, signals would end the
  // program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (!options.help.empty()) {
    print(options.help);
    return;
  }
  std::optional<Tokenizer> tokenizer;
  if (!options.ids) tokenizer = Tokenizer::load(options.model);
  Prompt prompt = read_prompt(options, tokenizer);
  if (options.tokenize) {
    print(ids_line(prompt.ids));
    return;
  }
  const Config config = Config::load(options.model);  // before a device is opened
  if (tokenizer) check_fits(*tokenizer, config, options);
  fill_empty_prompt(prompt, tokenizer, config);
  config.check_ids(prompt.ids);
  prepare(options.inspect);

  const auto start = std::chrono::steady_clock::now();
  const Model model = load_model(options, open_device(options));
  const std::chrono::duration<double> load = std::chrono::steady_clock::now() - start;
  save_logits(options, model, prompt);
  const auto new_ids = complete(options, model, tokenizer, prompt, load.count());
  if (options.inspect.empty()) return;
  prompt.ids.insert(prompt.ids.end(), new_ids.begin(), new_ids.end());
  inspect_text(model, prompt.ids, tokenizer, options.inspect);
}

}  // namespace gpt2
