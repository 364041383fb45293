// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <trigon/trigon.hpp>

#include "faults.hpp"

// The table "What holds when something fails" of src/README.md, one test per cell. A cell gives the
// state after the fault: the object keeps its value and works, it throws, or either.

namespace trigon::fault {
namespace {

using Floats = std::vector<float>;

enum class Fault { compile, memory, read, loss, fork, host };
enum class Thing { host, stored, in_place, lazy, compiled, device };

const std::vector<std::string> faults = {"a compile fails",      "GPU memory is full",
                                         "a read fails",         "the context is lost",
                                         "a fork, in the child", "host allocation fails"};
const std::vector<std::string> things = {"host tensors",       "stored results",
                                         "written in place",   "unevaluated graphs",
                                         "compiled functions", "the device"};

const std::string keep = "keep", thrown = "throw", either = "new or throw";

/// By fault and thing.
const std::vector<std::vector<std::string>> promises = {
    {keep, keep, either, keep, keep, keep},
    {keep, keep, either, keep, keep, keep},
    {keep, keep, thrown, keep, keep, keep},
    {thrown, thrown, thrown, thrown, "throw; work on a new device", "throw; work on a new device"},
    {thrown, thrown, thrown, thrown, thrown, thrown},
    {keep, keep, either, keep, keep, keep},
};

/// "AReadFails" for "a read fails".
std::string camel(const std::string& words) {
  std::string name;
  bool starts = true;
  for (const char letter : words) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (is_letter) name += starts ? static_cast<char>(std::toupper(letter)) : letter;
    starts = !is_letter;
  }
  return name;
}

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "bad_alloc";
  }
  return "";
}

/// One object of each kind, and an evaluation that ends by a fault and writes one of them in place.
struct Scene {
  Device device{DeviceOptions{}};
  Tensor host = tensor<float>(Floats{1, 2, 3, 4}, {4}, device);
  Tensor stored = (host * 2.0).eval();
  Tensor x = tensor<float>(Floats(12, 1), {3, 4}, device);  // a row consists of whole texels
  Tensor lazy = host + stored * 3.0;
  std::function<Tensor(const Tensor&)> f = compile([](const Tensor& a) { return a * a + 1.0; });

  Scene() {
    f(host).eval();
    x(1) += 10.0F;
  }

  void evaluate_with(const Tensor& other) const { eval(std::vector<Tensor>{x, other}); }

  /// Reads a result from the device before each trip, since the values of a trip depend on each
  /// other.
  Tensor loop() const {
    return while_loop([](const Tensor& s) { return max(s) < 1e6; },
                      [](const Tensor& s) { return matmul(s, s) * 0.01 + s; },
                      full({64, 64}, 1) * host[0]);
  }

  /// The error of the evaluation.
  std::string fail(const Plan& plan, const Tensor& other) const {
    arm_gl(plan);
    const std::string error = failure_of([&] { evaluate_with(other); });
    if (!plan.is_loss) disarm();
    return error;
  }

  std::string fail(Fault fault, double place) const {
    const Tensor other = sinh(stored * 0.37);
    switch (fault) {
      case Fault::compile: return fail({.place = 0, .kind = "glCompileShader"}, other);
      case Fault::memory:
        // The first texture made is that of the written row.
        return fail(
            {.place = 1, .from_there_on = true, .of_kind_alone = true, .kind = "glTexStorage2D"},
            exp(full({300, 500}, 1) * host[0]));
      case Fault::read: return fail({.place = 0, .kind = "glReadPixels"}, loop());
      case Fault::loss: return fail({.place = 0, .is_loss = true, .kind = "glDrawArrays"}, other);
      case Fault::fork: return "";
      case Fault::host: break;
    }
    arm_memory({.place = static_cast<std::int64_t>(place), .from_there_on = true});
    const std::string error = failure_of([&] { evaluate_with(other); });
    disarm();
    return error;
  }

  /// The present value of a thing; throws if it does.
  Floats value_of(Thing thing) const {
    switch (thing) {
      case Thing::host: return host.to_vector<float>();
      case Thing::stored: return stored.to_vector<float>();
      case Thing::in_place: return x.to_vector<float>();
      case Thing::lazy: return lazy.to_vector<float>();
      case Thing::compiled: return f(host).to_vector<float>();
      case Thing::device: break;
    }
    return (tensor<float>(Floats{5, 6}, {2}, device) + 1.0).to_vector<float>();
  }
};

Floats expected_of(Thing thing) {
  switch (thing) {
    case Thing::host: return {1, 2, 3, 4};
    case Thing::stored: return {2, 4, 6, 8};
    case Thing::in_place: return {1, 1, 1, 1, 11, 11, 11, 11, 1, 1, 1, 1};
    case Thing::lazy: return {7, 14, 21, 28};
    case Thing::compiled: return {2, 5, 10, 17};
    case Thing::device: break;
  }
  return {6, 7};
}

/// The beginnings of the failed evaluation's errors.
bool is_named(Fault fault, const std::string& error) {
  const std::array<std::string, 6> texts = {
      "trigon::gl: glCompileShader: GL_OUT_OF_MEMORY",
      "trigon::eval: no memory for a tensor: shape (300, 500), 600000 bytes",
      "trigon::gl: glDrawArrays: GL_OUT_OF_MEMORY",
      "trigon::Device: the context is lost: the driver has reset the GPU",
      "trigon::Device: used after a fork",
      "bad_alloc"};
  return error.starts_with(texts.at(static_cast<std::size_t>(fault))) ||
         (fault == Fault::host && error.starts_with("trigon::eval: no memory left on the host"));
}

/// The beginning of an object's error afterwards.
bool is_promised_error(Fault fault, const std::string& error) {
  const bool stays = fault == Fault::loss || fault == Fault::fork;
  return stays ? is_named(fault, error)
               : error.find("a tensor has lost its value") != std::string::npos;
}

/// "" or the broken promises; each object is used twice.
std::string broken(const Scene& scene, Fault fault, Thing thing) {
  const std::string& promise =
      promises.at(static_cast<std::size_t>(fault)).at(static_cast<std::size_t>(thing));
  for (int k = 0; k < 2; ++k) {
    Floats values;
    const std::string error = failure_of([&] { values = scene.value_of(thing); });
    if (!error.empty() && (promise == keep || !is_promised_error(fault, error))) return error;
    if (error.empty() && promise != keep && promise != either) return "it does not throw";
    if (error.empty() && values != expected_of(thing)) return "it has other values";
  }
  return "";
}

/// The findings of a child of this process.
std::string broken_in_a_child(const Scene& scene, Thing thing) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);  // if it hangs, a signal ends only the child
    const std::string text = broken(scene, Fault::fork, thing);
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::array<char, 1024> text{};
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return {text.data(), static_cast<std::size_t>(size)};
}

class Promises : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  void TearDown() override { disarm(); }
};

TEST_P(Promises, Hold) {
  const auto fault = static_cast<Fault>(std::get<0>(GetParam()));
  const auto thing = static_cast<Thing>(std::get<1>(GetParam()));
  if (fault == Fault::fork) {
    const Scene scene;
    EXPECT_EQ(broken_in_a_child(scene, thing), "");
    EXPECT_EQ(scene.value_of(thing), expected_of(thing)) << "the parent goes on";
    return;
  }
  // Host memory ends at several places of the evaluation, until it is past the last.
  for (double place = 0;; place += 40) {
    const Scene scene;
    const std::string error = scene.fail(fault, place);
    if (fault == Fault::host && error.empty()) {
      EXPECT_GT(place, 50);
      break;
    }
    EXPECT_TRUE(is_named(fault, error)) << error;
    EXPECT_EQ(broken(scene, fault, thing), "") << place;
    if (fault != Fault::host) break;
  }
  if (fault != Fault::loss) return;
  // The driver is back, and this context stays lost.
  disarm();
  const Scene other;
  EXPECT_EQ(other.value_of(thing), expected_of(thing));
}

TEST_F(Promises, OfALossLeaveCompiledFunctionsToOtherDevices) {
  const Scene scene;
  scene.fail(Fault::loss, 0);
  disarm();
  const Scene other;
  EXPECT_EQ(scene.f(other.host).to_vector<float>(), expected_of(Thing::compiled));
  EXPECT_NE(failure_of([&] { scene.f(scene.host); }), "");
}

std::string name_of(std::size_t fault, std::size_t thing) {
  return camel(faults[fault]) + "_" + camel(things[thing]);
}

INSTANTIATE_TEST_SUITE_P(Cells, Promises,
                         testing::Combine(testing::Range<std::size_t>(0, 6),
                                          testing::Range<std::size_t>(0, 6)),
                         [](const auto& one) {
                           return name_of(std::get<0>(one.param), std::get<1>(one.param));
                         });

/// The trimmed cells of a table's row.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  std::string cell;
  std::getline(text, cell, '|');
  while (std::getline(text, cell, '|')) {
    const std::size_t first = cell.find_first_not_of(' ');
    const std::size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

TEST(PromisesTable, OfTheReadmeIsTested) {
  std::ifstream file(TRIGON_SOURCE_DIR "/src/README.md");
  std::string line;
  while (std::getline(file, line) && line != "## What holds when something fails") {
  }
  while (std::getline(file, line) && !line.starts_with("|")) {
  }
  std::vector<std::string> head = {""};
  head.insert(head.end(), things.begin(), things.end());
  EXPECT_EQ(cells_of(line), head);
  std::getline(file, line);  // |---|
  for (std::size_t fault = 0; fault < faults.size(); ++fault) {
    ASSERT_TRUE(std::getline(file, line));
    std::vector<std::string> row = {faults[fault]};
    row.insert(row.end(), promises[fault].begin(), promises[fault].end());
    EXPECT_EQ(cells_of(line), row);
  }
  std::getline(file, line);
  EXPECT_EQ(line, "");
}

}  // namespace
}  // namespace trigon::fault
