// SPDX-License-Identifier: MIT
#include "reroll/periods.hpp"

#include <unordered_map>

#include "core/item.hpp"

namespace trigon::detail::reroll {
namespace {

/// Finds periods by windows of one length: where a sequence repeats, the window that ends at an
/// item was last seen one period before. Windows of at least a period's length are all different
/// within it.
class Windows {
 public:
  Windows(std::span<const std::uint64_t> items, std::int32_t length)
      : items_(items), length_(length) {
    last_.reserve(items.size());
    for (std::int32_t k = 0; k < length; ++k) power_ *= base;
  }

  void find(std::vector<Period>& found) {
    const auto count = static_cast<std::int32_t>(items_.size());
    Period open{0, 0, 0};
    for (std::int32_t k = 0; k < count; ++k) {
      const std::int32_t distance = advance(k);
      if (distance == open.size) continue;
      close(open, k, found);
      open = {k, k, distance};
    }
    close(open, count, found);
  }

 private:
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15U;

  /// Items since the window that ends at item k was last seen, 0 if it was not.
  std::int32_t advance(std::int32_t k) {
    hash_ = hash_ * base + item(items_, k);
    if (k >= length_) hash_ -= item(items_, k - length_) * power_;
    const auto [at, fresh] = last_.try_emplace(hash_, k);
    const std::int32_t distance = k - at->second;
    at->second = k;
    return distance;
  }

  static void close(Period open, std::int32_t end, std::vector<Period>& found) {
    open.end = end;
    if (open.size > 0 && end - open.begin >= 2 * open.size) found.push_back(open);
  }

  std::span<const std::uint64_t> items_;
  std::int32_t length_;
  std::uint64_t power_ = 1;
  std::uint64_t hash_ = 0;
  std::unordered_map<std::uint64_t, std::int32_t> last_;
};

}  // namespace

std::vector<Period> periods_of(std::span<const std::uint64_t> items, std::int32_t longest,
                               std::int64_t& visits) {
  // A window shorter than four periods leaves three of eight repetitions at which it is seen again.
  constexpr std::int32_t factor = 4;
  std::vector<Period> found;
  for (std::int32_t length = 2;; length *= factor) {
    Windows(items, length).find(found);
    visits += static_cast<std::int64_t>(items.size());
    if (length >= longest) return found;
  }
}

}  // namespace trigon::detail::reroll
