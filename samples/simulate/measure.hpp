// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trigon/debug.hpp>

#include "simulation.hpp"

namespace simulate {

/// The measurements of a second run, and its comparison with another form.
struct Measurement {
  trigon::Counters cost{};          ///< of the second run
  std::int64_t programs_first = 0;  ///< compiled by the first run
  double ms = 0;                    ///< of the second run
  std::string summary{};

  Form compared_with = Form::steps;
  std::int64_t compared_steps = 0;
  std::optional<double> max_difference{};
  std::optional<double> mean_difference{};  ///< chaotic ones: after all steps
};

/// Runs `form` twice and measures the second run, whose state stays in `last`.
Measurement measure(const Simulation& simulation, Form form, std::int64_t steps,
                    std::unique_ptr<Run>& last);

/// Compares `form` with the form by hand, or with steps if there is none; compares those two with
/// tensor.
void compare(const Simulation& simulation, const Entry& entry, Form form, std::int64_t steps,
             Measurement& measurement);

/// The form that `form` is compared with.
Form reference_of(const Entry& entry, Form form);

/// The largest |a - b| / max(1, |b|) of values whose names both have; infinity if one of a pair is
/// NaN. Raises std::logic_error if they have no name in common.
double max_difference(const std::vector<Value>& a, const std::vector<Value>& b);

/// The largest difference of the means of a and b by name, relative to the mean of b or to its
/// deviation, whichever is larger.
double mean_difference(const std::vector<Value>& a, const std::vector<Value>& b);

}  // namespace simulate
