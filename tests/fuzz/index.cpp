// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include "target.hpp"

// A model.safetensors.index.json beside two shards.

namespace {

std::string shard(const char* name) {
  std::string header = std::string("{\"") + name +
                       "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"both\":{"
                       "\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  return text + header + std::string(8, '\1');
}

struct Shards : trigon::fuzz::Folder {
  Shards() {
    write("a.safetensors", shard("a"));
    write("b.safetensors", shard("b"));
  }
};

}  // namespace

void trigon::fuzz::run(Bytes bytes) {
  static const Shards folder;
  folder.write("model.safetensors.index.json", text_of(bytes));
  allow_errors([&] {
    const io::SafeTensors tensors = io::SafeTensors::open(folder.path());
    for (const io::Entry& entry : tensors.entries()) {
      require(tensors.find(entry.name) == &entry, "each name finds its tensor");
      io::to_float32(entry);
    }
  });
}
