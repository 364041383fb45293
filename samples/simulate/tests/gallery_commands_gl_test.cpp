// SPDX-License-Identifier: MIT
// The gallery's requests, as a page sends them.
#include <cstring>

#include "commands.hpp"
#include "gallery.hpp"
#include "support.hpp"

namespace simulate {
namespace {

using web::Json;

class SimulateGalleryRequests : public testing::Test {
 protected:
  SimulateGalleryRequests() {
    state_.present = [this](std::span<const web::Picture> pictures) {
      shown_ = pictures[0].image;
      return std::vector<web::Place>{{0, 0, pictures[0].width, pictures[0].height}};
    };
    add_gallery_commands(commands_, state_);
  }

  Json answer(const Json& request) const { return web::respond(commands_, {request, {}}).json; }
  Json result(const Json& request) const { return answer(request)["result"]; }
  std::string error(const Json& request) const { return answer(request)["error"]["message"]; }
  Json open(const char* name) const { return result({{"op", "gallery.open"}, {"name", name}}); }

  web::State state_{};
  web::Commands commands_{};
  trigon::Tensor shown_{};
};

TEST_F(SimulateGalleryRequests, ListWhatThereIs) {
  std::vector<std::string> names;
  for (const Json& item : result({{"op", "gallery.items"}})) {
    names.push_back(item["name"]);
    EXPECT_FALSE(item["about"].get<std::string>().empty());
    EXPECT_FALSE(item["pointer"].get<std::string>().empty());
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"mandelbrot", "gray_scott", "fluid", "life", "n_body"}));
}

TEST_F(SimulateGalleryRequests, ShowFrames) {
  const Json opened =
      result({{"op", "gallery.open"}, {"name", "gray_scott"}, {"size", 20}, {"seed", 5}});
  EXPECT_EQ(opened["width"], 20);
  EXPECT_EQ(opened["height"], 20);
  const Json number = opened["gallery"];
  const Json frame = result({{"op", "gallery.frame"}, {"gallery", number}, {"steps", 3}});
  EXPECT_EQ(frame["picture"]["places"], Json::parse("[[0, 0, 20, 20]]"));
  EXPECT_GT(frame["draws"], 0);
  Gallery same("gray_scott", 20, 5);
  EXPECT_EQ(shown_.to_vector<float>(), same.frame(3).to_vector<float>());
  result({{"op", "gallery.pointer"}, {"gallery", number}, {"x", 0.25}, {"y", 0.5}});
  result({{"op", "gallery.frame"}, {"gallery", number}});
  same.pointer(0.25, 0.5, 0.0, 0.0, true);
  EXPECT_EQ(shown_.to_vector<float>(), same.frame().to_vector<float>());
}

TEST_F(SimulateGalleryRequests, GiveTheBrightnessOfFields) {
  const Json number =
      result({{"op", "gallery.open"}, {"name", "gray_scott"}, {"size", 10}})["gallery"];
  result({{"op", "gallery.frame"}, {"gallery", number}, {"steps", 5}});
  const Json request{{"op", "gallery.brightness"}, {"gallery", number}, {"fields", 4}};
  const web::Answer answer = web::respond(commands_, {request, {}});
  EXPECT_EQ(answer.json["result"]["shape"], Json::parse("[4, 4]"));
  std::vector<float> found(16);
  ASSERT_EQ(answer.bytes.size(), found.size() * sizeof(float));
  std::memcpy(found.data(), answer.bytes.data(), answer.bytes.size());
  // A field is two and a half pixels wide: each pixel as four quarters lie in fields of 5 x 5.
  const std::vector<float> rgb = shown_.to_vector<float>();
  for (std::size_t field = 0; field < found.size(); ++field) {
    double sum = 0;
    for (std::size_t y = 0; y < 5; ++y) {
      for (std::size_t x = 0; x < 5; ++x) {
        const std::size_t row = (5 * (field / 4) + y) / 2, column = (5 * (field % 4) + x) / 2;
        const float* const colour = &rgb[3 * (10 * row + column)];
        sum += 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
      }
    }
    EXPECT_NEAR(found[field], sum / 25, 1e-5) << field;
  }
}

TEST_F(SimulateGalleryRequests, SayWhatIsWrong) {
  const Json number = open("n_body")["gallery"];
  EXPECT_EQ(error({{"op", "gallery.brightness"}, {"gallery", number}, {"fields", 0}}),
            "simulate::Gallery::brightness: bad fields: fields is 0; must be from 1 to 256");
  EXPECT_EQ(error({{"op", "gallery.pointer"}, {"gallery", number}, {"x", nullptr}}),
            "simulate::Gallery::pointer: bad place: a number is nan; must be finite");
  EXPECT_EQ(error({{"op", "gallery.zoom"}, {"gallery", number}, {"factor", 0}}),
            "simulate::Gallery::zoom: bad factor: factor is 0; must be finite and larger than 0");
  EXPECT_EQ(error({{"op", "gallery.open"}, {"name", "heat"}}),
            "simulate::Gallery: no such simulation: name is \"heat\"; must be one of mandelbrot, "
            "gray_scott, fluid, life, n_body");
  EXPECT_EQ(result({{"op", "gallery.close"}, {"gallery", number}}), nullptr);
  EXPECT_EQ(error({{"op", "gallery.frame"}, {"gallery", number}}),
            "trigon.gallery: it was disposed of: dispose() was called");
}

}  // namespace
}  // namespace simulate
