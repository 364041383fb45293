// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <trigon/trigon.hpp>

#include "cases.hpp"
#include "core/internals.hpp"
#include "gallery.hpp"
#include "model.hpp"
#include "run/device_state.hpp"
#include "simulation.hpp"
#include "support/golden_calls.hpp"

namespace trigon::replay {
namespace {

/// From here on the default device plans for another one, and draws nothing.
Device& device_of(const Target& target) {
  static std::map<std::string, Device> devices;
  auto known = devices.find(target.name);
  if (known == devices.end()) {
    const bool is_webgl1 = target.target.dialect == core::Dialect::es100;
    const Device device({.profile = is_webgl1 ? Profile::webgl1 : Profile::webgl2});
    known = devices.emplace(target.name, device).first;
  }
  Device::set_default(known->second);
  return known->second;
}

/// Writes the plans that a program makes, one title after the other, on a new device.
class Recorder {
 public:
  Recorder(const Target& target, PlanText& text) : device_(device_of(target)), text_(text) {
    state().pretend(target.target, target.costs);
    state().on_plan = [this](const plan::Plan& plan) { text_.add(plan); };
  }
  ~Recorder() { state().on_plan = nullptr; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  const Device& device() const { return device_; }

  template <class F>
  void record(const std::string& title, F program) {
    text_.title(title);
    try {
      program();
    } catch (const DeviceError& error) {
      text_.add_refusal(error.what());
    }
  }

 private:
  run::DeviceState& state() const { return *detail::Internals::state(device_); }

  const Device& device_;
  PlanText& text_;
};

void find_nonzeros(Recorder& recorder) {
  const support::Golden golden("numpy", "cases.json", "tensors.safetensors");
  const auto leaf = [&](const std::string& name) { return golden.tensor(name); };
  for (const support::Json& c : golden.cases()) {
    if (c["op"] != "nonzero" || c.contains("error")) continue;
    recorder.record(c.dump(), [&] { eval(support::compute(c, leaf)); });
  }
}

void speak(Recorder& recorder) {
  const gpt2::Model model = gpt2::Model::load(GPT2_MODEL_DIR, recorder.device());
  const std::array<std::int32_t, 5> prompt{1, 2, 3, 4, 5};
  gpt2::Session session = model.start();
  std::int32_t id = 0;
  recorder.record("prompt", [&] { id = session.greedy(prompt); });
  recorder.record("tokens", [&] {
    for (int k = 0; k < 3; ++k) id = session.greedy(std::span(&id, 1));
  });
  recorder.record("logits", [&] {
    for (int k = 0; k < 2; ++k) session.read_logits(std::span(&id, 1));
  });
  recorder.record("all logits", [&] { session.forward_all(prompt); });
  recorder.record("states", [&] { model.start().forward_states(prompt); });
  recorder.record("blocks", [&] { model.inspect(prompt, [](std::size_t, const auto&) {}); });
}

/// Number of steps that represents longer loops.
constexpr std::int64_t few_steps = 3;

void run_form(const simulate::Entry& entry, const simulate::Simulation& simulation,
              simulate::Form form) {
  const auto run = simulation.start(form);
  run->advance(form == simulate::Form::steps ? few_steps : entry.steps);
  for (const simulate::Value& value : run->values()) value.tensor.eval();
  if (entry.frames) run->frame(few_steps).eval();
  run->summary();
}

void simulate_all(const simulate::Entry& entry, Recorder& recorder) {
  const simulate::Settings settings{.elements = entry.elements, .steps = entry.steps};
  std::unique_ptr<simulate::Simulation> simulation;
  recorder.record("start", [&] { simulation = entry.make(settings); });
  if (simulation == nullptr) return;
  for (const simulate::Form form :
       {simulate::Form::tensor, simulate::Form::steps, simulate::Form::hand}) {
    if (form == simulate::Form::hand && !entry.by_hand) continue;
    recorder.record(simulate::name_of(form), [&] { run_form(entry, *simulation, form); });
  }
  if (entry.generations == 0) return;
  for (const char* title : {"generation", "next generation"}) {
    recorder.record(title, [&] { simulation->evolve(); });
  }
}

void show(const simulate::Gallery::Item& item, Recorder& recorder) {
  std::unique_ptr<simulate::Gallery> gallery;
  recorder.record("start",
                  [&] { gallery = std::make_unique<simulate::Gallery>(item.entry->name); });
  if (gallery == nullptr) return;
  recorder.record("frames", [&] {
    for (int k = 0; k < 2; ++k) gallery->frame();
  });
  recorder.record("pointer", [&] {
    gallery->pointer(0.5, 0.5, 0.02, 0.0, true);
    gallery->frame();
  });
  recorder.record("zoom", [&] {
    gallery->zoom(1.5);
    gallery->frame();
  });
  recorder.record("brightness", [&] { gallery->brightness(4).eval(); });
}

}  // namespace

std::vector<Case> program_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, auto program) {
    cases.push_back({name, [program](const Target& target, PlanText& text) {
                       Recorder recorder(target, text);
                       program(recorder);
                     }});
  };
  add("numpy.nonzero", find_nonzeros);
  add("gpt2", speak);
  for (const simulate::Entry& entry : simulate::entries()) {
    add(fmt::format("simulate.{}", entry.name),
        [&entry](Recorder& recorder) { simulate_all(entry, recorder); });
  }
  for (const simulate::Gallery::Item& item : simulate::Gallery::items()) {
    add(fmt::format("gallery.{}", item.entry->name),
        [&item](Recorder& recorder) { show(item, recorder); });
  }
  return cases;
}

}  // namespace trigon::replay
