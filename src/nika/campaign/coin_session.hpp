// Makes a Runner of a protocol that tosses coins: by steps, strategies against the coin can be proved and looked for.
#pragma once

#include "nika/campaign/runner_for.hpp"
#include "nika/explore/coin_hunt.hpp"

namespace nika {

template <Protocol P>
class CoinSession final : public StepSession<P>, public CoinLooping {
 public:
  using StepSession<P>::StepSession;

  CoinLooping* coin_looping() override { return this; }
  CoinProof prove(const Schedule& schedule, const CoinStrategy& strategy) override {
    return CoinLoop<P>(this->network_.cluster(), schedule).prove(strategy);
  }
  CoinHunt hunt(const Schedule& schedule, const CoinHuntSettings& settings) override {
    return CoinLoopHunt<P>(this->network_.cluster(), schedule, settings).run();
  }
};
template <Protocol P>
std::unique_ptr<Runner> coin_runner_for() {
  static_assert(kTossesCoins<P>);
  return runner_for<P, CoinSession<P>>();
}

}  // namespace nika
