// A protocol behind a virtual interface. Everything above the simulator (campaigns, the shrinker, the command line)
// speaks to a Runner and never sees a protocol's types, so that a protocol is compiled once and added by one line.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "nika/campaign/guided_sweeper.hpp"
#include "nika/explore/search.hpp"
#include "nika/model/outcome.hpp"
#include "nika/model/scenario.hpp"
#include "nika/scenarios/phases/sampler.hpp"
#include "nika/sim/outcome.hpp"

namespace nika {

// Runs the scenarios of one space, one after the other, without sharing anything between them. For one thread. Where
// the scenarios are sampled by phases, the index is all it takes.
class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual Outcome run(std::span<const std::uint32_t> configuration_of_round, Wide index) = 0;
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  virtual std::span<const std::string_view> bugs() const = 0;
  virtual std::span<const std::string_view> kinds() const = 0;  // of messages

  // Runs one scenario; events are appended to `trace` if it is given. An error if the scenario does not fit the
  // protocol. Where a run breaks agreement, its termination is not judged.
  virtual Result<Outcome> run(const Scenario& scenario, Trace* trace, Properties properties = {}) const = 0;
  virtual Result<std::unique_ptr<Sweeper>> sweeper(const twins::Space& space, Properties properties = {}) const = 0;
  virtual Result<std::unique_ptr<Sweeper>> sweeper(const phases::Sampler& sampler, Properties properties) const = 0;
  virtual Result<std::unique_ptr<GuidedSweeper>> sweeper(const guided::Draws& draws, Properties properties) const = 0;
  // Covers the whole space without running it scenario by scenario.
  virtual Result<SearchResult> search(const twins::Space& space, const SearchOptions& options) const = 0;
};

}  // namespace nika
