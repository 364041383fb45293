// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <trigon/trigon.hpp>

#include "graph/node.hpp"
#include "run/device_state.hpp"
#include "support/on_profile.hpp"
#include "support/packed.hpp"

// The device decodes bytes that were packed by hand.

namespace trigon {
namespace {

constexpr std::int64_t rows = 5, columns = 48;

std::vector<std::int8_t> packed_bytes() {
  std::vector<std::int8_t> bytes;
  for (std::int64_t k = 0; k < rows * columns; ++k) {
    bytes.push_back(static_cast<std::int8_t>((k * 37 + 11) % 256 - 128));
  }
  return bytes;
}

/// A leaf whose texels are these bytes.
Tensor packed_tensor(const std::vector<std::int8_t>& bytes) {
  const core::Layout layout = support::packed_layout(rows, columns);
  const Device device = Device::default_device();
  auto node = std::make_shared<graph::Node>(graph::Kind::leaf, float32, layout.shape);
  node->device = device.state();
  const run::DeviceState::Entry entry(*node->device);
  node->storage = node->device->create_storage(layout);
  node->device->upload(*node->storage, bytes.data());
  return Tensor(node);
}

TEST(PackedOnDevice, IsDecodedWhereItIsLoaded) {
  const support::OnWebGL2 only("packed elements");
  const std::vector<std::int8_t> bytes = packed_bytes();
  const Tensor x = packed_tensor(bytes);
  const auto twice = (x * 2.0).to_vector<float>();
  const auto turned = (x.T() * 2.0).to_vector<float>();
  const auto shifted = (x.at(ellipsis, Slice{3, {}}).get() * 2.0).to_vector<float>();
  const auto read = x.to_vector<float>();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t k = 0; k < columns; ++k) {
      const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
      const float value = bytes[at(row * columns + k)];
      EXPECT_EQ(read[at(row * columns + k)], value);
      EXPECT_EQ(twice[at(row * columns + k)], 2 * value);
      EXPECT_EQ(turned[at(k * rows + row)], 2 * value);
      if (k < 3) continue;
      EXPECT_EQ(shifted[at(row * (columns - 3) + k - 3)], 2 * value);
    }
  }
}

}  // namespace
}  // namespace trigon
