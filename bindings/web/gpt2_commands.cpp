// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <trigon/io.hpp>

#include "commands.hpp"
#include "io/text.hpp"
#include "model_loader.hpp"
#include "text.hpp"

namespace web {
namespace {

using trigon::detail::io::as_text;

// A model that is being loaded: small files first, then the headers of the weights, then tensor by
// tensor.
struct Loading {
  gpt2::Config config{};
  std::string vocabulary{};
  std::optional<gpt2::Tokenizer> tokenizer{};
  struct Shard {
    std::string name;
    trigon::SafeTensors tensors;
  };
  std::vector<Shard> shards{};
  std::map<std::string, std::size_t> shard_of{};  // by tensor
  std::optional<gpt2::ModelLoader> loader{};
};

class Models {
 public:
  explicit Models(State& state) : state_(state) {}

  static void add_to(Commands& commands, const std::shared_ptr<Models>& models) {
    const auto add = [&](const char* name, Answer (Models::*f)(const Message&)) {
      commands[name] = [models, f](const Message& message) { return ((*models).*f)(message); };
    };
    add("gpt2.loading", &Models::start);
    add("gpt2.file", &Models::take_file);
    add("gpt2.header", &Models::take_header);
    add("gpt2.wanted", &Models::list_wanted);
    add("gpt2.tensor", &Models::take_tensor);
    add("gpt2.loaded", &Models::finish);
    add("gpt2.forget", &Models::forget);
    add("gpt2.close", &Models::close);
    add("gpt2.encode", &Models::encode);
    add("gpt2.tokens", &Models::tokens);
    add("gpt2.begin", &Models::begin);
    add("gpt2.next", &Models::next);
    add("gpt2.attention", &Models::attention);
    add("gpt2.blocks", &Models::blocks);
    add("gpt2.lens", &Models::lens);
    add("gpt2.draw", &Models::draw);
  }

 private:
  Loading& loading() {
    if (!loading_) throw trigon::Error("gpt2: no model is being loaded");
    return *loading_;
  }

  Text& text(const Message& message) {
    const auto found = models_.find(message.json.at("model").get<std::int64_t>());
    if (found == models_.end()) throw trigon::Error("gpt2: the model was disposed of");
    return *found->second;
  }

  // Another model that is not complete yet is dropped.
  Answer start(const Message&) {
    loading_ = std::make_unique<Loading>();
    return {};
  }

  Answer forget(const Message&) {
    loading_.reset();
    return {};
  }

  // config.json, then vocab.json, then merges.txt.
  Answer take_file(const Message& message) {
    const auto name = message.json.at("name").get<std::string>();
    const auto what = message.json.at("what").get<std::string>();
    const std::string_view content = as_text(message.bytes);
    if (what == "config") {
      loading().config = gpt2::Config::parse(content, name);
    } else if (what == "vocabulary") {
      loading().vocabulary = content;
    } else {
      loading().tokenizer = gpt2::Tokenizer::parse(loading().vocabulary, content);
      loading().vocabulary.clear();
    }
    return {};
  }

  // With the first eight bytes: returns the header's end. With the whole header: returns nothing.
  Answer take_header(const Message& message) {
    const auto name = message.json.at("name").get<std::string>();
    trigon::FileOrigin origin{.name = name};
    if (message.json.contains("size")) origin.size = message.json["size"].get<std::uint64_t>();
    const std::uint64_t end = trigon::SafeTensors::header_end(message.bytes, origin);
    if (message.bytes.size() < end) return {Json{{"end", end}}};
    auto tensors = trigon::SafeTensors::from_header(message.bytes, origin);
    for (const auto& entry : tensors.entries()) {
      loading().shard_of[entry.name] = loading().shards.size();
    }
    loading().shards.push_back({name, std::move(tensors)});
    return {};
  }

  // [{name, file, begin, end}], in the order of the files.
  Answer list_wanted(const Message& message) {
    std::vector<trigon::SafeTensors::Entry> entries;
    for (const auto& shard : loading().shards) {
      for (auto& entry : shard.tensors.entries()) entries.push_back(std::move(entry));
    }
    loading().loader.emplace(loading().config, entries, state_.device.value(),
                             message.json.at("name").get<std::string>());
    Json wanted = Json::array();
    for (const std::string& name : loading().loader->wanted()) {
      const auto& shard = loading().shards.at(loading().shard_of.at(name));
      const auto entry = shard.tensors.entry(name);
      wanted.push_back(
          {{"name", name}, {"file", shard.name}, {"begin", entry.begin}, {"end", entry.end}});
    }
    return {Json{{"tensors", std::move(wanted)}}};
  }

  Answer take_tensor(const Message& message) {
    const auto name = message.json.at("name").get<std::string>();
    const auto& shard = loading().shards.at(loading().shard_of.at(name));
    const trigon::Tensor tensor =
        shard.tensors.load(name, message.bytes, {.device = state_.device.value()});
    loading().loader->add(name, tensor);
    return {};
  }

  Answer finish(const Message&) {
    gpt2::Model model = loading().loader.value().finish();
    const gpt2::Config& c = model.config();
    Answer answer{Json{{"model", ++last_},
                       {"config",
                        {{"layers", c.n_layer},
                         {"heads", c.n_head},
                         {"width", c.n_embd},
                         {"context", c.n_positions},
                         {"vocabulary", c.vocab_size}}}}};
    models_[last_] =
        std::make_unique<Text>(std::move(model), std::move(loading().tokenizer.value()));
    loading_.reset();
    return answer;
  }

  Answer close(const Message& message) {
    models_.erase(message.json.at("model").get<std::int64_t>());
    return {};
  }

  Answer encode(const Message& message) {
    const Text& one = text(message);
    return {one.describe(one.tokenizer().encode(message.json.at("text").get<std::string>()))};
  }

  Answer tokens(const Message& message) { return {text(message).tokens()}; }

  Answer begin(const Message& message) {
    const Json& json = message.json;
    TextOptions options;
    const auto take = [&](const char* name, auto& value) {
      using V = std::remove_reference_t<decltype(value)>;
      const Argument argument{state_.handles, "generate", name,
                              json.contains(name) ? json[name] : Json()};
      if (!argument.value.is_null()) value = static_cast<V>(Type<double>::read(argument));
    };
    std::int64_t tokens = 200;
    double seed = 0;
    take("tokens", tokens);
    take("seed", seed);
    take("temperature", options.sampling.temperature);
    take("topK", options.sampling.top_k);
    take("topP", options.sampling.top_p);
    take("top", options.top);
    if (tokens < 0) {
      throw trigon::Error(
          fmt::format("gpt2: tokens is out of range: {}; must be 0 or more", tokens));
    }
    options.tokens = static_cast<std::size_t>(tokens);
    options.sampling.seed = static_cast<std::uint64_t>(seed);
    if (json.value("greedy", false)) options.sampling.temperature = 0;
    for (const Json& stop : json.value("stop", Json::array())) options.stop.push_back(stop);
    for (const Json& picture : json.value("pictures", Json::array())) {
      options.attention = options.attention || picture == "attention";
      options.blocks = options.blocks || picture == "blocks";
    }
    const Json& prompt = json.at("prompt");
    text(message).begin(prompt.is_null() ? std::nullopt : std::optional(prompt.get<std::string>()),
                        options);
    return {};
  }

  Answer next(const Message& message) {
    Step step = text(message).next(message.json.value("shown", true));
    if (step.image) {
      state_.present({&*step.image, 1});
      step.told["picture"] = {{"places", to_json(step.places)}};
    }
    return {std::move(step.told)};
  }

  Answer attention(const Message& message) { return text(message).attention(message.json); }
  Answer blocks(const Message& message) { return text(message).blocks(message.json); }
  Answer lens(const Message& message) {
    return {text(message).lens(message.json.at("token"), message.json.value("top", 5))};
  }

  Answer draw(const Message& message) {
    const Picture picture = text(message).draw(message.json);
    return {Json{{"picture", true}, {"places", to_json(state_.present({&picture, 1}))}}};
  }

  State& state_;
  std::unique_ptr<Loading> loading_{};
  std::map<std::int64_t, std::unique_ptr<Text>> models_{};
  std::int64_t last_ = 0;
};

}  // namespace

void add_gpt2_commands(Commands& commands, State& state) {
  Models::add_to(commands, std::make_shared<Models>(state));
}

}  // namespace web
