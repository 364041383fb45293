// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "gallery.hpp"

namespace web {
namespace {

using simulate::Gallery;

Json about(const Gallery::Item& item) {
  const simulate::Entry& entry = *item.entry;
  return {{"name", entry.name}, {"about", entry.about}, {"pointer", item.pointer},
          {"unit", entry.unit}, {"size", item.size},    {"steps", item.steps}};
}

// JSON has no NaN and no infinities: they come as null.
double number_in(const Message& message, const char* name, double missing) {
  const auto found = message.json.find(name);
  if (found == message.json.end()) return missing;
  return found->is_null() ? std::numeric_limits<double>::quiet_NaN() : found->get<double>();
}

class Galleries {
 public:
  explicit Galleries(State& state) : state_(state) {}

  Answer open(const Message& message) {
    const Json& json = message.json;
    auto gallery = std::make_unique<Gallery>(json.at("name").get<std::string>(),
                                             json.value("size", std::int64_t{0}),
                                             json.value("seed", std::int64_t{1}));
    Json described = about(gallery->item());
    const trigon::Shape shape = gallery->picture_shape();
    described["gallery"] = ++last_;
    described["size"] = gallery->size();
    described["height"] = shape[0];
    described["width"] = shape[1];
    described["parameters"] = Json::array();
    for (const auto& [name, value, least, most] : gallery->parameters()) {
      described["parameters"].push_back(
          {{"name", name}, {"value", value}, {"least", least}, {"most", most}});
    }
    galleries_[last_] = std::move(gallery);
    return {std::move(described)};
  }

  Answer frame(const Message& message) {
    Gallery& gallery = find(message);
    const Picture picture = picture_of(gallery.frame(message.json.value("steps", std::int64_t{0})));
    const trigon::Counters before = trigon::counters() - gallery.cost();
    const std::vector<Place> places = state_.present({&picture, 1});
    const trigon::Counters cost = trigon::counters() - before;
    Json answer{{"draws", cost.draws},
                {"programs", cost.programs_compiled},
                {"plans", cost.plans_made},
                {"textures", cost.textures_created},
                {"bytes", cost.bytes_uploaded}};
    answer["picture"] = {{"places", to_json(places)}};
    return {std::move(answer)};
  }

  Answer brightness(const Message& message) {
    const auto fields = message.json.at("fields").get<std::int64_t>();
    const trigon::Tensor tensor = find(message).brightness(fields);
    Answer answer{Json{{"dtype", "float32"}, {"shape", {fields, fields}}}};
    answer.bytes.resize(static_cast<std::size_t>(tensor.size()) * sizeof(float));
    tensor.read(answer.bytes.data(), trigon::float32);
    return answer;
  }

  Answer pointer(const Message& message) {
    const auto number = [&](const char* name) { return number_in(message, name, 0.0); };
    find(message).pointer(number("x"), number("y"), number("dx"), number("dy"), true);
    return {};
  }

  Answer zoom(const Message& message) {
    const auto number = [&](const char* name) { return number_in(message, name, 0.5); };
    find(message).zoom(number("factor"), number("x"), number("y"));
    return {};
  }

  Answer set(const Message& message) {
    find(message).set(message.json.at("name").get<std::string>(),
                      number_in(message, "value", std::numeric_limits<double>::quiet_NaN()));
    return {};
  }

  Answer reset(const Message& message) {
    find(message).reset();
    return {};
  }

  Answer explain(const Message& message) { return {find(message).explain()}; }

  Answer close(const Message& message) {
    galleries_.erase(message.json.at("gallery").get<std::int64_t>());
    return {};
  }

 private:
  Gallery& find(const Message& message) {
    const auto found = galleries_.find(message.json.at("gallery").get<std::int64_t>());
    if (found == galleries_.end()) {
      throw trigon::Error("trigon.gallery: it was disposed of: dispose() was called");
    }
    return *found->second;
  }

  State& state_;
  std::map<std::int64_t, std::unique_ptr<Gallery>> galleries_{};
  std::int64_t last_ = 0;
};

}  // namespace

void add_gallery_commands(Commands& commands, State& state) {
  const auto galleries = std::make_shared<Galleries>(state);
  const auto add = [&](const char* name, Answer (Galleries::*f)(const Message&)) {
    commands[name] = [galleries, f](const Message& message) { return ((*galleries).*f)(message); };
  };
  commands["gallery.items"] = [](const Message&) {
    Json items = Json::array();
    for (const Gallery::Item& item : Gallery::items()) items.push_back(about(item));
    return Answer{std::move(items)};
  };
  add("gallery.open", &Galleries::open);
  add("gallery.frame", &Galleries::frame);
  add("gallery.brightness", &Galleries::brightness);
  add("gallery.pointer", &Galleries::pointer);
  add("gallery.zoom", &Galleries::zoom);
  add("gallery.set", &Galleries::set);
  add("gallery.reset", &Galleries::reset);
  add("gallery.explain", &Galleries::explain);
  add("gallery.close", &Galleries::close);
}

}  // namespace web
