// A replica of PBFT: one input to it, the state that it changes and all that it needs to do so. Whatever arrives is
// compared with what a correct sender can have sent, and ignored if it is none of that.
#pragma once

#include "nika/protocols/pbft/pbft.hpp"

namespace nika::pbft {

class Replica {
 public:
  Replica(State& state, const Context& context, Outbox<Message>& out)
      : state_(state), context_(context), out_(out), rules_(rules_of(context)) {}

  void start();
  void receive(Identity from, const RequestMessage& message);
  void receive(Identity from, const PrePrepare& message);
  void receive(Identity from, const Prepare& message);
  void receive(Identity from, const pbft::Commit& message);
  void receive(Identity from, const Checkpoint& message);
  void receive(Identity from, const ViewChange& message);
  void receive(Identity from, const NewView& message);
  void receive(Identity, const Reply&) {}
  void expire(TimerId timer);

 private:
  enum class Ballot : std::uint8_t { kPrepare, kCommit };

  bool is_replica(Identity from) const { return context_.everyone().contains(from); }
  bool is_primary(Identity identity) const { return context_.leaders_of(state_.view).contains(identity); }
  IdentitySet others() const { return context_.everyone() - IdentitySet::single(context_.self); }
  SequenceNumber low() const { return state_.stable.state.executed; }
  bool is_in_window(SequenceNumber sequence) const;
  bool is_in_view(Round view) const { return view == state_.view && state_.phase == Phase::kNormal; }

  // The normal case (section 4.2).
  bool is_request(Request request) const;
  void keep_request(Request request);
  void order_waiting();
  void order(Request request);
  bool is_in_flight(Request request) const;
  void accept(const Proposal& proposal);
  void vote(Slot& slot, Ballot ballot);
  void count(Slot& slot, Ballot ballot, Identity from, Digest digest);
  void count_vote(Identity from, const Vote& vote, Ballot ballot);
  void settle(Slot& slot);

  // Execution and replies (sections 4.1 and 4.2).
  void execute_ready();
  Slot* next_ready();
  void execute(Slot& slot);
  const LastReply* reply_to(Seat client) const;
  bool was_executed(Request request) const;
  void apply(Request request);
  void reply(const LastReply& last);
  void answer_read(Request request);

  // Checkpoints (section 4.3).
  void make_checkpoint();
  void count_checkpoint(Identity from, const ServiceState& state);
  void stabilise(const CheckpointProof& proof);
  void send_checkpoints();

  // View changes (section 4.4).
  Ticks timeout() const;
  bool is_waiting() const;
  void watch_primary();
  void give_up();
  void ask_for_view(Round view);
  void send_view_change();
  ViewChange view_change() const;
  void answer(Identity asking);
  void consider_views();
  void start_view();
  void leave_slots();
  bool may_start_view() const;
  NewView new_view() const;
  void enter_view(const NewView& message, bool leads);

  State& state_;
  const Context& context_;
  Outbox<Message>& out_;
  const Rules rules_;
};

}  // namespace nika::pbft
