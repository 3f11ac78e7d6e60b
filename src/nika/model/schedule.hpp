// Whoever answers the free choices of a run: who leads round r, which links carry which kind of message, in which order
// what arrives together is handled, who gives up early, crashes or comes back, what happens to which message, what is
// next. A run takes no choice itself; recorded, indexed, drawn, guided and enumerated schedules are the same run with
// another answerer.
#pragma once

#include <span>
#include <vector>

#include "nika/model/coin.hpp"
#include "nika/model/links.hpp"

namespace nika {

// Is told what liars send, while they may lie.
class LieWatch {
 public:
  virtual ~LieWatch() = default;
  virtual void sends(unsigned protocol_round, Seat from, unsigned kind, SeatSet to) = 0;
  // It wants to know all that is sent up to this protocol round, though no lie be told there.
  virtual unsigned watches_until() const { return 0; }
};

// Faults that are bound to protocol rounds; a run that has any keeps account of these rounds.
struct Faults {
  std::span<const Outage> outages{};
  std::span<const Lie> lies{};
  bool count_messages = false;  // their rounds are numbers of their senders' messages instead
  bool go_on = false;           // lies are also told when the network heals
  bool look_back = true;        // some lie says what was said before
  LieWatch* watch = nullptr;
};

// What is chosen for one network round. It points to what the schedule keeps until it is asked again.
struct RoundAnswers {
  const Links* links = nullptr;
  const KindLinks* kind_links = nullptr;  // if set, each kind of message has links of its own
  const Order* order = nullptr;
  std::span<const ReceiverOrder> receiver_orders{};  // of those that handle what arrives in another order
  std::span<const Rule> rules{};                     // the first that matches a message decides, then the links
  SeatSet gives_up{};                                // whose timers run out as the round begins
  SeatSet crashes{};
  SeatSet recovers{};
  SeatSet forgets{};  // of those that recover
  bool heals = false;
  const Faults* faults = nullptr;  // null: none in this run
};

// What can happen next in an asynchronous run: a message reaches a receiver, or a timer runs out.
struct StepChoice {
  std::uint32_t message = 0;  // its number; 0: a timer
  Seat from{};
  Seat to{};              // whose timer it is
  std::uint8_t kind = 0;  // of the message, or which timer
  Round round{};          // of the message

  bool operator==(const StepChoice&) const = default;
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  const LeaderTable& leaders() const { return leaders_; }
  // What the common coin shows in each round, where a protocol asks.
  const Coins& coins() const { return coins_; }
  unsigned scheduled_rounds() const { return scheduled_rounds_; }
  unsigned heal_rounds() const { return heal_rounds_; }
  Round last_round() const { return Round(scheduled_rounds_ + heal_rounds_); }

  // Asked once for each network round, in their order. When the scheduled ones are over the network heals.
  const RoundAnswers& round(Round round);

  // Of a timed run; its rules are about the rounds of messages. Nothing in others.
  virtual const Timing* timing() const { return nullptr; }
  virtual std::span<const Rule> rules() const { return {}; }

  // Of an asynchronous run: what a liar says next, before one of these is picked; null: nothing now.
  virtual const Step* says(std::span<const StepChoice>) { return nullptr; }
  // Of an asynchronous run: which of these is next, by its position; what is no position ends the run.
  virtual std::size_t next(std::span<const StepChoice> choices) { return choices.size(); }

 protected:
  Schedule() = default;

  // Sets everything that is the same in all rounds; whoever leads a scheduled round is for the derived class to say.
  void begin(unsigned seat_count, unsigned scheduled_rounds, unsigned heal_rounds);
  void set_crashes(std::span<const Crash> crashes);

  virtual void choose(Round round, RoundAnswers& answers) = 0;
  // What the derived class adds to a healing round: links that liars choose, for example.
  virtual void heal(Round, RoundAnswers&) {}

  LeaderTable leaders_{};
  Coins coins_{};
  Order heal_order_{};

 private:
  unsigned scheduled_rounds_ = 0;
  unsigned heal_rounds_ = 0;
  Links full_{};
  std::vector<Crash> crashes_{};
  RoundAnswers answers_{};
};

}  // namespace nika
