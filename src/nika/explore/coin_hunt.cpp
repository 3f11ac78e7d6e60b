#include "nika/explore/coin_hunt.hpp"

#include <algorithm>

namespace nika {

void OrderDraw::begin() {
  taken_ = 0;
  if (draw_ == CoinDraw::kUniform) return;
  for (std::uint64_t& priority : priorities_) priority = random_.next() | kInitial;
  for (std::size_t& point : points_) point = static_cast<std::size_t>(random_.below(kExpectedSteps));
}

std::size_t OrderDraw::highest(std::span<const StepChoice> choices) const {
  const auto below = [&](std::size_t a, std::size_t b) {
    return priorities_[chain_of(choices[a])] < priorities_[chain_of(choices[b])];
  };
  return *std::ranges::max_element(allowed_, below);
}

std::size_t OrderDraw::next(std::span<const StepChoice> choices, Round last) {
  allowed_.clear();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].message != 0 && choices[i].round <= last) allowed_.push_back(i);
  }
  if (allowed_.empty()) return choices.size();
  ++taken_;
  if (draw_ == CoinDraw::kUniform) return allowed_[random_.below(allowed_.size())];
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i] == taken_) priorities_[chain_of(choices[highest(choices)])] = i;
  }
  const std::size_t best = highest(choices);
  if (draw_ == CoinDraw::kLinks) return best;
  std::erase_if(allowed_, [&](std::size_t i) { return choices[i].to != choices[best].to; });
  return allowed_[random_.below(allowed_.size())];
}

const std::pair<std::size_t, std::vector<TurnStep>>* CoinGame::way_of(const Option& option, bool coin,
                                                                      const std::vector<bool>& worlds) {
  for (const auto& way : option.after[coin ? 1 : 0]) {
    if (worlds[way.first]) return &way;
  }
  return nullptr;
}

const CoinGame::Option* CoinGame::option_of(std::size_t world, const std::vector<bool>& worlds) const {
  for (const Option& option : options_[world]) {
    if (way_of(option, false, worlds) != nullptr && way_of(option, true, worlds) != nullptr) return &option;
  }
  return nullptr;
}

std::optional<CoinStrategy> CoinGame::strategy() const {
  std::vector<bool> worlds(options_.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t world = 0; world < options_.size(); ++world) {
      if (!worlds[world] || option_of(world, worlds) != nullptr) continue;
      worlds[world] = false;
      changed = true;
    }
  }
  if (options_.empty() || !worlds[0]) return std::nullopt;
  CoinStrategy strategy;
  std::vector<std::size_t> of_turn{0};  // the world that each turn begins with
  for (std::size_t turn = 0; turn < of_turn.size(); ++turn) {
    const Option& option = *option_of(of_turn[turn], worlds);
    CoinTurn& told = strategy.emplace_back();
    told.before = option.before;
    for (const bool coin : {false, true}) {
      const auto& [world, steps] = *way_of(option, coin, worlds);
      auto found = std::ranges::find(of_turn, world);
      if (found == of_turn.end()) found = of_turn.insert(found, world);
      told.after[coin ? 1 : 0] = steps;
      told.next[coin ? 1 : 0] = static_cast<std::uint8_t>(found - of_turn.begin());
    }
  }
  return strategy;
}

}  // namespace nika
