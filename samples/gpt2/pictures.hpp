// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "model.hpp"
#include "tokenizer.hpp"

namespace gpt2 {

/// The files to write about a text; empty paths are left out.
struct InspectOptions {
  /// A folder for pictures: attention.png (layers down, heads to the right),
  /// attention-LAYER-HEAD.png, block-LAYER.png and lens.png, and the table lens.tsv.
  std::filesystem::path pictures{};
  /// A NumPy file of float32 (layers, heads, T, T): the weights of attention.
  std::filesystem::path attention{};

  bool empty() const { return pictures.empty() && attention.empty(); }
};

/// Creates the folder of pictures if it is missing. Raises trigon::Error, before the model runs,
/// when it cannot be created or written to, and when the file's folder is missing.
void prepare(const InspectOptions& options);

/// Passes a text through the model once more and writes the files of `options`. If the text is
/// longer than the context, uses its newest n_positions ids. Without a tokenizer the table only has
/// ids. Raises trigon::Error when a file cannot be written.
///
/// In pictures of attention, a row is a query and a column a key; black to pale yellow is the
/// square root of the weight. In pictures of blocks, a row is a position and a column a channel.
/// Blue over grey to red is minus to plus three times the root of the mean square.
void inspect_text(const Model& model, std::span<const std::int32_t> ids,
                  const std::optional<Tokenizer>& tokenizer, const InspectOptions& options);

}  // namespace gpt2
