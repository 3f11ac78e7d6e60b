// A protocol behind a virtual interface: what it is, and sessions in which it is run. Everything above the simulator
// (campaigns, the shrinker, the command line) speaks to a Runner and never sees a protocol's types, so that a protocol
// is compiled once and added by one line.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nika/campaign/session.hpp"
#include "nika/model/leaves.hpp"
#include "nika/model/property.hpp"
#include "nika/model/scenario.hpp"

namespace nika {

// How time passes.
enum class NetworkModel : std::uint8_t { kRounds, kTicks, kSteps };

struct Setup {
  Cluster cluster;
  std::vector<std::string> bugs;
  Properties properties;
  NetworkModel network = NetworkModel::kRounds;
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  virtual std::span<const std::string_view> bugs() const = 0;
  virtual std::span<const BugSet> bug_sets() const { return {}; }
  virtual std::span<const std::string_view> kinds() const = 0;  // of messages
  virtual std::span<const std::string_view> notes() const = 0;  // of its own
  virtual bool is_synchronous() const = 0;
  // After so many rounds of healing termination can be judged.
  virtual unsigned heal_rounds() const = 0;
  // How many honest leaders in a row it takes to decide.
  virtual unsigned leaders_in_a_row() const { return 1; }
  virtual unsigned clients() const { return 0; }     // how many the protocol wants
  virtual unsigned resilience() const { return 3; }  // it needs more than so many times f nodes
  // What liars can say otherwise, for each kind of message; nothing if nobody has looked at what they may.
  virtual std::span<const KindLeaves> leaves() const { return {}; }
  virtual unsigned protocol_rounds() const { return 1; }  // communication rounds of a network round
  virtual bool has_unls() const { return false; }         // whether each node counts the nodes of its own list
  virtual bool tosses_coins() const { return false; }
  // The protocol that has not the flaw that this one is known for; nothing if it has none but its bugs.
  virtual std::string_view repaired_by() const { return {}; }
  // That protocol, in the registry of this one; null if it is not there.
  const Runner* repaired() const { return repaired_; }

  // An error if the setup does not fit: a bug that it has not, or a network that breaks what the protocol assumes.
  virtual Result<std::unique_ptr<Session>> open(const Setup& setup) const = 0;

 protected:
  // What open() has to check, for any protocol; the cluster with its bugs.
  Result<Cluster> check(const Setup& setup) const;

 private:
  friend class Registry;
  const Runner* repaired_ = nullptr;
};

// Who runs the same schedules without the flaw: the protocol itself without its bugs if it has some, or the one that
// repairs it. Null if there is none, or it does not have the same seats and kinds of messages.
const Runner* repair_of(const Runner& runner, const std::vector<std::string>& bugs);

// The scenario's cluster, bugs and network. An error if they do not fit the protocol.
Result<Setup> setup_for(const Runner& runner, const Scenario& scenario, const Properties& properties);
// A session for these.
Result<std::unique_ptr<Session>> session_for(const Runner& runner, const Scenario& scenario,
                                             const Properties& properties);
// Runs one scenario. An error if it does not fit the protocol.
Result<Outcome> run_scenario(const Runner& runner, const Scenario& scenario, const Properties& properties,
                             Trace* trace = nullptr);
// The same, but steps that are not there are passed over; the scenario keeps those that were taken.
Result<Outcome> run_what_is_there(const Runner& runner, Scenario& scenario, const Properties& properties);

}  // namespace nika
