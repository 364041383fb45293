// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

namespace trigon::detail::tree {

/// The parts of a tree, which must outlive the pointers to them.
class Parts {
 public:
  std::vector<Tensor*> tensors;
  std::vector<Scalar*> scalars;
  std::vector<std::uint64_t> structure;  ///< a container's size; 1 for a handle, 0 if empty
  std::vector<std::uint64_t> numbers;    ///< and keys of maps
  /// Where the tensors are: "[1][0]"; "" for a tree that is a tensor.
  std::vector<std::string> places;

  Parts() = default;
  template <class Tree>
    requires(!std::is_same_v<Tree, Parts>)
  explicit Parts(Tree& tree, bool notes_places = false) : notes_places_(notes_places) {
    walk(*this, tree);
  }

  void tensor(Tensor& leaf);
  void count(std::size_t size) { structure.push_back(size); }
  void number(Scalar& scalar) { scalars.push_back(&scalar); }
  void number(const std::string& text);
  void number(const Shape& shape);
  template <class T>
  void number(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>,
                  "trigon: the keys of a map must be numbers or strings");
    if constexpr (std::is_floating_point_v<T>) {
      numbers.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
    } else {
      numbers.push_back(static_cast<std::uint64_t>(value));
    }
  }

  template <class Key>
  void enter(const Key& key) {
    if (!notes_places_) return;
    if constexpr (std::is_same_v<Key, std::string>) {
      enter_part('"' + key + '"');
    } else if constexpr (std::is_integral_v<Key>) {
      enter_part(std::to_string(+key));
    } else {
      enter_part(std::to_string(static_cast<std::int64_t>(key)));
    }
  }
  void leave();

 private:
  void enter_part(const std::string& name);

  bool notes_places_ = false;
  std::string place_;
  std::vector<std::size_t> lengths_;
};

}  // namespace trigon::detail::tree
