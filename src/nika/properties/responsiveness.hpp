// Responsiveness: once the network has healed, the view of an honest leader decides. Where clients decide, one of them
// has to, in a round that is not the first to heal: they always want something, and said so in the round before. Nor
// does the first round count in a chain, whose votes are for the next leader: those of the round before may be lost.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

// A network round counts if it heals, honest nodes lead it, nobody honest is or was down, and when it begins every
// honest seat is in its view and no liar's seat is in a later one (timers stop once somebody is ahead). Then every
// message of the view between honest seats arrives before its timers run out, in an order that the adversary picks. In
// a timed run every view of an honest leader counts: it has to decide, and go on deciding, within the time that the
// protocol states (kDecisionDeltas), and does not end before it has.
//
// A chain that needs N honest leaders in a row has to decide in every row of N such rounds. Its votes are for the next
// leader, and in DiemBFT the others enter that view only with its proposal; so it has to decide, too, in every row of
// 2N rounds that begin with nobody honest more than one view behind. A decision is anything that an honest seat commits
// and had not: a leader that lags may have to learn what was decided before it can propose anything new.
struct ResponsivenessMonitor {
  static constexpr bool kOnlyByName = true;
  static constexpr bool kNamesNobody = true;

  // How the next round begins: with every honest seat in its view, with some a view behind, or otherwise.
  enum class Step : std::uint8_t { kNone, kNearly, kTogether };

  std::uint16_t decided = 0;  // by all honest seats together, when the last round ended
  Step step = Step::kNone;
  std::uint8_t row =
      0;  // rounds in a row that began with all together, without a decision; in time: 1 once the view has decided
  std::uint8_t near_row = 0;    // or nearly
  std::uint8_t was_judged = 0;  // the property held in some round
  Round failed{};               // the round that should have decided; 0 if there was none
  Round view{};                 // of a timed run: the one that honest seats have got to
  std::uint16_t since = 0;      // the tick in which the first did, or of the last decision in it

  void passed(const Sight& sight);
  bool is_settled(const Sight& sight) const;
  // Whether somebody has decided is asked round by round.
  bool can_fold(const Sight&) const { return true; }
  void folded(const Sight& sight);
  Judgement judge(const Sight& sight) const;

 private:
  void count(const Sight& sight);
  void count_in_time(const Sight& sight);
  bool counts(const Sight& sight) const;
};

inline constexpr Property kResponsiveness = property_of<ResponsivenessMonitor>(
    "responsiveness", "once the network has healed, the view of an honest leader that all honest nodes are in decides");

}  // namespace nika
