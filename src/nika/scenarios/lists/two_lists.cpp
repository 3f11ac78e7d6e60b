#include "nika/scenarios/lists/two_lists.hpp"

#include "nika/base/require.hpp"
#include "nika/model/links.hpp"

namespace nika::lists {
namespace {

constexpr unsigned kTransactionKind = 0;  // of the protocols that have lists

std::uint32_t choose(unsigned n, unsigned k) {
  std::uint32_t result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

Partition parted(SeatSet other_block, unsigned seat_count) {
  Partition partition;
  for (Seat seat : other_block) partition.block_of[index_of(seat)] = 1;
  partition.normalize(seat_count);
  return partition;
}

// A cluster tells of lists; its bugs are for whoever runs it.
Scenario without_bugs(Scenario scenario) {
  scenario.bugs.clear();
  return scenario;
}

}  // namespace

// The seats: the liar if there is one, who is in the first list only, in both and counts the first, in both and counts
// the second, in the second only, and the liar's twin.
TwoListsGenerator::TwoListsGenerator(const TwoLists& lists, std::string_view protocol,
                                     const std::vector<std::string>& bugs)
    : lists_(lists) {
  const Overlap& overlap = lists.overlap;
  NIKA_REQUIRE(overlap.shared <= overlap.nodes && lists.first_counters <= lists.honest_shared());
  const bool shares_liar = lists.has_liar && overlap.shared > 0;
  const unsigned first_only = overlap.first_size() - overlap.shared - (lists.has_liar && !shares_liar ? 1 : 0);
  const std::array<unsigned, 4> sizes{first_only, lists.first_counters, lists.honest_shared() - lists.first_counters,
                                      overlap.second_size() - overlap.shared};
  IdentitySet first;
  IdentitySet second;
  unsigned next = 0;
  if (lists.has_liar) {
    first.insert(Identity{0});
    if (shares_liar) second.insert(Identity{0});
    ++next;
  }
  for (unsigned c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > 0) classes_.push_back({next, sizes[c]});
    for (unsigned i = 0; i < sizes[c]; ++i, ++next) {
      if (c < 3) first.insert(static_cast<Identity>(next));
      if (c > 0) second.insert(static_cast<Identity>(next));
    }
  }
  NIKA_REQUIRE(next == overlap.nodes);
  base_.protocol = protocol;
  base_.bugs = bugs;
  base_.node_count = static_cast<std::uint8_t>(overlap.nodes);
  if (lists.has_liar) base_.copies = {2};
  const unsigned counts_second = (lists.has_liar ? 1 : 0) + first_only + lists.first_counters;
  for (unsigned node = 0; node < overlap.nodes; ++node) base_.unls.push_back(node < counts_second ? first : second);
  base_.rounds.resize(1);
  cluster_ = cluster_of(without_bugs(base_), {}).value();
  enumerate(0, {{}, {}, 1});
}

// Every multiset of choices for the nodes of a class, and how many ways there are to hand them out.
void TwoListsGenerator::enumerate(unsigned class_number, Entry entry) {
  if (class_number == classes_.size()) return enumerate_liar(entry);
  const auto [first, size] = classes_[class_number];
  for (unsigned quiet_near = 0; quiet_near <= size; ++quiet_near) {
    for (unsigned quiet_far = 0; quiet_near + quiet_far <= size; ++quiet_far) {
      const unsigned quiet = quiet_near + quiet_far;
      for (unsigned heard_near = 0; quiet + heard_near <= size; ++heard_near) {
        Entry chosen = entry;
        for (unsigned i = 0; i < size; ++i) {
          const auto seat = static_cast<Seat>(first + i);
          if (i >= quiet) chosen.heard.insert(seat);
          if ((i >= quiet_near && i < quiet) || i >= quiet + heard_near) chosen.far.insert(seat);
        }
        chosen.weight *= choose(size, quiet) * choose(quiet, quiet_near) * choose(size - quiet, heard_near);
        enumerate(class_number + 1, chosen);
      }
    }
  }
}

// The liar has a seat on each side.
void TwoListsGenerator::enumerate_liar(const Entry& entry) {
  if (!lists_.has_liar) return keep(entry);
  const auto twin = static_cast<Seat>(lists_.overlap.nodes);
  for (unsigned choices = 0; choices < 4; ++choices) {
    Entry chosen = entry;
    chosen.far.insert(twin);
    if ((choices & 1U) != 0) chosen.heard.insert(Seat{0});
    if ((choices & 2U) != 0) chosen.heard.insert(twin);
    keep(chosen);
  }
}

// A client hands the transaction in to an honest node: what nobody has heard of is no matter of this space. The two
// sides of a partition have no names but those of the liar's seats: without a liar, of a schedule and its mirror one is
// kept, and what is its own mirror stands for two that are one.
void TwoListsGenerator::keep(const Entry& entry) {
  if ((entry.heard & cluster_.honest_seats()).empty()) return;
  Entry kept = entry;
  if (!lists_.has_liar) {
    if (is_its_own_mirror(entry)) {
      kept.weight /= 2;
    } else if (!is_before_its_mirror(entry)) {
      return;
    }
  }
  schedules_.push_back(kept);
}

std::array<unsigned, 4> TwoListsGenerator::counts_in(const Class& of, const Entry& entry) {
  std::array<unsigned, 4> counts{};
  for (unsigned i = 0; i < of.size; ++i) {
    const auto seat = static_cast<Seat>(of.first + i);
    ++counts[(entry.heard.contains(seat) ? 2U : 0U) + (entry.far.contains(seat) ? 1U : 0U)];
  }
  return counts;
}
bool TwoListsGenerator::is_its_own_mirror(const Entry& entry) const {
  for (const Class& c : classes_) {
    const auto counts = counts_in(c, entry);
    if (counts[0] != counts[1] || counts[2] != counts[3]) return false;
  }
  return true;
}
bool TwoListsGenerator::is_before_its_mirror(const Entry& entry) const {
  for (const Class& c : classes_) {
    const auto counts = counts_in(c, entry);
    if (counts[0] != counts[1]) return counts[0] < counts[1];
    if (counts[2] != counts[3]) return counts[2] < counts[3];
  }
  return false;
}

SeatChoice TwoListsGenerator::choice(Wide index, Seat seat) const {
  const Entry& entry = schedules_[static_cast<std::size_t>(index)];
  return {entry.heard.contains(seat), entry.far.contains(seat)};
}

Scenario TwoListsGenerator::scenario(Wide index) const {
  const Entry& entry = schedules_[static_cast<std::size_t>(index)];
  Scenario scenario = base_;
  const Seat handed_in = *(entry.heard & cluster_.honest_seats()).begin();
  scenario.rounds[0].leaders = {cluster_.identity(handed_in)};
  scenario.rounds[0].partition = parted(entry.far, cluster_.seat_count);
  Rule rule;
  rule.last_round = Round(1);
  rule.kinds = 1U << kTransactionKind;
  rule.action = Action::kLinks;
  rule.reach = reach_of(parted(entry.heard, cluster_.seat_count), cluster_.seat_count);
  scenario.rules.push_back(rule);
  return scenario;
}

class TwoListsSchedule final : public IndexedSchedule {
 public:
  explicit TwoListsSchedule(const TwoListsGenerator& generator) : generator_(generator) {
    begin(generator.cluster().seat_count, 1, 0);
    full_ = full_links(generator.cluster().seat_count);
  }

  void seek(Wide index) override {
    entry_ = &generator_.schedules_[static_cast<std::size_t>(index)];
    const Cluster& cluster = generator_.cluster();
    leaders_[1] = {cluster.identity(*(entry_->heard & cluster.honest_seats()).begin())};
    const unsigned seats = cluster.seat_count;
    links_.fill(reach_of(parted(entry_->far, seats), seats));
    links_[kTransactionKind] = reach_of(parted(entry_->heard, seats), seats);
  }
  std::uint32_t weight() const override { return entry_->weight; }

 private:
  void choose(Round, RoundAnswers& answers) override {
    answers.links = &full_;
    answers.kind_links = &links_;
    answers.order = &order_;
  }

  const TwoListsGenerator& generator_;
  const TwoListsGenerator::Entry* entry_ = nullptr;
  Links full_;
  KindLinks links_{};
  Order order_{};
};

std::unique_ptr<IndexedSchedule> TwoListsGenerator::schedule() const {
  return std::make_unique<TwoListsSchedule>(*this);
}

}  // namespace nika::lists
