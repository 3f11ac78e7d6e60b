// How a world ends under all the ways in which it can heal: how many of them lead to which ending, and the first that
// does. Worlds remember a number; the same spread comes again and again.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "nika/explore/endings.hpp"

namespace nika {

class Spread {
 public:
  struct Part {
    std::uint16_t ending = 0;
    std::uint32_t count = 0;  // of healings
    std::uint32_t first = 0;  // the number of the first one

    auto operator<=>(const Part&) const = default;
  };

  void add(const Part& part) {
    auto at = std::ranges::lower_bound(parts_, part.ending, {}, &Part::ending);
    if (at == parts_.end() || at->ending != part.ending) {
      parts_.insert(at, part);
    } else {
      at->count += part.count;
      at->first = std::min(at->first, part.first);
    }
  }
  void add(const Spread& other) {
    for (const Part& part : other.parts_) add(part);
  }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;  // by their endings
};

class Spreads {
 public:
  std::uint32_t number_of(const Spread& spread) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = numbers_.try_emplace(spread.parts(), static_cast<std::uint32_t>(known_.size()));
    if (is_new) known_.push_back(spread);
    return place->second;
  }
  const Spread& operator[](std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    return known_[number];
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<Spread::Part>, std::uint32_t> numbers_;
  std::deque<Spread> known_;  // places stay
};

}  // namespace nika
