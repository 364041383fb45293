// SPDX-License-Identifier: MIT
#include "run/device_state.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include <trigon/error.hpp>

#include "gl/check.hpp"
#include "gl/settings.hpp"
#include "run/process.hpp"

namespace trigon::detail::run {
namespace {

core::Target target_of(const gl::Caps& caps, Profile profile) {
  core::Target target;
  target.dialect = profile == Profile::webgl1 ? core::Dialect::es100 : core::Dialect::es300;
  target.draw_buffers = std::min(caps.max_draw_buffers, 8);
  target.max_side = caps.max_texture_size;
  target.max_layers = caps.max_array_layers;
  target.samplers = std::min(caps.max_texture_units, 16);
  target.vertex_samplers = caps.max_vertex_texture_units;
  target.uniform_vectors = caps.max_uniform_vectors;
  target.trip_limit = caps.trip_limit;
  target.index_limit = caps.index_limit;
  target.sampler_fetch = caps.quirks.has(gl::Quirk::sampler_fetch);
  target.avoid_power_of_two = caps.quirks.has(gl::Quirk::avoid_power_of_two);
  target.float_blend = caps.float_blend && caps.quirks.has(gl::Quirk::float_blend);
  target.share_quads = caps.quirks.has(gl::Quirk::share_quads) && caps.exact_derivatives;
  return target;
}

// Held while a device opens. Devices share it instead of their own if only one may work at a time.
const std::shared_ptr<std::recursive_mutex>& common_mutex() {
  static const auto mutex = std::make_shared<std::recursive_mutex>();
  return mutex;
}

}  // namespace

std::shared_ptr<DeviceState> DeviceState::open(const DeviceOptions& options) {
  check_driver_usable();
  const std::lock_guard lock(*common_mutex());
  gl::Context context = gl::Context::open({.device = options.index, .profile = options.profile});
  watch_process();
  return {new DeviceState(std::move(context), options), &DeviceState::close};
}

void DeviceState::close(DeviceState* device) {
  if (is_driver_usable()) {
    delete device;
    return;
  }
  // Its objects are freed with the process; until then leak checkers find it here.
  static auto* const kept = new std::vector<DeviceState*>;
  kept->push_back(device);
}

DeviceState::DeviceState(gl::Context context, const DeviceOptions& options)
    : context_(std::move(context)), profile_(options.profile) {
  const gl::Current current(context_);
  caps_ = gl::probe(context_, profile_);
  mutex_ = caps_.quirks.has(gl::Quirk::one_at_a_time) ? common_mutex()
                                                      : std::make_shared<std::recursive_mutex>();
  if (caps_.quirks.has(gl::Quirk::check_at_reads)) state_.check_at_reads();
  target_ = target_of(caps_, profile_);
  target_.check = gl::level_from_environment("TRIGON_CHECK", 1) == 1;
  debug_level_ = gl::level_from_environment("TRIGON_DEBUG", 3);
  costs_ = caps_.quirks.has(gl::Quirk::gpu_costs) ? core::gpu_costs : core::llvmpipe_costs;
  pool_ = std::make_unique<TexturePool>(context_, state_, target_, counters);
  programs_ = std::make_unique<ProgramCache>(state_, counters);
  vertex_array_ = gl::VertexArray::create();
  state_.bind_vertex_array(vertex_array_.id());
  if (profile_ == Profile::webgl1) {
    // WebGL 1 has no gl_VertexID, so the corners of its one triangle are vertex data.
    constexpr std::array<float, 6> triangle{-1, -1, 3, -1, -1, 3};
    corners_ = gl::Buffer::create();
    glBindBuffer(GL_ARRAY_BUFFER, corners_.id());
    glBufferData(GL_ARRAY_BUFFER, sizeof triangle, triangle.data(), GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  }
  state_.set_blend(false);
  glDisable(GL_DITHER);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  gl::check("trigon::Device");
  counters = {};
}

DeviceState::~DeviceState() {
  const auto mutex = mutex_;
  const std::lock_guard lock(*mutex);
  std::optional<gl::Current> current;
  try {
    current.emplace(context_);
  } catch (const std::exception&) {
    // The caller may hold the context on another thread, which frees its objects. Or memory is
    // full.
  }
  drain();
  near_.reset();
  far_.reset();
  programs_.reset();
  pool_.reset();
  corners_.reset();
  vertex_array_.reset();
}

void DeviceState::pretend(const core::Target& target, const core::Costs& costs) {
  target_ = target;
  costs_ = costs;
  plans = plan::PlanCache();
}

DeviceState::Lock::Lock(DeviceState& device) {
  check_driver_usable();
  lock_ = std::unique_lock(*device.mutex_);
}

DeviceState::Entry::Entry(DeviceState& device)
    : lock_(device),
      current_(device.usable_context()),
      device_(device),
      exceptions_(std::uncaught_exceptions()) {
  gl::check_not_lost(device.context_);
  gl::take_loss();  // may be set by another context's loss
  device.drain();
  device.state_.enter();
}

DeviceState::Entry::~Entry() {
  if (std::uncaught_exceptions() > exceptions_) device_.forget_gl();
  device_.state_.leave();
}

const gl::Context& DeviceState::usable_context() const {
  if (is_lost_) throw gl::LostError();
  state_.require_work();
  return context_;
}

void DeviceState::forget_gl() {
  state_.forget();
  state_.clear_errors();
  is_lost_ = gl::take_loss() || is_lost_;
  programs_->forget_uniforms();
  pool_->forget_framebuffers();
}

void DeviceState::synchronize() {
  finish();
  state_.check("glFinish");
  gl::check_answers();
}

void DeviceState::finish() {
  if constexpr (!gl::in_browser) {
    glFinish();
    return;
  }
  // In browsers glFinish only flushes, but a read waits for earlier draws.
  auto texture = pool_->acquire(core::Layout{}, false);
  const core::Layout one{};
  state_.bind_framebuffer(0);  // as run() does first
  state_.bind_framebuffer(pool_->framebuffer(std::array{Attachment{texture.get(), 0}}, one));
  glClear(GL_COLOR_BUFFER_BIT);
  is_first_texel_set(*texture);
  pool_->recycle(std::move(texture));
}

void DeviceState::discard(std::unique_ptr<PooledTexture> texture) noexcept {
  if (texture == nullptr) return;
  const std::lock_guard lock(discarded_mutex_);
  texture->newer = std::exchange(discarded_.texture, texture.get());
  static_cast<void>(texture.release());
}

void DeviceState::discard(std::unique_ptr<PendingRead> read) noexcept {
  const std::lock_guard lock(discarded_mutex_);
  read->newer = std::exchange(discarded_.read, read.get());
  static_cast<void>(read.release());
}

DeviceState::Discarded DeviceState::take_discarded() {
  Discarded taken;
  {
    const std::lock_guard lock(discarded_mutex_);
    taken = std::exchange(discarded_, {});
  }
  PooledTexture* last = std::exchange(taken.texture, nullptr);
  while (last != nullptr) {
    PooledTexture* const next = std::exchange(last->newer, taken.texture);
    taken.texture = std::exchange(last, next);
  }
  return taken;
}

void DeviceState::drain() {
  const Discarded taken = take_discarded();
  for (PendingRead* next = taken.read; next != nullptr;) {
    const std::unique_ptr<PendingRead> read(next);
    next = read->newer;
  }
  for (PooledTexture* next = taken.texture; next != nullptr;) {
    std::unique_ptr<PooledTexture> texture(next);
    next = std::exchange(texture->newer, nullptr);
    pool_->recycle(std::move(texture));
  }
  pool_->trim();
}

std::shared_ptr<Storage> DeviceState::create_storage(const core::Layout& layout) {
  drain();
  return create_storage(pool_->acquire(layout, true), layout);
}

std::shared_ptr<Storage> DeviceState::create_storage(std::unique_ptr<PooledTexture> texture,
                                                     const core::Layout& layout) {
  // The last owner of the texture gives it back; until then it keeps the device alive.
  std::shared_ptr<PooledTexture> shared(texture.release(),
                                        [device = shared_from_this()](PooledTexture* dead) {
                                          device->discard(std::unique_ptr<PooledTexture>(dead));
                                        });
  return std::make_shared<Storage>(std::move(shared), layout, this);
}

}  // namespace trigon::detail::run
