// A conformance campaign: runs of a protocol with twins, liars and any order of delivery are followed in an automaton.
// Settings in, counts and the steps that do not fit out, all of them plain values. Never prints.
#pragma once

#include <atomic>
#include <functional>

#include "nika/conform/pair.hpp"
#include "nika/model/verdict.hpp"

namespace nika::conform {

struct Request {
  const Pair* pair = nullptr;
  const Runner* runner = nullptr;  // of the same protocol
  const automata::Automaton* automaton = nullptr;
  std::vector<std::string> bugs{};
  unsigned nodes = 4;
  unsigned faulty = 1;          // f: liars, or nodes with twins; t is what the nodes bear
  unsigned rounds = 2;          // of the space of which every scenario is run
  std::uint64_t runs = 10'000;  // drawn, shared by the kinds of runs
  std::uint64_t seed = 1;
  unsigned threads = 0;  // at least one when it runs
};

// How runs come about: every scenario of a small space of rounds, or drawn.
enum class Source : std::uint8_t { kTwinsExhaustive, kTwins, kLies, kUniformSteps, kPrioritySteps };
std::string_view name_of(Source source);

struct Finding {
  Source source{};
  Wide index = 0;
  Misfit misfit{};
  Scenario scenario{};
};

struct Part {
  Source source{};
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t moves = 0;
  std::uint64_t misfits = 0;  // runs
  std::uint64_t cut_short = 0;
  std::string skipped{};  // why there are none
  std::optional<Finding> first{};

  void add(const Part& other);
};

struct Outcome {
  std::vector<Part> parts;
  std::vector<std::uint64_t> taken;  // by rule
  Conclusion conclusion = Conclusion::kUnknown;
  std::string reason{};  // why it is unknown
  double seconds = 0;

  Part total() const;
  std::size_t rules_covered() const;
};

struct Watched {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t runs, std::uint64_t asked)> progress{};
};

Result<Outcome> run(const Request& request, const Watched& watched);

// One scenario, for example that of a finding.
Result<FollowedRun> follow(const Request& request, const Scenario& scenario, std::vector<std::uint64_t>& taken);

}  // namespace nika::conform
