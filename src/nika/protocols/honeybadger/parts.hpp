// How an instance of another protocol runs inside a replica: with a context in which it is all that there is, and an
// outbox whose messages are tagged and go to the replica's. What it decides is read from its state.
#pragma once

#include "nika/protocols/honeybadger/acs.hpp"

namespace nika::honeybadger {

// Bracha's broadcast by one node.
class Broadcast {
 public:
  Broadcast(const Context& context, Identity sender) : context_(context) {
    senders_[1] = IdentitySet::single(sender);
    context_.leaders = senders_.data();
    context_.bugs = 0;
  }
  Broadcast(const Broadcast&) = delete;
  Broadcast& operator=(const Broadcast&) = delete;
  const Context& context() const { return context_; }

 private:
  std::array<IdentitySet, 2> senders_{};  // it has one round
  Context context_;
};

// A binary consensus, whose coins are some of the replica's.
class Agreement {
 public:
  // For an input after which it knows of rounds up to `last` at most.
  Agreement(const Context& context, Identity instance, const mmr::PartState& state, Round last);
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  // Tells the replica's own coin what was asked.
  ~Agreement();
  const Context& context() const { return context_; }

 private:
  const Context& outer_;
  const Identity instance_;
  Coins coins_;
  Context context_;
};

// Gives one input to an instance. What it sends to others than `audience` is left out. Its timers are not kept, nor
// are its commits and notes: the replica has a timer for all, and looks at its state.
template <class Part, class Input>
void run_part(Identity instance, IdentitySet audience, Outbox<Message>& out, const Input& input) {
  using Reader = OutboxReader<typename Part::Message>;
  Outbox<typename Part::Message> own;
  std::array<Timer, kMaxTimers> timers{};
  Reader::open(own, timers, nullptr);
  input(own);
  if (Reader::overflowed(own)) out.report_overflow();
  for (const auto& sent : Reader::sent(own)) {
    const IdentitySet to = sent.to & audience;
    if (to.empty()) continue;
    std::visit([&]<class Kind>(const Kind& message) { out.send(to, Of<Kind>{instance, message}); }, sent.message);
  }
}

}  // namespace nika::honeybadger
