// Looks for a strategy against the common coin that goes on for ever: from worlds between two rounds, orders of
// delivery are drawn until an honest replica asks for the coin, and how they may go on for each value. Worlds from
// which some beginning leads, for both values, to such worlds again are what is left when all others are struck out.
// Knows nothing of the protocol; what it finds is for coin_loop.hpp to prove.
#pragma once

#include <unordered_map>

#include "nika/base/random.hpp"
#include "nika/explore/coin_loop.hpp"

namespace nika {

// Draws the next of the messages of rounds up to one.
class OrderDraw {
 public:
  OrderDraw(CoinDraw draw, Random& random) : draw_(draw), random_(random) {}

  // A new order.
  void begin();
  std::size_t next(std::span<const StepChoice> choices, Round last);

 private:
  static constexpr std::uint64_t kInitial = std::uint64_t{1} << 63U;  // above all that have fallen behind
  static constexpr std::uint64_t kExpectedSteps = 64;                 // that change points are spread over

  std::size_t chain_of(const StepChoice& choice) const {
    return (draw_ == CoinDraw::kLinks ? index_of(choice.from) * kMaxSeats : 0) + index_of(choice.to);
  }
  std::size_t highest(std::span<const StepChoice> choices) const;

  const CoinDraw draw_;
  Random& random_;
  std::vector<std::size_t> allowed_;
  std::array<std::uint64_t, kMaxSeats * kMaxSeats> priorities_{};
  std::array<std::size_t, 2> points_{};
  std::size_t taken_ = 0;
};

// The beginnings of turns that were met, as a game: from which of its worlds can one go on for ever?
class CoinGame {
 public:
  // One beginning of a turn, and how it goes on: to which worlds, for each value of the coin.
  struct Option {
    std::vector<TurnStep> before{};
    std::array<std::vector<std::pair<std::size_t, std::vector<TurnStep>>>, 2> after{};
  };

  std::size_t add_world() {
    options_.emplace_back();
    return options_.size() - 1;
  }
  std::size_t size() const { return options_.size(); }
  void add(std::size_t world, Option option) { options_[world].push_back(std::move(option)); }
  // One that begins with the first world; nothing if there is none.
  std::optional<CoinStrategy> strategy() const;

 private:
  // The first way that stays among these worlds; null if there is none.
  static const std::pair<std::size_t, std::vector<TurnStep>>* way_of(const Option& option, bool coin,
                                                                     const std::vector<bool>& worlds);
  const Option* option_of(std::size_t world, const std::vector<bool>& worlds) const;

  std::vector<std::vector<Option>> options_;  // of each world
};

template <Protocol P>
class CoinLoopHunt {
 public:
  CoinLoopHunt(const Cluster& cluster, const Schedule& schedule, const CoinHuntSettings& settings)
      : network_(cluster, {}),
        schedule_(schedule, cluster.seat_count),
        settings_(settings),
        random_(mix64(settings.seed)),
        draw_(settings.draw, random_) {}

  CoinHunt run() {
    network_.start(world_, schedule_);
    add_head(Round(1));
    while (hunt_.turns < settings_.turns && !hunt_.found) {
      const std::size_t head = next_head();
      ++hunt_.turns;
      CoinGame::Option option = drawn(head);
      if (option.after[0].empty() || option.after[1].empty()) continue;
      ++hunt_.undecided;
      heads_[head].is_open = true;
      game_.add(head, std::move(option));
      hunt_.found = game_.strategy();
    }
    hunt_.heads = static_cast<unsigned>(heads_.size());
    return hunt_;
  }

 private:
  struct Head {
    std::unique_ptr<World<P>> world;
    Round round{};
    unsigned turns = 0;    // beginnings that were drawn
    bool is_open = false;  // one of them need not end, whatever the coin shows
  };
  static constexpr unsigned kEnoughTurns = 24;  // without one of these a world is given up

  // The one with the fewest beginnings so far.
  std::size_t next_head() {
    std::size_t best = 0;
    for (std::size_t i = 1; i < heads_.size(); ++i) {
      const bool is_given_up = !heads_[i].is_open && heads_[i].turns >= kEnoughTurns;
      if (!is_given_up && heads_[i].turns < heads_[best].turns) best = i;
    }
    ++heads_[best].turns;
    return best;
  }

  std::size_t add_head(Round round) {
    heads_.push_back({.world = std::make_unique<World<P>>(), .round = round});
    heads_.back().world->copy_from(world_, network_.cluster().seats());
    return game_.add_world();
  }
  void attend(Round round, bool coin) {
    schedule_.show_from(round, coin);
    network_.attend(schedule_);
  }
  void copy(const World<P>& from, World<P>& to) { to.copy_from(from, network_.cluster().seats()); }

  // A beginning from this world, with every way to go on from there that was drawn.
  CoinGame::Option drawn(std::size_t head) {
    const SeatSet honest = network_.cluster().honest_seats();
    const SeatSet others = network_.cluster().seats() - honest;
    const Round round = heads_[head].round;
    CoinGame::Option option;
    TurnNames names(round);
    attend(round, false);
    copy(*heads_[head].world, world_);
    draw_.begin();
    StepChoice asking;
    while (network_.coins_asked_by(honest) < round) {
      const auto choices = network_.choices_of(world_);
      const std::size_t picked = draw_.next(choices, round);
      if (picked == choices.size() || world_.overflowed) return {};
      asking = choices[picked];
      names.learn(choices);
      if (names.is_named(asking)) option.before.push_back(names(asking));
      copy(world_, before_);
      network_.take(world_, asking);
      // Liars alone are too few to learn the coin.
      if (network_.coins_asked_by(others) >= round && network_.coins_asked_by(honest) < round) return {};
    }
    for (const bool coin : {false, true}) {
      for (unsigned i = 0; i < settings_.tries; ++i) go_on(round, coin, asking, names, option.after[coin ? 1 : 0]);
      if (option.after[coin ? 1 : 0].empty()) break;
    }
    return option;
  }

  using Ways = std::vector<std::pair<std::size_t, std::vector<TurnStep>>>;
  void go_on(Round round, bool coin, const StepChoice& asking, TurnNames names, Ways& ways) {
    ++hunt_.playouts;
    attend(round, coin);
    copy(before_, world_);
    network_.take(world_, asking);
    draw_.begin();
    std::vector<TurnStep> taken;
    for (;;) {
      const auto choices = network_.choices_of(world_);
      names.learn(choices);
      const std::size_t picked = draw_.next(choices, round);
      if (picked == choices.size()) break;
      if (names.is_named(choices[picked])) taken.push_back(names(choices[picked]));
      network_.take(world_, choices[picked]);
      if (has_ended()) return;
    }
    for (Seat seat : network_.cluster().seats()) {
      if (P::current_round(world_.states[index_of(seat)]) != round.next()) return;
    }
    const auto name = worlds_.name_of(world_, network_.contexts());
    if (!name) return;
    auto [known, is_new] = known_.emplace(*name, heads_.size());
    if (is_new) add_head(round.next());
    for (const auto& way : ways) {
      if (way.first == known->second) return;
    }
    ways.emplace_back(known->second, std::move(taken));
  }
  bool has_ended() const {
    for (Seat seat : network_.cluster().honest_seats()) {
      if (world_.commits.top_of(seat) > Height(0)) return true;
    }
    return world_.overflowed;
  }

  StepNetwork<P> network_;
  CoinSchedule schedule_;
  const CoinHuntSettings settings_;
  Random random_;
  OrderDraw draw_;
  World<P> world_{};
  World<P> before_{};
  TurnWorlds<P> worlds_{};
  std::vector<Head> heads_;
  std::unordered_map<std::string, std::size_t> known_;  // heads by name; the start has none
  CoinGame game_;
  CoinHunt hunt_{};
};

}  // namespace nika
