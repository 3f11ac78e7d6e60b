// One thread's part of the search through all fault configurations: those with some leaders and outages, and all lies.
#pragma once

#include "nika/campaign/sweep.hpp"
#include "nika/properties/tally.hpp"
#include "nika/scenarios/byzzfuzz/fuzz_schedule.hpp"

namespace nika {

// Which leaders and outages there are, numbered.
class FuzzBases {
 public:
  explicit FuzzBases(const byzzfuzz::FuzzGenerator& generator);
  std::uint64_t count() const { return count_; }
  // Leaders and outages of the draw; no lies.
  void set(std::uint64_t number, byzzfuzz::Draw& draw) const;

 private:
  const byzzfuzz::FuzzGenerator& generator_;
  std::uint64_t partitions_ = 0;
  std::uint64_t rotations_ = 1;
  std::uint64_t count_ = 0;
};

// A configuration that breaks a property.
struct FuzzSighting {
  Sighting sighting{};  // its position and index are the number of its leaders and outages
  Scenario scenario{};
};

// What ends it, beside the end of the work.
struct FuzzSearchLimits {
  unsigned sightings_of_each_kind = 1;
  Wide most_runs = 0;  // 0: as many as it takes
  bool stops_at_first = false;
};

class FuzzSearchWorker final : public LieWatch {
 public:
  FuzzSearchWorker(const byzzfuzz::FuzzGenerator& generator, std::unique_ptr<Session> session,
                   std::size_t property_count, const FuzzSearchLimits& limits);

  // All lies with these leaders and outages. False if it was stopped.
  bool run(std::uint64_t base, const FuzzBases& bases, const std::atomic<bool>* stop);

  const Tally& tally() const { return tally_; }
  Wide effective() const { return effective_; }
  const std::vector<FuzzSighting>& sightings() const { return sightings_; }
  const std::optional<FirstViolation>& first() const { return first_; }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  using Weighted = byzzfuzz::LieList::Weighted;

  // One of the c lies, as far as it is chosen.
  struct Choice {
    unsigned protocol_round = 1;
    Seat from{};
    SeatSet asked{};                       // of whom it is known whether they are lied to
    SeatSet to{};                          // of these, who is
    std::vector<const Weighted*> of_kind;  // null: not chosen yet
  };
  // What has to be chosen before a run can go on.
  struct Question {
    std::size_t lie = kNobody;
    unsigned kind = 0;
    SeatSet to{};
    unsigned network_round = 0;
  };

  void sends(unsigned protocol_round, Seat from, unsigned kind, SeatSet to) override;
  unsigned watches_until() const override { return last_round_; }

  const Outcome& play(unsigned shared_rounds);
  void choose_rounds(std::size_t lie);
  void run_rounds();
  void visit(unsigned shared_rounds, Wide weight);
  void answer(const Question& question, unsigned shared_rounds, Wide weight);
  void count(const Outcome& outcome, Wide weight);
  Wide ways_left() const;
  bool is_stopped() const {
    return (limits_.most_runs > 0 && runs_ >= limits_.most_runs) || (limits_.stops_at_first && first_) ||
           (stop_ != nullptr && stop_->load(std::memory_order_relaxed));
  }

  const byzzfuzz::FuzzGenerator& generator_;
  const std::unique_ptr<Session> session_;
  const FuzzSearchLimits limits_;
  byzzfuzz::FuzzSchedule schedule_;
  std::vector<std::vector<Weighted>> lists_;  // by kind of message
  Wide ways_of_kinds_ = 1;

  const std::atomic<bool>* stop_ = nullptr;
  std::uint64_t base_ = 0;
  byzzfuzz::Draw draw_;
  std::vector<Choice> choices_;
  Question question_;
  unsigned last_round_ = 0;
  unsigned agrees_ = 0;  // so many rounds of the last run are as without lies
  // Without lies: the first that each liar sent in each protocol round, in their order.
  struct FirstSending {
    Question question{};
    unsigned protocol_round = 0;
    Seat from{};
  };
  bool is_base_ = false;
  std::vector<FirstSending> sendings_;
  Outcome base_outcome_{};

  Tally tally_;
  Wide runs_ = 0;
  Wide effective_ = 0;
  std::vector<FuzzSighting> sightings_;
  std::optional<FirstViolation> first_;
};

}  // namespace nika
