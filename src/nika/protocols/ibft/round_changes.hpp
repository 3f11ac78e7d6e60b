// The ROUND-CHANGE messages of the current height: of each identity the one for the latest round, and if it sent
// several for that round the one with the latest prepared certificate. Identities that say the same are kept together,
// sorted, so that neither names nor the order of arrival leave a trace.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/protocols/ibft/messages.hpp"

namespace nika::ibft {

struct Wish {
  Prepared prepared{};
  IdentitySet senders{};
  Round round{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Wish&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("prepared", &Wish::prepared), field("senders", &Wish::senders),
                      field("round", &Wish::round)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Wish::unused)}; }
};

class RoundChanges {
 public:
  void add(Identity from, Round round, const Prepared& prepared) {
    const auto key = [](const Wish& wish) { return std::tuple(wish.round, wish.prepared.round, wish.prepared.value); };
    const auto added = std::tuple(round, prepared.round, prepared.value);
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      if (!wishes_[i].senders.contains(from)) continue;
      if (key(wishes_[i]) >= added) return;
      wishes_[i].senders.erase(from);
      if (wishes_[i].senders.empty()) wishes_.erase_at(i);
      break;
    }
    Wish* found = std::ranges::lower_bound(wishes_, added, {}, key);
    if (found == wishes_.end() || key(*found) != added) {
      const auto position = found - wishes_.begin();
      NIKA_REQUIRE(wishes_.push_back({prepared, {}, round, 0}));  // no more of them than identities
      std::rotate(wishes_.begin() + position, wishes_.end() - 1, wishes_.end());
      found = wishes_.begin() + position;
    }
    found->senders.insert(from);
  }

  int count(Round round) const {
    int senders = 0;
    for (const Wish& wish : wishes_) senders += wish.round == round ? wish.senders.size() : 0;
    return senders;
  }
  // Of those for this round; none if none of them has one.
  Prepared latest_prepared(Round round) const {
    Prepared latest;
    for (const Wish& wish : wishes_) {
      if (wish.round == round && wish.prepared.round > latest.round) latest = wish.prepared;
    }
    return latest;
  }
  // The latest round that so many identities want to be in, or beyond; round 0 if there are not as many.
  Round wanted_by(int senders) const {
    int count = 0;
    for (std::size_t i = wishes_.size(); i > 0; --i) {
      count += wishes_[i - 1].senders.size();
      if (count >= senders) return wishes_[i - 1].round;
    }
    return {};
  }
  void forget_before(Round round) {
    while (!wishes_.empty() && wishes_[0].round < round) wishes_.erase_at(0);
  }

  static constexpr auto fields() { return std::tuple{field("wishes", &RoundChanges::wishes_)}; }
  bool operator==(const RoundChanges&) const = default;

 private:
  BoundedVector<Wish, kMaxSeats> wishes_{};  // by round and prepared certificate
};

}  // namespace nika::ibft
