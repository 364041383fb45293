// SPDX-License-Identifier: MIT
#include "run/texture_pool.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/called.hpp"
#include "core/layout.hpp"
#include "core/quote.hpp"
#include "gl/check.hpp"
#include "gl/format.hpp"
#include "gl/settings.hpp"

namespace trigon::detail::run {
namespace {

constexpr std::int64_t default_cap = std::int64_t{1} << 30;

std::int64_t cap_from_environment() {
  const std::string number = gl::environment("TRIGON_POOL_BYTES");
  if (number.empty()) return default_cap;
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || value < 0) {
    core::fail_on_device("Device", "TRIGON_POOL_BYTES is no number of bytes: {}; must be 0 or more",
                         core::quote(number));
  }
  return value;
}

/// Whether textures are poisoned; debug builds always do it.
bool poisons_from_environment() {
#ifdef NDEBUG
  constexpr bool always = false;
#else
  constexpr bool always = true;
#endif
  return gl::level_from_environment("TRIGON_POISON", 1) == 1 || always;
}

/// The order of free textures and of sets, with the first one last.
constexpr auto is_after = [](const auto& a, const auto& b) { return a->number > b->number; };

template <class T, class Before>
void insert_sorted(std::vector<T>& items, T item, Before before) {
  const auto place = std::upper_bound(items.begin(), items.end(), item, before);
  items.insert(place, std::move(item));
}

}  // namespace

std::int64_t TextureKey::bytes() const {
  return width * height * layers * core::bytes_per_texel(format);
}

TexturePool::TexturePool(const gl::Context& context, gl::State& state, const core::Target& target,
                         Counters& counters)
    : es2_(context.es2()),
      state_(state),
      target_(target),
      counters_(counters),
      cap_bytes_(cap_from_environment()),
      poisons_(poisons_from_environment()) {}

std::string no_memory_text(const TextureKey& key, const core::Layout& layout,
                           const DeviceError& error) {
  return fmt::format("trigon::eval: no memory for a tensor: shape {}, {}, {} as a texture; {}",
                     to_string(layout.shape), core::bytes_text(layout.dtype, layout.shape),
                     key.bytes(), error.what());
}

TextureKey TexturePool::key_of(const core::Layout& layout, bool of_value) const {
  const core::EncodingInfo* const row = core::encoding_of(target_, layout);
  assert(row != nullptr);  // a builder of kernels refuses inputs that the target lacks
  return {row->format, core::texture_side(target_, layout.width),
          core::texture_side(target_, layout.height), layout.layers, of_value};
}

TexturePool::Textures TexturePool::acquire(std::span<const plan::StepOutput> outputs,
                                           bool of_value) {
  Textures textures;
  const RenderTarget* const known = of_value ? free_set(outputs) : nullptr;
  std::size_t next = 0;
  std::array<PooledTexture*, 8> wanted{};
  for (std::size_t k = 0; known != nullptr && k < outputs.size(); ++k) {
    wanted[k] = known->attachments[next].texture;
    next += static_cast<std::size_t>(outputs[k].attachments);
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const plan::StepOutput& output = outputs[k];
    if (output.in_place) continue;
    const TextureKey key = key_of(output.layout, of_value);
    if (wanted[k] == nullptr) wanted[k] = of_value ? free_value(output) : free_texture(key);
    textures[k] = take_or_create(wanted[k], key, output.layout);
    textures[k]->last_run = run_;
    if (!of_value) continue;
    own(*textures[k], output.slot);
  }
  return textures;
}

std::unique_ptr<PooledTexture> TexturePool::acquire(const core::Layout& layout, bool of_value) {
  const TextureKey key = key_of(layout, of_value);
  auto taken = take_or_create(free_texture(key), key, layout);
  unpair(*taken);
  taken->owner.reset();
  return taken;
}

std::unique_ptr<PooledTexture> TexturePool::take_or_create(PooledTexture* texture,
                                                           const TextureKey& key,
                                                           const core::Layout& layout) {
  auto taken = texture != nullptr ? take(*texture) : create_or_explain(key, layout);
  if (poisons_) poison(*taken, layout);
  return taken;
}

std::unique_ptr<PooledTexture> TexturePool::create_or_explain(const TextureKey& key,
                                                              const core::Layout& layout) {
  // An error of earlier draws must not lead to a retry, which would hide it.
  state_.check("glDrawArrays");
  try {
    return create(key);
  } catch (const gl::LostError&) {
    throw;
  } catch (const DeviceError&) {
    state_.forget();
    // Textures kept for later may take up the memory.
    empty();
  }
  try {
    return create(key);
  } catch (const DeviceError& error) {
    throw DeviceError(no_memory_text(key, layout, error));
  }
}

std::unique_ptr<PooledTexture> TexturePool::create(const TextureKey& key) {
  trim();
  auto result = std::make_unique<PooledTexture>();
  result->key = key;
  result->number = next_number_++;
  result->texture = state_.create_texture();
  ++counters_.textures_created;
  const gl::State::TextureBinding binding = result->binding();
  const GLenum kind = binding.kind;
  const auto width = static_cast<GLsizei>(key.width);
  const auto height = static_cast<GLsizei>(key.height);
  state_.bind_texture(binding);
  if (es2_) state_.check("glBindTexture");  // glTexImage2D could replace another texture's content
  if (result->layered()) {
    glTexStorage3D(kind, 1, gl::info(key.format).internal_format, width, height,
                   static_cast<GLsizei>(key.layers));
  } else {
    gl::store_2d(es2_, key.format, width, height);
  }
  glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  state_.check(result->layered() ? "glTexStorage3D" : es2_ ? "glTexImage2D" : "glTexStorage2D");
  return result;
}

PooledTexture::~PooledTexture() {
  if (second != nullptr) second->second = nullptr;
  // The other textures of its framebuffers drop them, too.
  for (const auto& target : targets) {
    for (const Attachment& attachment : target->attachments) {
      if (attachment.texture != this) std::erase(attachment.texture->targets, target);
    }
  }
}

/// Takes a texture out of the free ones.
std::unique_ptr<PooledTexture> TexturePool::take(PooledTexture& texture) {
  auto& same = free_.at(texture.key).textures;
  const auto place = std::lower_bound(
      same.begin(), same.end(), texture,
      [](const auto& one, const PooledTexture& other) { return one->number > other.number; });
  std::unique_ptr<PooledTexture> taken = std::move(*place);
  same.erase(place);
  unlink(texture);
  texture.is_free = false;
  if (!texture.key.of_value) return taken;
  for (const auto& target : texture.targets) {
    if (!target->is_set || target->in_use++ > 0) continue;
    std::erase(free_.at(target->attachments.front().texture->key).sets, target.get());
  }
  return taken;
}

/// The first free texture without an owner.
PooledTexture* TexturePool::free_texture(const TextureKey& key) const {
  const auto same = free_.find(key);
  if (same == free_.end()) return nullptr;
  const auto& textures = same->second.textures;
  const auto found = std::find_if(textures.rbegin(), textures.rend(),
                                  [](const auto& one) { return one->owner.expired(); });
  return found == textures.rend() ? nullptr : found->get();
}

void TexturePool::make_room(const PooledTexture& texture) {
  const auto grow = [](auto& items, std::size_t count) {
    const std::size_t needed = items.size() + count;
    if (needed > items.capacity()) items.reserve(std::max(needed, 2 * items.size()));
  };
  grow(free_[texture.key].textures, 1);
  if (!texture.key.of_value) return;
  for (const auto& target : texture.targets) {
    if (!target->is_set) continue;
    grow(free_[target->attachments.front().texture->key].sets, texture.targets.size());
  }
}

void TexturePool::insert(RenderTarget& set) {
  insert_sorted(free_[set.attachments.front().texture->key].sets, &set, is_after);
}

void TexturePool::recycle(std::unique_ptr<PooledTexture> texture) noexcept {
  try {
    make_room(*texture);
  } catch (const std::bad_alloc&) {
    return;
  }
  texture->is_free = true;
  texture->was_handed_over = running_ != nullptr && texture->leaf_run == run_;
  texture->older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = texture.get();
  newest_ = texture.get();
  free_bytes_ += texture->key.bytes();
  if (texture->key.of_value) {
    for (const auto& target : texture->targets) {
      if (!target->is_set || --target->in_use > 0) continue;
      insert(*target);
    }
  }
  auto& same = free_[texture->key].textures;
  insert_sorted(same, std::move(texture), is_after);
}

void TexturePool::unlink(PooledTexture& texture) {
  (texture.older != nullptr ? texture.older->newer : oldest_) = texture.newer;
  (texture.newer != nullptr ? texture.newer->older : newest_) = texture.older;
  texture.older = texture.newer = nullptr;
  free_bytes_ -= texture.key.bytes();
}

void TexturePool::trim() noexcept {
  if (free_bytes_ <= cap_bytes_) return;
  std::int64_t excess = -cap_bytes_;
  for (const PooledTexture* at = oldest_; at != nullptr; at = at->newer) {
    if (!is_leased(*at)) excess += at->key.bytes();
  }
  for (PooledTexture* at = oldest_; at != nullptr && excess > 0;) {
    PooledTexture* const next = at->newer;
    if (!is_leased(*at)) {
      excess -= at->key.bytes();
      delete_free(*at);
    }
    at = next;
  }
}

void TexturePool::empty() {
  while (oldest_ != nullptr) delete_free(*oldest_);
}

void TexturePool::delete_free(PooledTexture& texture) {
  const std::unique_ptr<PooledTexture> taken = take(texture);
  const auto same = free_.find(taken->key);
  if (same->second.textures.empty()) free_.erase(same);
}

/// Code that reads unwritten texels then meets NaN, or a conspicuous number.
void TexturePool::poison(PooledTexture& texture, const core::Layout& layout) {
  for (std::int64_t layer = 0; layer < texture.key.layers; ++layer) {
    state_.bind_framebuffer(0);  // if only the next binding fails, this clears nothing
    state_.bind_framebuffer(framebuffer(std::array{Attachment{&texture, layer}}, layout));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::array<GLint, 4> whole{-0x55555556, -0x55555556, -0x55555556, -0x55555556};
    const std::array<GLuint, 4> unsigned_whole{0xaa, 0xaa, 0xaa, 0xaa};
    switch (core::texel_type(texture.key.format)) {
      case core::Type::f:
        glClearColor(nan, nan, nan, nan);
        glClear(GL_COLOR_BUFFER_BIT);
        break;
      case core::Type::i: glClearBufferiv(GL_COLOR, 0, whole.data()); break;
      case core::Type::u: glClearBufferuiv(GL_COLOR, 0, unsigned_whole.data()); break;
    }
  }
}

}  // namespace trigon::detail::run
