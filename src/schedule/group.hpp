// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "schedule/sides.hpp"

// What the schedule gives: groups, and why they are as they are.

namespace trigon::detail::schedule {

/// What one kernel is built around.
enum class Form : std::uint8_t { map, reduce, contract, write, scatter, loop };

/// Entries that one draw computes and stores. Outputs may read each other at the same index.
struct Group {
  Form form = Form::map;
  /// The reductions, or the one contraction, on whose results the outputs are computed.
  std::vector<std::int32_t> anchors{};
  std::vector<std::int32_t> outputs{};  ///< in the order of the graph
  std::vector<std::int32_t> reads{};    ///< leaves and stored entries that it loads, each once
  /// That of its first output, where another draw of a cond has given it already.
  std::optional<core::Layout> layout{};
};

/// Why an entry is stored.
enum class Reason : std::uint8_t {
  none,       ///< it is not
  root,       ///< it is asked for
  update,     ///< it is the result of a write or a scatter
  loop,       ///< it is the result of a loop
  result,     ///< a reduction or contraction ends here, with the ops computed on it
  operand,    ///< a contraction reads it in whole texels
  points,     ///< the points of a scatter read it
  predicate,  ///< it decides which draws are skipped
  raw,        ///< a kernel of the user's reads it at places of its own
  shared,     ///< reading it costs less than computing it in each of its places
  heavy,      ///< it has more ops or loads than are ever computed in two places
  compile,    ///< computed in each of its places, it would take too long to compile
  captured,   ///< a loop reads it in each trip
  piece,      ///< a piece of a long join, whose kernel would take too long to compile
  length,     ///< with its readers it would be longer than a kernel may be
  samplers,   ///< with its readers it would read more textures than a draw can
  cut,        ///< values like it are stored at a cut, and it is read past the cut as well
  too_large,  ///< a kernel passed the device's limits once it was lowered
};

/// How a stored entry came into its group.
enum class Join : std::uint8_t {
  first,   ///< the group was made for it
  beside,  ///< it runs over the same elements as the group
  below,   ///< it goes on with results of the group at the same index
};

/// Why a group did not join an earlier one.
enum class Apart : std::uint8_t {
  none,          ///< no earlier group that could wait runs over the same elements
  update,        ///< a write, a scatter or a loop has a draw of its own
  product,       ///< a product has a draw of its own
  loop,          ///< its loop reads finished results of another draw
  after_update,  ///< it reads the result of a write, a scatter or a loop
  several,       ///< it reads the results of several draws, of which none can wait for another
  shape,         ///< it has other elements than the draw whose results it reads
  moved,         ///< it reads results of another draw at other indices than its own
  targets,       ///< the device's draws have too few targets
  rows,          ///< a product would compute fewer rows at once, which costs more than a draw
  samplers,      ///< both together read more textures than a draw can
  length,        ///< both together would be longer than a kernel may be
  side,          ///< another side of a cond needs it than needs the draw, or another cond
  memory,        ///< both together would keep too much memory
  too_large,     ///< the kernel of both passed the device's limits once it was lowered
};

/// What is stored, and by which draw, in order.
struct Schedule {
  std::vector<Group> groups;
  std::vector<std::int32_t> group_of;   ///< of each entry: the group that stores it, or -1
  std::vector<std::int32_t> anchor_of;  ///< of a stored entry: the anchor in its draw, or -1
  std::vector<Reason> reasons;          ///< of each entry
  std::vector<Join> joins;              ///< of each stored entry
  std::vector<Apart> apart;             ///< of each group
  Sides sides{};                        ///< draws that a cond skips

  bool stores(std::int32_t k) const { return item(group_of, k) >= 0; }
};

}  // namespace trigon::detail::schedule
