// A numbered family of schedules for one cluster. Whatever makes schedules is one of these: a campaign runs them by
// their numbers, anywhere and in any order, and tells each again as a scenario. Never runs anything.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "nika/base/wide.hpp"
#include "nika/model/outcome.hpp"
#include "nika/model/schedule.hpp"

namespace nika {

// A schedule by its number, and its place among all that are to be run.
struct Numbered {
  Wide index = 0;
  std::uint64_t rank = 0;     // a schedule's own, to arrange them by
  std::uint32_t place = 0;    // among those that are run together
  std::uint32_t keeps = ~0U;  // the next one to be run shares no more of the first rounds
};

// How much two schedules have in common from the start on.
struct Shared {
  unsigned rounds = 0;   // so many of the first rounds are chosen alike
  unsigned leaders = 0;  // so many of the first rounds have the same leaders
  // If it is set: as soon as no fault of protocol rounds can come any more, all schedules of this name answer alike.
  const Faults* faults = nullptr;
  std::uint64_t name_after = 0;
};

// The schedules of a generator, one at a time, for one thread.
class IndexedSchedule : public Schedule {
 public:
  // From now on it answers as the schedule with this number. Allocates nothing in generators that are run often.
  virtual void seek(Wide index) = 0;
  // How many scenarios this one stands for, itself among them.
  virtual std::uint32_t weight() const { return 1; }

  // With the schedule before the last seek. After rounds that are shared both runs are in one world, as long as no
  // replica has asked for leaders that are not.
  virtual Shared shared() const { return {}; }
  // Its outcome, if that follows from the outcomes of earlier ones; null if it has to be run.
  virtual const Outcome* known() { return nullptr; }
  // What came of it when it was run.
  virtual void learn(const Outcome&) {}
  // Puts schedules into an order in which neighbours share many rounds.
  virtual void arrange(std::span<Numbered>) const {}
};

class Generator {
 public:
  virtual ~Generator() = default;

  virtual const Cluster& cluster() const = 0;
  // Nothing if there are 2^128 or more, and then they cannot be run by their numbers.
  virtual std::optional<Wide> size() const = 0;
  virtual std::unique_ptr<IndexedSchedule> schedule() const = 0;
  // The same schedule as a value.
  virtual Scenario scenario(Wide index) const = 0;
};

}  // namespace nika
