// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

// Children of a fork, and destructors that run while the process ends.

namespace trigon {
namespace {

using support::error_of;

/// The output of a child of this process.
std::string of_child(const std::function<std::string()>& f) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = f();
    const bool is_written = ::write(ends[1], text.data(), text.size()) >= 0;
    ::_exit(is_written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 1024> chunk{};
  for (ssize_t n = 0; (n = ::read(ends[0], chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

const std::string after_fork =
    "trigon::Device: used after a fork: a child cannot use the driver of its parent; fork before "
    "the first device is opened, or call exec in the child";

TEST(Process, AChildThrowsWhereverItUsesADevice) {
  const Tensor stored = tensor<float>({1, 2, 3}) + 0.0;
  stored.eval();
  const Tensor lazy = stored * 2.0;
  EXPECT_EQ(of_child([&] { return error_of([&] { lazy.eval(); }); }), after_fork);
  EXPECT_EQ(of_child([&] { return error_of([&] { return stored.to_vector<float>(); }); }),
            after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { return Device{}; }); }), after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { return tensor<float>({1, 2}); }); }), after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { synchronize(); }); }), after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { return counters(); }); }), after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { return list_devices(); }); }), after_fork);
  EXPECT_EQ(of_child([] { return error_of([] { return (Tensor(2.0) + Tensor(3.0)).item(); }); }),
            after_fork);
  EXPECT_EQ(lazy.to_vector<float>(), (std::vector<float>{2, 4, 6})) << "the parent goes on";
}

TEST(Process, AChildMayLetGoOfTensorsAndDevices) {
  auto device = std::make_unique<Device>();
  auto x = std::make_unique<Tensor>(tensor<float>(std::vector<float>{1, 2}, {2}, *device));
  EXPECT_EQ(of_child([&] {
              x.reset();
              device.reset();
              return std::string("done");
            }),
            "done");
  EXPECT_EQ((*x + 1.0).to_vector<float>(), (std::vector<float>{2, 3}));
}

TEST(Process, AChildCannotGetTheValuesOfAFutureButMayLetGoOfIt) {
  Future<float> future = (tensor<float>({1, 2}) + 1.0).read_async<float>();
  EXPECT_EQ(of_child([&] { return error_of([&] { return future.ready(); }); }), after_fork);
  EXPECT_EQ(of_child([&] { return error_of([&] { return future.get(); }); }), after_fork);
  EXPECT_EQ(of_child([&] {
              future = {};
              return std::string("done");
            }),
            "done");
  EXPECT_EQ(future.get(), (std::vector<float>{2, 3})) << "the parent goes on";
}

/// Made before any device, so destroyed after the driver has begun to end.
struct ReadsAtTheEnd {
  std::unique_ptr<Tensor> x;
  ~ReadsAtTheEnd() {
    if (x == nullptr) return;
    const std::string error = error_of([&] { return x->item(); });
    std::fprintf(stderr, "%s\n", error.c_str());
  }
} at_the_end;

TEST(ProcessDeathTest, ReadingWhileTheProcessEndsThrows) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        at_the_end.x = std::make_unique<Tensor>(tensor<float>({1}) + 1.0);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "trigon::Device: used while the process ends");
}

}  // namespace
}  // namespace trigon
