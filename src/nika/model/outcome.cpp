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
    case Unjudged::kUnfair: return "not every honest node leads often enough while the network is healed";
    case Unjudged::kNoHonestLeader: return "no honest node leads while the network is healed";
    case Unjudged::kNoHonestSender: return "a delivery is owed only to a single sender, who is honest";
    case Unjudged::kNoSuchThreshold: return "so few nodes tolerate no f faulty ones";
    case Unjudged::kNobodyCanDecide: return "nothing was decided, and nothing had to be";
    case Unjudged::kNobodyAsks: return "every client is down or without its memory, so that nothing is asked for";
    case Unjudged::kTellsNoProgress:
      return "the protocol does not tell what its nodes have prepared, locked and executed";
    case Unjudged::kNoLimit: return "no bound was given";
    case Unjudged::kNoRounds: return "an asynchronous run has no rounds to count";
    case Unjudged::kUnconfirmed: return "a lasso of hot states, which is not proved to last";
    case Unjudged::kAsynchronous:
      return "it loops only while the network's asynchrony goes on, in which nothing is promised";
    case Unjudged::kCooledDown: return "it was hot for so long, and cooled down again";
    case Unjudged::kNotPromised: return "the protocol does not promise it";
    case Unjudged::kLiarsGoOn:
      return "a liar goes on while the network is healed, and the protocol states no bound for that";
    case Unjudged::kNoSuchRound: break;
  }
  return "no round began with every honest node in the view of an honest leader in a healed network";
}

}  // namespace nika
