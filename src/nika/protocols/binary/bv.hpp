// One instance of BV-broadcast: Algorithm 1 of Tholoniat and Gramoli, "Formal Verification of Blockchain Byzantine
// Fault Tolerance" (arXiv 1909.07453), after Mostéfaoui, Moumen and Raynal (PODC 2014). It counts and says what is
// due; sending is left to who has it.
#pragma once

#include "nika/protocols/binary/bits.hpp"

namespace nika::binary {

struct BvThresholds {
  int to_echo = 0;     // t + 1: at least one of them is correct
  int to_deliver = 0;  // 2t + 1: at least t + 1 of them are correct, enough to make everybody else echo
};
inline BvThresholds bv_thresholds(const Context& context) {
  const int t = context.fault_count;
  return {t + 1, 2 * t + 1};
}

struct Bv {
  IdentitySet heard_0{};  // from whom (BV, 0) came
  IdentitySet heard_1{};
  Bits sent{};
  Bits delivered{};  // conts

  IdentitySet& heard(bool bit) { return bit ? heard_1 : heard_0; }
  const IdentitySet& heard(bool bit) const { return bit ? heard_1 : heard_0; }
  // L4: t + 1 processes have sent it, and this one has not.
  bool must_echo(bool bit, const BvThresholds& needed) const {
    return !sent.contains(bit) && heard(bit).size() >= needed.to_echo;
  }
  // L6: 2t + 1 processes have sent it; it is delivered once.
  bool must_deliver(bool bit, const BvThresholds& needed) const {
    return !delivered.contains(bit) && heard(bit).size() >= needed.to_deliver;
  }
  bool operator==(const Bv&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("heard_0", &Bv::heard_0), field("heard_1", &Bv::heard_1), field("sent", &Bv::sent),
                      field("delivered", &Bv::delivered)};
  }
};

}  // namespace nika::binary
