// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include <trigon/trigon.hpp>

namespace web {

using trigon::DType;
using trigon::Profile;
using trigon::Shape;
using trigon::Tensor;

namespace {

Json sizes_of(const Tensor& tensor) {
  Json sizes = Json::array();
  for (const std::int64_t size : tensor.shape()) sizes.push_back(size);
  return sizes;
}

Json to_json(const Failure& failure) {
  return {{"name", failure.name}, {"message", failure.text}, {"origin", failure.origin}};
}

std::int64_t id_in(const Message& message) { return message.json.at("in").get<std::int64_t>(); }

// 'auto' is WebGL 2 if the browser has it.
trigon::Device open_device(const std::string& profile) {
  if (profile == "webgl2") return trigon::Device({.profile = Profile::webgl2});
  if (profile == "webgl1") return trigon::Device({.profile = Profile::webgl1});
  if (profile != "auto") {
    throw trigon::Error(
        fmt::format("trigon::open: no profile \"{}\"; must be auto, webgl2 or webgl1", profile));
  }
  try {
    return trigon::Device({.profile = Profile::webgl2});
  } catch (const trigon::DeviceError& newer) {
    try {
      return trigon::Device({.profile = Profile::webgl1});
    } catch (const trigon::DeviceError& older) {
      throw trigon::DeviceError(fmt::format("{}\n{}", newer.what(), older.what()));
    }
  }
}

Answer open(State& state, const Message& message) {
  state.device = open_device(message.json.value("profile", "auto"));
  trigon::Device::set_default(*state.device);
  const bool is_new = state.device->profile() == Profile::webgl2;
  return {Json{{"renderer", state.device->name()},
               {"profile", is_new ? "webgl2" : "webgl1"},
               {"table", describe_table()}}};
}

void free_all(State& state, const Json& ids) {
  for (const Json& id : ids) state.handles.free(id);
}

// Puts a failure under the numbers of a call's results, and tells the page about it.
Answer fail(State& state, const std::vector<std::int64_t>& ids, Failure failure) {
  if (failure.origin == 0 && !ids.empty()) failure.origin = ids[0];
  for (const std::int64_t id : ids) state.handles.put(id, failure);
  return {Json{{"failed", to_json(failure)}}};
}

Answer make_tensor(State& state, const Message& message) {
  const auto id = message.json.at("out").get<std::int64_t>();
  try {
    const Argument dtype{state.handles, "tensor", "dtype", message.json.at("dtype")};
    const Argument shape{state.handles, "tensor", "shape", message.json.at("shape")};
    const DType wanted = Type<DType>::read(dtype);
    // float16 comes as float32, in which it is computed.
    const DType sent = trigon::info(wanted).computed;
    Tensor tensor = trigon::from_host(message.bytes.data(), sent, Type<Shape>::read(shape));
    if (sent != wanted) tensor = tensor.astype(wanted);
    state.handles.put(id, std::move(tensor));
  } catch (...) {
    return fail(state, {id}, current_failure());
  }
  return {};
}

Answer call(State& state, const Message& message) {
  const Json& json = message.json;
  const auto out = json.find("out");
  if (out == json.end()) {
    Json handles = Json::array();
    for (Tensor& one :
         row_of(json.at("name").get<std::string>()).call(state.handles, json.at("args"))) {
      handles.push_back(state.handles.add(std::move(one)));
    }
    return {Json{{"handles", std::move(handles)}}};
  }
  const auto ids = out->get<std::vector<std::int64_t>>();
  try {
    std::uint64_t place = 0;
    const bool is_row = json.contains("name") && !transforms().contains(json.at("name"));
    const auto changed = is_row ? state.numbers.call(state.handles, json, place) : std::nullopt;
    std::vector<Value> results = perform(state.handles, changed ? *changed : json, ids.size());
    if (json.contains("function")) state.handles.settle();  // it may have evaluated arguments
    for (std::size_t k = 0; k < ids.size(); ++k) {
      state.handles.put(ids[k], std::move(results[k]), place == 0 ? 0 : place + k);
    }
  } catch (...) {
    return fail(state, ids, current_failure());
  }
  return {};
}

// A call may end some of its operands, whether it fails or not.
Answer call_and_free(State& state, const Message& message) {
  Answer answer = call(state, message);
  free_all(state, message.json.value("dispose", Json::array()));
  return answer;
}

std::vector<Tensor> tensors_in(State& state, const Message& message) {
  std::vector<Tensor> tensors;
  for (const Json& id : message.json.at("in")) {
    tensors.push_back(state.handles.keep(id.get<std::int64_t>()));
  }
  return tensors;
}

// They are computed together.
void evaluate(State& state, const std::vector<Tensor>& tensors) {
  trigon::eval(tensors);
  state.handles.settle();
}

// Of values as a page reads them.
std::uint64_t bytes_of(const Tensor& tensor) {
  return static_cast<std::uint64_t>(tensor.size()) * size_of(trigon::info(tensor.dtype()).computed);
}

// All values, one after the other.
Answer read(State& state, const Message& message) {
  Answer answer{Json::array()};
  std::uint64_t size = 0;
  const std::vector<Tensor> tensors = tensors_in(state, message);
  for (const Tensor& one : tensors) {
    answer.json.push_back({{"dtype", name(one.dtype())}, {"shape", sizes_of(one)}});
    size += bytes_of(one);
  }
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 1;
  if (size > most) {
    throw trigon::Error(fmt::format(
        "trigon::data: {} bytes are asked for; must be at most {}, which a browser's memory holds: "
        "read parts, as x.at('0:1000').get()",
        size, most));
  }
  evaluate(state, tensors);
  answer.bytes.resize(static_cast<std::size_t>(size));
  std::byte* to = answer.bytes.data();
  for (const Tensor& one : tensors) {
    one.read(to, trigon::info(one.dtype()).computed);
    to += bytes_of(one);
  }
  return {Json{{"tensors", std::move(answer.json)}}, std::move(answer.bytes)};
}

// The tensors of a file whose bytes came with the request, under numbers below 0.
Answer load_npy(State& state, const Message& message) {
  Tensor tensor = trigon::load_npy(message.bytes);
  return {Json{{"names", Json::array({""})},
               {"handles", Json::array({state.handles.add(std::move(tensor))})}}};
}

Answer load_safetensors(State& state, const Message& message) {
  const auto file =
      trigon::SafeTensors::from_memory(message.bytes, message.json.at("file").get<std::string>());
  const std::vector<std::string> names = file.names();
  std::vector<Tensor> tensors;  // before a number is given out: a later one may be wrong
  for (const std::string& one : names) tensors.push_back(file.load(one));
  Json handles = Json::array();
  for (Tensor& one : tensors) handles.push_back(state.handles.add(std::move(one)));
  return {Json{{"names", names}, {"handles", std::move(handles)}}};
}

Answer describe(State& state, const Message& message) {
  const Tensor tensor = state.handles.get(id_in(message));
  return {Json{{"dtype", name(tensor.dtype())}, {"shape", sizes_of(tensor)}}};
}

Answer draw(State& state, const Message& message) {
  std::vector<Picture> pictures;
  for (const Json& id : message.json.at("ids")) {
    pictures.push_back(picture_of(state.handles.keep(id.get<std::int64_t>())));
  }
  const std::vector<Place> places = state.present(pictures);
  state.handles.settle();
  return {Json{{"picture", true}, {"places", to_json(places)}}};
}

Answer count(const State& state) {
  const trigon::Counters c = trigon::counters(state.device.value());
  return {Json{{"draws", c.draws},
               {"programs_compiled", c.programs_compiled},
               {"program_formats", c.program_formats},
               {"textures_created", c.textures_created},
               {"framebuffers_created", c.framebuffers_created},
               {"bytes_uploaded", c.bytes_uploaded},
               {"uniform_bytes", c.uniform_bytes},
               {"bytes_read", c.bytes_read},
               {"plans_made", c.plans_made},
               {"plan_cache_hits", c.plan_cache_hits},
               {"tensors", state.handles.size()}}};
}

}  // namespace

Tensor pixels(const Tensor& image) {
  const Tensor x = image.dtype() == trigon::uint8 ? image.astype(trigon::float32) * (1.0 / 255.0)
                                                  : image.astype(trigon::float32);
  const Tensor shown = where(isnan(x), 0.0, clip(x, 0.0, 1.0));
  const Shape& shape = image.shape();
  if (shape.rank() == 3 && shape[2] == 4) return shown;
  if (shape.rank() == 3 && shape[2] == 3) {
    return pad(shown, {{0, 0}, {0, 0}, {0, 1}}, 1.0);
  }
  const Tensor grey = broadcast_to(shown.reshape(shape[0], shape[1], 1), {shape[0], shape[1], 4});
  return where(trigon::arange(4) < 3, grey, 1.0);
}

Picture picture_of(const Tensor& image) {
  const Shape& shape = image.shape();
  const bool fits =
      shape.rank() == 2 || (shape.rank() == 3 && (shape[2] == 1 || shape[2] == 3 || shape[2] == 4));
  if (!fits || image.size() == 0) {
    throw trigon::Error(fmt::format(
        "trigon::draw: bad shape: the tensor is {}; must be (height, width), or (height, width, "
        "channels) with 1, 3 or 4 channels, and have elements",
        to_string(shape)));
  }
  const DType dtype = image.dtype();
  if (dtype != trigon::uint8 && dtype != trigon::boolean && !is_float(dtype)) {
    throw trigon::Error(fmt::format(
        "trigon::draw: bad dtype: the tensor is {}; must be uint8, bool, float32 or float16",
        name(dtype)));
  }
  return {image, shape[0], shape[1]};
}

Json to_json(std::span<const Place> places) {
  Json list = Json::array();
  for (const Place& one : places) list.push_back({one.x, one.y, one.w, one.h});
  return list;
}

void add_commands(Commands& commands, State& state) {
  commands["open"] = [&](const Message& message) { return open(state, message); };
  commands["tensor"] = [&](const Message& message) { return make_tensor(state, message); };
  commands["call"] = [&](const Message& message) { return call_and_free(state, message); };
  // A call or a tensor that did not reach the library.
  commands["fail"] = [&](const Message& message) {
    const Json& error = message.json.at("error");
    free_all(state, message.json.value("dispose", Json::array()));
    return fail(state, message.json.at("out"), {error.at("name"), error.at("message")});
  };
  commands["rename"] = [&](const Message& message) {
    state.handles.rename(message.json.at("from"), message.json.at("to"));
    return Answer();
  };
  commands["dispose"] = [&](const Message& message) {
    free_all(state, message.json.at("ids"));
    return Answer();
  };
  commands["data"] = [&](const Message& message) { return read(state, message); };
  commands["load_npy"] = [&](const Message& message) { return load_npy(state, message); };
  commands["load_safetensors"] = [&](const Message& message) {
    return load_safetensors(state, message);
  };
  commands["info"] = [&](const Message& message) { return describe(state, message); };
  commands["eval"] = [&](const Message& message) {
    evaluate(state, tensors_in(state, message));
    return Answer();
  };
  commands["explain"] = [&](const Message& message) {
    return Answer{trigon::explain(state.handles.get(id_in(message)))};
  };
  commands["print"] = [&](const Message& message) {
    return Answer{trigon::to_string(state.handles.keep(id_in(message)))};
  };
  commands["draw"] = [&](const Message& message) { return draw(state, message); };
  commands["counters"] = [&](const Message&) { return count(state); };
}

Answer respond(const Commands& commands, const Message& message) {
  try {
    // Everything else is JSON that the browser has written.
    if (message.json.is_discarded()) {
      throw trigon::Error(
          "trigon: bad text: it holds half of a character, a surrogate without its other half; "
          "must be well-formed, as toWellFormed() makes it");
    }
    const std::string op = message.json.at("op").get<std::string>();
    const auto found = commands.find(op);
    if (found == commands.end()) throw trigon::Error("trigon: there is no request " + op);
    Answer answer = found->second(message);
    answer.json = Json{{"result", std::move(answer.json)}};
    return answer;
  } catch (...) {
    return {Json{{"error", to_json(current_failure())}}};
  }
}

}  // namespace web
