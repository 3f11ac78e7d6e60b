// What one run cannot judge by itself: its lasso is a candidate, and is looked for again as a loop that is proved. The
// protocol is to blame for it only if it had to decide there: where the network has healed, or where its repair does.
#pragma once

#include <memory>

#include "nika/campaign/hot_loops.hpp"
#include "nika/campaign/runner.hpp"

namespace nika {

// Whether the run has a lasso that is to be confirmed.
bool has_candidate(const Outcome& outcome);

// For the runs of one protocol in one setup, and one thread.
class LassoJudge {
 public:
  // The runner outlives it.
  LassoJudge(const Runner& runner, Setup setup) : runner_(runner), setup_(std::move(setup)) {}

  // A hot loop of a run that is proved (hot_loops.hpp): the first that the protocol is to blame for, or else the first.
  std::optional<HotLoop> loop_of(Session& session, Schedule& schedule);
  // Judges the lasso anew, after a run of this schedule that has a candidate. It is violated if some part of the
  // schedule, repeated from a round after which the run is hot, is proved to keep it hot for ever, and either messages
  // between honest seats arrive all the while and leaders are as fair as termination wants them, or the protocol's
  // repair decides again and again under the same rounds. Else it is unknown: nothing is promised there.
  void judge(Session& session, Schedule& schedule, Outcome& outcome);

 private:
  // Why a loop is no fault of the protocol; kJudged if it is one.
  Unjudged excuse_of(const HotLoop& hot, const Schedule& schedule) const;
  Unjudged excuse_of_leaders(const Loop& loop, const LeaderTable& leaders) const;
  bool repair_decides(const HotLoop& hot, Schedule& schedule);
  Looping* repair();

  const Runner& runner_;
  Setup setup_;
  std::unique_ptr<Session> repair_;  // once it was asked for; null if there is none
  bool has_asked_ = false;
};

// An error if lassos are asked for, of a search that does not run its schedules one by one.
Result<void> check_no_lasso(const Properties& properties);

}  // namespace nika
