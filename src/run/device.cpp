// SPDX-License-Identifier: MIT
#include <trigon/debug.hpp>
#include <trigon/device.hpp>

#include <algorithm>
#include <charconv>
#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/quote.hpp"
#include "gl/context.hpp"
#include "gl/settings.hpp"
#include "run/device_state.hpp"
#include "run/process.hpp"

namespace trigon {
namespace {

DeviceOptions options_from_environment() {
  DeviceOptions options;
  if (const std::string text = gl::environment("TRIGON_PROFILE"); !text.empty()) {
    if (text == "webgl1") {
      options.profile = Profile::webgl1;
    } else if (text != "webgl2") {
      core::fail_on_device("Device", "TRIGON_PROFILE is no profile: {}; must be webgl2 or webgl1",
                           core::quote(text));
    }
  }
  if (const std::string text = gl::environment("TRIGON_DEVICE"); !text.empty()) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), options.index);
    if (error != std::errc{} || end != text.data() + text.size() || options.index < 0) {
      core::fail_on_device("Device", "TRIGON_DEVICE is no device number: {}; must be 0 or more",
                           core::quote(text));
    }
  }
  return options;
}

std::mutex& default_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// All default devices so far, the present one last. Never deleted: references to them may be in
/// use, and the driver's exit handlers run before our destructors would.
std::list<Device>& defaults() {
  static auto* const all = new std::list<Device>();
  return *all;
}

}  // namespace

Device::Device(const DeviceOptions& options) : state_(run::DeviceState::open(options)) {}

Device& Device::default_device() {
  run::check_driver_usable();  // a fork may have left the mutex locked
  const std::lock_guard lock(default_mutex());
  std::list<Device>& all = defaults();
  if (all.empty()) all.emplace_back(options_from_environment());
  return all.back();
}

void Device::set_default(const Device& device) {
  run::check_driver_usable();
  const std::lock_guard lock(default_mutex());
  std::list<Device>& all = defaults();
  const auto known = std::find(all.begin(), all.end(), device);
  if (known != all.end()) {
    all.splice(all.end(), all, known);
  } else {
    all.push_back(device);
  }
}

Profile Device::profile() const { return state_->profile(); }
double Device::max_exact_integer() const {
  return state_->target().dialect == core::Dialect::es100 ? 16'777'216 : 4'294'967'295;
}
const std::string& Device::name() const { return state_->caps().renderer; }

struct DeviceGuard::State {
  explicit State(std::shared_ptr<run::DeviceState> entered)
      : device(std::move(entered)), entry(*device) {}

  std::shared_ptr<run::DeviceState> device;  ///< outlives the entry
  run::DeviceState::Entry entry;
};

DeviceGuard::DeviceGuard(const Device& device)
    : state_(std::make_unique<State>(detail::Internals::state(device))) {}
DeviceGuard::~DeviceGuard() = default;

void DeviceGuard::forget_state() const { state_->device->gl_state().forget(); }

void synchronize(const Device& device) {
  const run::DeviceState::Entry entry(*detail::Internals::state(device));
  detail::Internals::state(device)->synchronize();
}

void synchronize() { synchronize(Device::default_device()); }

std::vector<std::string> list_devices() {
  run::check_driver_usable();
  return gl::list_devices();
}

Counters operator-(const Counters& a, const Counters& b) {
  return {.draws = a.draws - b.draws,
          .programs_compiled = a.programs_compiled - b.programs_compiled,
          .program_formats = a.program_formats - b.program_formats,
          .textures_created = a.textures_created - b.textures_created,
          .framebuffers_created = a.framebuffers_created - b.framebuffers_created,
          .bytes_uploaded = a.bytes_uploaded - b.bytes_uploaded,
          .uniform_bytes = a.uniform_bytes - b.uniform_bytes,
          .bytes_read = a.bytes_read - b.bytes_read,
          .plans_made = a.plans_made - b.plans_made,
          .plan_cache_hits = a.plan_cache_hits - b.plan_cache_hits};
}

}  // namespace trigon
