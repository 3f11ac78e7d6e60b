// The exhaustive search: worlds before each network round, level by level. A world is expanded once, whatever the
// number of scenarios that lead to it; that number is carried along exactly.
#pragma once

#include <atomic>
#include <deque>
#include <memory>

#include "nika/base/interner.hpp"
#include "nika/base/memo.hpp"
#include "nika/base/result.hpp"
#include "nika/base/threads.hpp"
#include "nika/explore/arrival_orders.hpp"
#include "nika/explore/block_run.hpp"
#include "nika/explore/canonical.hpp"
#include "nika/explore/choices.hpp"
#include "nika/explore/enumerated_schedule.hpp"
#include "nika/explore/level.hpp"
#include "nika/explore/search.hpp"
#include "nika/explore/spread.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/responsiveness.hpp"
#include "nika/properties/termination.hpp"
#include "nika/sim/round_network.hpp"
#include "nika/sim/run.hpp"

namespace nika {

template <Protocol P>
class Explorer {
 public:
  Explorer(const twins::Space& space, const Cluster& cluster, const Properties& properties,
           const SearchOptions& options)
      : space_(space),
        cluster_(cluster),
        properties_(properties),
        options_(options),
        folds_(options.folds && is_exact_for<P>(properties, !space.settings().crashes.empty())),
        whole_rounds_(Monitors(properties).listens()),
        commits_settle_(std::ranges::all_of(properties, [](const Property* p) { return p == &kAgreement; })),
        healing_settles_(std::ranges::any_of(properties, waits_for_healing)),
        choices_(space, options.renames && name_nobody(properties) && !kAnyoneProposes<P>),
        arrival_orders_(space.healings().orders(), cluster.seat_count) {
    result_.tally = Tally(properties.size());
  }

  SearchResult run();
  // Whether it renamed nodes that it should not have: what run() returned is then of no use.
  bool renamed_a_proposer() const { return renamed_a_proposer_; }

 private:
  // One replica with all that belongs to it alone.
  struct SeatRecord {
    typename P::State state{};
    std::array<Timer, timer_count<P>()> timers{};
    std::uint8_t incarnation = 0;
  };
  // What is left of a world besides its replicas.
  struct Rest {
    static constexpr std::size_t kMaxPending = 24;
    std::array<Pending<typename P::Message>, kMaxPending> pending{};
    std::uint32_t pending_count = 0;
    SeatSet down{};
    SeatSet amnesiac{};
    Log log{};
    std::array<Height, kMaxSeats> tops{};  // of each seat; not where worlds are folded for agreement
    Conflict conflict{};
    MonitorStates monitors{};
  };
  // What one thread needs; a world for each level, for when worlds are not remembered.
  struct Worker {
    explicit Worker(const Explorer& explorer)
        : network(explorer.cluster_, explorer.properties_),
          schedule(explorer.space_, explorer.choices_, explorer.options_.unbounded),
          worlds(kMaxExploredRounds + 1) {
      network.attend(schedule);
      found.tally = Tally(explorer.properties_.size());
    }
    RoundNetwork<P> network;
    EnumeratedSchedule schedule;
    BlockCache<P> blocks;
    std::vector<const BlockRun<P>*> runs;  // the blocks of the current partition
    std::vector<World<P>> worlds;
    World<P> child{};
    std::deque<World<P>> healing;  // after each healing round
    Rivals rivals{};
    ByteWriter writer;
    RoundGaps<P> gaps;
    Rest rest{};
    Outcome outcome{};
    SearchResult found;
  };

  struct Canonical {
    Fingerprint name{};
    std::uint32_t renaming = 0;  // that brought the world into its canonical form
  };

  // A world that is being expanded, up to the choice of a configuration.
  struct Step {
    const Node* node = nullptr;
    Level* next = nullptr;  // null when there is no room to remember worlds
    unsigned done = 0;
    std::uint16_t next_leaders = 0;
    Fingerprint past{};       // what all worlds after the round have in common
    Fingerprint surrounds{};  // all that a block depends on besides its own seats
  };

  // How the worlds after the last scheduled round end.
  struct Ended {
    std::uint32_t spread = 0;
    std::uint32_t renaming = 0;  // with which that was found out
  };

  // A world on its way to its ending.
  struct Healed {
    std::size_t rotation = 0;
    unsigned rounds = 0;
    bool has_committed = false;  // since it heals; folding may have forgotten it
  };

  // It is settled by nothing that happens before the network heals, but for a full buffer.
  static bool waits_for_healing(const Property* property) {
    return property == &kTermination || (property == &kResponsiveness && !kIsSingleShot<P>);
  }
  std::unique_ptr<Level> first_level();
  void conclude(unsigned done);
  bool is_last(unsigned done) const { return !options_.unbounded && done + 1 == space_.rounds(); }
  bool keep(const Node& node, Level& next);
  void expand_level(Level& level, Level& next, unsigned done);
  void expand(Worker& worker, const Node& node, Level* next, unsigned done);
  void run_choice(Worker& worker, const Step& step, Choice choice);
  void run_blocks(Worker& worker, const Step& step, Choice choice);
  void look_for_proposers(const World<P>& world, SeatSet block);
  bool settle_blocks(Worker& worker, const Step& step, const Node& child);
  void assemble(Worker& worker, const Step& step, World<P>& world);
  Fingerprint fingerprint_of_past(Worker& worker, const Node& node) const;
  Fingerprint fingerprint_around_blocks(Worker& worker, const Step& step) const;
  Fingerprint block_name(Worker& worker, const Step& step, SeatSet block, Choice choice) const;
  Fingerprint healing_name(Worker& worker, const World<P>& world, const Node& node) const;
  void reduce(Worker& worker, World<P>& world);
  Fingerprint raw_name(Worker& worker, const Step& step, const Node& child) const;
  bool was_kept(const Fingerprint& raw, Node& child, const Step& step);
  void rename_prefix(Node& node, std::uint32_t renaming, unsigned length) const;
  bool can_be_completed(const Node& child, unsigned done) const;
  Wide completions(const Node& child, unsigned done) const;
  // In explorer_healing_inl.hpp.
  void heal_once(Worker& worker, const Step& step, Node& child, const Fingerprint& raw);
  Ended heal_for_agreement(Worker& worker, const Node& node);
  Ended heal_in_all_ways(Worker& worker, const Node& child);
  void heal_on(Worker& worker, const Node& node, const Healed& healed, OrderSet left, Spread& total);
  Fingerprint name_of(Worker& worker, const Node& node, const Healed& healed, const OrderSet& orders) const;
  void count_ended(SearchResult& found, const Ended& ended, Node& node);
  void restore(const Node& node, World<P>& world) const;
  bool describe(Worker& worker, World<P>& world, Node& node, unsigned done, std::uint32_t& renaming);
  void write_leaders(ByteWriter& writer, unsigned oldest_round, const Node& node, unsigned done) const;
  void set_leaders(EnumeratedSchedule& schedule, const Node& node, unsigned done) const;
  void write_rest(ByteWriter& writer, const Rest& rest) const;
  void take_rest(Rest& rest, const World<P>& world) const;
  void count_settled(SearchResult& found, const Outcome& outcome, const Node& node, unsigned length) const;
  void count(SearchResult& found, const Outcome& outcome, const Node& node, Wide continuations,
             BrokenPrefix where) const;
  void for_each_node(Level& level, const std::function<void(Worker&, const Node&)>& visit);
  bool has_room(const Level& next) const;
  void report(unsigned done, std::uint64_t expanded, std::uint64_t to_expand);
  bool is_stopped() const {
    return renamed_a_proposer_.load(std::memory_order_relaxed) ||
           (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
  }

  const twins::Space& space_;
  const Cluster cluster_;
  const Properties properties_;
  const SearchOptions& options_;
  const bool folds_;
  std::size_t monitor_words_ = 0;
  const bool whole_rounds_;     // a monitor listens to every commit, so that blocks cannot be put together
  const bool commits_settle_;   // nothing else does before the network heals
  const bool healing_settles_;  // nothing before it does
  Choices choices_;
  ArrivalOrders arrival_orders_;
  Interner<SeatRecord> seats_;
  Interner<Rest> rests_;
  Seen seen_;                              // used by an unbounded search only
  std::unique_ptr<Memo<Canonical>> memo_;  // of the level that is being made
  Endings endings_;
  Spreads spreads_;
  Memo<Ended> ended_;           // worlds after the last scheduled round
  Memo<std::uint32_t> healed_;  // spreads of worlds while they heal
  SearchResult result_;
  std::atomic<bool> memory_was_full_{false};
  std::atomic<bool> renamed_a_proposer_{false};
  Unjudged unjudged_{};               // why nothing can be said whatever the rounds: too many are compromised
  std::atomic<bool> is_exact_{true};  // no rounds were left out that can make a difference
};

// An error if the space cannot be covered this way.
template <Protocol P>
Result<SearchResult> explore(const twins::Space& space, const Cluster& cluster, const Properties& properties,
                             const SearchOptions& options) {
  if (auto fits = check_explorable(space, options); !fits) return tl::unexpected(fits.error());
  if (options.unbounded && std::ranges::any_of(properties, [](const Property* p) { return p != &kAgreement; })) {
    return bad_input("--rounds unbounded judges agreement only: the network never heals, so that nothing else is due");
  }
  const auto explorer = std::make_unique<Explorer<P>>(space, cluster, properties, options);
  SearchResult result = explorer->run();
  if (!explorer->renamed_a_proposer()) return result;
  return bad_input("in " + std::string(P::kName) +
                   " a node proposes that never leads, so that nodes cannot be renamed: it must say kAnyoneProposes");
}

}  // namespace nika

#include "nika/explore/explorer_healing_inl.hpp"
#include "nika/explore/explorer_inl.hpp"
#include "nika/explore/explorer_worlds_inl.hpp"
