// A replica's history of ordered requests, in the view in which it was accepted or certified, and the commit
// certificates that a replica holds. Histories are whole, so that any two can be compared.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/protocols/zyzzyva/slots.hpp"

namespace nika::zyzzyva {

struct History {
  static constexpr bool kIsAtomic = true;  // requests are signed by clients, and their order by primaries
  Slots slots{};
  Round view{};  // 0 if there is no history
  std::uint8_t unused = 0;

  bool operator==(const History&) const = default;
  static constexpr auto fields() { return std::tuple{field("slots", &History::slots), field("view", &History::view)}; }
  static constexpr auto forgets() { return std::tuple{field("filler", &History::unused)}; }

  unsigned length() const { return slots.size; }
  // For traces.
  ValueId tip() const { return slots.last().value(); }
  ValueId before_tip() const { return length() < 2 ? kGenesis : slots.before_last().value(); }
  bool begins_with(const History& start) const { return slots.begins_with(start.slots, start.length()); }
  History prefix(unsigned length) const { return {slots.prefix(length), view}; }
  History in_view(Round other) const { return {slots, other}; }
};

// An order without meaning, so that sets of histories can be kept in one form.
inline bool comes_before(const History& a, const History& b) {
  if (a.view != b.view) return a.view < b.view;
  if (a.length() != b.length()) return a.length() < b.length();
  return comes_before(a.slots, b.slots);
}

// A commit certificate is for the first slots of a history.
struct Certificate {
  Round view{};
  Height length{};

  bool operator==(const Certificate&) const = default;
  auto operator<=>(const Certificate&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("view", &Certificate::view), field("length", &Certificate::length)};
  }
};

// For each slot the commit certificate of the highest view: the first one is of the highest view, each further one is
// of an earlier view, longer, and goes on from the one before. A client may certify a short history in a view that
// started with a longer one; what a longer certificate of an earlier view tells must not be forgotten then.
struct Certificates {
  static constexpr bool kIsAtomic = true;
  Slots slots{};  // of the longest one; the others are for its beginnings
  BoundedVector<Certificate, 3> chain{};
  std::uint8_t unused = 0;

  bool operator==(const Certificates&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("slots", &Certificates::slots), field("chain", &Certificates::chain)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &Certificates::unused)}; }

  bool empty() const { return chain.empty(); }
  void clear() { *this = {}; }
  // The length of the longest certificate that covers a beginning of this history, or is at least not of an earlier
  // view, so that the history has not overruled it; 0 if there is none.
  unsigned covering(const History& history) const { return longest(history, false); }
  unsigned not_overruled_by(const History& history) const { return longest(history, true); }

  // One certificate leaves nothing for another to tell if it is not of an earlier view, and either as long or in
  // contradiction to the other, which a later view has overruled then. False if there is no room.
  [[nodiscard]] bool add(const History& added) {
    for (const Certificate& known : chain) {
      const unsigned length = known.length.number;
      if (known.view >= added.view && (length >= added.length() || !added.slots.begins_with(slots, length)))
        return true;
    }
    for (std::size_t i = chain.size(); i > 0; --i) {
      const Certificate& known = chain[i - 1];
      const bool contradicts = !slots.begins_with(added.slots, added.length());
      if (added.view >= known.view && (added.length() >= known.length.number || contradicts)) chain.erase_at(i - 1);
    }
    const unsigned longest = chain.empty() ? 0 : chain.back().length.number;
    slots = added.length() >= longest ? added.slots : slots.prefix(longest);
    if (!chain.push_back({added.view, Height(added.length())})) return false;
    std::sort(chain.begin(), chain.end(), std::greater<>());
    return true;
  }

 private:
  unsigned longest(const History& history, bool may_differ) const {
    for (std::size_t i = chain.size(); i > 0; --i) {
      const unsigned length = chain[i - 1].length.number;
      if (may_differ && chain[i - 1].view >= history.view) return length;
      if (history.slots.begins_with(slots, length)) return length;
    }
    return 0;
  }
};

inline bool comes_before(const Certificates& a, const Certificates& b) {
  if (!(a.chain == b.chain)) return std::ranges::lexicographical_compare(a.chain, b.chain);
  return comes_before(a.slots, b.slots);
}

}  // namespace nika::zyzzyva
