// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "simulation.hpp"

namespace simulate {

/// Writes the files with which another program can compute the same simulation and compare results:
///
///   inputs/NAME.npy   everything random: weights, starts, tables
///   after-N/NAME.npy  the values of form tensor after N steps: after 50, and after all
///   run.json          name, integrator, elements, steps, chaotic, predictable_steps (50, or fewer
///                     where there are fewer), inputs, values, ms and driver
///
/// ms : milliseconds by name of a form. Folders are created, files replaced. Raises trigon::Error
/// for a simulation whose inputs() are empty and where a file cannot be written.
void export_run(const std::filesystem::path& folder, const Simulation& simulation,
                const Entry& entry, const Settings& settings,
                const std::map<std::string, double>& ms);

}  // namespace simulate
