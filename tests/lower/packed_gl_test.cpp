// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "run/device_state.hpp"
#include "support/on_profile.hpp"
#include "support/packed.hpp"

// The device decodes bytes that were packed by hand.

namespace trigon {
namespace {

constexpr std::int64_t rows = 5, columns = 64;

/// A leaf whose texels are these bytes.
Tensor packed_tensor(const core::Layout& layout, const std::vector<std::byte>& bytes) {
  const Device device = Device::default_device();
  auto node = std::make_shared<graph::Node>(graph::Kind::leaf, float32, layout.shape);
  node->device = detail::Internals::state(device);
  const run::DeviceState::Entry entry(*node->device);
  node->storage = node->device->create_storage(layout);
  node->device->upload(*node->storage, bytes.data());
  return detail::Internals::tensor(node);
}

void expect_decoded(const core::EncodingInfo& encoding) {
  const core::Layout layout = support::packed_layout(rows, columns, 1, &encoding);
  std::vector<std::byte> bytes;
  for (std::int64_t k = 0; k < layout.bytes(); ++k) {
    bytes.push_back(static_cast<std::byte>((k * 37 + 11) % 256));
  }
  const Tensor x = packed_tensor(layout, bytes);
  const auto twice = (x * 2.0).to_vector<float>();
  const auto turned = (x.T() * 2.0).to_vector<float>();
  const auto shifted = (x.at(ellipsis, Slice{3, {}}).get() * 2.0).to_vector<float>();
  const auto read = x.to_vector<float>();
  const std::int64_t texel = encoding.elements_per_texel;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t k = 0; k < columns; ++k) {
      const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
      const std::int64_t place = row * columns + k;
      const auto* const start =
          bytes.data() + place / texel * core::bytes_per_texel(encoding.format);
      const auto value = static_cast<float>(encoding.element(start, place % texel));
      EXPECT_EQ(read[at(place)], value);
      EXPECT_EQ(twice[at(place)], 2 * value);
      EXPECT_EQ(turned[at(k * rows + row)], 2 * value);
      if (k < 3) continue;
      EXPECT_EQ(shifted[at(row * (columns - 3) + k - 3)], 2 * value);
    }
  }
}

TEST(PackedOnDevice, IsDecodedWhereItIsLoaded) {
  const support::OnWebGL2 only("packed elements");
  for (const core::EncodingInfo* encoding : support::packed_encodings()) {
    SCOPED_TRACE(encoding->decode);
    expect_decoded(*encoding);
  }
}

}  // namespace
}  // namespace trigon
