// The contract of a protocol: a replica is a value, and start, receive and expire are pure functions from a state and
// one input to a state and what they put in the Outbox. No I/O, no clock, no threads, no allocation, no randomness.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "nika/base/ids.hpp"
#include "nika/base/require.hpp"
#include "nika/model/block_names.hpp"
#include "nika/model/coin.hpp"
#include "nika/model/event.hpp"
#include "nika/model/fields.hpp"
#include "nika/model/lie.hpp"
#include "nika/model/progress.hpp"

namespace nika {

using Ticks = std::uint16_t;
using Kind = std::uint8_t;  // the position of a message's type in the protocol's variant
enum class TimerId : std::uint8_t {};

inline constexpr unsigned kMaxTimers = 2;   // of one replica, unless its protocol has a kTimerCount
inline constexpr unsigned kMaxPosts = 512;  // messages that wait for delivery at the same time
inline constexpr unsigned kMaxHeight = 255;

// All that a replica may know besides its state. It knows its identity and never its seat.
struct Context {
  Identity self{};
  std::uint8_t replica_count = 0;
  std::uint8_t fault_count = 0;
  std::uint32_t bugs = 0;
  Ticks delta_ticks = 2;                 // Δ, the longest delay that a synchronous protocol reckons with
  ValueId fresh{};                       // the input and incarnation that mark what this replica proposes
  ValueId own{};                         // the same with a mark that no other replica has, whatever its input
  const IdentitySet* leaders = nullptr;  // indexed by round
  BlockNames* block_names = nullptr;     // of the world, where several seats have one input
  IdentitySet clients{};
  IdentitySet unl{};                      // whom this replica counts, where trust is subjective; nobody: everybody
  std::uint8_t quorum_votes = 0;          // of those, where that is no matter of n and f; 0: the rule of quorum()
  mutable std::uint8_t latest_asked = 0;  // of the rounds whose leaders were asked for; asked_until in sim/network.hpp
  Coin coin{};                            // of protocols that toss one

  IdentitySet leaders_of(Round round) const {
    latest_asked = std::max(latest_asked, round.number);
    return leaders[round.number];
  }
  bool leads(Round round) const { return leaders_of(round).contains(self); }
  // Twins must propose different values, so a fresh value differs from seat to seat, not from identity to identity.
  // A scenario can give several seats one input; they then make the same fresh value in the same round.
  ValueId fresh_value(Round round) const { return ValueId(round, fresh.seat(), fresh.incarnation()); }
  // The name of a block with this replica's input on `parent`: a block's identity binds its parent. Genesis if names
  // ran out. Where every seat has an input of its own, the round and the seat tell all blocks apart.
  ValueId fresh_block(Round round, ValueId parent) const {
    if (block_names == nullptr) return fresh_value(round);
    return block_names->name_of({fresh_value(round), parent}, ValueId(round, own.seat(), own.incarnation()));
  }
  // What this replica wants decided, in whichever round it is asked: the value of a single-shot protocol.
  ValueId input() const { return fresh_value(Round(1)); }
  IdentitySet everyone() const { return IdentitySet::first(replica_count); }
  // The same contract serves clients, which are no replicas: everyone() and quorums are without them.
  bool is_client() const { return clients.contains(self); }
  IdentitySet trusted() const { return unl.empty() ? everyone() : unl; }
  // How many of those whom it counts are a quorum for this replica: where everybody counts everybody, and unless its
  // protocol has a share of its own, so many that any two quorums share an honest identity. 2f+1 when n = 3f+1.
  int quorum() const { return quorum_votes != 0 ? quorum_votes : (replica_count + fault_count) / 2 + 1; }
  // Whether these are a quorum for this replica: there is none that is one for all.
  bool is_quorum(IdentitySet set) const { return (set & trusted()).size() >= quorum(); }
  // The share is rounded up; 0: more than half of those whom it counts and f.
  void count_only(IdentitySet list, unsigned quorum_percent) {
    unl = list;
    if (list.empty() && quorum_percent == 0) return;
    const auto count = static_cast<unsigned>(trusted().size());
    quorum_votes = static_cast<std::uint8_t>(quorum_percent == 0 ? (count + fault_count) / 2 + 1
                                                                 : (count * quorum_percent + 99) / 100);
  }
};

struct Commit {
  Height height{};
  ValueId value{};
};

// What honest nodes have committed, by height; entry 0 is genesis, or what stands for it after folding.
using Log = BoundedVector<ValueId, kMaxHeight + 1>;

// What a protocol that can forget its history needs to know besides states and messages.
struct FoldScope {
  Log* log = nullptr;
  bool may_restart = false;  // a replica may yet lose its memory, and begin at genesis again
};

struct Timer {
  Ticks duration = 0;  // 0: not running
  Ticks since = 0;     // when it was set, in a timed run; in network rounds timers count from the start of a round
  bool operator==(const Timer&) const = default;
};

// A message on its way, with what the simulator needs to know of it computed once.
template <class Message>
struct Post {
  Message message{};
  Seat from{};
  SeatSet to{};
  Round round{};
  Kind kind = 0;
  ValueId subject{};
  std::uint32_t number = 0;  // in the order of sending, for traces
};

// A message as its sender put it down.
template <class Message>
struct Sent {
  Message message{};
  IdentitySet to{};
  std::uint32_t number = 0;
};

// What one input makes a replica do. A full buffer is remembered as an overflow, which becomes an Unknown verdict.
template <class Message>
class Outbox {
 public:
  // `message` is one of the alternatives of Message, or a Message. It is written once, to where it stays until it is
  // delivered.
  template <class Alternative>
  void send(IdentitySet to, const Alternative& message) {
    if (sent_count_ == room_) {
      overflowed_ = true;
      return;
    }
    Sent<Message>& slot = sent_[sent_count_++];
    if constexpr (std::same_as<Alternative, Message>) {
      slot.message = message;
    } else {
      slot.message.template emplace<Alternative>(message);
    }
    slot.to = to;
  }
  void set_timer(TimerId id, Ticks duration) {
    NIKA_REQUIRE(static_cast<unsigned>(id) < timers_.size());  // the protocol's kTimerCount says how many there are
    timers_[static_cast<unsigned>(id)] = {duration, now_tick_};
  }
  void cancel_timer(TimerId id) { set_timer(id, 0); }
  void commit(Height height, ValueId value) {
    if (commit_count_ == kMaxHeight) {
      overflowed_ = true;
      return;
    }
    commits_[commit_count_++] = {height, value};
    note(EventKind::kCommitted, value.round(), value, {}, height);
  }
  void note(EventKind kind, Round round, ValueId value = {}, ValueId other = {}, Height height = {}) {
    if (notes_ == nullptr) return;
    notes_->push_back({.kind = kind, .round = round, .height = height, .value = value, .other = other});
  }
  void report_overflow() { overflowed_ = true; }

 private:
  template <class>
  friend class OutboxReader;
  static constexpr unsigned kMaxSent = 32;
  std::array<Sent<Message>, kMaxSent> own_{};
  std::array<Commit, kMaxHeight> commits_{};
  Sent<Message>* sent_ = own_.data();
  std::span<Timer> timers_{};
  unsigned room_ = kMaxSent;
  Trace* notes_ = nullptr;  // null: nobody listens
  Ticks now_tick_ = 0;
  unsigned sent_count_ = 0;
  unsigned commit_count_ = 0;
  bool overflowed_ = false;
};

// The simulator's side of an Outbox.
template <class Message>
class OutboxReader {
 public:
  using Box = Outbox<Message>;
  // What is sent goes to the outbox's own buffer, or to the front of `slots`. Notes are kept only for who listens.
  static void open(Box& box, std::span<Timer> timers, Trace* notes) { open(box, timers, notes, box.own_); }
  static void open(Box& box, std::span<Timer> timers, Trace* notes, std::span<Sent<Message>> slots) {
    box.notes_ = notes;
    empty(box);
    use(box, slots);
    use(box, timers);
  }
  // The parts of open(), for a simulator that does no more than it must for each input.
  static void empty(Box& box) {
    box.sent_count_ = box.commit_count_ = 0;
    box.overflowed_ = false;
    if (box.notes_ != nullptr) box.notes_->clear();
  }
  static void use(Box& box, std::span<Sent<Message>> slots) {
    box.sent_ = slots.data();
    box.room_ = static_cast<unsigned>(slots.size());
  }
  static void use(Box& box, std::span<Timer> timers) { box.timers_ = timers; }
  // The tick that timers are set in, where there is a clock.
  static void set_clock(Box& box, std::uint32_t now_tick) { box.now_tick_ = static_cast<Ticks>(now_tick); }
  // Empties the box, and leaves what was sent where it is: the next message goes behind it.
  static void leave_sent(Box& box) {
    box.sent_ += box.sent_count_;
    box.room_ -= box.sent_count_;
    empty(box);
  }
  // The next slot, for a message that no replica sends now; null if there is none.
  static Sent<Message>* take_slot(Box& box) {
    if (box.room_ == 0) return nullptr;
    --box.room_;
    return box.sent_++;
  }

  static bool is_empty(const Box& box) { return box.sent_count_ == 0 && has_only_sent(box); }
  static bool has_only_sent(const Box& box) {
    return (box.commit_count_ | static_cast<unsigned>(box.overflowed_)) == 0 && notes(box).empty();
  }
  static std::span<Sent<Message>> sent(const Box& box) { return {box.sent_, box.sent_count_}; }
  static std::span<const Commit> commits(const Box& box) { return {box.commits_.data(), box.commit_count_}; }
  static std::span<const Event> notes(const Box& box) {
    return box.notes_ == nullptr ? std::span<const Event>() : std::span<const Event>(*box.notes_);
  }
  static bool overflowed(const Box& box) { return box.overflowed_; }
};

// Seeded bugs that belong together, such as those of one implementation. A protocol may have some, `kBugSets`.
struct BugSet {
  std::string_view name;
  std::span<const std::string_view> bugs;
};

template <class P>
concept Protocol = requires(typename P::State& s, const typename P::State& cs, const Context& c,
                            const typename P::Message& m, Identity from, TimerId t, Outbox<typename P::Message>& out) {
  requires std::is_trivially_copyable_v<typename P::State>;
  requires std::is_trivially_copyable_v<typename P::Message>;
  requires Described<typename P::State>;
  { P::kName } -> std::convertible_to<std::string_view>;
  { P::kSummary } -> std::convertible_to<std::string_view>;
  P::kBugs;  // names of the seeded bugs, in the order of their bits
  P::start(s, c, out);
  P::receive(s, c, from, m, out);
  P::expire(s, c, t, out);
  { P::round_of(m) } -> std::same_as<Round>;
  { P::subject_of(m) } -> std::same_as<ValueId>;  // the proposal that a message is about, or genesis
  { P::current_round(cs) } -> std::same_as<Round>;
};

// A protocol may say that a replica decides once, instead of growing a log: `static constexpr bool kSingleShot = true`.
template <class P>
inline constexpr bool kIsSingleShot = requires { requires P::kSingleShot; };

// A protocol may say that only the leader of round 1 ever proposes: `static constexpr bool kIsBroadcast = true`.
template <class P>
inline constexpr bool kIsBroadcast = requires { requires P::kIsBroadcast; };

// A protocol in which nodes propose that do not lead says so: `static constexpr bool kAnyoneProposes = true`. Messages
// are handled in the order of the seats whose proposals they are about, so that such nodes cannot change names.
template <class P>
inline constexpr bool kAnyoneProposes = requires { requires P::kAnyoneProposes; };

// A protocol may say after how many rounds of healing every honest seat has decided something new, whatever happened
// before: `static constexpr unsigned kHealRounds`. Termination is judged after so many at the earliest. It is for
// schedules of up to seven rounds.
template <class P>
constexpr unsigned heal_rounds_of() {
  if constexpr (requires { P::kHealRounds; }) {
    return P::kHealRounds;
  } else {
    return 24;
  }
}
// The same after so many scheduled rounds. Replicas that were kept in an early round go through all those that they
// missed, and who leads these was scheduled too: that takes a round of healing for each.
constexpr unsigned heal_rounds_after(unsigned scheduled_rounds, unsigned heal_rounds) {
  constexpr unsigned kFewRounds = 7;
  return heal_rounds + (scheduled_rounds > kFewRounds ? scheduled_rounds - kFewRounds : 0);
}

// A protocol in which each node counts the nodes of its own list says so: `static constexpr bool kHasUnls = true`.
template <class P>
inline constexpr bool kHasUnls = requires { requires P::kHasUnls; };

// A protocol may say which share of a list is a quorum: `static constexpr unsigned kQuorumPercent = 80`.
template <class P>
constexpr unsigned quorum_percent_of() {
  if constexpr (requires { P::kQuorumPercent; }) {
    return P::kQuorumPercent;
  } else {
    return 0;
  }
}

// A protocol may need fewer or more than 3f+1 nodes: `static constexpr unsigned kResilience = 2` for 2f+1.
template <class P>
constexpr unsigned resilience_of() {
  if constexpr (requires { P::kResilience; }) {
    return P::kResilience;
  } else {
    return 3;
  }
}

// A synchronous protocol may say how many Δ after the first honest seat has entered the view of an honest leader every
// honest seat has decided something new, whatever liars do: `static constexpr unsigned kDecisionDeltas`.
template <class P>
constexpr unsigned decision_deltas_of() {
  if constexpr (requires { P::kDecisionDeltas; }) {
    return P::kDecisionDeltas;
  } else {
    return 0;
  }
}

// Whose first honest leader after healing may fail, uninformed: `static constexpr bool kIsResponsive = false`.
template <class P>
inline constexpr bool kIsResponsive = !requires { requires !P::kIsResponsive; };

// Whose kHealRounds are enough only if nobody is two-faced in them: `static constexpr bool kOutlastsLiars = false`.
template <class P>
inline constexpr bool kOutlastsLiars = !requires { requires !P::kOutlastsLiars; };

// Where blocks have no names of their own, and a leader that stays proposes its value height after height:
// `static constexpr bool kRepeatsValues = true`.
template <class P>
inline constexpr bool kRepeatsValues = requires { requires P::kRepeatsValues; };

// A chain that commits by several consecutive rounds needs as many honest leaders in a row, and one to tell of it: a
// protocol says so by `static constexpr unsigned kLeadersInARow`.
template <class P>
constexpr unsigned leaders_in_a_row_of() {
  if constexpr (requires { P::kLeadersInARow; }) {
    return P::kLeadersInARow;
  } else {
    return 1;
  }
}

// The names of a protocol's own notes, if it has any: `static constexpr std::array<std::string_view, …> kNotes`.
template <class P>
constexpr std::span<const std::string_view> notes_of() {
  if constexpr (requires { P::kNotes; }) {
    return P::kNotes;
  } else {
    return {};
  }
}

// A protocol may want clients, seats that issue requests and decide for themselves when these are complete: `static
// constexpr unsigned kClientCount = 2`. They run the protocol's functions too; Context::is_client() tells.
template <class P>
constexpr unsigned client_count() {
  if constexpr (requires { P::kClientCount; }) {
    return P::kClientCount;
  } else {
    return 0;
  }
}

// A protocol may tell why a replica that leads can never make a valid proposal again, in a text that lives as long as
// the program: `static std::string_view blocked(const State&, const Context&)`. Nothing if it can.
template <class P>
std::string_view blocked(const typename P::State& state, const Context& context) {
  if constexpr (requires { P::blocked(state, context); }) return P::blocked(state, context);
  return {};
}

// A protocol may tell what a replica has prepared, locked and executed:
//   static Progress progress(const State&, const Context&);
// whether a block that the replica holds is a descendant of another, or the same; without it, only the same is:
//   static bool extends(const State&, Held block, Held ancestor);
// and how many votes make a certificate, if they are others than Context::quorum() of them:
//   static int certificate_votes(const Context&);
template <class P>
inline constexpr bool kTellsProgress = requires(const typename P::State& s, const Context& c) { P::progress(s, c); };

template <class P>
Progress progress(const typename P::State& state, const Context& context) {
  if constexpr (kTellsProgress<P>) return P::progress(state, context);
  return {};
}
template <class P>
bool extends(const typename P::State& state, Held block, Held ancestor) {
  if constexpr (requires { P::extends(state, block, ancestor); }) return P::extends(state, block, ancestor);
  return block == ancestor;
}
template <class P>
int certificate_votes(const Context& context) {
  if constexpr (requires { P::certificate_votes(context); }) return P::certificate_votes(context);
  return context.quorum();
}

template <class P>
constexpr unsigned timer_count() {
  if constexpr (requires { P::kTimerCount; }) {
    return P::kTimerCount;
  } else {
    return kMaxTimers;
  }
}

// A synchronous protocol is safe only while honest nodes hear each other within Δ: it has timed scenarios and no
// others. It says so by `static constexpr bool kIsSynchronous = true`.
template <class P>
constexpr bool is_synchronous() {
  if constexpr (requires { P::kIsSynchronous; }) {
    return P::kIsSynchronous;
  } else {
    return false;
  }
}

template <class P>
Kind kind_of(const typename P::Message& message) {
  return static_cast<Kind>(message.index());
}

// A protocol whose liars may change their messages says that each field of each message was looked at, and that what
// others sign is atomic (model/leaves.hpp): `static constexpr bool kLiesAreReviewed = true`. No other can be fuzzed.
template <class P>
inline constexpr bool kLiesAreReviewed = requires { requires P::kLiesAreReviewed; };

// The block that a message makes known, and what its name binds. A lie about either makes another block of it, which
// gets another name. A protocol of chains tells by `static BlockBinding binding_of(Message&)`.
struct BlockBinding {
  ValueId* block = nullptr;  // null: the message makes none known
  ValueId parent{};
};
template <class P>
inline constexpr bool kBindsBlocks = requires(typename P::Message& m) { P::binding_of(m); };

// A protocol may forbid lies that nobody could tell, beyond what its descriptions say: what is left out of a message
// because the simulator does not need it would show that they are forged. It then has
// `static bool is_forged(const Message& truth, const Message& lie)`.
template <class P>
bool is_forged(const typename P::Message& truth, const typename P::Message& lie) {
  if constexpr (requires { P::is_forged(truth, lie); }) return P::is_forged(truth, lie);
  return false;
}

// What a sender computes from the rest of its message, and every receiver compares with it, such as the digest of a
// request: who lies about the one computes the other again. A protocol that has such fields tells by
// `static void make_consistent(const Message& truth, Message& lie)`.
template <class P>
void make_consistent(const typename P::Message& truth, typename P::Message& lie) {
  if constexpr (requires { P::make_consistent(truth, lie); }) P::make_consistent(truth, lie);
}

// The communication rounds of a protocol: a view has one for each kind of message, in their order, but for kinds that
// are only there to help (`static constexpr bool kHasNoRound = true`), which are of whatever round their sender is in.
template <class Message>
struct RoundKinds;
template <class... Alternatives>
struct RoundKinds<std::variant<Alternatives...>> {
  template <class T>
  static constexpr bool counts() {
    if constexpr (requires { T::kHasNoRound; }) return !T::kHasNoRound;
    return true;
  }
  static constexpr unsigned kCount = (0U + ... + (counts<Alternatives>() ? 1U : 0U));
  // From 1 on; 0 for a kind that has none.
  static constexpr std::array<std::uint8_t, sizeof...(Alternatives)> kPositions = [] {
    std::array<std::uint8_t, sizeof...(Alternatives)> positions{};
    std::uint8_t next = 0;
    std::size_t i = 0;
    ((positions[i++] = counts<Alternatives>() ? ++next : std::uint8_t{0}), ...);
    return positions;
  }();
};

// How many of them pass in a network round in which all goes well.
template <class P>
constexpr unsigned protocol_rounds_of() {
  if constexpr (requires { P::kProtocolRounds; }) {
    return P::kProtocolRounds;
  } else {
    return RoundKinds<typename P::Message>::kCount;
  }
}
// The communication round of a message, from 1 on; 0 if it has none. A protocol that counts otherwise has a
// `static unsigned protocol_round_of(const Message&)`.
template <class P>
unsigned protocol_round_of(const typename P::Message& message) {
  if constexpr (requires { P::protocol_round_of(message); }) {
    return P::protocol_round_of(message);
  } else {
    using Kinds = RoundKinds<typename P::Message>;
    const unsigned position = Kinds::kPositions[message.index()];
    const unsigned view = P::round_of(message).number;
    return position == 0 || view == 0 ? 0 : (view - 1) * Kinds::kCount + position;
  }
}

}  // namespace nika
