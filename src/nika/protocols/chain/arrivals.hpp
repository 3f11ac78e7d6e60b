// Who is known to be in which view, for the pacemaker, and whose new-view message the leader of that view has
// understood. Identities in one view are kept together, so nothing depends on their names.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/protocol.hpp"

namespace nika::chain {

struct Arrival {
  IdentitySet entered{};
  IdentitySet told{};  // the leader of the view; some of those who entered it
  Round view{};
  std::uint8_t unused = 0;  // no padding: states are compared as bytes

  bool operator==(const Arrival&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("entered", &Arrival::entered), field("told", &Arrival::told),
                      field("view", &Arrival::view)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Arrival::unused)}; }
};

class Arrivals {
 public:
  // A later view replaces an earlier one: who has left a view has no more part in it.
  void add(Identity from, Round view) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      Arrival& earlier = views_[i];
      if (!earlier.entered.contains(from)) continue;
      if (earlier.view >= view) return;
      earlier.entered.erase(from);
      earlier.told.erase(from);
      if (earlier.entered.empty()) views_.erase_at(i);
      break;
    }
    at(view).entered.insert(from);
  }
  // Has no effect on who is known to be in a later view.
  void tell(Identity from, Round view) {
    add(from, view);
    for (Arrival& arrival : views_) {
      if (arrival.view == view && arrival.entered.contains(from)) arrival.told.insert(from);
    }
  }

  IdentitySet told_in(Round view) const {
    const auto* found = std::ranges::find(views_, view, &Arrival::view);
    return found == views_.end() ? IdentitySet{} : found->told;
  }
  // The highest view that at least `count` identities have entered; 0 if there are not as many.
  Round entered_by(int count) const {
    IdentitySet entered;
    for (std::size_t i = views_.size(); i > 0; --i) {
      entered |= views_[i - 1].entered;
      if (entered.size() >= count) return views_[i - 1].view;
    }
    return {};
  }
  void forget_before(Round view) {
    while (!views_.empty() && views_[0].view < view) views_.erase_at(0);
  }

  static constexpr auto fields() { return std::tuple{field("views", &Arrivals::views_)}; }
  bool operator==(const Arrivals&) const = default;

 private:
  Arrival& at(Round view) {
    auto* found = std::ranges::lower_bound(views_, view, {}, &Arrival::view);
    if (found != views_.end() && found->view == view) return *found;
    const auto position = found - views_.begin();
    NIKA_REQUIRE(views_.push_back({{}, {}, view, 0}));  // no more views than identities
    std::rotate(views_.begin() + position, views_.end() - 1, views_.end());
    return views_[static_cast<std::size_t>(position)];
  }

  BoundedVector<Arrival, kMaxSeats> views_{};  // each with somebody in it, by view
};

}  // namespace nika::chain
