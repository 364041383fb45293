// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include "target.hpp"

// A model.safetensors file.

void trigon::fuzz::run(Bytes bytes) {
  const MemoryFile file(bytes);
  allow_errors([&] {
    const io::SafeTensors tensors = io::SafeTensors::open(file.path());
    std::size_t data = 0;
    for (const io::Entry& entry : tensors.entries()) {
      require(tensors.find(entry.name) == &entry, "each name finds its tensor");
      data += entry.bytes.size();
      io::to_float32(entry);
      allow_errors([&] { io::to_int32(entry); });
    }
    require(data <= bytes.size(), "tensors lie in the file");
  });
}
