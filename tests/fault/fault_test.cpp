// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "faults.hpp"
#include "workloads.hpp"

// Calls of GL and allocations that fail in the midst of work: the work throws, and done again it
// gives the right values. TRIGON_FAULT_PLACES is the most places to try of each workload, spread
// evenly; without it all are. TRIGON_FAULT_PART=k/n takes each n-th of them, to share the work.
//
// A place is a call, but for the allocations of a new device, a hundred thousand: of these, the
// first and the last one that has the same callers up to main(), or each with TRIGON_FAULT_EACH=1.

namespace trigon::fault {
namespace {

struct Outcome {
  std::vector<float> values;
  std::string error;  ///< empty: none
};

/// Only Error and bad_alloc are taken; anything else ends the test.
Outcome outcome_of(Workload& work) {
  try {
    return {work.run(), {}};
  } catch (const Error& error) {
    const InDriver guard;  // the text's copy does not fail
    return {{}, error.what()};
  } catch (const std::bad_alloc& error) {
    return {{}, error.what()};
  }
}

std::int64_t most_places() {
  const char* text = std::getenv("TRIGON_FAULT_PLACES");
  return text == nullptr ? -1 : std::atoll(text);
}

/// Of 0, 1, ..., count - 1: all, or `most` of them; of these, with TRIGON_FAULT_PART=k/n, those of
/// part k, from 0.
std::vector<std::int64_t> places_of(std::int64_t count, std::int64_t most) {
  std::int64_t part = 0, parts = 1;
  if (const char* text = std::getenv("TRIGON_FAULT_PART")) {
    char slash = 0;
    std::istringstream(text) >> part >> slash >> parts;
    if (slash != '/' || part < 0 || parts <= part) throw std::runtime_error("TRIGON_FAULT_PART");
  }
  std::vector<std::int64_t> places;
  if (most < 0 || most > count) most = count;
  for (std::int64_t k = part; k < most; k += parts) {
    places.push_back(most == 1 ? 0 : k * (count - 1) / (most - 1));
  }
  return places;
}

/// The first and the last one of the allocations of each call path, path by path.
std::vector<std::int64_t> places_of_paths(const std::vector<std::uint64_t>& paths) {
  std::unordered_map<std::uint64_t, std::size_t> last;
  for (std::size_t k = 0; k < paths.size(); ++k) last[paths[k]] = k;
  std::vector<std::int64_t> places;
  std::unordered_set<std::uint64_t> known;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (!known.insert(paths[k]).second) continue;
    places.push_back(static_cast<std::int64_t>(k));
    if (last[paths[k]] > k) places.push_back(static_cast<std::int64_t>(last[paths[k]]));
  }
  return places;
}

/// The place, and what failed there.
std::string context(const Plan& plan, const Seen& seen, const Outcome& outcome) {
  return "place " + std::to_string(plan.place) + (plan.from_there_on ? " and all after it" : "") +
         ", " + seen.failed + ", kind \"" + plan.kind + "\"; error: " + outcome.error;
}

/// Whether the work may go on without an error after this failed: a texture that is not created is
/// created again.
bool may_pass(const Plan& plan, const Seen& seen) {
  static const std::set<std::string> names = {
      "glClientWaitSync", "glActiveTexture", "glBindTexture",  "glGenTextures",
      "glTexParameteri",  "glTexStorage2D",  "glTexStorage3D", "glGetError"};
  // A context that is told of resets is not needed. Leaving the device is the last call.
  if (seen.failed == "eglCreateContext" && !plan.from_there_on) return true;
  return seen.failed == "eglMakeCurrent" || (!plan.from_there_on && names.contains(seen.failed));
}

/// A hang is a finding, too.
class Alarm {
 public:
  Alarm() { ::alarm(60); }
  ~Alarm() { ::alarm(0); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
};

class Faults : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    work_ = make();
    expected_ = work_->run();
    work_->run();
  }
  std::unique_ptr<Workload> make() const { return workloads().at(GetParam())(); }

  Seen calls_of_a_run() {
    arm_gl({});
    work_->run();
    return disarm();
  }
  /// Calls of the first run on a device, whose programs are compiled.
  Seen calls_of_a_first_run() {
    work_ = make();
    return calls_of_a_run();
  }

  void fail_gl(const Plan& plan) {
    fail(arm_gl, plan, [&](const Seen& seen) { return may_pass(plan, seen); });
  }
  void fail_memory(const Plan& plan) {
    fail(arm_memory, plan, [](const Seen&) { return true; });
  }

  /// `may_pass` says whether the work may go on without an error after that fault.
  template <class F>
  void fail(void (*arm)(const Plan&), const Plan& plan, const F& may_pass) {
    const Alarm alarm;
    arm(plan);
    const Outcome outcome = outcome_of(*work_);
    const Seen seen = disarm();
    if (!seen.has_failed) return;
    ++failures_;
    if (outcome.error.empty()) {
      EXPECT_TRUE(may_pass(seen)) << context(plan, seen, outcome);
      EXPECT_TRUE(outcome.values == expected_) << context(plan, seen, outcome);
    }
    const Outcome again = outcome_of(*work_);
    EXPECT_EQ(again.error, "") << context(plan, seen, outcome);
    EXPECT_TRUE(again.values == expected_) << context(plan, seen, outcome);
  }

  /// Those to try, of so many; the report of the test holds how many there are.
  std::vector<std::int64_t> places(std::int64_t count) {
    RecordProperty("places", static_cast<int>(count));
    const std::vector<std::int64_t> chosen = places_of(count, most_places());
    tried_ = std::ssize(chosen);
    return chosen;
  }
  /// Likewise, of the allocations of these call paths.
  std::vector<std::int64_t> places(const std::vector<std::uint64_t>& paths) {
    RecordProperty("allocations", static_cast<int>(paths.size()));
    if (std::getenv("TRIGON_FAULT_EACH") != nullptr) return places(std::ssize(paths));
    const std::vector<std::int64_t> candidates = places_of_paths(paths);
    std::vector<std::int64_t> chosen = places(std::ssize(candidates));
    for (std::int64_t& k : chosen) k = candidates[static_cast<std::size_t>(k)];
    return chosen;
  }

  // Else hardly a call was made to fail. A part may have places past the last call alone.
  void TearDown() override {
    RecordProperty("faults", failures_);
    if (std::getenv("TRIGON_FAULT_PART") != nullptr) return;
    EXPECT_GE(failures_, tried_ / 2);
  }

  std::unique_ptr<Workload> work_;
  std::vector<float> expected_;
  int failures_ = 0;
  std::int64_t tried_ = 0;
};

TEST_P(Faults, OfEachGlCallOfAWarmDevice) {
  const Seen all = calls_of_a_run();
  for (const std::int64_t place : places(all.total)) {
    fail_gl({.place = place});
    fail_gl({.place = place, .from_there_on = true});
  }
}

TEST_P(Faults, OfEachGlCallOfANewDevice) {
  const Seen all = calls_of_a_first_run();
  for (const std::int64_t place : places(all.total)) {
    for (const bool from_there_on : {false, true}) {
      work_ = make();
      fail_gl({.place = place, .from_there_on = from_there_on});
    }
  }
}

// The driver may behave differently from call to call: the first, the middle and the last one.
TEST_P(Faults, OfEachKindOfGlCall) {
  const Seen all = calls_of_a_first_run();
  std::vector<std::pair<std::string, std::int64_t>> calls;
  for (const auto& [kind, count] : all.calls) {
    for (const std::int64_t place : std::set<std::int64_t>{0, count / 2, count - 1}) {
      calls.emplace_back(kind, place);
    }
  }
  for (const std::int64_t k : places_of(std::ssize(calls), -1)) {
    const auto& [kind, place] = calls[static_cast<std::size_t>(k)];
    work_ = make();
    fail_gl({.place = place, .kind = kind});
    work_ = make();
    fail_gl({.place = place / 2, .from_there_on = true, .kind = kind});
  }
}

// A context that is lost stays so, which each use says; what the host has begins anew.
TEST_P(Faults, OfAContextThatIsLost) {
  for (const std::int64_t place : places(calls_of_a_run().total)) {
    const Alarm alarm;
    work_ = make();
    work_->run();
    const Plan plan{.place = place, .is_loss = true};
    arm_gl(plan);
    const Outcome outcome = outcome_of(*work_);
    const Outcome next = outcome_of(*work_);
    const Seen seen = disarm();
    if (!seen.has_failed) continue;
    ++failures_;
    const std::string text =
        "trigon::Device: the context is lost: the driver has reset the GPU\n"
        "  hint: open a new device and load its tensors again";
    if (seen.failed != "eglMakeCurrent") {
      EXPECT_EQ(outcome.error, text) << context(plan, seen, outcome);
    }
    EXPECT_EQ(next.error, text) << context(plan, seen, next);
    // EGL says so anew each time, GL once.
    if (seen.failed != "eglMakeCurrent") {
      EXPECT_EQ(outcome_of(*work_).error, text) << context(plan, seen, next);
    }
    work_ = make();
    EXPECT_TRUE(work_->run() == expected_) << context(plan, seen, outcome);
  }
}

TEST_P(Faults, OfEachAllocationOfAWarmDevice) {
  arm_memory({});
  work_->run();
  const Seen all = disarm();
  const std::vector<std::int64_t> tried = places(all.total);
  std::int64_t before = 0;
  for (int pass = 0; pass < 2; ++pass) {
    before = live_blocks();
    for (const std::int64_t place : tried) {
      for (const bool from_there_on : {false, true}) {
        fail_memory({.place = place, .from_there_on = from_there_on});
        if (HasFailure()) return;
      }
    }
  }
  // The first pass fills the cache of plans, as what is left of a graph after a fault has a plan of
  // its own. The second one meets the same graphs, so any block that it leaves is a leak.
  EXPECT_LE(live_blocks(), before);
}

TEST_P(Faults, OfEachAllocationOfANewDevice) {
  work_ = make();
  arm_memory({.records_paths = true});
  work_->run();
  const Seen all = disarm();
  ASSERT_EQ(std::ssize(all.paths), all.total);
  for (const std::int64_t place : places(all.paths)) {
    for (const bool from_there_on : {false, true}) {
      work_ = make();
      fail_memory({.place = place, .from_there_on = from_there_on});
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, Faults,
                         testing::Values("Futures", "GptToken", "Save", "TrainingStep"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace trigon::fault
