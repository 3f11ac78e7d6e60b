// A client of Zyzzyva (sections 4.1 and 4.2): one request after the other, each until it is complete. It trusts no
// replica, the primary least of all: what it commits rests on matching answers of 3f+1 or acknowledgements of 2f+1.
#pragma once

#include "nika/protocols/zyzzyva/zyzzyva.hpp"

namespace nika::zyzzyva {

// One input to one client: the state it changes and all that it needs to do so.
class Client {
 public:
  Client(State& state, const Context& context, Outbox<Zyzzyva::Message>& out)
      : state_(state), context_(context), out_(out) {}

  void start() { issue(1); }
  void receive(Identity from, const SpecResponse& message);
  void receive(Identity from, const LocalCommit& message);
  template <class Other>
  void receive(Identity, const Other&) {}
  void expire(TimerId timer);

 private:
  void issue(unsigned number);
  void send_request();
  Tally* tally_of(const History& history);
  Tally* add_tally(const History& history);
  void certify(Tally& tally);
  void complete(const History& history);

  State& state_;
  const Context& context_;
  Outbox<Zyzzyva::Message>& out_;
};

}  // namespace nika::zyzzyva
