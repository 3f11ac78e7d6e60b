#include "nika/model/outcome.hpp"

namespace nika {

std::string_view text_of(Unjudged why) {
  switch (why) {
    case Unjudged::kJudged: return "it was judged";
    case Unjudged::kOverflow: return "a buffer was full or the protocol never came to rest";
    case Unjudged::kCutShort: return "the run ended before it was settled";
    case Unjudged::kTooManyFaulty: return "more than f nodes are compromised, down or without their memory";
    case Unjudged::kNoHealing: return "the network never heals";
    case Unjudged::kHealingTooShort:
      return "the network heals for too few rounds, or with too few honest leaders in a row, to judge it";
    case Unjudged::kNoHonestLeader: return "no honest node leads while the network is healed";
    case Unjudged::kNobodyCanDecide: break;
  }
  return "nothing was decided, and nothing had to be";
}

}  // namespace nika
