// Validity: honest seats commit only what somebody was allowed to propose. Where clients decide what is done, it is a
// request that a client has made; else a value of a node that may propose, and of an honest one none that it had not
// come to yet. A twin is a correct copy and makes values of its own; a liar whose messages change may say whatever it
// likes.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct ValidityMonitor {
  static constexpr bool kOnlyByName = true;

  ValueId value{};  // the first one that is not valid
  Height height{};
  Seat seat{};
  std::uint8_t is_broken = 0;
  std::uint8_t unused = 0;

  void committed(const Sight& sight, Seat by, Commit commit);
  bool is_settled(const Sight&) const { return is_broken != 0; }
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kValidity =
    property_of<ValidityMonitor>("validity", "honest nodes commit only what was proposed, or asked for by a client");

}  // namespace nika
