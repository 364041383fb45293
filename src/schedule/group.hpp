// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "schedule/sides.hpp"

// The result of the schedule: groups, with the reasons for them.

namespace trigon::detail::schedule {

/// Entries that one draw computes and stores. Outputs may read each other at the same index.
struct Group {
  /// The kind of entry around which its kernel is built: of its anchors, or one with separate
  /// draws, otherwise map.
  ir::Kind form = ir::Kind::map;
  /// The reductions, or the one contraction, from whose results the outputs are computed.
  std::vector<std::int32_t> anchors{};
  std::vector<std::int32_t> outputs{};  ///< in the order of the graph
  std::vector<std::int32_t> reads{};    ///< leaves and stored entries that it loads, each once
  /// The layout of its first output, if another draw of a cond has set it already.
  std::optional<core::Layout> layout{};
};

/// Why an entry is stored.
enum class Reason : std::uint8_t {
  none,       ///< it is not stored
  root,       ///< the caller wants it
  update,     ///< it is the result of a write or a scatter
  drawn,      ///< it is the result of a loop, or of another kind with separate draws
  result,     ///< a reduction or contraction ends here, with the ops computed on it
  operand,    ///< a contraction reads it in whole texels
  points,     ///< the points of a scatter read it
  predicate,  ///< it decides which draws are skipped
  raw,        ///< a user's kernel reads it at computed indices
  shared,     ///< loading it costs less than computing it wherever it is read
  heavy,      ///< it has more ops or loads than are ever computed twice
  compile,    ///< computed wherever it is read, it would take too long to compile
  captured,   ///< a loop reads it in each iteration
  piece,      ///< a piece of a long join, whose kernel would take too long to compile
  length,     ///< with its readers it would be longer than a kernel may be
  samplers,   ///< with its readers it would read more textures than a draw can
  cut,        ///< values like it are stored at a cut, and it is also read after the cut
  too_large,  ///< a kernel passed the device's limits once it was lowered
};

/// Why a stored entry is in its group.
enum class Join : std::uint8_t {
  first,   ///< the group was made for it
  beside,  ///< it runs over the same elements as the group
  below,   ///< it continues from results of the group at the same index
};

/// Why a group did not join an earlier one.
enum class SplitReason : std::uint8_t {
  none,          ///< no earlier group that could wait has the same elements
  update,        ///< a write, a scatter or a loop has a separate draw
  product,       ///< a product has a separate draw
  loop,          ///< its loop reads finished results of another draw
  after_update,  ///< it reads the result of a write, a scatter or a loop
  several,       ///< it reads the results of several draws, none of which can wait for another
  shape,         ///< its elements are not those of the draw whose results it reads
  moved,         ///< it reads results of another draw at indices other than its own
  targets,       ///< the device's draws have too few targets
  rows,          ///< a product would compute fewer rows at once, which would cost more than a draw
  samplers,      ///< together they read more textures than a draw can
  length,        ///< together they would be longer than a kernel may be
  side,          ///< it and the draw are needed by different sides of a cond, or different conds
  memory,        ///< together they would keep too much memory
  too_large,     ///< their common kernel passed the device's limits once it was lowered
};

/// The stored entries, and the draws that compute them, in order.
struct Schedule {
  std::vector<Group> groups;
  std::vector<std::int32_t> group_of;     ///< of each entry: the group that stores it, or -1
  std::vector<std::int32_t> anchor_of;    ///< of a stored entry: the anchor in its draw, or -1
  std::vector<Reason> reasons;            ///< of each entry
  std::vector<Join> joins;                ///< of each stored entry
  std::vector<SplitReason> split_reason;  ///< of each group
  Sides sides{};                          ///< draws that a cond skips

  bool stores(std::int32_t k) const { return item(group_of, k) >= 0; }
};

}  // namespace trigon::detail::schedule
