// What a validator has heard of proposals, as far as a rule can still look at it: for each round and value, from the
// current round on, whether it was proposed and who has voted for it. Sorted, so that the order of arrival leaves no
// trace.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/protocol.hpp"

namespace nika::ibft {

struct Tally {
  ValueId value{};
  IdentitySet prepares{};
  IdentitySet commits{};
  Height height{};
  Round round{};
  bool is_proposed = false;  // by whoever leads the round, with the certificate that the round wants
  std::uint8_t unused = 0;   // no padding: states are compared as bytes

  bool is_of(Height the_height, Round the_round) const { return height == the_height && round == the_round; }
  bool operator==(const Tally&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Tally::value),     field("prepares", &Tally::prepares),
                      field("commits", &Tally::commits), field("height", &Tally::height),
                      field("round", &Tally::round),     field("is_proposed", &Tally::is_proposed)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Tally::unused)}; }
};

class Tallies {
 public:
  static constexpr std::size_t kMost = 32;

  const Tally* begin() const { return all_.begin(); }
  const Tally* end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }

  // Null if nothing was heard of it.
  const Tally* find(Height height, Round round, ValueId value) const {
    const auto* found = std::ranges::find_if(
        all_, [&](const Tally& tally) { return tally.is_of(height, round) && tally.value == value; });
    return found == all_.end() ? nullptr : found;
  }
  // The tally for this, a new one if there is none; null if there is no room for one.
  Tally* at(Height height, Round round, ValueId value) {
    const auto key = [](const Tally& tally) { return std::tuple(tally.height, tally.round, tally.value); };
    Tally* found = std::ranges::lower_bound(all_, std::tuple(height, round, value), {}, key);
    if (found != all_.end() && key(*found) == std::tuple(height, round, value)) return found;
    const auto position = found - all_.begin();
    Tally fresh;
    fresh.value = value;
    fresh.height = height;
    fresh.round = round;
    if (!all_.push_back(fresh)) return nullptr;
    std::rotate(all_.begin() + position, all_.end() - 1, all_.end());
    return all_.begin() + position;
  }
  // Forgets the tally that is furthest ahead of `height`. False if there is none.
  bool forget_furthest(Height height) {
    if (all_.empty() || all_.back().height <= height) return false;
    all_.resize_down(all_.size() - 1);
    return true;
  }
  // Messages of rounds that are over count no more.
  void forget_before(Height height, Round round) {
    for (std::size_t i = all_.size(); i > 0; --i) {
      const Tally& tally = all_[i - 1];
      if (tally.height < height || (tally.height == height && tally.round < round)) all_.erase_at(i - 1);
    }
  }

  static constexpr auto fields() { return std::tuple{field("all", &Tallies::all_)}; }
  bool operator==(const Tallies&) const = default;

 private:
  BoundedVector<Tally, kMost> all_{};  // by height, round and value
};

}  // namespace nika::ibft
