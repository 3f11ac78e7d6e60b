// Loops of an asynchronous network that are proved over coins. A strategy has a turn for each of a few worlds, and each
// turn a branch for each value of the coin; if every branch of every turn comes back to the world of a turn, up to a
// shift of rounds, and nobody decides, then no coins end the run: it goes on for ever whatever they show.
#pragma once

#include <memory>
#include <string>

#include "nika/explore/coin_strategy.hpp"
#include "nika/explore/loop.hpp"
#include "nika/scenarios/recorded/turn_player.hpp"
#include "nika/sim/step_network.hpp"

namespace nika {

// Leads as another schedule, with coins of its own.
class CoinSchedule final : public Schedule {
 public:
  CoinSchedule(const Schedule& schedule, unsigned seat_count) {
    begin(seat_count, schedule.scheduled_rounds(), schedule.heal_rounds());
    leaders_ = schedule.leaders();
  }
  void show_from(Round first, bool value) { coins_.show_from(first, value); }

 private:
  void choose(Round, RoundAnswers&) override {}
};

// Worlds between two turns, as bytes that are equal where futures are: those of loop.hpp, which says what that asks of
// a protocol. Here messages on their way are a set, since turns name them and never ask which was sent first.
template <Protocol P>
class TurnWorlds {
 public:
  std::optional<std::string> name_of(const World<P>& world, std::span<const Context> contexts) {
    form_.copy_from(world, SeatSet::first(static_cast<unsigned>(contexts.size())));
    std::sort(form_.pending.begin(), form_.pending.begin() + form_.pending_count, [](const auto& a, const auto& b) {
      return std::tuple(a.post.from, a.post.number) < std::tuple(b.post.from, b.post.number);
    });
    return names_.name_of(form_, contexts);
  }

 private:
  World<P> form_{};
  WorldNames<P> names_{};
};

// What is checked of each branch, by running it:
// - No replica asks for the coin of the round before the last step that both branches share, and no honest one for a
//   later one: up to there nobody can know the coin, and nobody knows the next.
// - Nobody honest decides, everybody gets to the next round, and no buffer is full.
// - Everything that was on its way when the turn began has arrived: the run is fair, every message arrives in the end.
// No timer runs out: in a network that loses nothing they only repeat what was said.
template <Protocol P>
class CoinLoop {
 public:
  CoinLoop(const Cluster& cluster, const Schedule& schedule)
      : network_(cluster, {}), schedule_(schedule, cluster.seat_count) {}

  CoinProof prove(const CoinStrategy& strategy) {
    proof_ = {.waiting = network_.cluster().honest_seats()};
    heads_.clear();
    heads_.resize(strategy.size());
    network_.start(world_, schedule_);
    if (strategy.empty()) return failed("there is no turn");
    keep(heads_[0], Round(1), {});
    std::vector<std::size_t> reached{0};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const bool coin : {false, true}) {
        proof_.turn = static_cast<unsigned>(reached[i]);
        proof_.coin = coin;
        const CoinTurn& turn = strategy[reached[i]];
        const Round round = heads_[reached[i]].round;
        if (const std::string_view why = play(turn, heads_[reached[i]], coin); !why.empty()) return failed(why);
        const auto name = worlds_.name_of(world_, network_.contexts());
        if (!name) return failed("worlds cannot be compared there");
        const std::size_t next = turn.next[coin ? 1 : 0];
        if (next >= strategy.size()) return failed("no turn follows");
        if (heads_[next].world == nullptr) {
          keep(heads_[next], round.next(), *name);
          reached.push_back(next);
        } else if (heads_[next].name != *name) {
          return failed("it comes to another world than the next turn begins with");
        }
      }
    }
    proof_.proved = true;
    proof_.turn = 0;
    proof_.coin = false;
    return proof_;
  }

 private:
  // The world that a turn begins with.
  struct Head {
    std::unique_ptr<World<P>> world;
    std::string name;  // nothing: that of the start, to which nothing comes back
    Round round{};
  };

  CoinProof failed(std::string_view why) {
    proof_.why = why;
    return proof_;
  }
  void keep(Head& head, Round round, const std::string& name) {
    head.world = std::make_unique<World<P>>();
    head.world->copy_from(world_, network_.cluster().seats());
    head.name = name;
    head.round = round;
  }

  // Why the branch proves nothing; nothing if it may.
  std::string_view play(const CoinTurn& turn, const Head& head, bool coin) {
    const SeatSet seats = network_.cluster().seats();
    schedule_.show_from(head.round, coin);
    network_.attend(schedule_);
    world_.copy_from(*head.world, seats);
    TurnPlayer player(turn, head.round, coin);
    for (;;) {
      const auto choices = network_.choices_of(world_);
      const std::size_t picked = player.next(choices);
      if (picked >= choices.size()) break;
      network_.take(world_, choices[picked]);
      ++proof_.steps;
      if (world_.overflowed) return "a buffer is full";
      if (player.is_before_coin() && network_.coins_asked_by(seats) >= head.round)
        return "somebody asks for the coin before the last step that does not depend on it";
    }
    return what_fails(head.round);
  }
  std::string_view what_fails(Round round) const {
    const SeatSet honest = network_.cluster().honest_seats();
    for (Seat seat : honest) {
      if (world_.commits.top_of(seat) > Height(0)) return "an honest replica decides";
    }
    for (Seat seat : network_.cluster().seats()) {
      if (P::current_round(world_.states[index_of(seat)]) != round.next()) return "not all get to the next round";
    }
    if (network_.coins_asked_by(honest) != round) return "the coin of the round is not asked for, or a later one is";
    return {};
  }

  StepNetwork<P> network_;
  CoinSchedule schedule_;
  World<P> world_{};
  TurnWorlds<P> worlds_{};
  std::vector<Head> heads_;
  CoinProof proof_{};
};

}  // namespace nika
