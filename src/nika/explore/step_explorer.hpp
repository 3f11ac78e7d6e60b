// The search through all orders of delivery, turn by turn (turns.hpp). A world is the situations of its seats, each
// found once, with its turns; a protocol that is Selective has fewer of them, and what it ignores is dropped. Exact for
// properties that judge a world by its commits and by whether all has arrived: agreement, termination and totality. For
// others the search takes every delivery by itself (plain_steps.hpp).
#pragma once

#include <unordered_map>

#include "nika/explore/plain_steps.hpp"
#include "nika/explore/turns.hpp"
#include "nika/properties/agreement.hpp"
#include "nika/properties/termination.hpp"
#include "nika/properties/totality.hpp"

namespace nika {

// Why no ending is missed: deliveries to different seats commute, since each changes its receiver alone and only adds
// messages. So the silent deliveries of any run can be moved behind everything up to the next delivery to the same seat
// that is not silent, which makes the run a row of turns and silent deliveries behind the last one; and what a turn
// does not need can be moved behind it, again and again, until all turns are needed. The run still ends in the same
// world, and nothing that is silent commits. So every ending is that of a row of needed turns after which all that
// waits can be delivered silently.
template <Protocol P>
class StepExplorer {
 public:
  StepExplorer(const Cluster& cluster, const Properties& properties, const StepSearchOptions& options)
      : options_(options), schedule_(options.base), network_(cluster, properties), tally_(properties.size(), result_) {
    result_.was_reduced = true;
  }

  static bool is_exact_for(const Properties& properties) {
    return std::ranges::all_of(properties, [](const Property* property) {
      return property == &kAgreement || property == &kTermination || property == &kTotality;
    });
  }

  StepSearchResult run() {
    path_.push_back({first_node()});
    seen_.insert(name_of(path_[0].node));
    enter(path_[0]);
    while (!path_.empty()) {
      Place& place = path_.back();
      const Turn<P>* turn = tally_.goes_on(options_) ? next_turn(place) : nullptr;
      if (turn == nullptr) {
        path_.pop_back();
        continue;
      }
      Place child{take(place.node, static_cast<Seat>(place.seat), *turn)};
      child.came_by = turn;
      child.of = place.node.seats[place.seat];
      ++place.turn;
      ++result_.transitions;
      if (!is_new(child.node)) continue;
      path_.push_back(child);
      enter(path_.back());
    }
    tally_.conclude();
    return std::move(result_);
  }

 private:
  using Number = std::uint32_t;
  // All numbers: of situations, and of what was committed.
  struct Node {
    std::array<Number, kMaxSeats> seats{};
    Number commits = 0;
    std::uint32_t overflowed = 0;
  };
  struct Known {
    Situation<P> situation;
    Turns<P> turns;
    bool has_turns = false;  // they were looked for
  };
  using Commits = std::vector<std::pair<Seat, Commit>>;  // sorted: the order of commits makes no difference
  struct Place {
    Node node{};
    unsigned seat = 0;  // whose turn is next, and which
    std::size_t turn = 0;
    const Turn<P>* came_by = nullptr;
    Number of = 0;  // the situation in which that turn was taken
    bool is_settled = false;
  };

  Node first_node() {
    network_.start(world_, schedule_);
    Node node;
    std::array<Situation<P>, kMaxSeats> first;
    for (Seat seat : network_.cluster().seats()) {
      first[index_of(seat)] = {seat, world_.states[index_of(seat)], {}};
      forget(first[index_of(seat)].state);
    }
    finder_.watch_timers(std::span(world_.timers));
    world_.timers = {};
    for (unsigned i = 0; i < world_.pending_count; ++i) {
      const auto& post = world_.pending[i].post;
      for (Seat to : post.to) put(first[index_of(to)], network_.cluster().identity(post.from), post.message);
    }
    for (Seat seat : network_.cluster().seats()) node.seats[index_of(seat)] = number_of(first[index_of(seat)]);
    NIKA_REQUIRE(world_.commits.top() == Height(0));
    node.commits = number_of(Commits{});
    node.overflowed = world_.overflowed ? 1 : 0;
    return node;
  }

  Node take(const Node& from, Seat seat, const Turn<P>& turn) {
    Node node = from;
    Situation<P> own = known_[from.seats[index_of(seat)]]->situation;
    std::array<bool, TurnFinder<P>::kMaxMailbox> is_taken{};
    for (const std::uint8_t m : turn.deliveries) is_taken[m] = true;
    std::vector<Waiting<P>> left;
    own.state = turn.state;
    forget(own.state);
    for (std::size_t m = 0; m < own.mailbox.size() && m < is_taken.size(); ++m) {
      if (!is_taken[m] && !is_ignored(own, own.mailbox[m].from, own.mailbox[m].message)) left.push_back(own.mailbox[m]);
    }
    own.mailbox = std::move(left);
    const Identity identity = network_.cluster().identity(seat);
    SeatSet hear;
    for (const auto& sent : turn.sent) hear |= network_.cluster().seats_of_identities(sent.to);
    for (const auto& sent : turn.sent) {
      if (network_.cluster().seats_of_identities(sent.to).contains(seat)) put(own, identity, sent.message);
    }
    node.seats[index_of(seat)] = number_of(own);
    for (Seat other : hear - SeatSet::single(seat)) {
      Situation<P> situation = known_[from.seats[index_of(other)]]->situation;
      for (const auto& sent : turn.sent) {
        if (network_.cluster().seats_of_identities(sent.to).contains(other)) put(situation, identity, sent.message);
      }
      node.seats[index_of(other)] = number_of(situation);
    }
    if (turn.overflowed) node.overflowed = 1;
    if (!turn.commits.empty() && network_.cluster().is_honest(seat)) {
      Commits commits = commits_[from.commits];
      for (const Commit& commit : turn.commits) commits.emplace_back(seat, commit);
      std::ranges::sort(commits, {},
                        [](const auto& c) { return std::tuple(c.first, c.second.height, c.second.value); });
      node.commits = number_of(commits);
    }
    return node;
  }

  static void forget(typename P::State& state) {
    if constexpr (Selective<P>) P::forget_heard(state);
  }
  bool is_ignored(const Situation<P>& situation, Identity from, const typename P::Message& message) const {
    if constexpr (Selective<P>) {
      return P::ignores(situation.state, network_.context_of(situation.seat), from, message);
    }
    return false;
  }
  void put(Situation<P>& situation, Identity from, const typename P::Message& message) {
    if (is_ignored(situation, from, message)) return;
    const Waiting<P> waiting{from, message, name_of_waiting<P>(writer_, from, message)};
    const auto at = std::ranges::lower_bound(situation.mailbox, waiting.name, {}, &Waiting<P>::name);
    situation.mailbox.insert(at, waiting);
  }

  Number number_of(const Situation<P>& situation) {
    writer_.clear();
    writer_.write(situation.seat);
    writer_.write(situation.state);
    for (const Waiting<P>& waiting : situation.mailbox) writer_.write(waiting.name);
    const auto [at, is_first] = numbers_.emplace(writer_.fingerprint(), static_cast<Number>(known_.size()));
    if (is_first) known_.push_back(std::make_unique<Known>(Known{situation, {}, false}));
    return at->second;
  }
  Number number_of(const Commits& commits) {
    writer_.clear();
    for (const auto& [seat, commit] : commits) {
      writer_.write(seat);
      writer_.write(commit.height);
      writer_.write(commit.value);
    }
    const auto [at, is_first] = commit_numbers_.emplace(writer_.fingerprint(), static_cast<Number>(commits_.size()));
    if (is_first) commits_.push_back(commits);
    return at->second;
  }
  const Turns<P>& turns_of(Number situation) {
    Known& known = *known_[situation];
    if (!known.has_turns) {
      known.turns = finder_.find(known.situation, network_.context_of(known.situation.seat));
      known.has_turns = true;
    }
    return known.turns;
  }

  const Turn<P>* next_turn(Place& place) {
    if (place.is_settled) return nullptr;
    for (; place.seat < network_.cluster().seat_count; ++place.seat, place.turn = 0) {
      const Turns<P>& turns = turns_of(place.node.seats[place.seat]);
      if (place.turn < turns.all.size()) return &turns.all[place.turn];
    }
    return nullptr;
  }

  // About 64 bytes for a fingerprint in a set, and some thousand for a situation with its turns.
  bool is_new(const Node& node) {
    if ((result_.worlds + 1) * 64 + known_.size() * 4096 > options_.memory_bytes) result_.memory_was_full = true;
    return !result_.memory_was_full && seen_.insert(name_of(node));
  }
  static Fingerprint name_of(const Node& node) { return fingerprint_of(&node, sizeof node); }

  void enter(Place& place) {
    ++result_.worlds;
    show(place.node, false);
    place.is_settled = nika::is_settled(network_, world_);
    if (!place.is_settled) {
      for (Seat seat : network_.cluster().seats()) {
        if (!turns_of(place.node.seats[index_of(seat)]).can_fall_silent) return;
      }
      show(place.node, true);
    }
    judge(network_, world_, outcome_);
    for (const std::size_t property : tally_.add(outcome_, world_.commits.seats())) {
      const std::string_view kind = outcome_.judgements[property].evidence.kind;
      result_.broken.push_back({property, kind, replayed(place)});
    }
  }

  // What properties see of a node. Timers are no part of it: where some run has set one, none is over when all has
  // arrived, though its timers may have been stopped meanwhile.
  void show(const Node& node, bool is_quiet) {
    world_.commits.clear();
    for (const auto& [seat, commit] : commits_[node.commits]) world_.commits.record(seat, commit);
    world_.overflowed = node.overflowed != 0;
    world_.pending_count = is_quiet && (kIsBroadcast<P> || !finder_.has_set_timers()) ? 0 : 1;
    network_.monitors().begin(world_.monitors, network_.sight_of(world_));
    network_.monitors().passed(world_.monitors, network_.sight_of(world_));
  }

  // The same run in the network, where messages have numbers and nothing is dropped.
  Scenario replayed(const Place& last) {
    Scenario scenario = options_.base;
    scenario.steps.emplace();
    names_ = {};
    auto world = std::make_unique<World<P>>();
    network_.start(*world, schedule_);
    for (const Place& place : path_) {
      if (place.came_by != nullptr) replay(*world, place.of, place.came_by->deliveries, *scenario.steps);
    }
    if (last.is_settled) return scenario;
    for (Seat seat : network_.cluster().seats()) {
      const Number number = last.node.seats[index_of(seat)];
      replay(*world, number, turns_of(number).silence, *scenario.steps);
    }
    while (world->pending_count > 0) take(*world, network_.choices_of(*world)[0], *scenario.steps);
    return scenario;
  }
  void replay(World<P>& world, Number number, const std::vector<std::uint8_t>& deliveries, std::vector<Step>& steps) {
    const Situation<P>& situation = known_[number]->situation;
    for (const std::uint8_t m : deliveries) {
      const auto is_it = [&](const StepChoice& choice) {
        if (choice.message == 0 || choice.to != situation.seat) return false;
        const auto& pending = std::span(world.pending.data(), world.pending_count);
        const auto of = std::ranges::find_if(pending, [&](const auto& p) { return p.post.number == choice.message; });
        return name_of_waiting<P>(writer_, network_.cluster().identity(of->post.from), of->post.message) ==
               situation.mailbox[m].name;
      };
      const auto choices = network_.choices_of(world);
      const auto choice = std::ranges::find_if(choices, is_it);
      NIKA_REQUIRE(choice != choices.end());
      take(world, *choice, steps);
    }
  }
  void take(World<P>& world, StepChoice choice, std::vector<Step>& steps) {
    names_.learn(network_.choices_of(world));
    steps.push_back(names_(choice));
    network_.take(world, choice);
  }

  const StepSearchOptions& options_;
  RecordedSchedule schedule_;
  StepNetwork<P> network_;
  StepSearchResult result_;
  StepTally tally_;
  Seen seen_;
  std::vector<std::unique_ptr<Known>> known_;
  std::unordered_map<Fingerprint, Number> numbers_;  // looked up only, never iterated
  std::vector<Commits> commits_;
  std::unordered_map<Fingerprint, Number> commit_numbers_;
  std::vector<Place> path_;  // the run that is being tried
  TurnFinder<P> finder_;
  World<P> world_{};
  Outcome outcome_{};
  ByteWriter writer_;
  StepNames names_;  // of the run that is being replayed
};

template <Protocol P>
Result<StepSearchResult> explore_steps(const Cluster& cluster, const Properties& properties,
                                       const StepSearchOptions& options) {
  if (auto fits = check_steps(options, cluster); !fits) return tl::unexpected(fits.error());
  if (options.reduces && options.timeouts == 0 && StepExplorer<P>::is_exact_for(properties))
    return std::make_unique<StepExplorer<P>>(cluster, properties, options)->run();
  return std::make_unique<PlainSteps<P>>(cluster, properties, options)->run();
}

}  // namespace nika
