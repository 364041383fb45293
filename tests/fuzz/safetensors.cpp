// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include "target.hpp"

// A model.safetensors file, in memory. Its start alone gives the same places of tensors.

namespace {

using trigon::detail::io::Entry;
using trigon::detail::io::SafeTensors;

void check_start(std::span<const std::byte> file, const SafeTensors& tensors) {
  const std::uint64_t end = SafeTensors::header_end(file, file.size(), "memory");
  const auto same = [](const Entry& a, const Entry& b) {
    return a.name == b.name && a.begin == b.begin && a.end == b.end;
  };
  const SafeTensors start = SafeTensors::parse_header(file.first(end), {}, "memory");
  trigon::fuzz::require(std::ranges::equal(start.entries(), tensors.entries(), same),
                        "a header says the same without the data");
}

}  // namespace

void trigon::fuzz::run(Bytes bytes) {
  const std::span<const std::byte> file = std::as_bytes(bytes);
  allow_errors([&] {
    const SafeTensors tensors = SafeTensors::parse(file, "memory");
    std::size_t data = 0;
    for (const Entry& entry : tensors.entries()) {
      require(tensors.find(entry.name) == &entry, "each name finds its tensor");
      data += entry.bytes.size();
      io::to_float32(entry);
      allow_errors([&] { io::to_int32(entry); });
    }
    require(data <= bytes.size(), "tensors lie in the file");
    check_start(file, tensors);
  });
  // If the size of the file is not known.
  allow_errors([&] { SafeTensors::parse_header(file, {}, "memory"); });
}
