// SPDX-License-Identifier: MIT
#include "run/texture_pool.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/layout.hpp"
#include "core/quote.hpp"
#include "gl/check.hpp"
#include "gl/format.hpp"
#include "gl/settings.hpp"

namespace trigon::run {
namespace {

constexpr std::int64_t default_cap = std::int64_t{1} << 30;

std::int64_t cap_from_environment() {
  const std::string number = gl::environment("TRIGON_POOL_BYTES");
  if (number.empty()) return default_cap;
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || value < 0) {
    throw DeviceError(fmt::format(
        "trigon::Device: TRIGON_POOL_BYTES is no number of bytes: {}; must be 0 or more",
        quote(number)));
  }
  return value;
}

/// Debug builds always do.
bool poisons_from_environment() {
#ifdef NDEBUG
  constexpr bool always = false;
#else
  constexpr bool always = true;
#endif
  return gl::level_from_environment("TRIGON_POISON", 1) == 1 || always;
}

/// Whether b is taken before a. First come textures that never shared a draw, then those that were
/// drawn to alone as well, so that the others stay together. The order in which textures became
/// free does not count: the same evaluation finds the same ones.
bool is_after(const PooledTexture& a, const PooledTexture& b) {
  const auto rank = [](const PooledTexture& x) {
    return std::tuple(x.drawn_together, x.drawn_together && !x.drawn_alone, x.number);
  };
  return rank(a) > rank(b);
}

template <class T, class Before>
void insert_sorted(std::vector<T>& items, T item, Before before) {
  const auto place = std::upper_bound(items.begin(), items.end(), item, before);
  items.insert(place, std::move(item));
}

std::string no_memory_text(const TextureKey& key, const plan::Layout& layout,
                           const DeviceError& error) {
  return fmt::format("trigon::eval: no memory for a tensor: shape {}, {}, {} as a texture; {}",
                     to_string(layout.shape), plan::bytes_text(layout.dtype, layout.shape),
                     key.bytes(), error.what());
}

}  // namespace

std::int64_t TextureKey::bytes() const {
  return width * height * layers * gl::info(format).bytes_per_texel;
}

TexturePool::TexturePool(const gl::Context& context, gl::State& state, const plan::Target& target,
                         Counters& counters)
    : es2_(context.es2()),
      state_(state),
      target_(target),
      counters_(counters),
      cap_bytes_(cap_from_environment()),
      poisons_(poisons_from_environment()) {}

gl::Format TexturePool::format_of(DType dtype) const {
  if (target_.dialect == plan::Dialect::es100) return gl::Format::rgba32f;
  switch (dtype) {
    case DType::float32: return gl::Format::rgba32f;
    case DType::float16: return gl::Format::rgba16f;
    case DType::int32: return gl::Format::rgba32i;
    case DType::uint32: return gl::Format::rgba32ui;
    default: return gl::Format::rgba8ui;
  }
}

TextureKey TexturePool::key_of(const plan::Layout& layout) const {
  return {format_of(layout.dtype), plan::texture_side(target_, layout.width),
          plan::texture_side(target_, layout.height), layout.layers};
}

TexturePool::Textures TexturePool::acquire(std::span<const plan::StepOutput> outputs) {
  Textures textures;
  if (const RenderTarget* known = free_target(outputs)) {
    auto attachment = known->attachments.begin();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      textures[k] = take(*attachment->texture);
      attachment += outputs[k].attachments;
      if (poisons_) poison(*textures[k], outputs[k].layout);
    }
    return textures;
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k].in_place) continue;
    textures[k] = acquire(outputs[k].layout);
    (outputs.size() > 1 ? textures[k]->drawn_together : textures[k]->drawn_alone) = true;
  }
  return textures;
}

std::unique_ptr<PooledTexture> TexturePool::acquire(const plan::Layout& layout) {
  const TextureKey key = key_of(layout);
  std::unique_ptr<PooledTexture> texture = reuse(key);
  if (texture == nullptr) texture = create_or_explain(key, layout);
  if (poisons_) poison(*texture, layout);
  return texture;
}

std::unique_ptr<PooledTexture> TexturePool::create_or_explain(const TextureKey& key,
                                                              const plan::Layout& layout) {
  // An error of the draws so far is no reason to try again, which would hide it.
  gl::check("glDrawArrays");
  try {
    return create(key);
  } catch (const gl::LostError&) {
    throw;
  } catch (const DeviceError&) {
    state_.forget();
    // What is kept for later may be what is in the way.
    empty();
  }
  try {
    return create(key);
  } catch (const DeviceError& error) {
    throw DeviceError(no_memory_text(key, layout, error));
  }
}

std::unique_ptr<PooledTexture> TexturePool::create(const TextureKey& key) {
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
  if (es2_) gl::check("glBindTexture");  // glTexImage2D would give another texture a new content
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
  gl::check(result->layered() ? "glTexStorage3D" : es2_ ? "glTexImage2D" : "glTexStorage2D");
  return result;
}

PooledTexture::~PooledTexture() {
  // The other textures of a framebuffer let go of it, too.
  for (const auto& target : targets) {
    for (const Attachment& attachment : target->attachments) {
      if (attachment.texture != this) std::erase(attachment.texture->targets, target);
    }
  }
}

void TexturePool::forget(const RenderTarget& target) {
  const std::vector<Attachment> attachments = target.attachments;
  for (const Attachment& attachment : attachments) {
    std::erase_if(attachment.texture->targets,
                  [&](const auto& one) { return one.get() == &target; });
  }
}

std::size_t TexturePool::most_targets(std::span<const Attachment> attachments) {
  // A loop may write a few layers after the other, and a download reads each of them.
  std::int64_t layers = 0;
  for (const Attachment& one : attachments) layers = std::max(layers, one.texture->key.layers);
  return static_cast<std::size_t>(64 + 3 * layers);
}

GLuint TexturePool::framebuffer(std::span<const Attachment> attachments,
                                const plan::Layout& layout) {
  PooledTexture& first = *attachments[0].texture;
  const auto is_invalid = [this](const auto& target) { return target->number < first_valid_; };
  const auto find_invalid = [&] {
    return std::find_if(first.targets.begin(), first.targets.end(), is_invalid);
  };
  for (auto at = find_invalid(); at != first.targets.end(); at = find_invalid()) {
    const auto invalid = *at;
    forget(*invalid);
  }
  for (const auto& target : first.targets) {
    const auto& known = target->attachments;
    if (std::equal(known.begin(), known.end(), attachments.begin(), attachments.end())) {
      return target->framebuffer.id();
    }
  }
  auto framebuffer = state_.create_framebuffer();
  ++counters_.framebuffers_created;
  state_.bind_framebuffer(framebuffer.id());
  std::array<GLenum, 8> points{};
  for (std::size_t k = 0; k < attachments.size(); ++k) {
    const auto& [texture, layer] = attachments[k];
    const auto point = points[k] = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + k);
    if (texture->layered()) {
      glFramebufferTextureLayer(GL_FRAMEBUFFER, point, texture->texture.id(), 0,
                                static_cast<GLint>(layer));
    } else {
      glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture->texture.id(), 0);
    }
  }
  // The first attachment is drawn to in any case.
  if (attachments.size() > 1) {
    glDrawBuffers(static_cast<GLsizei>(attachments.size()), points.data());
  }
  try {
    gl::check_framebuffer("trigon::run: target");
    gl::check("glDrawBuffers");  // one that lacks a target is not kept
  } catch (const gl::LostError&) {
    throw;
  } catch (const DeviceError& error) {
    // Some drivers give a texture that they have no memory for, and refuse it here.
    throw gl::CallError(no_memory_text(first.key, layout, error));
  }
  const GLuint id = framebuffer.id();
  const auto target = std::make_shared<RenderTarget>(RenderTarget{
      {attachments.begin(), attachments.end()}, std::move(framebuffer), next_number_++});
  const std::size_t most = most_targets(attachments);
  // All textures of a target know it, or none does.
  for (const Attachment& attachment : attachments) {
    attachment.texture->targets.reserve(attachment.texture->targets.size() + 1);
  }
  for (const Attachment& attachment : attachments) {
    PooledTexture& texture = *attachment.texture;
    auto& targets = texture.targets;
    if (std::find(targets.begin(), targets.end(), target) != targets.end()) continue;
    targets.push_back(target);
    ++target->in_use;
    if (targets.size() > most) forget(*targets.front());
  }
  return id;
}

std::unique_ptr<PooledTexture> TexturePool::reuse(const TextureKey& key) {
  const auto found = free_.find(key);
  if (found == free_.end() || found->second.textures.empty()) return nullptr;
  return take(*found->second.textures.back());
}

/// Out of those that are free.
std::unique_ptr<PooledTexture> TexturePool::take(PooledTexture& texture) {
  auto& same = free_.at(texture.key).textures;
  const auto place = std::lower_bound(
      same.begin(), same.end(), texture,
      [](const auto& one, const PooledTexture& other) { return is_after(*one, other); });
  std::unique_ptr<PooledTexture> taken = std::move(*place);
  same.erase(place);
  unlink(texture);
  for (const auto& target : texture.targets) {
    if (!target->has_several_textures() || target->in_use++ > 0) continue;
    std::erase(free_.at(target->attachments.front().texture->key).targets, target.get());
  }
  return taken;
}

bool TexturePool::fits(const RenderTarget& target,
                       std::span<const plan::StepOutput> outputs) const {
  std::size_t next = 0;
  if (target.number < first_valid_) return false;
  for (const plan::StepOutput& output : outputs) {
    if (output.in_place) return false;
    const TextureKey key = key_of(output.layout);
    for (std::int64_t layer = 0; layer < output.attachments; ++layer, ++next) {
      if (next == target.attachments.size()) return false;
      const Attachment& attachment = target.attachments[next];
      if (attachment.layer != layer || attachment.texture->key != key) return false;
    }
  }
  return next == target.attachments.size();
}

/// A framebuffer for the outputs of a draw, or for the first of several draws, that nothing uses.
RenderTarget* TexturePool::free_target(std::span<const plan::StepOutput> outputs) const {
  if (outputs.size() < 2) return nullptr;
  const auto same = free_.find(key_of(outputs[0].layout));
  if (same == free_.end()) return nullptr;
  const auto& targets = same->second.targets;
  const auto found =
      std::find_if(targets.rbegin(), targets.rend(),
                   [&](const RenderTarget* target) { return fits(*target, outputs); });
  return found == targets.rend() ? nullptr : *found;
}

void TexturePool::make_room(const PooledTexture& texture) {
  const auto grow = [](auto& items, std::size_t count) {
    const std::size_t needed = items.size() + count;
    if (needed > items.capacity()) items.reserve(std::max(needed, 2 * items.size()));
  };
  grow(free_[texture.key].textures, 1);
  for (const auto& target : texture.targets) {
    if (!target->has_several_textures()) continue;
    grow(free_[target->attachments.front().texture->key].targets, texture.targets.size());
  }
}

void TexturePool::recycle(std::unique_ptr<PooledTexture> texture) noexcept {
  try {
    make_room(*texture);
  } catch (const std::bad_alloc&) {
    return;
  }
  texture->older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = texture.get();
  newest_ = texture.get();
  free_bytes_ += texture->key.bytes();
  for (const auto& target : texture->targets) {
    if (!target->has_several_textures() || --target->in_use > 0) continue;
    insert_sorted(free_[target->attachments.front().texture->key].targets, target.get(),
                  [](const auto* a, const auto* b) { return a->number > b->number; });
  }
  auto& same = free_[texture->key].textures;
  insert_sorted(same, std::move(texture),
                [](const auto& a, const auto& b) { return is_after(*a, *b); });
  while (free_bytes_ > cap_bytes_ && oldest_ != nullptr) delete_oldest();
}

void TexturePool::unlink(PooledTexture& texture) {
  (texture.older != nullptr ? texture.older->newer : oldest_) = texture.newer;
  (texture.newer != nullptr ? texture.newer->older : newest_) = texture.older;
  texture.older = texture.newer = nullptr;
  free_bytes_ -= texture.key.bytes();
}

void TexturePool::empty() {
  while (oldest_ != nullptr) delete_oldest();
}

void TexturePool::delete_oldest() {
  const std::unique_ptr<PooledTexture> oldest = take(*oldest_);
  const auto same = free_.find(oldest->key);
  if (same->second.textures.empty()) free_.erase(same);
}

/// Whoever reads what was not written meets NaN, or a number that stands out.
void TexturePool::poison(PooledTexture& texture, const plan::Layout& layout) {
  for (std::int64_t layer = 0; layer < texture.key.layers; ++layer) {
    state_.bind_framebuffer(0);  // a binding that fails alone then clears nothing
    state_.bind_framebuffer(framebuffer(std::array{Attachment{&texture, layer}}, layout));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::array<GLint, 4> whole{-0x55555556, -0x55555556, -0x55555556, -0x55555556};
    const std::array<GLuint, 4> unsigned_whole{0xaa, 0xaa, 0xaa, 0xaa};
    switch (gl::info(texture.key.format).sampler) {
      case gl::SamplerKind::floating:
        glClearColor(nan, nan, nan, nan);
        glClear(GL_COLOR_BUFFER_BIT);
        break;
      case gl::SamplerKind::integer: glClearBufferiv(GL_COLOR, 0, whole.data()); break;
      case gl::SamplerKind::unsigned_integer:
        glClearBufferuiv(GL_COLOR, 0, unsigned_whole.data());
        break;
    }
  }
}

}  // namespace trigon::run
