// A scenario is everything that is chosen in a run, as plain data: it can be printed, saved, compared, shrunk,
// replayed. It says who leads and who can talk to whom in each round, what the network does to which messages, and who
// crashes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nika/base/ids.hpp"
#include "nika/base/result.hpp"
#include "nika/model/cluster.hpp"
#include "nika/model/coin.hpp"
#include "nika/model/lie.hpp"

namespace nika {

// Who can talk to whom: seats with the same block number. Blocks are numbered in the order of their first seat, so
// equal partitions are equal values. A client is usually in every block: partitions are of replicas, and a client that
// is cut off sees nothing that could go wrong.
struct Partition {
  static constexpr std::uint8_t kEverywhere = 255;
  std::array<std::uint8_t, kMaxSeats> block_of{};

  bool operator==(const Partition&) const = default;
  unsigned block_count(unsigned seat_count) const;
  SeatSet block(unsigned number, unsigned seat_count) const;
  SeatSet everywhere(unsigned seat_count) const;  // the seats that are in every block
  void normalize(unsigned seat_count);
};

// In which order messages that arrive together are handled: first those about the receiver's own proposal if own_first,
// then by the rank of the seat whose proposal they are about.
struct Order {
  std::array<std::uint8_t, kMaxSeats> rank{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  bool own_first = true;

  bool operator==(const Order&) const = default;
  static Order fifo() { return {}; }
  static Order reversed(unsigned seat_count);
};

// A receiver that handles what arrives together in an order of its own.
struct ReceiverOrder {
  Seat receiver{};
  Order order{};

  bool operator==(const ReceiverOrder&) const = default;
};

struct RoundPlan {
  IdentitySet leaders;
  Partition partition;
  Order order;
  std::vector<ReceiverOrder> receiver_orders{};
  SeatSet gives_up{};  // whose timers run out as the round begins, although it might succeed
  std::string note{};  // for the reader of a file

  bool operator==(const RoundPlan&) const = default;
};

// Whom each seat can send to, itself included.
using Reach = std::array<SeatSet, kMaxSeats>;
Reach reach_of(const Partition& partition, unsigned seat_count);
// The links of each kind of message, itself again included.
inline constexpr unsigned kMaxKinds = 32;
using KindLinks = std::array<Reach, kMaxKinds>;

enum class Action : std::uint8_t {
  kDeliver,
  kDrop,
  kDelay,     // by ticks
  kWithhold,  // until the network heals
  kLinks,     // the links of the rule decide
  kLate,      // by rounds, however the network is parted when it arrives
  kTwice,     // now, and again so many rounds later; 0: at once
};

// The first rule that matches an envelope decides its fate; no rule means that the round's partition decides.
struct Rule {
  Round first_round{1};
  Round last_round{kMaxRound};  // Round(kMaxRound): until the network heals
  std::uint32_t kinds = ~0U;    // one bit for each message kind of the protocol
  SeatSet from = SeatSet::from_bits(0xffff);
  SeatSet to = SeatSet::from_bits(0xffff);
  Action action = Action::kDrop;
  std::uint8_t delay_ticks = 0;
  std::uint8_t delay_rounds = 0;  // of kLate and kTwice
  Reach reach{};                  // of kLinks: these links carry the messages, and no others do
  std::string note{};

  bool operator==(const Rule&) const = default;
};

// In one protocol round, in which the sender of a message is, the network is parted, until it heals.
struct Outage {
  std::uint16_t protocol_round = 1;
  Partition partition;
  bool withholds = true;  // until the network heals; else what it cuts off is lost

  bool operator==(const Outage&) const = default;
};

// A seat is down from the start of network round `down_from` until the start of `up_from`.
struct Crash {
  Seat seat{};
  Round down_from{};
  Round up_from{};
  bool keeps_memory = false;

  bool operator==(const Crash&) const = default;
};

// Time as a grid of ticks, for synchronous protocols: everybody can talk to everybody, and rules say how long messages
// take. A rule of a timed scenario acts on the messages whose own round (the view) is in its range.
struct Timing {
  std::uint8_t delta_ticks = 2;  // Δ: how long a message between honest seats takes at most
  std::uint8_t ticks = 24;       // how long the run lasts
  std::uint8_t delay_ticks = 0;  // of messages that no rule is about
  SeatSet timers_first{};        // whose timers run out before what arrives in the same tick

  bool operator==(const Timing&) const = default;
};

// What a liar says of its own accord: a kind of message, and a number for each of its fields (model/saying.hpp).
struct Saying {
  static constexpr std::size_t kMostFields = 4;

  std::uint8_t kind = 0;
  std::array<std::uint16_t, kMostFields> fields{};

  bool operator==(const Saying&) const = default;
};

// The next step of an asynchronous run: the n-th message of a sender reaches a seat, or a timer of the seat runs out,
// or the seat hears what a liar says. What others do before does not change how many messages a sender has sent, so
// steps can be left out and moved.
struct Step {
  std::uint32_t message = 0;  // of those that its sender sent to anybody, from 1 on; 0: a timer, or what is said
  Seat to{};
  Seat from{};                   // of a message, or who says it
  std::uint8_t timer = 0;        // of a timer: which one
  std::optional<Saying> says{};  // in an asynchronous run a liar without a twin runs no code and sends nothing else

  bool operator==(const Step&) const = default;
};

struct Scenario {
  std::string about;  // for the reader of a file
  std::string protocol;
  std::vector<std::string> bugs;
  std::uint8_t node_count = 4;
  std::uint8_t fault_count = 1;
  std::vector<std::uint8_t> copies;    // seats of each identity, as in make_cluster
  std::uint8_t client_count = 0;       // as many as the protocol wants
  std::vector<IdentitySet> unls;       // of each node: whom it counts; nobody, or none for it: everybody
  std::vector<std::string> inputs;     // of each seat; empty if the seat has a value of its own. None: all have
  std::vector<RoundPlan> rounds;       // rounds[0] is round 1
  std::uint8_t heal_rounds = 0;        // fully connected rounds after the last scheduled one
  std::vector<Identity> heal_leaders;  // taken in turn in the healing rounds
  Order heal_order;
  std::vector<Rule> rules;
  std::vector<Crash> crashes;
  std::optional<Timing> timing;            // of a timed scenario; its rounds and healing say only who leads each view
  std::optional<std::vector<Step>> steps;  // of an asynchronous one, which has neither partitions nor healing
  std::vector<std::uint8_t> coins{};       // 0 or 1, of rounds 1, 2 and so on; of later ones their parity
  CoinStrategy turns{};                    // of an asynchronous one, instead of steps: a turn for each of these coins
  IdentitySet liars{};                     // who may lie without a twin
  std::vector<Outage> outages{};           // of protocol rounds, besides the partitions of network rounds
  std::vector<Lie> lies{};                 // the first that is about a message and a receiver decides
  bool lies_go_on = false;                 // when the network heals
  bool faults_count_messages = false;      // instead of protocol rounds: the n-th message of its sender

  bool operator==(const Scenario&) const = default;
  bool is_asynchronous() const { return steps.has_value() || !turns.empty(); }
  unsigned horizon() const { return static_cast<unsigned>(rounds.size()) + heal_rounds; }
};

// The seats and who of them is compromised; an error if there are too many.
Result<Cluster> cast_of(const Scenario& scenario);
// Only compromised seats lie, in network rounds or by what they say in steps. An error that names one that is not.
Result<void> check_lies(const Scenario& scenario, const Cluster& cluster);

// The same scenario without what is only there for readers.
Scenario without_notes(Scenario scenario);

// When the network has healed, honest seats hear each other at once: a rule that reaches into the healing rounds may
// stop or delay only what a compromised seat sends or receives; what comes twice comes at once too. An error that names
// two honest seats it would part.
Result<void> check_healing(const Rule& rule, const Scenario& scenario, const Cluster& cluster);
Result<void> check_healing(const Scenario& scenario);

// One bit for each named bug, in the order of `known`; an error that lists them if there is no such bug.
Result<std::uint32_t> bug_bits(std::span<const std::string> bugs, std::span<const std::string_view> known,
                               std::string_view protocol);

// The cluster that a scenario describes; `known_bugs` are the protocol's flags in the order of their bits.
Result<Cluster> cluster_of(const Scenario& scenario, std::span<const std::string_view> known_bugs);

// In a timed scenario synchrony is the protocol's assumption: a message between honest seats takes at most Δ and is
// never lost. An error that names two honest seats for which the rule breaks it; what a compromised seat sends or
// receives may take any time. There are no network rounds and no healing either, so that no rule may count in them.
Result<void> check_synchrony(const Rule& rule, const Timing& timing, const Cluster& cluster);
// The same for all rules; there are also no partitions and no crashes in a timed scenario.
Result<void> check_synchrony(const Scenario& scenario);

// "{A* B | A'* C D}": blocks as the papers write them, leaders starred.
std::string to_text(const Cluster& cluster, const RoundPlan& plan);
// "A B | C D" where the links are those of a partition, else one-way links: "A B -> C, C -> D".
std::string links_text(const Cluster& cluster, const Reach& reach);
// The partition with just these links, or nothing if some link goes one way only. Clients may be in every block.
std::optional<Partition> partition_of(const Reach& reach, const Cluster& cluster);

}  // namespace nika
