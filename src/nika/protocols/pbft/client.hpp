// A client of PBFT (sections 4.1 and 5.1): one request after the other, an update and a read in turn, each until it is
// complete. It trusts no replica: what it commits rests on f+1 matching replies, or 2f+1 for a read.
#pragma once

#include "nika/protocols/pbft/pbft.hpp"

namespace nika::pbft {

// One input to one client: the state it changes and all that it needs to do so.
class Client {
 public:
  Client(State& state, const Context& context, Outbox<Message>& out) : state_(state), context_(context), out_(out) {}

  void start();
  void receive(Identity from, const Reply& message);
  template <class Other>
  void receive(Identity, const Other&) {}
  void expire(TimerId timer);

 private:
  void issue(unsigned timestamp);
  void send(IdentitySet to);
  void learn_view(Identity from, Round view);
  int needed() const;
  AnswerTally* tally_for(Identity from, const Answer& answer);
  void complete();

  State& state_;
  const Context& context_;
  Outbox<Message>& out_;
};

}  // namespace nika::pbft
