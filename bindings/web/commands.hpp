// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trigon/device.hpp>

#include "handles.hpp"
#include "numbers.hpp"
#include "table.hpp"

namespace web {

/// A request of the protocol, and bytes that came with it. README.md lists the requests.
struct Message {
  const Json& json;
  std::span<const std::byte> bytes;
};

/// An answer, with bytes beside the text if it has any.
struct Answer {
  Json json = nullptr;
  std::vector<std::byte> bytes{};
};

/// A tensor to draw: (height, width), or (height, width, channels) with 1, 3 or 4 channels. The
/// first `height` rows and `width` columns are shown.
struct Picture {
  trigon::Tensor image;
  std::int64_t height;
  std::int64_t width;
  bool is_pixels = false;  ///< made by pixels()
};

/// Where a picture lies in the canvas, in pixels from its upper left corner.
struct Place {
  std::int64_t x, y, w, h;
};

/// Draws pictures into one canvas and returns their places.
using Present = std::function<std::vector<Place>(std::span<const Picture> pictures)>;

/// The state of the Worker.
struct State {
  Handles handles{};
  ChangingNumbers numbers{};
  std::optional<trigon::Device> device{};
  Present present{};
};

using Command = std::function<Answer(const Message& message)>;
using Commands = std::map<std::string, Command, std::less<>>;

/// Tensors and the device.
void add_commands(Commands& commands, State& state);
/// GPT-2: `gpt2.load` and so on.
void add_gpt2_commands(Commands& commands, State& state);

/// The simulations: `gallery.items` and so on.
void add_gallery_commands(Commands& commands, State& state);

/// The colours of an image as they are shown, (height, width, 4) of float32: values from 0 to 1, or
/// uint8; NaN is 0.
trigon::Tensor pixels(const trigon::Tensor& image);
/// A picture of a whole tensor. Raises Error for other shapes and dtypes.
Picture picture_of(const trigon::Tensor& image);
/// `places` in the form that pages read.
Json to_json(std::span<const Place> places);

/// Answers a message: {"result": ...} or {"error": {"name", "message"}}. Raises nothing.
Answer respond(const Commands& commands, const Message& message);

}  // namespace web
