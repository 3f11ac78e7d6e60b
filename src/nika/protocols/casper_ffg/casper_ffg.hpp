// Casper FFG (Buterin and Griffith, arXiv 1710.09437v4): an overlay that finalises checkpoints of whatever proposes
// blocks, by votes for links between them. Twice: as published, where many propose and the fork choice follows the
// justified checkpoint of the greatest height; and led, with one proposal for each height. docs/casper.md tells where
// it departs.
#pragma once

#include <array>
#include <string_view>

#include "nika/protocols/casper_ffg/messages.hpp"
#include "nika/protocols/casper_ffg/votes.hpp"
#include "nika/protocols/chain/arrivals.hpp"

namespace nika::casper_ffg {

struct State {
  static constexpr std::size_t kMostWaiting = 24;
  static constexpr std::size_t kMostWanted = 16;

  Justification justified{};  // the highest that it knows with its chain
  Round epoch{};
  Round voted_target{};     // the greatest height that it voted for,
  Round voted_source{};     // and voted from
  std::uint8_t unused = 0;  // no padding: states are compared as bytes
  chain::Tip committed{};   // the last finalised checkpoint
  chain::Arrivals arrivals{};
  BoundedVector<Block, kMostWaiting> waiting{};  // proposals of later epochs, or on a parent that is being fetched
  BoundedVector<Justification, kMostWanted> wanted{};  // higher than `justified`, whose chains are asked for; sorted
  Votes votes{};                                       // for targets of the last height and above
  // Supermajority links of lower targets, for evidence: no rule looks at them.
  Votes links{};
  chain::BlockTree tree{};  // sorted by name

  static constexpr auto fields() {
    return std::tuple{field("justified", &State::justified),
                      field("wanted", &State::wanted),
                      field("epoch", &State::epoch),
                      field("voted_target", &State::voted_target),
                      field("voted_source", &State::voted_source),
                      field("committed", &State::committed),
                      field("arrivals", &State::arrivals),
                      field("waiting", &State::waiting),
                      field("votes", &State::votes),
                      field("links", &State::links),
                      field("tree", &State::tree)};
  }
  static constexpr auto forgets() { return std::tuple{field("filler", &State::unused)}; }
};

// What both forms have.
struct Common {
  using State = casper_ffg::State;
  using Message = casper_ffg::Message;

  static constexpr std::array<std::string_view, 4> kBugs{"half-quorum", "double-vote", "surround-vote",
                                                         "indirect-finality"};
  static constexpr std::array<std::string_view, 1> kNotes{"surround-vote"};
  static constexpr unsigned kTimerCount = 1;
  // The first leader after healing may not know of the highest justified checkpoint, and does not wait for it.
  static constexpr bool kIsResponsive = false;
  // A vote is its sender's own word, and so are an epoch and a block. Justifications are the work of many.
  static constexpr bool kLiesAreReviewed = true;
  static BlockBinding binding_of(Message& message) {
    auto* proposal = std::get_if<Proposal>(&message);
    return proposal == nullptr ? BlockBinding{} : BlockBinding{&proposal->block, proposal->parent.checkpoint};
  }
  // Folding keeps the last commit of each replica, and replicas commit upwards. It drops what shows who is guilty.
  static constexpr std::array<std::string_view, 3> kFoldsExactlyFor{"agreement", "termination", "responsiveness"};

  static Round round_of(const Message& message);
  static ValueId subject_of(const Message& message);
  static Round current_round(const State& state) { return state.epoch; }
  static int certificate_votes(const Context& context);
  static bool extends(const State& state, Held block, Held ancestor) {
    return chain::extends(state.tree, block.value, ancestor.value);
  }
  // Forgets the history that no rule can look at any more, in all states and messages at once. False, with nothing
  // changed, if there is a message on its way that folding does not understand.
  static bool fold(std::span<State> states, std::span<Message> in_flight, const FoldScope& scope);
};

// As published. The proposal mechanism is that of a chain without leaders, such as proof of work: everybody may find a
// block of each height, and a validator votes for the first one on the chain that it follows.
struct CasperFfg : Common {
  static constexpr std::string_view kName = "casper-ffg";
  static constexpr std::string_view kSummary =
      "Casper FFG as published: votes for links of checkpoints over blocks that anybody proposes";
  static constexpr std::string_view kRepairedBy = "casper-ffg-led";
  static constexpr bool kAnyoneProposes = true;
  static constexpr unsigned kHealRounds = 10;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  // By the fork choice nobody votes for what does not extend it.
  static Progress progress(const State& state, const Context&) {
    const Held justified{state.justified.checkpoint, {}};
    return {justified, justified, {state.committed.id, {}}};
  }
};

// Repaired: one leader proposes for each height, and the others follow it wherever the commandments let them.
struct CasperFfgLed : Common {
  static constexpr std::string_view kName = "casper-ffg-led";
  static constexpr std::string_view kSummary =
      "Casper FFG repaired: one proposal for each height, which all follow as far as the commandments allow";
  // A link between heights that follow each other finalises; so it takes two leaders.
  static constexpr unsigned kLeadersInARow = 2;
  static constexpr unsigned kHealRounds = 10;

  static void start(State& state, const Context& context, Outbox<Message>& out);
  static void receive(State& state, const Context& context, Identity from, const Message& message,
                      Outbox<Message>& out);
  static void expire(State& state, const Context& context, TimerId timer, Outbox<Message>& out);
  // What is justified binds nobody; a vote binds by its source, of which nothing is kept but the height.
  static Progress progress(const State& state, const Context&) {
    return {{state.justified.checkpoint, {}}, {}, {state.committed.id, {}}};
  }
};

}  // namespace nika::casper_ffg
