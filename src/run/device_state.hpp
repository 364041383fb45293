// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/debug.hpp>
#include <trigon/device.hpp>

#include "core/rooms.hpp"
#include "gl/caps.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/state.hpp"
#include "plan/plan.hpp"
#include "plan/plan_cache.hpp"
#include "run/pending_read.hpp"
#include "run/program_cache.hpp"
#include "run/slot_texture.hpp"
#include "run/texture_pool.hpp"

namespace trigon::detail::run {

class DeviceState;
class SlotTextures;

/// A tensor's texture, which several tensors may share in different layouts. It may be destroyed on
/// any thread: the texture then waits for the device's next entry.
class Storage {
 public:
  Storage(std::shared_ptr<PooledTexture> texture, const core::Layout& layout, DeviceState* device)
      : texture_(std::move(texture)), layout_(layout), device_(device) {}
  /// The same texels in a layout, for another tensor; `of` itself if it has that layout.
  static std::shared_ptr<Storage> view(const std::shared_ptr<Storage>& of,
                                       const core::Layout& layout) {
    if (of->layout_ == layout) return of;
    return std::make_shared<Storage>(of->texture_, layout, of->device_);
  }

  PooledTexture& texture() const { return *texture_; }
  const core::Layout& layout() const { return layout_; }
  /// Whether no other storage has these texels.
  bool owns_texture() const { return texture_.use_count() == 1; }
  /// The device whose context owns the texture; the texture keeps it alive.
  DeviceState& device() const { return *device_; }

 private:
  std::shared_ptr<PooledTexture> texture_;
  core::Layout layout_;
  DeviceState* device_;
};

/// A context and everything in it. `discard` needs no guard, `counters` and `plans` need a Lock,
/// all else needs an Entry.
class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  /// Raises DeviceError if there is no such device, and in the child of a fork.
  static std::shared_ptr<DeviceState> open(const DeviceOptions& options);
  ~DeviceState();

  /// Holds the device's mutex, for work without GL such as counters and planning. Raises
  /// DeviceError in the child of a fork, and while the process ends.
  class Lock {
   public:
    explicit Lock(DeviceState& device);

   private:
    std::unique_lock<std::recursive_mutex> lock_;
  };

  /// Holds the device's mutex and makes its context current; restores the caller's context at the
  /// end. Each costs two calls of eglMakeCurrent unless it is nested in another one.
  class Entry {
   public:
    explicit Entry(DeviceState& device);
    /// If an exception leaves it, the device forgets the GL state that it assumed, and notes
    /// whether the context is lost. Later entries then raise DeviceError.
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    Lock lock_;
    gl::Current current_;
    DeviceState& device_;
    int exceptions_;
  };

  const gl::Caps& caps() const { return caps_; }
  const core::Target& target() const { return target_; }
  const core::Costs& costs() const { return costs_; }
  Profile profile() const { return profile_; }
  /// The level of TRIGON_DEBUG when the device was opened.
  int debug_level() const { return debug_level_; }
  /// The bindings of the context. Code that binds in other ways must tell it to forget them.
  gl::State& gl_state() { return state_; }

  std::shared_ptr<Storage> create_storage(const core::Layout& layout);
  std::shared_ptr<Storage> create_storage(std::unique_ptr<PooledTexture> texture,
                                          const core::Layout& layout);
  /// May be called on any thread.
  void discard(std::unique_ptr<PooledTexture> texture) noexcept;
  void discard(std::unique_ptr<PendingRead> read) noexcept;
  /// Returns discarded textures to the pool, and ends reads that nobody waits for.
  void drain();
  /// Deletes the free textures that the pool keeps.
  void empty_pool() { pool_->empty(); }

  /// Runs a plan. Slots are by number, with leaves filled in; scalars are the plan's run-time
  /// numbers. `drawn` counts the finished steps, in case one throws.
  void run(const plan::Plan& plan, std::vector<std::shared_ptr<Storage>>& slots,
           std::span<const double> scalars, std::size_t& drawn);

  /// GL: glTexSubImage2D. `values` holds layout.shape.numel() elements of the dtype's host type;
  /// if the layout is not plain, whole encoded texels. Flat layouts.
  void upload(const Storage& storage, const void* values);
  /// After an error: the next calls set all GL state again. GL: glGetError.
  void forget_gl();
  /// Waits until all draws are done. Raises DeviceError if one failed. GL: glFinish, or in a
  /// browser glReadPixels.
  void synchronize();
  /// GL: glReadPixels. Elements in C order, converted to `dtype`'s host type. With the quirk
  /// check_at_reads, an error may be that of earlier work.
  void read(const Storage& storage, void* out, DType dtype);
  /// Starts the same without waiting. GL: glReadPixels into GL_PIXEL_PACK_BUFFER, glFenceSync.
  std::unique_ptr<PendingRead> start_read(const Storage& storage);
  /// Whether the texels have arrived on the host. Never waits. GL: glClientWaitSync.
  bool is_done(PendingRead& read);
  /// Allocates host memory for its texels.
  static void make_room(PendingRead& read);
  /// After make_room(): waits, except in a browser, and converts the elements as read() does. GL:
  /// glMapBufferRange.
  void finish_read(std::unique_ptr<PendingRead> read, void* out, DType dtype);
  /// Whether a texture's first element, a float, is not 0. GL: glReadPixels of one texel.
  bool is_first_texel_set(PooledTexture& texture);

  /// A program that was compiled, or recompiled for other texture formats.
  struct Compiled {
    std::string label;    ///< the step's
    double milliseconds;  ///< until its draw was issued, since llvmpipe compiles at the first draw
  };
  /// With TRIGON_DEBUG: programs compiled since the last call.
  std::vector<Compiled> take_compiled() { return std::exchange(compiled_, {}); }

  /// For tests over a GL that draws nothing: plans are from now on made for these limits and times.
  void pretend(const core::Target& target, const core::Costs& costs);

  Counters counters;
  plan::PlanCache plans;
  /// For tests: called with each plan made for an evaluation or a compiled function.
  std::function<void(const plan::Plan&)> on_plan;
  std::set<std::vector<int>> tried_kernels;  ///< ops and ranks of kernels that compiled

 private:
  DeviceState(gl::Context context, const DeviceOptions& options);
  static void close(DeviceState* device);
  /// Raises LostError after a loss, and DeviceError if unchecked work failed.
  const gl::Context& usable_context() const;
  struct Discarded {
    PooledTexture* texture = nullptr;  ///< the last one; earlier ones follow by `newer`
    PendingRead* read = nullptr;       ///< likewise
  };
  /// The discarded objects, the first texture first.
  Discarded take_discarded();

  /// Runs a draw, or a loop of steps, which sets its counter among the scalars.
  void run(const plan::Step& step, SlotTextures& textures);
  void draw(const plan::Step& step, const SlotTextures& textures, std::span<const double> scalars);
  void draw_points(const plan::Step& step, const SlotTextures& textures,
                   std::span<const double> scalars);
  void set_ints(const plan::Step& step, std::span<const double> scalars, std::int64_t first_row);
  /// With TRIGON_CHECK=1: raises Error for errors of users' kernels in a draw.
  void check(const plan::Step& step, const SlotTextures& textures, std::span<const double> scalars);
  /// Binds a program with its textures, and sets its guards.
  void use(Program& program, const plan::Step& step, const SlotTextures& textures,
           std::span<const double> scalars);
  void draw_layers(Program& program, const plan::Step& step, std::span<const double> scalars,
                   std::int64_t k, const core::Layout& layout);
  void set_guards(Program& program, const plan::Step& step, std::span<const double> scalars);
  /// Whether the program has not been drawn with these formats before.
  bool note_formats(Program& program, const plan::Step& step, const SlotTextures& textures);
  /// The program of a draw of the running plan; if it is unknown, compiles all of the plan's.
  Program& program_of(const plan::Step& step);
  /// Waits until all draws are done.
  void finish();
  /// Ends the draws of a step, and waits if the driver is far behind.
  void end_draws();
  /// Binds a layer of a texture for glReadPixels. GL: glBindFramebuffer; with the quirk
  /// clear_before_read also the calls of gl::State::clear_nothing.
  void bind_for_read(PooledTexture& texture, std::int64_t layer, const core::Layout& layout);
  /// Reads all rows that hold elements, layer by layer, to an address, or to an offset in the bound
  /// GL_PIXEL_PACK_BUFFER.
  void read_texels(const Storage& storage, std::uintptr_t to);

  gl::Context context_;
  bool is_lost_ = false;
  Profile profile_;
  gl::Caps caps_;
  core::Target target_;
  core::Costs costs_ = core::gpu_costs;
  int debug_level_ = 0;
  std::shared_ptr<std::recursive_mutex> mutex_;  ///< shared by all devices if the driver needs that
  gl::State state_;
  std::unique_ptr<TexturePool> pool_;
  std::unique_ptr<ProgramCache> programs_;
  gl::VertexArray vertex_array_;
  gl::Buffer corners_;
  gl::Sync far_, near_;
  std::int64_t draws_since_fence_ = 0;

  // Memory that evaluations reuse.
  std::vector<SlotTexture> places_;
  std::vector<Attachment> attachments_;  ///< of the current draw
  std::vector<std::int32_t> ints_;
  std::vector<float> floats_;
  std::vector<double> scalars_;
  const plan::Plan* running_ = nullptr;
  std::vector<Compiled> compiled_;

  std::mutex discarded_mutex_;
  Discarded discarded_;
};

}  // namespace trigon::detail::run
