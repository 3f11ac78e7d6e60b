// How much two unique node lists must overlap, measured: of one ledger, every set of seats that hears of a transaction
// in time and every partition of the network in at most two, and how many of them fork. Beside it what papers say about
// that overlap. What comes out depends on nothing but the lists.
#pragma once

#include <atomic>
#include <optional>

#include "nika/campaign/runner.hpp"
#include "nika/scenarios/lists/two_lists.hpp"

namespace nika {

// Whether lists that overlap so much are said to be free of forks. Sizes are those of the longer list.
struct OverlapClaims {
  bool white_paper = false;      // Schwartz, Youngs and Britto 2014, section 3.3: at least a fifth
  bool armknecht = false;        // Armknecht et al. 2015: more than 2 (1 - 80 %), two fifths
  bool chase_macbrough = false;  // Chase and MacBrough 2018, Theorem 8: more than n/2 + n - q + t of a list of n
  // No arithmetic beyond this: two quorums of 80 %, rounded up, share more nodes than there are liars.
  bool quorums = false;
};
OverlapClaims claims_about(const lists::Overlap& overlap, unsigned liars);

struct OverlapSpace {
  lists::Overlap overlap{};
  bool has_liar = false;
};

struct OverlapCount {
  Wide scenarios = 0;
  Wide forks = 0;
  Wide unknown = 0;
  Wide runs = 0;                         // each stands for scenarios that differ by names of equal nodes
  std::optional<Scenario> first_fork{};  // as it is, not shrunk
  bool was_stopped = false;              // so that nothing above is of the whole space
};

struct OverlapOptions {
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

// Over all ways in which the honest nodes of both lists may count the one or the other, too.
Result<OverlapCount> count_forks(const Runner& runner, const std::vector<std::string>& bugs, const OverlapSpace& space,
                                 const OverlapOptions& options);

}  // namespace nika
