// The first rounds of a schedule as they are, then some of the last of them over and over. Rounds are small numbers: a
// world whose rounds run out is renumbered, and the schedule with it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nika/model/schedule.hpp"

namespace nika {

// What was chosen for one network round, and who leads it.
struct KeptRound {
  Links links{};
  std::optional<KindLinks> kind_links{};
  Order order{};
  std::vector<ReceiverOrder> receiver_orders{};
  std::vector<Rule> rules{};  // that are in force in it, whichever number it has
  SeatSet gives_up{};
  SeatSet crashes{};
  SeatSet recovers{};
  SeatSet forgets{};
  bool heals = false;
  IdentitySet leaders{};

  KeptRound(const RoundAnswers& answers, IdentitySet the_leaders);
  RoundAnswers answers() const;
};

class RepeatedRounds final : public Schedule {
 public:
  // Asks `schedule` for its rounds up to `last`, and repeats the last `period` of them, which are at least one.
  RepeatedRounds(Schedule& schedule, unsigned seat_count, unsigned last, unsigned period);

  // From now on the rounds first..first+length-1 are repeated. They may themselves be repetitions.
  void repeat(unsigned first, unsigned length);
  // From now on the world's round r is the round before + r from the start, and has its leaders; or it keeps those that
  // it had, if the numbers of rounds mean nothing to the protocol.
  void renumber(int before, bool moves_leaders = true);

  // These count from the start, however often rounds were renumbered.
  const KeptRound& at(unsigned number) const { return *rounds_[position_of(number)]; }
  unsigned period() const { return period_; }

 private:
  void choose(Round round, RoundAnswers& answers) override;
  std::size_t position_of(unsigned number) const;

  std::vector<std::shared_ptr<const KeptRound>> rounds_;
  unsigned period_;
  int before_ = 0;
};

}  // namespace nika
