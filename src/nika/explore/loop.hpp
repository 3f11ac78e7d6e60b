// Loops that are proved. A run is deterministic: if the whole world after round t2 is the one after round t1 up to
// folding and a renaming of rounds, nothing was decided in between, and the rounds t1+1..t2 of the schedule are
// repeated from then on, then they lead to that world again, for ever.
#pragma once

#include <optional>
#include <string>

#include "nika/explore/canonical.hpp"
#include "nika/model/loop.hpp"
#include "nika/scenarios/recorded/repeated_rounds.hpp"
#include "nika/sim/round_network.hpp"

namespace nika {

// The whole world is: replicas, timers, incarnations, what is on its way and when it arrives, who is down or lost its
// memory, and the leaders that a replica can still ask for. Monitors, traces and counters of messages are not part of
// it: no replica sees them.
//
// What that asks of a protocol, for its worlds to be equal only where their futures are:
// - Rules compare rounds and ask for the next one; they neither count rounds nor reckon with them: of a protocol with
//   kCountsRounds or with coins no loop is looked for. Round 0 and round 1 have their own meaning and keep their
//   numbers. (RoundGaps in canonical.hpp; `nika check` and loop_test.cpp try it.)
// - Nobody asks who led a round more than one before that of the slowest replica.
// - Values that are named by counting, as the requests of a client are, are made only after a decision.
// - `fold` and `forget`, if it has them, are exact as canonical.hpp wants it: what they drop is looked at by no rule.
// - What grows for ever makes worlds different: a timer that backs off has to stop at some length, or no loop is found.
// Nothing is called proved where one of these is not known to hold: where rounds above that of the slowest replica had
// to be left out, folding was refused, a buffer was full, blocks have shared names, a replica loses its memory in the
// loop, or a message of an old round is still on its way. Worlds are compared as bytes, not by their hashes.
//
// Where nothing is on its way and no timer runs, of nobody, nothing happens in any later round, whatever its number is
// and whoever leads it: such a world is compared as it is, without its round.
template <Protocol P>
bool is_over(const World<P>& world, unsigned seat_count);

// Brings a world of network rounds into the form in which it is compared, and can go on: with the schedule renumbered
// by as much as its round. False if worlds with other futures could have the same form.
template <Protocol P>
bool bring_into_form(World<P>& world, std::span<const Context> contexts, RoundGaps<P>& gaps,
                     unsigned old_gap = RoundGaps<P>::kMaxOldGap);

// Worlds as bytes that are equal where futures are.
template <Protocol P>
class WorldNames {
 public:
  // Nothing if the bytes could mean another world too.
  std::optional<std::string> name_of(const World<P>& world, std::span<const Context> contexts);

 private:
  void write(std::string& name, const World<P>& world, unsigned seat_count);
  static void write_leaders(std::string& name, const World<P>& world, std::span<const Context> contexts);

  World<P> form_{};
  RoundGaps<P> gaps_{};
  ByteWriter writer_{};
};

// What honest seats hear of the seats of compromised nodes in a loop that did this.
Assumptions::Liars liars_in(std::span<const Event> events, const Cluster& cluster);
// Whether it delivered nothing, so that nothing can come in another order.
bool is_quiet(std::span<const Event> events);

// What each seat holds now.
template <Protocol P, class Network>
std::array<Holding, kMaxSeats> holdings_in(const World<P>& world, const Network& network);

// How many more rounds than the schedule has are tried.
inline constexpr unsigned kLoopRepetitions = 64;
// How often a loop is run again before it is called proved.
inline constexpr unsigned kLoopConfirmations = 3;

template <Protocol P>
class LoopSearch {
 public:
  explicit LoopSearch(const Cluster& cluster) : network_(cluster, {}) {}

  // The first loop in this part of the schedule that meets the condition. Rounds that are repeated and do not meet it
  // end the search.
  std::optional<Loop> find(Schedule& schedule, const LoopPart& part, const LoopCondition& condition = {});
  // How often the loop comes back to its world without a decision, of so many times, and meets the condition.
  unsigned repeat(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times,
                  const LoopCondition& condition = {});
  // With these rounds repeated so many times: the last of these times in which an honest seat decides anything; 0 if
  // none does, or if the run could not go on before. It need not be a loop of this protocol.
  unsigned last_decision(Schedule& schedule, const LoopPart& part, const Loop& loop, unsigned times);
  // Whether a loop that is proved goes on without a decision in whatever order honest seats handle what arrives
  // together; see any_order.hpp.
  bool runs_in_any_order(Schedule& schedule, const Loop& loop);
  // What the seats hold at its two ends, and the trace until then. Nothing if there are not as many numbers for rounds.
  // The trace goes on until round `until` if that is later, and if it can.
  std::optional<LoopEnds> ends(Schedule& schedule, const Loop& loop, std::uint32_t until = 0);
  // Of a protocol that it is no loop of: the round by which all that have to decide have decided something since the
  // rounds of the loop began to repeat, or before if they decide once. Nothing if they do not in kLoopRepetitions of
  // them.
  std::optional<unsigned> decides(Schedule& schedule, const Loop& loop);

 private:
  // Rounds at the end of the numbers, for replicas that are ahead of the network.
  static constexpr unsigned kRoomAhead = 16;
  // So many rounds are run before history is folded, which block trees would otherwise be full of.
  static constexpr unsigned kUnfoldedRounds = 24;

  void start(const RepeatedRounds& rounds);
  // Runs the next round. False if nothing can be proved from here on.
  bool advance(RepeatedRounds& rounds);
  // Goes on in the form in which worlds are compared. False, with nothing changed, if that is not exact.
  bool renumber(RepeatedRounds& rounds);
  void note_decisions(const std::array<Height, kMaxSeats>& before);
  std::array<Height, kMaxSeats> tops() const;
  SeatSet waiting() const;
  std::optional<std::string> name() { return names_.name_of(world_, network_.contexts()); }
  unsigned repeat(RepeatedRounds& rounds, Loop& loop, unsigned times, const LoopCondition& condition);
  bool meets(const LoopCondition& condition) const { return !condition || condition(network_.sight_of(world_)); }
  // Goes to where the loop begins. False if it cannot.
  bool reach(RepeatedRounds& rounds, const Loop& loop);
  // So many rounds, in which nothing is decided and the condition is met. False if that is not so.
  bool advance_undecided(RepeatedRounds& rounds, unsigned count, const LoopCondition& condition = {});
  bool is_healed(const KeptRound& round) const;
  bool is_withheld() const;

  RoundNetwork<P> network_;
  World<P> world_{};
  World<P> form_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
  unsigned renumbered_ = 0;                       // the last round after which rounds were renumbered
  unsigned number_ = 0;                           // of the round, from the start
  unsigned decided_round_ = 0;                    // the last in which an honest seat decided something
  std::array<unsigned, kMaxSeats> decided_in_{};  // by whom, and in which round last
  SeatSet decided_{};                             // who ever did
};

}  // namespace nika

#include "nika/explore/loop_inl.hpp"
