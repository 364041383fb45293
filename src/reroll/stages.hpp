// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// Where a stage of a stretch of equal stages gets an input of one of its entries from.
struct Slot {
  enum class From : std::uint8_t {
    captured,  ///< `number`: the entry, the same for all stages
    varying,   ///< what has no place and has the same form in all stages: constants and Scalars,
               ///< which may differ, and views of one entry that may start elsewhere, or at other
               ///< Scalars. `number`: that of one stage
    earlier,   ///< `number`: how many places before its reader it stands
  };
  From from;
  std::int32_t number;
  std::int32_t view = -1;  ///< of what is earlier: in one stage, the view of it that is read
};

/// A value that stages hand on: the one at `offset` of the stage `back` stages before.
struct Carry {
  std::int32_t offset;
  std::int32_t back;
};

/// The entries of a graph that compute something, in order. Leaves, numbers and views have no place
/// in it: they stand where they are first read.
class Sequence {
 public:
  explicit Sequence(const ir::Graph& graph);

  std::int32_t size() const { return static_cast<std::int32_t>(entries_.size()); }
  /// The entry at a place, and the place of an entry, or -1.
  std::int32_t entry(std::int32_t place) const { return item(entries_, place); }
  std::int32_t place(std::int32_t entry) const { return item(places_, entry); }
  /// The place of what an entry is or is a view of, or -1.
  std::int32_t place_below(std::int32_t entry) const;
  const ir::Graph::Entry& at(std::int32_t place) const { return graph_[entry(place)]; }
  const ir::Graph& graph() const { return graph_; }

  /// Numbers that are equal for entries that may be the same one of two equal stages.
  std::vector<std::uint64_t> fingerprints() const;

 private:
  const ir::Graph& graph_;
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> places_;
};

/// Whether a stage of a loop may hold it: not empty, and elementwise, or a reduction of a known
/// length whose order of terms does not matter.
bool may_be_staged(const ir::Graph::Entry& entry);
/// The entry of which `input` is the views that `like` is of another one; -1 where it is others.
/// `like` -1: no views.
std::int32_t below_views_like(const ir::Graph& graph, std::int32_t input, std::int32_t like);
/// The constant or Scalar that an entry is or is a view of, or -1.
std::int32_t number_below(const ir::Graph& graph, std::int32_t entry);

/// One of a stretch of equal stages, as the pattern of them all.
class Stage {
 public:
  /// The stage that ends before the place `end`, if one of `size` entries that equals it stands
  /// before it.
  static std::optional<Stage> before(const Sequence& sequence, std::int32_t end, std::int32_t size);

  const Sequence& sequence() const { return *sequence_; }
  const ir::Graph& graph() const { return sequence_->graph(); }
  std::int32_t size() const { return size_; }
  const std::vector<Slot>& slots(std::int32_t offset) const { return item(slots_, offset); }
  /// Which entry of its stage stands at a place.
  std::int32_t offset(std::int32_t place) const;
  const ir::Graph::Entry& model(std::int32_t offset) const {
    return sequence_->at(item(models_, offset));
  }
  /// Whether that entry depends on no earlier stage.
  bool is_free(std::int32_t offset) const { return item(free_, offset); }
  /// Whether all entries that are not free are elementwise, have one shape, and are read at their
  /// own index: no element needs another one. Of other stages that has to be found out.
  bool is_plain() const { return is_plain_; }
  /// Whether a stage has a reduction.
  bool has_anchors() const;
  /// The stage of which the entry at `offset` reads a slot, as stages back, and its offset there.
  Carry source(std::int32_t offset, const Slot& slot) const;

  /// Whether the entry at a place is one of an equal stage. `first`: where the stretch begins;
  /// from before that the first stages may read anything that is computed by then.
  bool has(std::int32_t place, std::int32_t first = 0) const;

  /// Whether the entry at a place does the same as the one at `offset`, on inputs of the same form.
  bool is_like(std::int32_t place, std::int32_t offset) const;

  /// Lets stages end before the place, from `last` down to one stage less, where they hand on the
  /// fewest values. Returns that place.
  std::int32_t turn(std::int32_t last);

 private:
  Stage(const Sequence& sequence, std::int32_t end, std::int32_t size)
      : sequence_(&sequence), end_(end), size_(size) {}
  bool same_op(const ir::Graph::Entry& entry, const ir::Graph::Entry& model) const;
  /// The slot of an input at a place, of which `other` is that one stage before.
  std::optional<Slot> slot_of(std::int32_t place, std::int32_t input, std::int32_t other) const;
  void find_free();
  bool finds_plain() const;

  const Sequence* sequence_;
  std::int32_t end_;  ///< a place before which a stage ends
  std::int32_t size_;
  std::vector<std::int32_t> models_;      ///< the place of each entry in one stage
  std::vector<std::vector<Slot>> slots_;  ///< of each entry
  std::vector<bool> free_;
  bool is_plain_ = false;
};

}  // namespace trigon::detail::reroll
