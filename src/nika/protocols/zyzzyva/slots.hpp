// The order of all requests from the first on, whole and exact: one bit for each slot says whose request it is. A
// client sends its next request when the one before is complete and numbers them 1, 2, 3, so that its third slot holds
// its third request; where a flawed protocol has lost one, the gap is noted. Nothing is ever dropped: where there is no
// room for a gap, or for more slots than a run can commit, the caller is told so.
#pragma once

#include <bit>
#include <cstring>

#include "nika/base/bounded_vector.hpp"
#include "nika/model/protocol.hpp"

namespace nika::zyzzyva {

// A request is named by its client and its timestamp, which is a plain number: it is no round, and does not change when
// rounds are renumbered. Number 0 is no request.
struct RequestName {
  Seat client{};
  std::uint8_t number = 0;

  bool operator==(const RequestName&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("client", &RequestName::client), field("number", &RequestName::number)};
  }
  // For traces and commits.
  constexpr ValueId value() const { return number == 0 ? kGenesis : ValueId(Round(number), client, 0); }
};

// So many requests of its client are missing before the one in this slot.
struct Gap {
  std::uint8_t slot = 0;
  std::uint8_t missing = 0;

  bool operator==(const Gap&) const = default;
  static constexpr auto fields() { return std::tuple{field("slot", &Gap::slot), field("missing", &Gap::missing)}; }
};

// Slots are numbered from 1 on.
struct Slots {
  static constexpr unsigned kMax = kMaxHeight;

  BoundedVector<std::uint8_t, (kMax + 7) / 8> bits{};  // whether a slot is the second client's
  std::uint8_t size = 0;
  std::uint8_t last_of_first = 0;  // the numbers of the clients' last requests
  std::uint8_t last_of_second = 0;
  Seat first_client{};           // of the two; nobody's as long as there are no slots
  BoundedVector<Gap, 3> gaps{};  // by slot

  bool operator==(const Slots& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
  static constexpr auto fields() {
    return std::tuple{field("bits", &Slots::bits),
                      field("size", &Slots::size),
                      field("last_of_first", &Slots::last_of_first),
                      field("last_of_second", &Slots::last_of_second),
                      field("first_client", &Slots::first_client),
                      field("gaps", &Slots::gaps)};
  }

  bool empty() const { return size == 0; }
  RequestName at(unsigned slot) const {
    const bool is_second = is_of_second(slot);
    const unsigned second_ones = seconds_in(slot);
    const unsigned number = (is_second ? second_ones : slot - second_ones) + missing_of(is_second, slot);
    return {is_second ? second_client() : first_client, static_cast<std::uint8_t>(number)};
  }
  RequestName last() const {
    if (empty()) return {};
    return is_of_second(size) ? RequestName{second_client(), last_of_second} : RequestName{first_client, last_of_first};
  }
  // Of at least two.
  RequestName before_last() const {
    const bool is_second = is_of_second(size - 1U);
    unsigned number = is_second ? last_of_second : last_of_first;
    if (is_second == is_of_second(size)) number -= 1U + missing_before(size);
    return {is_second ? second_client() : first_client, static_cast<std::uint8_t>(number)};
  }
  // The number of its last request; 0 if there is none.
  unsigned last_number_of(Seat client) const { return client == first_client ? last_of_first : last_of_second; }
  // The slot of its last request; 0 if there is none.
  unsigned last_slot_of(Seat client) const {
    unsigned slot = size;
    while (slot > 0 && is_of_second(slot) == (client == first_client)) --slot;
    return slot;
  }

  // A request that is later than all of its client, of whom there are two; false if there is no room.
  [[nodiscard]] bool append(RequestName request, Seat first_of_both) {
    const unsigned missing = request.number - last_number_of(request.client) - 1U;
    if (size == kMax) return false;
    if (missing > 0 && !gaps.push_back({static_cast<std::uint8_t>(size + 1U), static_cast<std::uint8_t>(missing)}))
      return false;
    if (size % 8U == 0) NIKA_REQUIRE(bits.push_back(0));
    first_client = first_of_both;
    if (request.client == first_client) {
      last_of_first = request.number;
    } else {
      bits.back() |= static_cast<std::uint8_t>(1U << size % 8U);
      last_of_second = request.number;
    }
    ++size;
    return true;
  }
  Slots prefix(unsigned slots) const {
    if (slots == 0) return {};
    Slots shorter = *this;
    shorter.cut(slots);
    return shorter;
  }
  // Leaves the first slots only, of which there is one at least.
  void cut(unsigned slots) {
    for (; size > slots; --size) {
      std::uint8_t& number = is_of_second(size) ? last_of_second : last_of_first;
      number = static_cast<std::uint8_t>(number - 1U - missing_before(size));
      if (!gaps.empty() && gaps.back().slot == size) gaps.resize_down(gaps.size() - 1);
    }
    bits.resize_down((slots + 7U) / 8U);
    if (slots % 8U != 0) bits.back() &= mask(slots);
  }
  // Whether the first `slots` slots of both are there and the same.
  bool begins_with(const Slots& start, unsigned slots) const {
    if (size < slots || start.size < slots) return false;
    const unsigned bytes = slots / 8U;
    for (unsigned i = 0; i < bytes; ++i) {
      if (bits[i] != start.bits[i]) return false;
    }
    if (slots % 8U != 0 && ((bits[bytes] ^ start.bits[bytes]) & mask(slots)) != 0) return false;
    return (gaps.empty() && start.gaps.empty()) || has_gaps_of(start, slots);
  }

 private:
  // The bits of the last slots that do not fill a byte.
  static std::uint8_t mask(unsigned slots) { return static_cast<std::uint8_t>((1U << slots % 8U) - 1U); }
  Seat second_client() const { return static_cast<Seat>(index_of(first_client) + 1U); }
  bool is_of_second(unsigned slot) const { return (bits[(slot - 1U) / 8U] >> (slot - 1U) % 8U & 1U) != 0; }
  // Of the last slot only.
  unsigned missing_before(unsigned slot) const {
    return !gaps.empty() && gaps.back().slot == slot ? gaps.back().missing : 0U;
  }
  std::size_t gaps_in(unsigned slots) const {
    std::size_t count = 0;
    while (count < gaps.size() && gaps[count].slot <= slots) ++count;
    return count;
  }
  bool has_gaps_of(const Slots& start, unsigned slots) const {
    return std::equal(gaps.begin(), gaps.begin() + gaps_in(slots), start.gaps.begin(),
                      start.gaps.begin() + start.gaps_in(slots));
  }
  unsigned missing_of(bool second, unsigned slots) const {
    unsigned sum = 0;
    for (const Gap& gap : gaps) sum += gap.slot <= slots && is_of_second(gap.slot) == second ? gap.missing : 0U;
    return sum;
  }
  unsigned seconds_in(unsigned slots) const {
    int count = 0;
    for (unsigned i = 0; i < slots / 8U; ++i) count += std::popcount(bits[i]);
    if (slots % 8U != 0) count += std::popcount(static_cast<std::uint8_t>(bits[slots / 8U] & mask(slots)));
    return static_cast<unsigned>(count);
  }
};
static_assert(std::has_unique_object_representations_v<Slots>);

// An order without meaning among those of one length.
inline bool comes_before(const Slots& a, const Slots& b) {
  unsigned slot = 1;
  while (slot <= a.size && slot <= b.size && b.begins_with(a, slot)) ++slot;
  if (slot > a.size || slot > b.size) return a.size < b.size;
  return a.at(slot).value() < b.at(slot).value();
}

}  // namespace nika::zyzzyva
