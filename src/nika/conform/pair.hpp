// A protocol and a threshold automaton that is to describe it, behind an interface: runs of the protocol are followed
// in the automaton. Each pair has a map of its own in maps/, which says where a replica is by its state and what its
// messages count for.
#pragma once

#include <memory>
#include <string_view>

#include "nika/campaign/runner.hpp"
#include "nika/conform/follower.hpp"
#include "nika/conform/replay.hpp"

namespace nika::conform {

// The first step of a run that the automaton does not allow.
struct Misfit {
  Seat seat{};
  std::uint32_t time = 0;  // the network round or step
  std::string what{};
};

struct FollowedRun {
  std::uint64_t steps = 0;     // messages and timeouts that honest replicas handled
  std::uint64_t moves = 0;     // of these, those that the automaton must explain
  bool was_cut_short = false;  // a buffer was full, or somebody lost its memory
  std::optional<Misfit> misfit{};
};

// For one thread.
class Session {
 public:
  virtual ~Session() = default;
  virtual FollowedRun run(Schedule& schedule) = 0;
  // Of all runs: how often each rule was taken.
  virtual const std::vector<std::uint64_t>& taken() const = 0;
};

class Pair {
 public:
  virtual ~Pair() = default;
  virtual std::string_view protocol() const = 0;
  virtual std::string_view model() const = 0;  // the file that the map was written for
  // The protocol's flags with which it is what the model describes; usually none.
  virtual std::vector<std::string> bugs() const { return {}; }
  // Who leads round 1 begins with 1, and the model asks for runs in which few, many and all do.
  virtual bool varies_inputs() const { return false; }
  // What the map names and the automaton lacks, "location 'idle'"; empty if nothing.
  virtual std::string missing_in(const automata::Automaton& automaton) const = 0;
  // An error if the automaton lacks a name that the map uses, or does not allow the cluster.
  virtual Result<std::unique_ptr<Session>> open(const automata::Automaton& automaton, const Cluster& cluster,
                                                NetworkModel network) const = 0;
  // What a property of the automaton is called in the simulator; nothing if there is no such property.
  virtual std::optional<Aim> aim_of(std::string_view property) const = 0;
  // A run that takes the rules of a counterexample. An error if none was found, or nobody has said how.
  virtual Result<Replayed> replay(const ReplayRequest& request) const = 0;
};

// The pairs that come with nika.
std::span<const Pair* const> pairs();
// An error lists the protocols that have one.
Result<const Pair*> pair_of(std::string_view protocol);
// The one whose names the automaton has, if a protocol has several.
Result<const Pair*> pair_of(std::string_view protocol, const automata::Automaton& automaton);

}  // namespace nika::conform
