// What a user asks of the Twins generator, as plain data, and the words for it on the command line and in files.
// Says nothing about whether the settings fit together: Space::make does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nika/base/ids.hpp"
#include "nika/base/result.hpp"
#include "nika/base/wide.hpp"
#include "nika/model/scenario.hpp"
#include "nika/scenarios/steps/drawing.hpp"
#include "nika/scenarios/timed/sampler.hpp"

namespace nika::twins {

// How much of what a step produces is kept. More than there is means all of it.
struct Selection {
  enum class Kind : std::uint8_t { kAll, kFirst, kRandom };
  Kind kind = Kind::kAll;
  Wide count = 0;

  bool operator==(const Selection&) const = default;
};

// Who may lead a round. Table 1 of the paper lets only the compromised nodes lead.
struct LeaderChoice {
  enum class Kind : std::uint8_t { kCompromised, kAll, kList };
  Kind kind = Kind::kCompromised;
  std::vector<IdentitySet> list;  // for kList; several identities in one entry lead the same round together

  bool operator==(const LeaderChoice&) const = default;
};

enum class Assignment : std::uint8_t { kReplacement, kNoReplacement, kStatic };
// Who leads while the network heals: those who lead before, or the honest nodes, so that termination can be judged.
// A compromised leader between any two honest ones shows whether it can undo what they achieved.
// `kBoth`: honest ones alone, and with compromised ones between.
enum class HealLeaders : std::uint8_t { kLeading, kHonest, kAlternating, kBoth };
// In which rotation they take turns: that of their names, or each that there is.
enum class HealRotations : std::uint8_t { kOne, kAll };
// In which order what arrives together is handled while the network heals, the same in all healing rounds; `kAll`:
// every order of the seats that can propose, own proposals first or not.
enum class HealOrders : std::uint8_t { kFifo, kReversed, kBoth, kAll };
// What a partition is in force for: all messages of a round, or those of one kind in it.
enum class Granularity : std::uint8_t { kRound, kPhase };
enum class OrderChoice : std::uint8_t { kFifo, kReversed, kSampled, kAll };

// What the network and the nodes may do besides partitions, drawn for each scenario: for phases::Sampler.
struct Disturbances {
  unsigned late_rounds = 0;      // messages arrive up to so many rounds late
  bool repeats = false;          // messages arrive twice
  bool early_timeouts = false;   // seats give up although their round might succeed
  bool receiver_orders = false;  // each receiver has an order of its own
  unsigned crashes = 0;          // at most so many; memory is lost only by what is faulty anyway, within f

  bool any() const { return *this != Disturbances{}; }
  bool operator==(const Disturbances&) const = default;
};

// Every member has an initialiser, so that Settings{.rounds = 4} needs no more.
struct Settings {
  std::string protocol{};
  std::vector<std::string> bugs{};
  unsigned nodes = 4;
  unsigned twins = 1;
  unsigned copies = 2;              // seats of each compromised identity
  unsigned clients = 0;             // as many as the protocol wants; in touch with everybody, whatever the partition
  std::vector<IdentitySet> unls{};  // as in a scenario
  unsigned partitions = 2;
  bool at_most = false;  // at most `partitions` blocks instead of exactly as many
  unsigned rounds = 7;
  unsigned heal_rounds = 3;
  HealLeaders heal_leaders = HealLeaders::kLeading;
  HealRotations heal_rotations = HealRotations::kOne;
  HealOrders heal_orders = HealOrders::kFifo;
  std::optional<unsigned> faults{};  // default_fault_count(nodes) if not given
  LeaderChoice leaders{};
  Assignment assignment = Assignment::kReplacement;
  OrderChoice order = OrderChoice::kFifo;
  Selection step1{};
  Selection step2{};
  Selection step3{};
  std::uint64_t seed = 1;
  std::vector<Crash> crashes{};
  Granularity granularity = Granularity::kRound;  // kPhase is for phases::Sampler; a Space is of rounds
  bool one_way = false;                           // with kPhase: some seats hear nobody
  Disturbances disturbances{};                    // with kPhase
  // Of an asynchronous network: the leaders take turns in the rounds, and nothing of partitions, healing and crashes
  // counts. A Space is of rounds.
  std::optional<steps::Drawing> steps{};
  // Of a network with a clock: the rounds are views, and nothing of partitions and crashes counts.
  std::optional<timed::Clock> clock{};

  bool operator==(const Settings&) const = default;
};

// "all", "first:X", "random:X".
Result<Selection> parse_selection(std::string_view text);
std::string to_text(const Selection& selection);

// "compromised", "all", or a list such as "A,B+C": A alone, or B and C together.
Result<LeaderChoice> parse_leaders(std::string_view text);
std::string to_text(const LeaderChoice& leaders);

// "replacement", "no-replacement", "static".
Result<Assignment> parse_assignment(std::string_view text);
std::string_view name_of(Assignment assignment);

// "fifo", "reversed", "sampled", "all".
Result<OrderChoice> parse_order(std::string_view text);
std::string_view name_of(OrderChoice order);

// "leading", "honest", "alternating", "both".
Result<HealLeaders> parse_heal_leaders(std::string_view text);
std::string_view name_of(HealLeaders leaders);

// "one", "all".
Result<HealRotations> parse_heal_rotations(std::string_view text);
std::string_view name_of(HealRotations rotations);

// "fifo", "reversed", "both", "all".
Result<HealOrders> parse_heal_orders(std::string_view text);
std::string_view name_of(HealOrders orders);

// "round", "kind"; "phase" means the latter too.
Result<Granularity> parse_granularity(std::string_view text);
std::string_view name_of(Granularity granularity);

// The cast that the settings describe. The first `twins` identities are the compromised ones.
Result<Cluster> cluster_of(const Settings& settings);
std::vector<std::uint8_t> copies_of(const Settings& settings);

// The sets of identities that step 2 combines with each partition, in the order of its enumeration.
std::vector<IdentitySet> leader_sets(const Settings& settings, const Cluster& cluster);

// The cast, and who leads the rounds of an asynchronous run: what its schedules, and all orders, have in common.
Scenario steps_base(const Settings& settings);
// The cast, the clock, and who leads after the scheduled views: what timed runs have in common.
Scenario timed_base(const Settings& settings);

// Who takes turns while the network heals.
std::vector<Identity> heal_leaders_of(HealLeaders choice, const Cluster& cluster, IdentitySet leading);

// The seats whose values messages are about: those of the clients if there are any, else those that can lead.
SeatSet proposing_seats(const Cluster& cluster, IdentitySet leading);

// One clear line on settings that contradict themselves or the limits of the model.
Result<void> check(const Settings& settings);

}  // namespace nika::twins
