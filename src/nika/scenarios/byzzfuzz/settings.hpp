// What a ByzzFuzz campaign draws from (Winter et al., OOPSLA 2023, Algorithm 1): c rounds with lies and d rounds with
// outages among the first r rounds of the protocol, on a cluster with f liars that otherwise run the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/model/leaves.hpp"
#include "nika/model/scenario.hpp"

namespace nika::byzzfuzz {

enum class Scope : std::uint8_t {
  kSmall,
  kAny,
  kBaseline,  // any lie, and faults hit the n-th messages of their senders, whatever round they are of
};
std::string_view name_of(Scope scope);

enum class Mutations : std::uint8_t {
  kAll,    // that the types of fields allow
  kPaper,  // what the authors of ByzzFuzz did to the protocol
};
std::string_view name_of(Mutations mutations);

inline constexpr unsigned kMaxLies = 8;      // rounds with lies
inline constexpr unsigned kMaxOutages = 16;  // rounds with outages
inline constexpr unsigned kMaxFaultRound = 500;

struct Settings {
  std::string protocol;
  std::vector<std::string> bugs;
  unsigned nodes = 4;
  unsigned faults = 1;  // f, and as many liars
  unsigned clients = 0;
  unsigned lies = 1;        // c
  unsigned outages = 1;     // d
  unsigned last_round = 8;  // r
  Scope scope = Scope::kSmall;
  Mutations mutations = Mutations::kAll;
  bool withholds = true;    // what an outage cuts off comes when the network heals; else it is lost
  bool lies_go_on = false;  // when the network heals
  bool has_twins = false;   // each liar has a twin, which may lie too
  std::uint64_t runs = 200;
  std::uint64_t seed = 1;

  // Of the protocol.
  unsigned protocol_rounds = 1;   // in a network round in which all goes well
  unsigned leaders_in_a_row = 1;  // that it takes to decide
  unsigned heal_turns = 3;        // of as many honest leaders in a row, when the network has healed
  std::vector<KindLeaves> leaves{};

  // Network rounds in which faults are scheduled: those in which the first r rounds of the protocol pass, and one more.
  unsigned scheduled_rounds() const { return (last_round + protocol_rounds - 1) / protocol_rounds + 1; }
};

Result<void> check(const Settings& settings);
// One JSON object, for findings.
std::string to_json(const Settings& settings);

}  // namespace nika::byzzfuzz
