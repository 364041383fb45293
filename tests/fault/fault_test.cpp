// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faults.hpp"
#include "workloads.hpp"

// Calls of GL and allocations that fail during work: the work throws, and gives the right values
// when repeated. TRIGON_FAULT_PLACES is the largest number of places to try in each workload,
// spread evenly; default: all. TRIGON_FAULT_SHARD=k/n takes every n-th of them, to share the work.

namespace trigon::fault {
namespace {

struct Outcome {
  std::vector<float> values;
  std::string error;  ///< empty: none
};

/// Only catches Error and bad_alloc; any other exception ends the test.
Outcome outcome_of(Workload& work) {
  try {
    return {work.run(), {}};
  } catch (const Error& error) {
    const InDriver guard;  // copying the text must not fail
    return {{}, error.what()};
  } catch (const std::bad_alloc& error) {
    return {{}, error.what()};
  }
}

std::int64_t most_places() {
  const char* text = std::getenv("TRIGON_FAULT_PLACES");
  return text == nullptr ? -1 : std::atoll(text);
}

/// All of 0, 1, ..., count - 1, or `most` of them. With TRIGON_FAULT_SHARD=k/n only shard k of
/// these, counted from 0.
std::vector<std::int64_t> places_of(std::int64_t count, std::int64_t most) {
  std::int64_t shard = 0, shards = 1;
  if (const char* text = std::getenv("TRIGON_FAULT_SHARD")) {
    char slash = 0;
    std::istringstream(text) >> shard >> slash >> shards;
    if (slash != '/' || shard < 0 || shards <= shard)
      throw std::runtime_error("TRIGON_FAULT_SHARD");
  }
  std::vector<std::int64_t> places;
  if (most < 0 || most > count) most = count;
  for (std::int64_t k = shard; k < most; k += shards) {
    places.push_back(most == 1 ? 0 : k * (count - 1) / (most - 1));
  }
  return places;
}

/// The place, and what failed there.
std::string context(const Plan& plan, const Seen& seen, const Outcome& outcome) {
  return "place " + std::to_string(plan.place) + (plan.from_there_on ? " and all after it" : "") +
         ", " + seen.failed + ", kind \"" + plan.kind + "\"; error: " + outcome.error;
}

/// Whether the work may continue without an error after this failure: a texture that is not created
/// is created again.
bool may_pass(const Plan& plan, const Seen& seen) {
  static constexpr std::string_view names[] = {
      "glClientWaitSync", "glActiveTexture", "glBindTexture",  "glGenTextures",
      "glTexParameteri",  "glTexStorage2D",  "glTexStorage3D", "glGetError"};
  // A context without reset notification suffices. Leaving the device is the last call.
  if (seen.failed == "eglCreateContext" && !plan.from_there_on) return true;
  return seen.failed == "eglMakeCurrent" ||
         (!plan.from_there_on && std::ranges::count(names, seen.failed) > 0);
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
    objects_ = live_objects();
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

  /// `may_pass`: whether the work may continue without an error after that fault.
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

  /// After a fault, in a child: successful results are right, and right when repeated. Prints the
  /// errors otherwise.
  bool is_right_after(const Outcome& outcome) {
    const Outcome again = outcome_of(*work_);
    const bool is_right = (!outcome.error.empty() || outcome.values == expected_) &&
                          again.error.empty() && again.values == expected_;
    if (!is_right) {
      std::fprintf(stderr, "error: %s; then: %s\n", outcome.error.c_str(), again.error.c_str());
    }
    return is_right;
  }
  /// Ends the work; returns the number of blocks left.
  std::int64_t blocks_without_work() {
    work_.reset();
    return live_blocks();
  }
  /// Ends the work. Whether no object of GL and at most so many blocks are left; otherwise prints
  /// the numbers. A driver's own blocks do not count.
  bool leaves_nothing(std::int64_t blocks) {
    const std::int64_t more = blocks_without_work() - blocks, objects = live_objects() - objects_;
    if ((more <= 0 || !draws_nothing()) && objects == 0) return true;
    std::fprintf(stderr, "left: %lld blocks, %lld objects of GL\n", static_cast<long long>(more),
                 static_cast<long long>(objects));
    return false;
  }

  /// The places to try among `count`, which the test's report records.
  std::vector<std::int64_t> places(std::int64_t count) {
    RecordProperty("places", static_cast<int>(count));
    const std::vector<std::int64_t> chosen = places_of(count, most_places());
    tried_ = std::ssize(chosen);
    return chosen;
  }

  // Otherwise hardly any call failed. A shard may only have places past the last call.
  void TearDown() override {
    RecordProperty("faults", failures_);
    work_.reset();
    EXPECT_EQ(live_objects(), objects_) << "of GL are left";
    if (std::getenv("TRIGON_FAULT_SHARD") != nullptr) return;
    EXPECT_GE(failures_, tried_ / 2);
  }

  std::unique_ptr<Workload> work_;
  std::vector<float> expected_;
  std::int64_t objects_ = 0;  ///< of GL that live without the work
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
  const std::vector<std::int64_t> tried = places(all.total);
  const std::int64_t blocks = blocks_without_work();
  for (const std::int64_t place : tried) {
    for (const bool from_there_on : {false, true}) {
      work_ = make();
      fail_gl({.place = place, .from_there_on = from_there_on});
      EXPECT_TRUE(leaves_nothing(blocks)) << "after place " << place;
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
  const std::vector<std::int64_t> tried = places_of(std::ssize(calls), -1);
  const std::int64_t blocks = blocks_without_work();
  for (const std::int64_t k : tried) {
    const auto& [kind, place] = calls[static_cast<std::size_t>(k)];
    for (const bool from_there_on : {false, true}) {
      work_ = make();
      fail_gl({.place = from_there_on ? place / 2 : place,
               .from_there_on = from_there_on,
               .kind = kind});
      EXPECT_TRUE(leaves_nothing(blocks)) << "after place " << place << " of " << kind;
    }
  }
}

// A lost context stays lost, which each use reports; host values can be uploaded to a new one.
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
    // EGL reports it each time, GL once.
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
  // The first pass fills the cache of plans, since the rest of a graph after a fault has a separate
  // plan. The second one meets the same graphs, so any block that it leaves is a leak.
  EXPECT_LE(live_blocks(), before);
}

// The work up to each place is the same, so it is done once, and a child continues from there.
TEST_P(Faults, OfEachAllocationOfANewDevice) {
  if (!draws_nothing()) GTEST_SKIP() << "a driver's threads do not go on in a child";
  work_ = make();
  arm_memory({});
  work_->run();
  const std::int64_t total = disarm().total;
  const std::vector<std::int64_t> tried = places(total);
  const std::int64_t blocks = blocks_without_work();
  work_ = make();
  arm_memory({.forks_at = tried});
  // Another exception ends the child, which must not run the next test.
  Outcome outcome = [&]() noexcept { return outcome_of(*work_); }();
  const Seen seen = disarm();
  if (seen.is_child) {
    const auto end = [&]() noexcept {
      const bool is_right = is_right_after(std::exchange(outcome, {}));
      ::_exit(is_right && leaves_nothing(blocks) ? 0 : 1);
    };
    end();
  }
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.values == expected_);
  EXPECT_EQ(seen.failed_children, 0) << seen.first_failed_child;
  failures_ = static_cast<int>(seen.children);
}

INSTANTIATE_TEST_SUITE_P(Workloads, Faults,
                         testing::Values("Futures", "GptToken", "Save", "TrainingStep"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace trigon::fault
