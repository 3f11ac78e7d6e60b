// The message log of Algorithm 1, as far as a rule can still look at it: for each height from the current one on, round
// and value, whether it was proposed and who has voted for it. Sorted, so that the order of arrival leaves no trace.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/protocol.hpp"

namespace nika::tendermint {

struct Tally {
  ValueId value{};  // or nil
  IdentitySet prevotes{};
  IdentitySet precommits{};
  Height height{};
  Round round{};
  Round valid_round{};  // of the first proposal of this value
  bool is_proposed = false;
  bool has_passed_on_polka = false;  // somebody counted a quorum of prevotes
  std::uint8_t unused = 0;
  std::uint8_t prevotes_again = 0;  // counted once more; never without the bug repeated-votes
  std::uint8_t precommits_again = 0;

  bool has_polka(int quorum) const { return has_passed_on_polka || prevotes.size() + prevotes_again >= quorum; }
  bool is_decided(int quorum) const { return precommits.size() + precommits_again >= quorum; }
  bool is_of(Height the_height, Round the_round) const { return height == the_height && round == the_round; }
  bool operator==(const Tally&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("value", &Tally::value),
                      field("prevotes", &Tally::prevotes),
                      field("precommits", &Tally::precommits),
                      field("height", &Tally::height),
                      field("round", &Tally::round),
                      field("valid_round", &Tally::valid_round),
                      field("is_proposed", &Tally::is_proposed),
                      field("has_passed_on_polka", &Tally::has_passed_on_polka),
                      field("prevotes_again", &Tally::prevotes_again),
                      field("precommits_again", &Tally::precommits_again)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Tally::unused)}; }
};

class Tallies {
 public:
  static constexpr std::size_t kMost = 48;

  const Tally* begin() const { return all_.begin(); }
  const Tally* end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool is_full() const { return all_.size() == kMost; }

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
  // What is of heights that are decided, and votes for nil of rounds that are over: no rule looks at them.
  void forget_before(Height height, Round round) {
    for (std::size_t i = all_.size(); i > 0; --i) {
      const Tally& tally = all_[i - 1];
      const bool is_nil_and_over = tally.height == height && tally.round < round && tally.value.is_genesis();
      if (tally.height < height || is_nil_and_over) all_.erase_at(i - 1);
    }
  }

  static constexpr auto fields() { return std::tuple{field("all", &Tallies::all_)}; }
  bool operator==(const Tallies&) const = default;

 private:
  BoundedVector<Tally, kMost> all_{};  // by height, round and value
};

}  // namespace nika::tendermint
