// What a liar does to its own messages, as plain data: in one protocol round, to some receivers, one kind of message is
// left out, sent twice or gets another value in one field. Which field is a number among the leaves of the kind's
// description, see model/leaves.hpp. Nothing here can make a signature of somebody else.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "nika/base/ids.hpp"

namespace nika {

// What becomes of a field. What a twist means for a type is said once, in model/twist.hpp.
enum class Twist : std::uint8_t {
  kOmit,      // the whole message is not sent
  kRaise,     // by one; of a list: its last element once more
  kLower,     // by one; of a list: without its last element
  kSet,       // to the argument
  kSeen,      // the value that this field had in an earlier message of this kind; 0: the latest other one
  kOwn,       // a value that the liar makes itself
  kLeaveOut,  // genesis, nobody, an empty list, no certificate
  kFlip,      // a flag; of a set: whether it has this member
  kRepeat,    // the whole message is sent twice
};
inline constexpr unsigned kTwistCount = 9;
std::string_view name_of(Twist twist);
// About the whole message and not about a field.
constexpr bool is_of_message(Twist twist) { return twist == Twist::kOmit || twist == Twist::kRepeat; }

struct Lie {
  std::uint16_t protocol_round = 1;  // the latest that its sender has sent or received a message of
  Seat from{};
  std::uint8_t kind = 0;
  SeatSet to{};  // a liar that is among them believes its lie
  std::uint8_t field = 0;
  Twist twist = Twist::kOmit;
  std::uint16_t argument = 0;

  bool operator==(const Lie&) const = default;
};

// The types of fields, as far as lies tell them apart.
enum class LeafType : std::uint8_t {
  kRound,
  kHeight,
  kValue,
  kIdentity,
  kIdentities,
  kFlag,
  kNumber,
  kList,
  kAtomic,    // signed by others: it can only be another one that exists, or be left out
  kAsked,     // signed by a client: the same, or one that the liar makes up, without the signature
  kTogether,  // fields that mean something only together
};

// Twists that make sense for a type, with how many arguments each takes: small ones stay near the truth, the others may
// be anything of the type.
enum class LieScope : std::uint8_t { kSmall, kAny };
struct TwistChoice {
  Twist twist = Twist::kOmit;
  std::uint32_t arguments = 1;  // 0 to this, without it
};
std::span<const TwistChoice> twists_of(LeafType type, LieScope scope);

// A set of twists.
struct Twists {
  std::uint16_t bits = 0;

  constexpr Twists() = default;
  constexpr Twists(std::initializer_list<Twist> members) {
    for (const Twist twist : members) bits = static_cast<std::uint16_t>(bits | 1U << static_cast<unsigned>(twist));
  }
  constexpr bool contains(Twist twist) const { return (bits >> static_cast<unsigned>(twist) & 1U) != 0; }
  constexpr bool empty() const { return bits == 0; }
  constexpr bool operator==(const Twists&) const = default;
};

// What the authors of ByzzFuzz do to a field of a message, in each scope. A protocol that they tested has a list of
// these, `static constexpr std::array<PaperLie, N> kPaperLies`; they may also omit each message.
struct PaperLie {
  std::string_view kind;
  std::string_view field;
  Twists small{};
  Twists any{};
};

}  // namespace nika
