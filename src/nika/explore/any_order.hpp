// Whether a loop goes on in every order of arrival: all of them are tried, from the world in which it begins, until no
// world is new. Only the order is free; who leads, what is lost and what liars do stay as the loop's rounds have it.
// Included by loop_inl.hpp only.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "nika/explore/loop.hpp"

namespace nika {

// An order of arrival says for each honest seat, and each time that several messages arrive together, in which order it
// handles them: any permutation, at each receiver and each time another. Messages arrive together that were sent in
// answer to what arrived together before, or by timers that ran out at once, or that waited for the same time; those of
// later answers do not overtake them. Seats of liars handle messages in the schedule's order: that is theirs to choose.

// Goes through all of them for one round, one after the other. Orders after which a receiver has the same state and the
// same timers, and has sent and committed the same in the same order, lead to one world; of each kind one is tried.
template <Protocol P>
class ArrivalPermutations final : public Arranger<P> {
 public:
  using typename Arranger<P>::Letters;
  static constexpr std::size_t kMaxTogether = 12;      // messages, at one receiver
  static constexpr std::size_t kMaxHandlings = 16384;  // of one receiver, of one batch

  explicit ArrivalPermutations(const RoundNetwork<P>& network)
      : network_(network), honest_(network.cluster().honest_seats()) {}

  // Before each run of the round.
  void begin() { depth_ = 0; }
  // Moves on to the next order, after a run. False if that was the last: the first one is next again.
  bool next() {
    while (!path_.empty() && path_.back().taken + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }
  // More messages came together than can be arranged: not all orders were tried.
  bool is_incomplete() const { return is_incomplete_; }

  void arrange(const World<P>& world, Seat receiver, Letters letters) override {
    if (letters.size() < 2 || !honest_.contains(receiver)) return;
    find_kinds(world, receiver, letters);
    if (kinds_.size() < 2) return;
    if (depth_ == path_.size()) path_.push_back({0, kinds_.size()});
    const std::vector<std::uint8_t>& order = kinds_[path_[depth_++].taken];
    const std::vector<const Letter<typename P::Message>*> all(letters.begin(), letters.end());
    for (std::size_t i = 0; i < order.size(); ++i) letters[i] = all[order[i]];
  }

 private:
  struct Choice {
    std::size_t taken = 0;
    std::size_t count = 0;
  };
  // A receiver that has handled some of the letters.
  struct Handling {
    typename P::State state{};
    std::array<Timer, timer_count<P>()> timers{};
    std::string done;                 // what it has sent and committed, as bytes
    std::vector<std::uint8_t> order;  // of the letters
    std::uint32_t handled = 0;        // one bit for each
  };

  void find_kinds(const World<P>& world, Seat receiver, Letters letters);
  Handling handle(const Handling& before, const Context& context, const Letter<typename P::Message>& letter,
                  std::uint8_t which);
  std::string name_of(const Handling& handling);
  std::string_view flush();

  const RoundNetwork<P>& network_;
  const SeatSet honest_;
  std::vector<Choice> path_;
  std::size_t depth_ = 0;
  std::vector<std::vector<std::uint8_t>> kinds_;  // an order of each kind, that of the schedule first
  bool is_incomplete_ = false;
  Outbox<typename P::Message> outbox_{};
  ByteWriter writer_{};
};

// All worlds that the rounds of a loop lead to, in any order of arrival. Another way to go through the orders is for
// tests.
template <Protocol P, class Orders = ArrivalPermutations<P>>
class AnyOrder {
 public:
  static constexpr std::size_t kMaxWorlds = 1024;
  static constexpr std::size_t kMaxRuns = 65536;  // of a round

  // The rounds repeat the loop, whose first world is before its first round. So many numbers of rounds stay free.
  AnyOrder(RoundNetwork<P>& network, RepeatedRounds& rounds, const Loop& loop, unsigned room)
      : network_(network),
        rounds_(rounds),
        length_(loop.length),
        begin_(loop.first_round - 1 + loop.length * (kMaxRound / loop.length + 1)),
        room_(room),
        orders_(network) {}

  // Whether they are so few, each can be told from the others, and nothing is decided on the way to any.
  bool holds_from(const World<P>& first) {
    const Cluster& cluster = network_.cluster();
    for (Seat seat : cluster.seats()) {
      if (cluster.input_of[index_of(seat)] != seat) return false;  // names of blocks are then the world's
    }
    if (!add(first, 0)) return false;
    network_.arranger = &orders_;
    bool holds = true;
    while (holds && !open_.empty()) {
      const Open next = std::move(open_.back());
      open_.pop_back();
      holds = follow(*next.world, next.phase);
    }
    network_.arranger = nullptr;
    return holds;
  }
  std::size_t worlds() const { return known_.size(); }
  std::size_t runs() const { return runs_; }

 private:
  struct Open {
    std::unique_ptr<World<P>> world;
    unsigned phase = 0;  // rounds of the loop that are behind it
  };

  bool follow(const World<P>& from, unsigned phase) {
    do {
      if (++runs_ > kMaxRuns) return false;
      world_.copy_from(from, network_.cluster().seats());
      rounds_.renumber(static_cast<int>(begin_ + phase) - world_.network_round.number, !kIsBroadcast<P>);
      orders_.begin();
      if (!network_.advance(world_, rounds_) || world_.overflowed || orders_.is_incomplete()) return false;
      for (Seat seat : network_.cluster().seats()) {
        if (world_.commits.top_of(seat) > from.commits.top_of(seat)) return false;
      }
      if (!add(world_, (phase + 1) % length_)) return false;
    } while (orders_.next());
    return true;
  }

  // False if it cannot be told from others, or there are too many.
  bool add(const World<P>& world, unsigned phase) {
    auto name = names_.name_of(world, network_.contexts());
    if (!name) return false;
    *name += std::to_string(phase);
    if (!known_.insert(*std::move(name)).second) return true;
    if (known_.size() > kMaxWorlds) return false;
    auto form = std::make_unique<World<P>>();
    form->copy_from(world, network_.cluster().seats());
    if (!bring_into_form(*form, network_.contexts(), gaps_)) return false;
    if (form->network_round.number + room_ > kMaxRound) return false;
    open_.push_back({std::move(form), phase});
    return true;
  }

  RoundNetwork<P>& network_;
  RepeatedRounds& rounds_;
  const unsigned length_;
  // The round before the loop's first, some turns of it later: then whoever led before has led in the loop too.
  const unsigned begin_;
  const unsigned room_;
  Orders orders_;
  std::vector<Open> open_;
  std::unordered_set<std::string> known_;
  std::size_t runs_ = 0;
  World<P> world_{};
  RoundGaps<P> gaps_{};
  WorldNames<P> names_{};
};

template <Protocol P>
void ArrivalPermutations<P>::find_kinds(const World<P>& world, Seat receiver, Letters letters) {
  kinds_.clear();
  if (letters.size() > kMaxTogether) {
    is_incomplete_ = true;
    return;
  }
  const unsigned s = index_of(receiver);
  const Context& context = network_.context_of(receiver);
  std::vector<Handling> level(1);
  level[0].state = world.states[s];
  level[0].timers = world.timers[s];
  std::size_t handlings = 0;
  for (std::size_t handled = 0; handled < letters.size(); ++handled) {
    std::vector<Handling> next;
    std::unordered_set<std::string> known;
    for (const Handling& before : level) {
      for (std::size_t i = 0; i < letters.size(); ++i) {
        if ((before.handled >> i & 1U) != 0) continue;
        if (++handlings > kMaxHandlings) is_incomplete_ = true;
        if (is_incomplete_) return;
        Handling after = handle(before, context, *letters[i], static_cast<std::uint8_t>(i));
        if (known.insert(name_of(after)).second) next.push_back(std::move(after));
      }
    }
    level = std::move(next);
  }
  for (Handling& last : level) kinds_.push_back(std::move(last.order));
}

template <Protocol P>
typename ArrivalPermutations<P>::Handling ArrivalPermutations<P>::handle(const Handling& before, const Context& context,
                                                                         const Letter<typename P::Message>& letter,
                                                                         std::uint8_t which) {
  using Reader = OutboxReader<typename P::Message>;
  Handling after = before;
  Reader::open(outbox_, after.timers, nullptr);
  P::receive(after.state, context, network_.cluster().identity(letter.key.from()), letter.sent->message, outbox_);
  for (const Sent<typename P::Message>& sent : Reader::sent(outbox_)) {
    writer_.write(sent.to);
    writer_.write(sent.message);
    after.done += flush();
  }
  for (const Commit& commit : Reader::commits(outbox_)) {
    writer_.write(commit.height);
    writer_.write(commit.value);
    after.done += flush();
  }
  if (Reader::overflowed(outbox_)) is_incomplete_ = true;
  after.order.push_back(which);
  after.handled |= 1U << which;
  return after;
}

template <Protocol P>
std::string ArrivalPermutations<P>::name_of(const Handling& handling) {
  writer_.write(handling.handled);
  writer_.write(handling.state);
  writer_.write(handling.timers);
  return std::string(flush()) + handling.done;
}

// What was written, until something else is.
template <Protocol P>
std::string_view ArrivalPermutations<P>::flush() {
  const auto bytes = writer_.bytes();
  writer_.clear();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace nika
