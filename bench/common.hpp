// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <trigon/device.hpp>

namespace bench {

/// One measured line, with a figure for each column that the program named.
struct Entry {
  std::string bench;
  std::string shape;
  std::string variant;
  double ms = 0;
  std::vector<std::pair<std::string_view, double>> figures{};
};

/// Code that all programs share: the options, the device, and the table or JSON lines on stdout.
class Bench {
 public:
  /// `columns` are the figures that entries may have, in the table's order.
  Bench(const std::string& name, const std::string& what, std::vector<std::string_view> columns);

  /// For further options, before start().
  CLI::App& options() { return app_; }

  /// Parses the options, opens the device, makes it the default and prints the table's head.
  /// Returns the exit code when there is nothing to run: after --help or a bad option.
  std::optional<int> start(int argc, char** argv);

  const trigon::Device& device() const { return *device_; }
  /// The number given by --device; -1 without it.
  int index() const { return index_; }
  /// Whether the name contains the text given by --filter.
  bool wanted(std::string_view bench, std::string_view shape = {}) const;
  void add(const Entry& entry) const;
  /// If the result is wrong, says so on stderr, and main returns 1.
  void wrong(const std::string& what);
  int exit_code() const { return wrong_ ? 1 : 0; }

 private:
  void print_head() const;

  std::string name_;
  std::vector<std::string_view> columns_;
  CLI::App app_;
  int index_ = -1;
  bool json_ = false;
  std::string filter_;
  std::string cache_;
  bool wrong_ = false;
  std::optional<trigon::Device> device_;
};

/// Milliseconds of `work` once.
double time_ms(const std::function<void()>& work);

/// The best time of each piece of work, which must wait for its own draws. The pieces take turns,
/// so that a busy machine slows all of them. Each runs once to warm up, then in `rounds` rounds, or
/// fewer once `seconds` are over.
std::vector<double> best_ms(std::span<const std::function<void()>> works, int rounds = 7,
                            double seconds = 20);
double best_ms(const std::function<void()>& work, int rounds = 7, double seconds = 20);
/// The median time of each piece of work, also in turns, after half a second of warming up: GPUs
/// only raise their clocks under load.
std::vector<double> median_ms(std::span<const std::function<void()>> works, int rounds = 15,
                              double seconds = 20);

/// `n` numbers in [-1, 1), the same on every machine.
std::vector<float> numbers(std::size_t n, std::uint32_t seed);

}  // namespace bench
