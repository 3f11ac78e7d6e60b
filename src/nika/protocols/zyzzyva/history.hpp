// A replica's history of ordered requests. It holds the last few requests and the length; what lies before stands for a
// checkpoint. A history that somebody can refer to in a message never needs more than that, or the caller is told so.
#pragma once

#include <algorithm>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/fields.hpp"

namespace nika::zyzzyva {

enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

struct History {
  static constexpr std::size_t kWindow = 8;
  BoundedVector<ValueId, kWindow> recent{};  // of the last slots, oldest first
  Height length{};                           // the last sequence number
  Round view{};                              // in which it was accepted or certified; 0 if there is no history

  bool operator==(const History&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("recent", &History::recent), field("length", &History::length),
                      field("view", &History::view)};
  }

  bool is_none() const { return view == Round(0); }
  ValueId tip() const { return recent.empty() ? kGenesis : recent.back(); }
  // For traces: genesis if it is not known any more.
  ValueId before_tip() const { return recent.size() < 2 ? kGenesis : recent[recent.size() - 2]; }
  // The slots that are still known are first_known() to `length`.
  unsigned first_known() const { return length.number - static_cast<unsigned>(recent.size()) + 1U; }
  bool knows(unsigned slot) const { return slot >= first_known() && slot <= length.number; }
  ValueId at(unsigned slot) const { return recent[slot - first_known()]; }

  // A request in the next slot. The oldest one goes where the checkpointed ones are.
  History with(ValueId request) const {
    History longer = *this;
    if (longer.recent.size() == kWindow) longer.recent.erase_at(0);
    NIKA_REQUIRE(longer.recent.push_back(request));
    longer.length = length.next();
    return longer;
  }
  // The first slots only; the last of them must be known.
  History prefix(unsigned slots) const {
    History shorter = *this;
    shorter.recent.resize_down(slots + 1 - first_known());
    shorter.length = Height(slots);
    return shorter;
  }
  History in_view(Round other) const {
    History same = *this;
    same.view = other;
    return same;
  }
};

// Whether `longer` begins with the first `slots` slots of `start`. Unknown if there is no slot among them of which both
// still know the request.
inline Answer begins_with(const History& longer, const History& start, unsigned slots) {
  if (slots == 0) return Answer::kYes;
  if (longer.length.number < slots) return Answer::kNo;
  const unsigned first = std::max(longer.first_known(), start.first_known());
  for (unsigned slot = slots; slot >= first; --slot) {
    if (longer.at(slot) != start.at(slot)) return Answer::kNo;
  }
  return first <= slots ? Answer::kYes : Answer::kUnknown;
}

// An order without meaning, so that sets of histories can be kept in one form.
inline bool comes_before(const History& a, const History& b) {
  if (a.view != b.view) return a.view < b.view;
  if (a.length != b.length) return a.length < b.length;
  return std::ranges::lexicographical_compare(a.recent, b.recent);
}

}  // namespace nika::zyzzyva
