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

// How what becomes of a message is drawn from what may become of it.
enum class Sampling : std::uint8_t {
  kUniform,
  kArtifact,  // as the program of the paper's authors does: the remainder of a signed number, where negative ones do
              // nothing, so that nearly half of all lies are none and the first of k ways is drawn twice as often
};
std::string_view name_of(Sampling sampling);

// Who puts fault configurations together.
enum class Guide : std::uint8_t {
  kNone,      // each is drawn by itself
  kCoverage,  // single faults of what reached something new are drawn anew, see fuzz_guide.hpp
  kRounds,    // what reached something new is kept up to there, and later rounds are drawn anew, see rounds_guide.hpp
};
std::string_view name_of(Guide guide);

inline constexpr unsigned kMaxLies = 8;      // rounds with lies
inline constexpr unsigned kMaxOutages = 16;  // rounds with outages
inline constexpr unsigned kMaxFaultRound = 500;

struct Settings {
  std::string protocol;
  std::vector<std::string> bugs;
  unsigned nodes = 4;
  unsigned faults = 1;  // f, and as many liars
  IdentitySet liars{};  // who they are; nobody: the first nodes
  unsigned clients = 0;
  std::vector<IdentitySet> unls{};  // whom each node counts, as in a scenario
  unsigned lies = 1;                // c
  unsigned outages = 1;             // d
  unsigned first_round = 1;         // faults are in this protocol round at the earliest,
  unsigned last_round = 8;          // and in this one at the latest
  Scope scope = Scope::kSmall;
  Mutations mutations = Mutations::kAll;
  Sampling sampling = Sampling::kUniform;
  bool withholds = true;    // what an outage cuts off comes when the network heals; else it is lost
  bool lies_go_on = false;  // when the network heals
  bool liars_lead = false;  // all rounds until the network heals, in turn
  bool has_twins = false;   // each liar has a twin, which may lie too
  Guide guide = Guide::kNone;
  std::uint64_t runs = 200;
  std::uint64_t seed = 1;

  // Of the protocol.
  unsigned protocol_rounds = 1;   // in a network round in which all goes well
  unsigned leaders_in_a_row = 1;  // that it takes to decide
  unsigned heal_turns = 3;        // of as many honest leaders in a row, when the network has healed
  std::vector<KindLeaves> leaves{};

  unsigned fault_rounds() const { return last_round - first_round + 1; }  // r
  IdentitySet who_lies() const { return liars.empty() ? IdentitySet::first(faults) : liars; }
  // Network rounds in which faults are scheduled: those in which protocol rounds up to the last pass, and one more.
  unsigned scheduled_rounds() const { return (last_round + protocol_rounds - 1) / protocol_rounds + 1; }
};

Result<void> check(const Settings& settings);
// The protocol, its nodes and who of them lies; a scenario of no rounds.
Scenario cast_for(const Settings& settings);
// One JSON object, for findings.
std::string to_json(const Settings& settings);

}  // namespace nika::byzzfuzz
