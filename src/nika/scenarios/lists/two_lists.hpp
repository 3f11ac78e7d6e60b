// Two unique node lists that overlap, and every way in which one ledger can be made under one partition: which seats
// have heard of the transaction, and on which side of the network each seat is for proposals and validations. Nodes
// that are in the same lists and count the same one change places freely, so that one schedule stands for all of them;
// weight() tells for how many. Says nothing of what forks.
#pragma once

#include <array>
#include <vector>

#include "nika/scenarios/generator.hpp"

namespace nika::lists {

// Every node is in one of the lists or in both. With an odd rest the second list is the longer one.
struct Overlap {
  unsigned nodes = 7;
  unsigned shared = 1;  // nodes that are in both lists

  unsigned first_size() const { return (nodes + shared) / 2; }
  unsigned second_size() const { return nodes + shared - first_size(); }
  double percent() const { return 100.0 * shared / second_size(); }  // as the white paper has it: of the longer list
};

struct TwoLists {
  Overlap overlap{};
  // Somebody has a face for each side: A is on the near side, and its twin A' on the far one. It is in both lists if
  // anybody is, for who is in one only is heard in one only; it goes by the first list.
  bool has_liar = false;
  unsigned first_counters = 0;  // of the honest nodes in both lists, so many count the first one

  // Honest nodes in both lists: first_counters is at most this.
  unsigned honest_shared() const { return overlap.shared - (has_liar && overlap.shared > 0 ? 1 : 0); }
};

// What is chosen for one seat.
struct SeatChoice {
  bool has_heard = false;       // of the transaction, before the ledger closes
  bool is_on_far_side = false;  // of the partition
};

class TwoListsGenerator final : public Generator {
 public:
  TwoListsGenerator(const TwoLists& lists, std::string_view protocol, const std::vector<std::string>& bugs);

  const Cluster& cluster() const override { return cluster_; }
  std::optional<Wide> size() const override { return schedules_.size(); }
  std::unique_ptr<IndexedSchedule> schedule() const override;
  // The transaction has a partition of its own, which is a rule of the scenario.
  Scenario scenario(Wide index) const override;

  // For whoever wants to know what a schedule is: the choice of a seat.
  SeatChoice choice(Wide index, Seat seat) const;
  std::uint32_t weight(Wide index) const { return schedules_[static_cast<std::size_t>(index)].weight; }

 private:
  friend class TwoListsSchedule;
  // Who heard and who is on the far side, by seat; seats of equal nodes are in ascending order of their choices.
  struct Entry {
    SeatSet heard{};
    SeatSet far{};
    std::uint32_t weight = 0;
  };
  // Honest nodes that can change places: as many seats from `first` on.
  struct Class {
    unsigned first = 0;
    unsigned size = 0;
  };
  void enumerate(unsigned class_number, Entry entry);
  void enumerate_liar(const Entry& entry);
  void keep(const Entry& entry);
  static std::array<unsigned, 4> counts_in(const Class& of, const Entry& entry);
  bool is_its_own_mirror(const Entry& entry) const;
  bool is_before_its_mirror(const Entry& entry) const;

  TwoLists lists_;
  Scenario base_;
  Cluster cluster_;
  std::vector<Class> classes_;
  std::vector<Entry> schedules_;
};

}  // namespace nika::lists
