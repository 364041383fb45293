// SPDX-License-Identifier: MIT
#include "pictures.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "common/files.hpp"
#include "progress.hpp"

namespace gpt2 {
namespace {

namespace cm = trigon::cm;
using trigon::Scalar;
using trigon::Tensor;

// "03" for 3 of up to 100.
std::string number(std::size_t k, std::int64_t count) {
  return fmt::format("{:0{}}", k, std::max<std::size_t>(2, fmt::to_string(count - 1).size()));
}

// ---- The numbers

// A NumPy file of version 1.0, a layer at a time.
class AttentionFile {
 public:
  AttentionFile(const std::filesystem::path& path, const Config& config, std::size_t length)
      : file_(path) {
    static_assert(std::endian::native == std::endian::little, "the file format is little-endian");
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}, {}), }}",
                    config.n_layer, config.n_head, length, length);
    constexpr std::size_t before = 10;  // the magic string, the version and the header's length
    header.resize((before + header.size() + 64) / 64 * 64 - before - 1, ' ');
    header += '\n';
    std::string start("\x93NUMPY\1\0", 8);
    start += static_cast<char>(header.size() & 0xff);
    start += static_cast<char>(header.size() >> 8);
    file_.write(start + header);
  }

  void add(const Tensor& attention) {
    const std::vector<float> values = attention.to_vector<float>();
    file_.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  }
  void finish() { file_.finish(); }

 private:
  samples::NewFile file_;
};

// ---- The pictures

// (..., rows, columns, 3), each pixel a square of `times` squared.
Tensor enlarged(const Tensor& image, std::int64_t times) {
  return repeat(repeat(image, times, -3), times, -2);
}

// The factor by which a picture is enlarged so that its shorter side has `wanted` pixels or its
// longer one 2048.
std::int64_t enlargement(std::int64_t rows, std::int64_t columns, std::int64_t wanted) {
  const auto [least, most] = std::minmax(rows, columns);
  return std::max<std::int64_t>(1, std::min(wanted / least, 2048 / most));
}

Tensor attention_colours(const Tensor& weights) { return cm::magma(sqrt(weights)); }

// (H, T, T) -> (H, S, S) with S up to `most`: the largest weight of each square of elements.
Tensor shrunk(const Tensor& attention, std::int64_t most) {
  const std::int64_t heads = attention.shape()[0];
  const std::int64_t length = attention.shape()[1];
  const std::int64_t step = (length + most - 1) / most;
  if (step == 1) return attention;
  const std::int64_t side = (length + step - 1) / step;
  const std::int64_t rest = side * step - length;
  const Tensor whole = pad(attention, {{0, 0}, {0, rest}, {0, rest}});
  return max(whole.reshape(heads, side, step, side, step), {2, 4});
}

Tensor levels(const Tensor& colours) { return floor(colours * 255.0 + 0.5).astype(trigon::uint8); }

class Pictures {
 public:
  Pictures(std::filesystem::path dir, const Config& config) : dir_(std::move(dir)), c_(config) {}

  void add(std::size_t layer, const BlockStates& states) {
    add_heads(layer, states.attention);
    add_row(states.attention);
    const Tensor& x = states.output;
    const Tensor colours = cm::coolwarm(x / (6.0 * sqrt(mean(square(x)))) + 0.5);
    const std::int64_t times = enlargement(x.shape()[0], x.shape()[1], 256);
    save(fmt::format("block-{}.png", number(layer, c_.n_layer)), enlarged(colours, times));
    ids_.push_back(states.top_ids);
    probabilities_.insert(probabilities_.end(), states.top_probabilities.begin(),
                          states.top_probabilities.end());
  }

  void finish(std::span<const std::int32_t> ids, const std::optional<Tokenizer>& tokenizer) {
    const auto columns = static_cast<std::int64_t>(grid_.size()) / (3 * grid_rows_);
    save("attention.png", trigon::tensor<std::uint8_t>(grid_, {grid_rows_, columns, 3}));
    const auto length = static_cast<std::int64_t>(ids.size());
    const Tensor lens = trigon::tensor<float>(probabilities_, {c_.n_layer, length});
    const std::int64_t times = std::clamp<std::int64_t>(1024 / length, 4, 32);
    save("lens.png", enlarged(cm::viridis(lens), times));
    write_table(ids, tokenizer);
  }

 private:
  void save(const std::string& name, const Tensor& image) const {
    trigon::save_png(dir_ / name, image);
  }

  void add_heads(std::size_t layer, const Tensor& attention) const {
    const std::int64_t length = attention.shape()[1];
    for (std::int64_t head = 0; head < c_.n_head; ++head) {
      const Tensor weights = attention.at(Scalar(head)).get();  // (T, T)
      save(fmt::format("attention-{}-{}.png", number(layer, c_.n_layer),
                       number(static_cast<std::size_t>(head), c_.n_head)),
           enlarged(attention_colours(weights), enlargement(length, length, 512)));
    }
  }

  // A row of the grid: the heads of a layer beside each other, with grey lines between them.
  void add_row(const Tensor& attention) {
    constexpr std::int64_t most = 128;
    constexpr double line_colour = 0.4;
    const Tensor small = shrunk(attention, most);
    const std::int64_t times = enlargement(small.shape()[1], small.shape()[1], most);
    const Tensor cells = pad(enlarged(attention_colours(small), times),
                             {{0, 0}, {0, 2}, {0, 2}, {0, 0}}, line_colour);  // (H, S, S, 3)
    const std::int64_t side = cells.shape()[1];
    const Tensor row = cells.transpose({1, 0, 2, 3}).reshape(side, c_.n_head * side, 3);
    const std::vector<std::uint8_t> bytes = levels(row).to_vector<std::uint8_t>();
    grid_.insert(grid_.end(), bytes.begin(), bytes.end());
    grid_rows_ += side;
  }

  // A line for each layer and position. Tokens are quoted as in JSON: they may be a tab.
  void write_table(std::span<const std::int32_t> ids,
                   const std::optional<Tokenizer>& tokenizer) const {
    const auto token = [&](std::int32_t id) {
      if (!tokenizer || static_cast<std::size_t>(id) >= tokenizer->size()) return std::string();
      return nlohmann::json(tokenizer->bytes(id))
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    samples::NewFile file(dir_ / "lens.tsv");
    std::string text = "layer\tposition\tid\ttoken\ttop_id\ttop_token\tprobability\n";
    for (std::size_t layer = 0; layer < ids_.size(); ++layer) {
      for (std::size_t k = 0; k < ids.size(); ++k) {
        const std::int32_t top = ids_[layer][k];
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{:.6g}\n", layer, k, ids[k], token(ids[k]),
                            top, token(top), probabilities_[layer * ids.size() + k]);
      }
    }
    file.write(text);
    file.finish();
  }

  std::filesystem::path dir_;
  const Config& c_;
  std::vector<std::uint8_t> grid_{};  // (grid_rows_, columns, 3)
  std::int64_t grid_rows_ = 0;
  std::vector<std::vector<std::int32_t>> ids_{};  // a layer each
  std::vector<float> probabilities_{};            // (layers, T)
};

}  // namespace

void prepare(const InspectOptions& options) {
  std::error_code error;
  const std::filesystem::path folder = options.attention.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    throw trigon::Error(
        fmt::format("gpt2: {}: no such folder; --attention needs one", folder.string()));
  }
  if (std::filesystem::is_directory(options.attention, error)) {
    throw trigon::Error(fmt::format("gpt2: {}: is a folder; --attention must name a file",
                                    options.attention.string()));
  }
  if (options.pictures.empty()) return;
  const auto fail = [&](const std::string& what) {
    throw trigon::Error(fmt::format("gpt2: {}: {}; --pictures must name a folder or a new one",
                                    options.pictures.string(), what));
  };
  std::filesystem::create_directories(options.pictures, error);
  if (error) fail(fmt::format("cannot be made: {}", error.message()));
  if (::access(options.pictures.c_str(), W_OK | X_OK) != 0) {
    fail(fmt::format("cannot be written to: {}", std::strerror(errno)));
  }
}

void inspect_text(const Model& model, std::span<const std::int32_t> ids,
                  const std::optional<Tokenizer>& tokenizer, const InspectOptions& options) {
  const auto context = static_cast<std::size_t>(model.config().n_positions);
  const auto text = ids.last(std::min(ids.size(), context));
  std::optional<AttentionFile> file;
  if (!options.attention.empty()) file.emplace(options.attention, model.config(), text.size());
  std::optional<Pictures> pictures;
  if (!options.pictures.empty()) pictures.emplace(options.pictures, model.config());
  Progress progress("pictures");
  model.inspect(text, [&](std::size_t layer, const BlockStates& states) {
    if (file) file->add(states.attention);
    if (pictures) pictures->add(layer, states);
    progress.update(static_cast<std::int64_t>(layer) + 1, model.config().n_layer);
  });
  if (file) file->finish();
  if (pictures) pictures->finish(text, tokenizer);
}

}  // namespace gpt2
