// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;
using support::error_of;
using support::filled;

// Runs f(0) ... f(count - 1), each on a separate thread; an exception fails the test.
void on_threads(int count, const std::function<void(int)>& f) {
  std::vector<std::string> errors(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        f(i);
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(i)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& error : errors) EXPECT_EQ(error, "");
}

TEST(Thread, EightEvaluateGraphsOfTheirOwn) {
  std::atomic<int> wrong{0};
  on_threads(8, [&](int i) {
    for (int round = 0; round < 20; ++round) {
      const auto value = static_cast<float>(i * 100 + round);
      const Tensor x = filled({4, 6}, value);
      if ((x + 1.0).to_vector<float>() != Floats(24, value + 1)) ++wrong;
      if (sum(x).item() != 24 * value) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, FuturesAreGotAndDroppedOnOtherThreads) {
  std::vector<Future<float>> futures;
  std::vector<Future<float>> dropped;
  for (int k = 0; k < 8; ++k) {
    futures.push_back(filled({3}, static_cast<float>(k)).read_async<float>());
    dropped.push_back(filled({3}, 9).read_async<float>());
  }
  std::atomic<int> wrong{0};
  on_threads(8, [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    dropped[k] = {};
    Future<float> mine = std::move(futures[k]);
    for (int round = 0; round < 5; ++round) {
      Future<float> next = filled({3}, static_cast<float>(i + 1 + round)).read_async<float>();
      if (mine.get() != Floats(3, static_cast<float>(i + round))) ++wrong;
      mine = std::move(next);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, EightShareLazyTensors) {
  const Tensor x = filled({5, 7}, 2);
  const Tensor shared = exp(x * 0.0) + x;  // 3, not evaluated yet
  std::atomic<int> wrong{0};
  on_threads(8, [&](int i) {
    for (int round = 0; round < 10; ++round) {
      const Tensor y = shared * static_cast<double>(i + 1);
      if (y.to_vector<float>() != Floats(35, 3.0F * static_cast<float>(i + 1))) ++wrong;
      if (shared.to_vector<float>() != Floats(35, 3)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, EightEvaluateOneTensorAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const Tensor x = matmul(filled({8, 8}, 1), filled({8, 8}, static_cast<float>(round)));
    std::atomic<int> wrong{0};
    on_threads(8, [&](int) {
      x.eval();
      if (x.to_vector<float>() != Floats(64, 8.0F * static_cast<float>(round))) ++wrong;
    });
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Thread, EightWriteFromOneSource) {
  const Tensor source = filled({8, 4}, 1) + 0.0;
  source.eval();
  std::atomic<int> wrong{0};
  on_threads(8, [&](int i) {
    for (int round = 0; round < 10; ++round) {
      Tensor mine = source.at(i).set(5.0);
      Floats want(32, 1);
      for (std::size_t k = 0; k < 4; ++k) want[static_cast<std::size_t>(i) * 4 + k] = 5;
      if (mine.to_vector<float>() != want) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(source.to_vector<float>(), Floats(32, 1));
}

TEST(Thread, HandlesDieOnOtherThreads) {
  for (int round = 0; round < 10; ++round) {
    std::vector<Tensor> tensors;
    for (int i = 0; i < 16; ++i) {
      tensors.push_back(filled({6, 6}, static_cast<float>(i)) + 1.0);
      if (i % 2 == 0) tensors.back().eval();
    }
    std::thread([moved = std::move(tensors)]() mutable { moved.clear(); }).join();
    EXPECT_EQ(sum(filled({6, 6}, 1)).item(), 36);
  }
}

TEST(Thread, HandlesDieWhileOthersEvaluate) {
  std::atomic<bool> stop{false};
  std::thread killer([&] {
    while (!stop) {
      Tensor x = filled({7, 3}, 1);
      const Tensor y = x * 2.0;
      y.eval();
      x = Tensor();
    }
  });
  std::atomic<int> wrong{0};
  on_threads(4, [&](int i) {
    for (int round = 0; round < 20; ++round) {
      const Tensor x = filled({3, 9}, static_cast<float>(i));
      if ((x + x).to_vector<float>() != Floats(27, 2.0F * static_cast<float>(i))) ++wrong;
    }
  });
  stop = true;
  killer.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, ADeepGraphDiesElsewhere) {
  Tensor x = filled({3}, 0);
  for (int i = 0; i < 50'000; ++i) x = x + 1.0;
  std::thread([dying = std::move(x)] {}).join();
  EXPECT_FALSE(x.has_value());
}

TEST(Thread, TwoDevicesRunBesideEachOther) {
  const std::vector<Device> devices = {Device(), Device()};
  std::atomic<int> wrong{0};
  on_threads(4, [&](int i) {
    const Device& device = devices[static_cast<std::size_t>(i % 2)];
    for (int round = 0; round < 10; ++round) {
      const Floats values(40, static_cast<float>(i + round));
      const Tensor x = tensor<float>(values, {5, 8}, device);
      const Tensor y = matmul(x, x.T());
      const float want = 8 * values[0] * values[0];
      if (y.to_vector<float>() != Floats(25, want)) ++wrong;
      if (!(y.device() == device)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

// Numbers move to the device that reads them.
TEST(Thread, TwoDevicesShareNumbersThatOthersRead) {
  const std::vector<Device> devices = {Device(), Device()};
  const Tensor numbers = iota(64).astype(float32) * 3.0;
  const Floats want = numbers.eval().to_vector<float>();
  // A texture of the second device then has the same name as another value's on the first.
  std::vector<Tensor> others;
  for (int k = 0; k < 32; ++k) others.push_back(tensor<float>(Floats(64, -1), {64}, devices[0]));
  std::atomic<int> wrong{0};
  on_threads(6, [&](int i) {
    const Device& device = devices[static_cast<std::size_t>(i % 2)];
    const Tensor zero = tensor<float>(Floats(64, 0), {64}, device);
    for (int round = 0; round < 100; ++round) {
      const Tensor value = i < 2 ? zero + numbers : i == 2 ? numbers.to(device) : numbers;
      if (value.to_vector<float>() != want) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, NumbersMoveAwayFromAReadThatWaits) {
  const Device first, second;
  const Tensor x = tensor<float>(Floats(64, -1), {64}, first);
  const Tensor zero = tensor<float>(Floats(64, 0), {64}, second);
  const Tensor numbers = iota(64).astype(float32) * 3.0;
  eval({x + 0.0, numbers});
  Floats read;
  std::string error;
  std::thread reader;
  {
    const DeviceGuard guard(first);
    reader = std::thread([&] {
      try {
        read = numbers.to_vector<float>();
      } catch (const std::exception& thrown) {
        error = thrown.what();
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it waits for the first device
    (zero + numbers).eval();
  }
  reader.join();
  EXPECT_EQ(error, "");
  EXPECT_EQ(read, numbers.to_vector<float>());
}

TEST(Thread, TwoDevicesEvaluateOneRecipe) {
  const std::vector<Device> devices = {Device(), Device()};
  std::atomic<int> wrong{0};
  for (int round = 0; round < 20; ++round) {
    Tensor recipe = iota(16).astype(float32);
    for (int k = 0; k < 50; ++k) recipe = sin(recipe) * 0.0 + 1.0;
    on_threads(4, [&](int i) {
      const Device& device = devices[static_cast<std::size_t>(i % 2)];
      const Tensor one = tensor<float>(Floats(16, 1), {16}, device);
      if ((one + recipe.to(device)).to_vector<float>() != Floats(16, 2)) ++wrong;
      if ((one + recipe * 2.0).to_vector<float>() != Floats(16, 3)) ++wrong;
    });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, ADeviceDiesWithItsLastTensor) {
  Tensor x;
  {
    const Device device;
    x = tensor<float>(Floats{1, 2, 3}, {3}, device);
  }
  EXPECT_EQ((x + x).to_vector<float>(), (Floats{2, 4, 6}));
  std::thread([moved = std::move(x)] {}).join();
}

TEST(Thread, DevicesDoNotMix) {
  const Device device;
  const Tensor there = tensor<float>(Floats{1, 2}, {2}, device);
  const Tensor here = tensor<float>({1, 2});
  EXPECT_THROW(static_cast<void>(there + here), Error);
  EXPECT_EQ((there.to(here.device()) + here).to_vector<float>(), (Floats{2, 4}));
  EXPECT_EQ((there + 1.0).to_vector<float>(), (Floats{2, 3}));
}

TEST(Thread, ErrorsLeaveTheDeviceUsable) {
  std::atomic<int> thrown{0};
  on_threads(8, [&](int i) {
    const Tensor x = filled({2, 3}, 1);
    try {
      matmul(x, x).eval();
    } catch (const Error&) {
      ++thrown;
    }
    if (sum(x * static_cast<double>(i)).item() != 6.0F * static_cast<float>(i)) thrown = -100;
  });
  EXPECT_EQ(thrown, 8);
}

TEST(Thread, CompiledFunctionsAreShared) {
  const auto f = compile([](const Tensor& x, const Scalar& n) { return x * 2.0 + n; });
  static_cast<void>(f(filled({4}, 0), Scalar(0)));
  std::atomic<int> wrong{0};
  on_threads(4, [&](int t) {
    for (int k = 0; k < 20; ++k) {
      const Tensor y = f(filled({4}, static_cast<float>(t)), Scalar(k));
      if (y.to_vector<float>() != Floats(4, static_cast<float>(2 * t + k))) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Thread, ContextsAreHandedOver) {
  const gl::Context context = gl::Context::open();
  gl::Texture texture;
  {
    const gl::Current current(context);
    texture = gl::Texture::create();
    glBindTexture(GL_TEXTURE_2D, texture.id());
  }
  bool seen = false;
  std::thread([&] {
    const gl::Current current(context);
    seen = glIsTexture(texture.id()) == GL_TRUE;
    texture.reset();
  }).join();
  EXPECT_TRUE(seen);
  const gl::Current current(context);
}

TEST(Thread, AContextIsCurrentOnOneOnly) {
  const gl::Context context = gl::Context::open();
  const gl::Current current(context);
  std::string error;
  std::thread([&] { error = error_of([&] { const gl::Current other(context); }); }).join();
  EXPECT_EQ(error,
            "trigon::gl: eglMakeCurrent: EGL_BAD_ACCESS; the context is current on another thread");
}

}  // namespace
}  // namespace trigon
