// Looks for an order of delivery, and for what liars say, by which honest replicas take just the rules of a
// counterexample. A search that goes back where it is stuck; the follower says of every input which rules it made a
// replica take, and nothing counts that it does not explain.
#pragma once

#include <memory>
#include <unordered_set>

#include "nika/base/fingerprint.hpp"
#include "nika/conform/replay.hpp"
#include "nika/conform/session_for.hpp"
#include "nika/scenarios/recorded/recorded_schedule.hpp"

namespace nika::conform {

template <class Map>
concept ReplayableMap = MapOfReplicas<Map> && requires(const Map& map, std::vector<Roles> begins, unsigned nodes,
                                                       const Aim& aim, const Casting& casting) {
  { map.casting(begins, nodes, aim) } -> std::same_as<Casting>;
  // What is followed, and what liars may say about it.
  { map.key(casting) } -> std::same_as<typename Map::Key>;
  { map.sayings(casting, nodes) } -> std::same_as<std::vector<Said>>;
};

template <ReplayableMap Map>
class Replayer {
  using P = typename Map::Protocol;

 public:
  Replayer(const Map& map, const Followed& followed, const Cluster& cluster, const ReplayRequest& request,
           const Casting& casting, Scenario base)
      : map_(map),
        followed_(followed),
        request_(request),
        key_(map.key(casting)),
        sayings_(map.sayings(casting, cluster.node_count)),
        casting_(casting),
        base_(std::move(base)),
        schedule_(base_),
        network_(cluster, Properties{}),
        puppets_(cluster.puppets()) {}

  Result<Replayed> run() {
    const auto firings = firings_of(*request_.counterexample);
    if (!firings) return tl::unexpected(firings.error());
    firings_ = *firings;
    left_.assign(followed_.automaton->rules.size(), 0);
    for (const std::uint32_t rule : firings_) ++left_[rule];
    for (const bool permutes : {false, true}) {
      permutes_ = permutes;
      if (begin() && go_on(0)) return told();
    }
    return bad_input(fmt::format("no run of {} was found that takes the rules of its counterexample, in {} inputs{}",
                                 P::kName, tried_, tried_ >= request_.most_inputs ? ", where it gave up" : ""));
  }

 private:
  struct Input {
    StepChoice choice{};
    std::optional<Step> says{};
  };
  // A run so far.
  struct Frame {
    World<P> world{};
    Follower follower{};
    std::vector<std::int64_t> left;                         // of each rule: how often it is still to be taken
    std::vector<std::optional<std::uint32_t>> variables{};  // of each message: what it counts for
    std::vector<bool> is_followed{};                        // of each message: it is about what is followed
    std::array<std::uint64_t, kMaxSeats> has_sent{};
    std::vector<Input> inputs{};
  };

  Frame& frame(std::size_t depth) {
    while (frames_.size() <= depth) frames_.push_back(std::make_unique<Frame>());
    return *frames_[depth];
  }
  unsigned honest_count() const { return static_cast<unsigned>(casting_.begins.size()); }

  // Everybody starts. Who takes a rule by it that the counterexample leaves out goes beyond it.
  bool begin() {
    Frame& first = frame(0);
    first.left = left_;
    first.variables.clear();
    first.is_followed.clear();
    first.has_sent = {};
    first.inputs.clear();
    beyond_.clear();
    trace_.clear();
    network_.trace = &trace_;
    network_.start(first.world, schedule_);
    first.follower.begin(followed_, casting_.begins);
    for (unsigned seat = 0; seat < honest_count(); ++seat) {
      if (!observe(first, static_cast<Seat>(seat), true)) return false;
    }
    note_messages(first);
    return true;
  }

  void note_messages(Frame& at) {
    for (const Event& event : trace_) {
      if (event.kind != EventKind::kSent) continue;
      const bool is_followed = map_.key_of(event) == key_;
      at.is_followed.push_back(is_followed);
      at.variables.push_back(is_followed ? map_.variable_of(event) : std::nullopt);
    }
  }

  // What a replica has done in the window of the trace. False if no rules explain it, or too many are taken.
  bool observe(Frame& at, Seat seat, bool may_go_beyond = false) {
    const unsigned s = index_of(seat);
    Move move;
    move.sent.resize(followed_.automaton->shared.size());
    for (const Event& event : trace_) {
      if (event.kind != EventKind::kSent || event.seat != seat || map_.key_of(event) != key_) continue;
      const auto variable = map_.variable_of(event);
      if (!variable || (at.has_sent[s] >> *variable & 1U) != 0) continue;
      at.has_sent[s] |= std::uint64_t{1} << *variable;
      ++move.sent[*variable];
    }
    move.seen = map_.seen(key_, seat, at.world.states[s], trace_);
    if (!at.follower.take(followed_, s, move)) return false;
    for (const std::uint32_t rule : at.follower.rules_taken()) {
      if (at.left[rule]-- > 0) continue;
      if (!may_go_beyond) return false;
      at.left[rule] = 0;
      beyond_.push_back(rule);
    }
    return true;
  }

  // One input more than at this depth, in the frame behind it. False if the follower objects.
  bool extend(std::size_t depth, const Input& input, Seat seat) {
    ++tried_;
    Frame& next = frame(depth + 1);
    const Frame& at = frame(depth);
    next.world.copy_from(at.world, network_.cluster().seats());
    next.follower = at.follower;
    next.left = at.left;
    next.variables = at.variables;
    next.is_followed = at.is_followed;
    next.has_sent = at.has_sent;
    next.inputs = at.inputs;
    next.inputs.push_back(input);
    trace_.clear();
    if (input.says) {
      if (!network_.say(next.world, *input.says)) return false;
    } else {
      network_.take(next.world, input.choice);
    }
    if (next.world.overflowed || !observe(next, seat)) return false;
    note_messages(next);
    return true;
  }

  bool has_given_up() const { return tried_ >= request_.most_inputs; }

  // The first rule of the counterexample that the run has not taken yet.
  std::optional<std::uint32_t> wanted(const Frame& at) const {
    std::vector<std::int64_t> taken(left_.size());
    for (std::size_t r = 0; r < left_.size(); ++r) taken[r] = left_[r] - at.left[r];
    for (const std::uint32_t rule : firings_) {
      if (taken[rule]-- <= 0) return rule;
    }
    return std::nullopt;
  }

  bool go_on(std::size_t depth) {
    if (has_given_up()) return false;
    const auto rule = wanted(frame(depth));
    if (!rule) return request_.aim.is_at_rest ? come_to_rest(depth) : succeed(depth);
    const std::uint32_t source = followed_.automaton->rules[*rule].source - followed_.automaton->location_begin();
    for (unsigned seat = 0; seat < honest_count(); ++seat) {
      if (!frame(depth).follower.may_be_in(followed_, seat, source)) continue;
      const unsigned most = 2 * base_.node_count + 4;
      const auto candidates = candidates_for(frame(depth), static_cast<Seat>(seat), *rule);
      for (unsigned inputs = 1; inputs <= std::min<std::size_t>(most, candidates.size()); ++inputs) {
        std::unordered_set<std::string> seen;
        if (drive(depth, static_cast<Seat>(seat), *rule, inputs, 0, seen)) return true;
        if (has_given_up()) return false;
      }
    }
    return false;
  }

  // Inputs that may lead a replica to a rule: messages that its guard counts, then the same from liars, then timers.
  std::vector<Input> candidates_for(const Frame& at, Seat seat, std::uint32_t rule) {
    const auto counts = [&](const std::optional<std::uint32_t>& variable) {
      const auto variables = guard_variables(rule);
      return variable ? std::ranges::find(variables, *variable) != variables.end() : variables.empty();
    };
    std::vector<Input> result;
    std::vector<Input> timers;
    for (const StepChoice& choice : network_.choices_of(at.world)) {
      if (choice.to != seat) continue;
      if (choice.message == 0) {
        timers.push_back({choice, std::nullopt});
      } else if (at.is_followed[choice.message - 1] && counts(at.variables[choice.message - 1])) {
        result.push_back({choice, std::nullopt});
      }
    }
    for (const Said& said : sayings_) {
      if (!counts(said.variable)) continue;
      for (Seat liar : puppets_) result.push_back({{}, Step{.to = seat, .from = liar, .says = said.saying}});
    }
    result.insert(result.end(), timers.begin(), timers.end());
    return result;
  }

  std::vector<std::uint32_t> guard_variables(std::uint32_t rule) const {
    std::vector<std::uint32_t> found;
    const auto collect = [&](const auto& self, const automata::Formula& formula) -> void {
      for (const automata::Expression* side : {&formula.left, &formula.right}) {
        for (const auto& term : side->terms()) {
          if (followed_.automaton->is_shared(term.first))
            found.push_back(term.first - followed_.automaton->shared_begin());
        }
      }
      for (const auto& child : formula.children) self(self, *child);
    };
    collect(collect, *followed_.automaton->rules[rule].guard);
    return found;
  }

  // The replica takes the rule with the last of so many inputs, and the run goes on. Inputs are taken in the order of
  // the candidates, or in any.
  bool drive(std::size_t depth, Seat seat, std::uint32_t rule, unsigned inputs, std::size_t from,
             std::unordered_set<std::string>& seen) {
    const auto candidates = candidates_for(frame(depth), seat, rule);
    for (std::size_t c = permutes_ ? 0 : from; c < candidates.size() && !has_given_up(); ++c) {
      if (!extend(depth, candidates[c], seat)) continue;
      const Frame& next = frame(depth + 1);
      const bool has_taken_it = next.left[rule] < frame(depth).left[rule];
      if (has_taken_it != (inputs == 1)) continue;  // with fewer inputs it was tried before
      if (has_taken_it) {
        if (go_on(depth + 1)) return true;
        continue;
      }
      const auto state_in = [&](const Frame& at) {
        const auto* bytes = reinterpret_cast<const char*>(&at.world.states[index_of(seat)]);
        return std::string(bytes, sizeof(typename P::State));
      };
      const std::string state = state_in(next);
      if (state == state_in(frame(depth)) || !seen.insert(std::to_string(inputs) + state).second) continue;
      if (drive(depth + 1, seat, rule, inputs - 1, c, seen)) return true;
    }
    return false;
  }

  // All that was sent arrives, and timers run out, until nothing can change any more. Nobody may take a further rule.
  bool come_to_rest(std::size_t depth) {
    constexpr std::size_t kMostInputs = 2'000;
    for (std::size_t i = 0; i < kMostInputs && !has_given_up(); ++i, ++depth) {
      const auto choices = network_.choices_of(frame(depth).world);
      const bool has_messages = !choices.empty() && choices.front().message != 0;
      if (!has_messages && network_.is_quiet(frame(depth).world)) return succeed(depth);
      if (choices.empty()) return false;
      // Timers in turn: each of them once before any a second time.
      const StepChoice choice = choices[has_messages ? 0 : i % choices.size()];
      if (!extend(depth, {choice, std::nullopt}, choice.to)) return false;
      if (!frame(depth + 1).follower.rules_taken().empty()) return false;
    }
    return false;
  }

  bool succeed(std::size_t depth) {
    found_ = frame(depth).inputs;
    return true;
  }

  // The same run once more, with the steps named as scenarios do.
  Replayed told() {
    Replayed result{base_, tried_, beyond_};
    World<P>& world = frame(0).world;
    network_.trace = nullptr;
    network_.start(world, schedule_);
    StepNames names;
    std::vector<Step>& steps = result.scenario.steps.emplace();
    for (const Input& input : found_) {
      names.learn(network_.choices_of(world));
      steps.push_back(input.says ? *input.says : names(input.choice));
      if (input.says) {
        (void)network_.say(world, *input.says);
      } else {
        network_.take(world, input.choice);
      }
    }
    return result;
  }

  const Map& map_;
  Followed followed_;
  const ReplayRequest& request_;
  const typename Map::Key key_;
  const std::vector<Said> sayings_;
  const Casting& casting_;
  const Scenario base_;
  RecordedSchedule schedule_;
  StepNetwork<P> network_;
  const SeatSet puppets_;
  Trace trace_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::uint32_t> firings_;
  std::vector<std::int64_t> left_;
  std::vector<std::uint32_t> beyond_;
  std::vector<Input> found_;
  std::uint64_t tried_ = 0;
  bool permutes_ = false;
};

}  // namespace nika::conform
