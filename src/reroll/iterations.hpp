// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// The origin of an input of an entry in an iteration, which is one of several equal iterations.
struct Source {
  enum class From : std::uint8_t {
    captured,  ///< `number`: the entry, the same for all iterations
    varying,   ///< a constant, Scalar or view that differs between iterations (value, or start of
               ///< the view). `number`: the one of the model iteration
    earlier,   ///< `number`: how many places before its reader it stands
  };
  From from;
  std::int32_t number;
  std::int32_t view = -1;  ///< of an earlier entry: how the model iteration views it
};

/// A value passed on between iterations: the one at `offset`, `back` iterations before.
struct Carry {
  std::int32_t offset;
  std::int32_t back;
};

/// The entries of a graph that compute something, in order. Leaves, numbers and views have no place
/// in it; they count as part of their first reader.
class Sequence {
 public:
  explicit Sequence(const ir::Graph& graph);

  std::int32_t size() const { return static_cast<std::int32_t>(entries_.size()); }
  /// The entry at a place; the place of an entry, or -1.
  std::int32_t entry(std::int32_t place) const { return item(entries_, place); }
  std::int32_t place(std::int32_t entry) const { return item(places_, entry); }
  /// The place of the entry below views, or -1.
  std::int32_t place_below(std::int32_t entry) const;
  const ir::Graph::Entry& at(std::int32_t place) const { return graph_[entry(place)]; }
  const ir::Graph& graph() const { return graph_; }

  /// Numbers that are equal for entries that may correspond in two equal iterations.
  std::vector<std::uint64_t> fingerprints() const;

 private:
  const ir::Graph& graph_;
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> places_;
};

/// Whether an iteration of a loop may hold it: elementwise, and not empty.
bool may_be_rolled(const ir::Graph::Entry& entry);
/// The entry that `input` views in the same way as `like` views another one; -1 if its views
/// differ. `like` -1: no views.
std::int32_t below_views_like(const ir::Graph& graph, std::int32_t input, std::int32_t like);
/// The constant or Scalar below views, or -1.
std::int32_t number_below(const ir::Graph& graph, std::int32_t entry);

/// One of several equal iterations, as the model of all.
class Iteration {
 public:
  /// The iteration that ends before the place `end`, if an equal one of `size` entries precedes it.
  static std::optional<Iteration> before(const Sequence& sequence, std::int32_t end,
                                         std::int32_t size);

  const Sequence& sequence() const { return *sequence_; }
  const ir::Graph& graph() const { return sequence_->graph(); }
  std::int32_t size() const { return size_; }
  const std::vector<Source>& sources(std::int32_t offset) const { return item(sources_, offset); }
  /// The offset in an iteration of the entry at a place.
  std::int32_t offset(std::int32_t place) const;
  const ir::Graph::Entry& model(std::int32_t offset) const {
    return sequence_->at(item(models_, offset));
  }
  /// Whether that entry depends on no earlier iteration.
  bool is_free(std::int32_t offset) const { return item(free_, offset); }
  /// Whether all entries that are not free have one shape and are read at their own index, so that
  /// no element needs another one.
  bool is_plain() const;
  /// The entry that a source of the entry at `offset` reads: iterations back, and its offset there.
  Carry carry(std::int32_t offset, const Source& source) const;

  /// Whether the entry at a place belongs to an equal iteration. `first`: the place where the first
  /// one begins. The first iterations may read any entry that is computed before that.
  bool has(std::int32_t place, std::int32_t first = 0) const;

  /// Whether the entry at a place does the same as the one at `offset`, on inputs of the same form.
  bool is_like(std::int32_t place, std::int32_t offset) const;

  /// Lets iterations end before the place, from `last` down to one iteration less, that passes on
  /// the fewest values. Returns that place.
  std::int32_t turn(std::int32_t last);

 private:
  Iteration(const Sequence& sequence, std::int32_t end, std::int32_t size)
      : sequence_(&sequence), end_(end), size_(size) {}
  bool same_op(const ir::Graph::Entry& entry, const ir::Graph::Entry& model) const;
  /// The source of an input at a place; `other` is the same input one iteration before.
  std::optional<Source> source_of(std::int32_t place, std::int32_t input, std::int32_t other) const;
  void find_free();

  const Sequence* sequence_;
  std::int32_t end_;  ///< a place before which an iteration ends
  std::int32_t size_;
  std::vector<std::int32_t> models_;          ///< the place of each entry, in one iteration
  std::vector<std::vector<Source>> sources_;  ///< by entry
  std::vector<bool> free_;
};

}  // namespace trigon::detail::reroll
