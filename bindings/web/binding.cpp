// SPDX-License-Identifier: MIT
// The functions that the Worker calls. Requests and answers are JSON and bytes.
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>

#include <new>
#include <optional>
#include <string>

#include "commands.hpp"
#include "present.hpp"

namespace web {
namespace {

// clang-format off

// Tells the Worker when the browser takes the context away. Module.onLost is the Worker's.
EM_JS(void, trigon_watch_context, (), {
  const context = GL.contexts.filter((one) => one).at(-1).GLctx;
  Module['context'] = context;
  context.canvas.addEventListener('webglcontextlost', () => Module['onLost']());
});

// clang-format on

struct Library {
  State state{};
  std::optional<Presenter> presenter{};
  Commands commands{};

  Library() {
    add_commands(commands, state);
    add_gpt2_commands(commands, state);
    add_gallery_commands(commands, state);
    state.present = [this](std::span<const Picture> pictures) { return painter().draw(pictures); };
    commands["check"] = [this](const Message&) {
      painter().check_answers();
      return Answer{};
    };
    commands["open"] = [open = commands["open"]](const Message& message) {
      Answer answer = open(message);
      trigon_watch_context();
      return answer;
    };
  }

  Presenter& painter() {
    if (!presenter) presenter.emplace(state.device.value());
    return *presenter;
  }
};

Library& library() {
  static Library* const one = new Library();  // lives as long as the Worker
  return *one;
}

struct Response {
  std::string text;
  Answer answer;
};

Response& response() {
  static Response* const last = new Response();
  return *last;
}

}  // namespace
}  // namespace web

extern "C" {

/// Answers a request: a text that lives until the next one or trigon_forget().
EMSCRIPTEN_KEEPALIVE const char* trigon_request(const char* text, const std::byte* bytes,
                                                std::size_t size) try {
  web::Response& last = web::response();
  const web::Json json = web::Json::parse(text, nullptr, false);
  last.answer = web::respond(web::library().commands, {json, {bytes, size}});
  // Bytes of tokens need not be UTF-8.
  last.text = last.answer.json.dump(-1, ' ', false, web::Json::error_handler_t::replace);
  return last.text.c_str();
} catch (const std::bad_alloc&) {
  return R"({"error": {"name": "", "message": "trigon: the Worker has no memory left"}})";
}

/// The bytes that came with the last answer.
EMSCRIPTEN_KEEPALIVE const std::byte* trigon_bytes() { return web::response().answer.bytes.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t trigon_byte_count() { return web::response().answer.bytes.size(); }

/// Frees the last answer, which may be as large as a tensor.
EMSCRIPTEN_KEEPALIVE void trigon_forget() { web::response() = {}; }
}
