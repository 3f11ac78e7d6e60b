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
  // The last known slot with a request of that client; 0 if there is none.
  unsigned last_slot_of(Seat client) const {
    for (unsigned slot = length.number; knows(slot); --slot) {
      if (at(slot).seat() == client) return slot;
    }
    return 0;
  }
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

// Whether two histories match as answers to a client must: of one view, of one length, and with the same requests.
inline bool is_same(const History& a, const History& b) {
  return a.view == b.view && a.length == b.length && begins_with(a, b, b.length.number) == Answer::kYes;
}

// For each slot the commit certificate of the highest view: the first one is of the highest view, each further one is
// of an earlier view, longer, and goes on from the one before. A client may certify a short history in a view that
// started with a longer one; what a longer certificate of an earlier view tells must not be forgotten then.
using Certificates = BoundedVector<History, 3>;

// Whether one certificate leaves nothing for the other to tell: it is not of an earlier view, and either as long or in
// contradiction to the other, which a later view has overruled then.
inline bool covers(const History& one, const History& other) {
  if (one.view < other.view) return false;
  return one.length >= other.length || begins_with(other, one, one.length.number) == Answer::kNo;
}

// False if there is no room.
[[nodiscard]] inline bool add_certificate(Certificates& certificates, const History& added) {
  for (const History& known : certificates) {
    if (covers(known, added)) return true;
  }
  for (std::size_t i = certificates.size(); i > 0; --i) {
    if (covers(added, certificates[i - 1])) certificates.erase_at(i - 1);
  }
  if (!certificates.push_back(added)) return false;
  std::sort(certificates.begin(), certificates.end(),
            [](const History& a, const History& b) { return a.view > b.view; });
  return true;
}

// An order without meaning, so that sets of histories can be kept in one form.
inline bool comes_before(const History& a, const History& b) {
  if (a.view != b.view) return a.view < b.view;
  if (a.length != b.length) return a.length < b.length;
  return std::ranges::lexicographical_compare(a.recent, b.recent);
}
inline bool comes_before(const Certificates& a, const Certificates& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const History& x, const History& y) { return comes_before(x, y); });
}

}  // namespace nika::zyzzyva
