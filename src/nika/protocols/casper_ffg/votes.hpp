// The votes that a validator has heard, by link, sorted, so that neither names nor the order of arrival leave a trace.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/protocols/casper_ffg/commandments.hpp"

namespace nika::casper_ffg {

struct Tally {
  Link link{};
  IdentitySet voters{};

  bool operator==(const Tally&) const = default;
  static constexpr auto fields() { return std::tuple{field("link", &Tally::link), field("voters", &Tally::voters)}; }
};

class Votes {
 public:
  static constexpr std::size_t kMost = 40;
  // Two votes for one height convict a validator. What it says about that height then makes no difference, and is not
  // counted: so a liar cannot fill the list.
  static constexpr int kMostOfOneHeight = 2;

  // Null if it does not count, or if there is no room.
  const Tally* add(Identity from, const Link& link) {
    Tally* found =
        std::ranges::lower_bound(all_, by_target(link), {}, [](const Tally& t) { return by_target(t.link); });
    if (found != all_.end() && found->link == link && found->voters.contains(from)) return found;
    int others = 0;
    for (const Tally& tally : all_) others += is_double_vote(tally.link, link) && tally.voters.contains(from) ? 1 : 0;
    if (others >= kMostOfOneHeight) return nullptr;
    if (found == all_.end() || found->link != link) {
      const auto position = found - all_.begin();
      if (!all_.push_back({link, {}})) {
        is_full_ = 1;
        return nullptr;
      }
      std::rotate(all_.begin() + position, all_.end() - 1, all_.end());
      found = all_.begin() + position;
    }
    found->voters.insert(from);
    return found;
  }
  bool is_full() const { return is_full_ != 0; }

  // What is of a target below this height can justify nothing any more; `keep` is told of each before it goes.
  template <class Keep>
  void forget_below(Round height, const Keep& keep) {
    std::size_t count = 0;
    while (count < all_.size() && all_[count].link.target.round() < height) keep(all_[count++]);
    for (std::size_t i = count; i > 0; --i) all_.erase_at(i - 1);
  }
  void clear() { all_.clear(); }

  const Tally* begin() const { return all_.begin(); }
  const Tally* end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool operator==(const Votes&) const = default;
  static constexpr auto fields() { return std::tuple{field("all", &Votes::all_), field("is_full", &Votes::is_full_)}; }

 private:
  static std::pair<ValueId, ValueId> by_target(const Link& link) { return {link.target, link.source}; }

  BoundedVector<Tally, kMost> all_{};  // by target and source
  std::uint16_t is_full_ = 0;
};

}  // namespace nika::casper_ffg
