// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "faults.hpp"
#include "run/device_state.hpp"
#include "support/errors.hpp"

// Host memory runs out: textures kept for later are freed first, then errors name the tensor that
// did not fit.

namespace trigon::fault {
namespace {

using support::error_of;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t large = 4096;  // bytes; errors take less
const std::string hint = "\n  hint: let go of tensors, or take fewer elements at a time";

class Memory : public testing::Test {
 protected:
  /// Leaves textures in the pool that nothing refers to.
  void fill_pool() {
    for (int k = 1; k <= 4; ++k) (full({k * 100, 64}, 1) + x_[0]).to(device_).eval();
  }
  bool pool_is_empty() {
    const std::int64_t before = counters(device_).textures_created;
    (x_ + 1.0).eval();
    return counters(device_).textures_created == before + 1;
  }
  /// The error of work whose large allocations fail, all or the first.
  std::string error_without_memory(const std::function<void()>& work, bool all = true) {
    (x_ + 1.0).eval();
    fill_pool();
    arm_memory({.place = 0, .from_there_on = all, .at_least = large});
    const std::string error = error_of(work);
    EXPECT_TRUE(disarm().has_failed);
    EXPECT_TRUE(pool_is_empty());
    return error;
  }

  /// Its evaluation takes more than `large` bytes.
  Tensor many_nodes() const {
    Tensor y = x_;
    for (int k = 0; k < 200; ++k) y = sin(y * 0.37 + k);
    return y;
  }

  Device device_{DeviceOptions{}};
  Tensor x_ = tensor<float>(std::vector<float>(4096, 1), {4096}, device_);
};

/// The error of `function` for x_.
std::string text(const std::string& function, const std::string& bytes = "16384") {
  return "trigon::" + function +
         ": no memory left on the host: shape is (4096,), dtype is float32, " + bytes + " bytes" +
         hint;
}

TEST_F(Memory, OfAReadComesFromThePool) {
  const std::vector<float> expected = x_.to_vector<float>();
  std::vector<float> values;
  EXPECT_EQ(error_without_memory([&] { values = x_.to_vector<float>(); }, false), "no error");
  EXPECT_EQ(values, expected);
}

TEST_F(Memory, OfAnUploadComesFromThePool) {
  const std::vector<std::uint8_t> bytes(8192, 1);
  EXPECT_EQ(error_without_memory([&] { return from_host(bytes.data(), boolean, {8192}, device_); },
                                 false),
            "no error");
}

TEST_F(Memory, OfAnEvaluationComesFromThePool) {
  const Tensor y = many_nodes();
  EXPECT_EQ(error_without_memory([&] { y.eval(); }, false), "no error");
}

TEST_F(Memory, ErrorsNameTheFunctionAndTheShape) {
  EXPECT_EQ(error_without_memory([&] { return x_.to_vector<float>(); }), text("Tensor::to_vector"));
  EXPECT_EQ(error_without_memory([&] { return x_.to_vector<double>(); }),
            text("Tensor::to_vector"));
  std::vector<float> out(4096);
  EXPECT_EQ(error_without_memory([&] { x_.read(out.data(), float32); }), text("Tensor::read"));
  const Device other{DeviceOptions{}};
  EXPECT_EQ(error_without_memory([&] { return x_.to(other); }), text("Tensor::to"));
  const auto path = std::filesystem::temp_directory_path() /
                    ("trigon-memory-" + std::to_string(::getpid()) + ".npy");
  EXPECT_EQ(error_without_memory([&] { save_npy(path, x_); }),
            text("save_npy: \"" + path.native() + "\""));
  EXPECT_FALSE(std::filesystem::exists(path));
  const std::vector<std::uint8_t> bytes(8192, 1);
  EXPECT_EQ(error_without_memory([&] { return from_host(bytes.data(), boolean, {8192}, device_); }),
            "trigon::tensor: no memory left on the host: shape is (8192,), dtype is bool, 8192 "
            "bytes" +
                hint);
  const Tensor y = many_nodes();
  EXPECT_EQ(error_without_memory([&] { eval(std::vector<Tensor>{x_[0], y}); }), text("eval"));
}

TEST_F(Memory, OfAFutureComesFromThePool) {
  Future<float> future;
  EXPECT_EQ(error_without_memory([&] { future = many_nodes().read_async<float>(); }, false),
            "no error");
  EXPECT_EQ(error_without_memory([&] { return many_nodes().read_async<float>(); }),
            text("Tensor::read_async"));
}

// The error of a call, not of the trace. Without results there is no shape to name.
TEST_F(Memory, OfACompiledFunctionNamesItsResult) {
  const auto errors_of = [&](auto& f) {
    std::set<std::string> errors;
    bool has_failed = true;
    for (std::int64_t place = 0; has_failed && place < 400; ++place) {
      arm_memory({.place = place});
      std::array<char, 1024> error{};
      try {
        static_cast<void>(f(x_));
      } catch (const std::exception& e) {
        std::string_view(e.what()).copy(error.data(), error.size() - 1);
      }
      has_failed = disarm().has_failed;
      errors.insert(error.data());
    }
    EXPECT_FALSE(has_failed) << "there are more places";
    return errors;
  };
  auto doubled = compile([](const Tensor& x) { return exp(x) * 2.0; });
  const std::vector<float> expected = doubled(x_).to_vector<float>();
  EXPECT_EQ(errors_of(doubled), (std::set<std::string>{"", "std::bad_alloc", text("compile")}));
  EXPECT_EQ(doubled(x_).to_vector<float>(), expected);
  auto same = compile([](const Tensor& x) { return x; });
  static_cast<void>(same(x_));
  EXPECT_EQ(errors_of(same), (std::set<std::string>{"", "std::bad_alloc"}));
}

// There is memory for the values, but not for the texels.
TEST_F(Memory, AFutureKeepsItsValuesWhereThereIsNoneForThem) {
  const std::vector<float> expected = x_.to_vector<float>();
  Future<float> future = x_.read_async<float>();
  arm_memory({.place = 0, .from_there_on = true, .at_least = large});
  EXPECT_THROW(static_cast<void>(future.get()), std::bad_alloc);
  disarm();
  EXPECT_TRUE(future.has_value());
  arm_memory({.place = 1, .from_there_on = true, .at_least = large});
  EXPECT_EQ(error_of([&] { return future.get(); }), text("Future::get"));
  disarm();
  EXPECT_TRUE(future.has_value());
  arm_memory({.place = 1, .at_least = large});
  EXPECT_EQ(future.get(), expected);
  EXPECT_TRUE(disarm().has_failed);
  EXPECT_FALSE(future.has_value());
}

// No second attempt is made for a lost value.
TEST_F(Memory, ErrorsOfWritesInPlaceSaySoToo) {
  const std::vector<float> before(12, 1);
  bool is_named = false;
  for (std::int64_t place = 0; place < 200; ++place) {
    Tensor z = tensor<float>(before, {3, 4}, device_);
    z(1) += 10.0F;
    arm_memory({.place = place, .from_there_on = true});
    const std::string error = [&] {
      try {
        z.eval();
        return std::string("no error");
      } catch (const Error& e) {
        return std::string(e.what());
      } catch (const std::bad_alloc&) {
        return std::string("bad_alloc");
      }
    }();
    disarm();
    is_named = is_named || error == "bad_alloc";
    EXPECT_EQ(error.find("has lost its value"), std::string::npos) << error;
    if (error == "no error") break;
  }
  EXPECT_TRUE(is_named);
}

// A texture that a lost context does not create is not reported as a lack of memory.
TEST_F(Memory, OfALostContextIsNotLookedFor) {
  const Tensor y = full({300, 7}, 1) + x_[0];
  arm_gl({.place = 0, .is_loss = true, .kind = "glTexStorage2D"});
  const std::string error = error_of([&] { y.eval(); });
  EXPECT_TRUE(disarm().has_failed);
  EXPECT_EQ(error,
            "trigon::Device: the context is lost: the driver has reset the GPU\n"
            "  hint: open a new device and load its tensors again");
}

TEST_F(Memory, OfTensorsOf2To63ElementsIsRefusedByName) {
  const Tensor huge = full({most}, 1.5);
  const std::string shape = "shape is (9223372036854775807,), dtype is float32, 2^63 bytes or more";
  const std::string none = ": no memory left on the host: " + shape + hint;
  EXPECT_EQ(error_of([&] { return huge.to_vector<float>(); }), "trigon::Tensor::to_vector" + none);
  EXPECT_EQ(error_of([&] { return huge.to_vector<double>(); }), "trigon::Tensor::to_vector" + none);
  EXPECT_EQ(error_of([&] { save_npy("/dev/null", huge); }),
            "trigon::save_npy: \"/dev/null\"" + none);
  EXPECT_EQ(error_of([&] { return (full({most}, true) == true).to_vector<bool>(); }),
            "trigon::Tensor::to_vector: no memory left on the host: shape is "
            "(9223372036854775807,), dtype is bool, 9223372036854775807 bytes" +
                hint);
  // 2^64 bytes would wrap to 0.
  EXPECT_EQ(error_of([&] { save_npy("/dev/null", full({most / 2 + 1}, 1.5)); }),
            "trigon::save_npy: \"/dev/null\": no memory left on the host: shape is "
            "(4611686018427387904,), dtype is float32, 2^63 bytes or more" +
                hint);
  const core::Target& target = detail::Internals::state(device_)->target();
  const std::int64_t rows = (most / 4 + target.max_side) / target.max_side;
  const std::string too_large =
      "trigon::eval: tensor too large for the device: shape (9223372036854775807,), 2^63 bytes or "
      "more, " +
      std::to_string(rows) + " texture rows of " + std::to_string(target.max_side) +
      " texels; at most " + std::to_string(target.max_side * target.max_layers) + " rows";
  EXPECT_EQ(error_of([&] { huge.eval(); }), too_large);
  EXPECT_EQ(error_of([&] { return huge.to(device_); }), too_large);
  EXPECT_EQ(error_of([&] { return to_string(huge); }), too_large);
  EXPECT_NE(error_of([&] { return sum(huge).item(); }).find("tensor too large"), std::string::npos);
  EXPECT_NE(error_of([&] { return max(huge).item(); }).find("tensor too large"), std::string::npos);
}

TEST_F(Memory, MoreElementsThanCanBeCountedAreRefusedByName) {
  const Tensor huge = full({most, 2}, 1.5);
  const std::string many =
      ": too many elements: shape is (9223372036854775807, 2); their number must be below 2^63";
  EXPECT_EQ(error_of([&] { return huge.to_vector<float>(); }), "trigon::Tensor::to_vector" + many);
  EXPECT_EQ(error_of([&] { return huge.read_async<float>(); }),
            "trigon::Tensor::read_async" + many);
  EXPECT_EQ(error_of([&] { return huge.size(); }), "trigon::Tensor::size" + many);
  EXPECT_EQ(error_of([&] { huge.eval(); }), "trigon::eval" + many);
  EXPECT_EQ(error_of([&] { return huge.to(device_); }), "trigon::Tensor::to" + many);
  EXPECT_EQ(error_of([&] { return from_host(nullptr, float32, huge.shape(), device_); }),
            "trigon::from_host" + many);
  auto added = compile([](Tensor x) { return x + 1.0; });
  EXPECT_EQ(error_of([&] { return added(huge); }), "trigon::compile" + many);
  EXPECT_EQ(error_of([&] { return sum(huge); }), "trigon::sum" + many);
}

TEST_F(Memory, PositionsPastTheDevicesIntegersAreRefused) {
  const Tensor at = tensor<std::int32_t>(std::vector<std::int32_t>{0}, {1}, device_);
  EXPECT_EQ(error_of([&] { return take(full({most}, 1.5), at, 0); }),
            "trigon::take: too many elements: 9223372036854775807 along axis 0; the device has "
            "integers of 32 bits, so an axis that is indexed must have at most 4294967295");
  EXPECT_EQ(error_of([&] { return nonzero(full({most}, 1.5) + x_[0]); }),
            "trigon::nonzero: too many elements: 9223372036854775807 along axis 0; the device has "
            "integers of 32 bits, so positions must be in [0, 4294967295]");
}

}  // namespace
}  // namespace trigon::fault
