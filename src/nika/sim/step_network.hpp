// The asynchronous network model: everything that was sent is on its way until the schedule picks it, in any order, and
// a timer that runs may run out whenever the schedule says so. No message is lost. Liars without a twin run no code:
// what they say, and to whom, is a step of the schedule.
#pragma once

#include "nika/model/saying.hpp"
#include "nika/sim/network.hpp"
#include "nika/sim/standstill.hpp"

namespace nika {

template <Protocol P>
class StepNetwork : public Network<P, StepNetwork<P>> {
  using Base = Network<P, StepNetwork<P>>;
  friend Base;

 public:
  using Message = typename P::Message;
  static constexpr std::size_t kMaxChoices = (World<P>::kMaxPending + timer_count<P>()) * kMaxSeats;

  StepNetwork(const Cluster& cluster, const Properties& properties) : Base(cluster, properties) {
    this->order_ = &fifo_;
  }

  void start(World<P>& world, const Schedule& schedule) {
    attend(schedule);
    has_ended_ = false;
    this->boot_all(world, cluster_.seats() - puppets_);
  }
  void attend(const Schedule& schedule) { Base::attend(schedule); }

  // What the schedule picks happens, or a liar says what the schedule has it say. False when nothing is left, or it
  // picks nothing.
  bool advance(World<P>& world, Schedule& schedule) {
    const auto choices = choices_of(world);
    if (const Step* said = schedule.says(choices)) {
      has_ended_ = !say(world, *said);
    } else {
      const std::size_t picked = choices.empty() ? 0 : schedule.next(choices);
      has_ended_ = picked >= choices.size();
      if (!has_ended_) take(world, choices[picked]);
    }
    return !has_ended_;
  }

  // What can happen next: deliveries in the order of sending, each to its receivers in the order of seats, then the
  // timers of each seat. Valid until it is asked again.
  std::span<const StepChoice> choices_of(const World<P>& world) {
    choice_count_ = 0;
    for (unsigned i = 0; i < world.pending_count; ++i) {
      const Post<Message>& post = world.pending[i].post;
      for (Seat to : post.to) choices_[choice_count_++] = {post.number, post.from, to, post.kind, post.round};
    }
    for (Seat seat : cluster_.seats()) {
      for (std::uint8_t t = 0; t < timer_count<P>(); ++t) {
        if (world.timers[index_of(seat)][t].duration != 0) choices_[choice_count_++] = {0, seat, seat, t};
      }
    }
    return {choices_.data(), choice_count_};
  }
  void take(World<P>& world, const StepChoice& choice);
  // What a liar says is heard at once. False if it is no liar without a twin, or cannot say it.
  bool say(World<P>& world, const Step& step);

  std::uint32_t time_of(const World<P>& world) const { return world.step_count; }
  // Whether everything that was sent has arrived, and nobody waits for a timer. A broadcast owes its delivery without:
  // its timers repeat what might be lost. Nor does anybody wait for a timer that changes nothing, unless it is that
  // nobody leads any more who could be waited for.
  bool is_quiet(const World<P>& world) const {
    if (world.pending_count > 0) return false;
    const auto runs = [](const Timer& timer) { return timer.duration != 0; };
    const auto waits = [&](const auto& timers) { return std::ranges::any_of(timers, runs); };
    if (kIsBroadcast<P> || std::ranges::none_of(world.timers, waits)) return true;
    if (this->asked_until().number > this->scheduled_rounds_ || this->shares_inputs_) return false;
    return Standstill<P>(world, cluster_, this->contexts()).is_one();
  }
  Sight sight_of(const World<P>& world) const {
    Sight sight = Base::sight_of(world);
    sight.is_asynchronous = true;
    // As long as the schedule goes on, liars may still say something.
    sight.is_quiet = (puppets_.empty() || has_ended_) && is_quiet(world);
    return sight;
  }

 private:
  using Base::cluster_;

  void send(World<P>& world, Seat from, Sent<Message>& sent);
  void begin_step(World<P>& world, std::uint32_t message);

  const SeatSet puppets_ = cluster_.puppets();
  bool has_ended_ = false;
  std::array<StepChoice, kMaxChoices> choices_{};
  std::size_t choice_count_ = 0;
  const Order fifo_ = Order::fifo();
};

template <Protocol P>
void StepNetwork<P>::begin_step(World<P>& world, std::uint32_t message) {
  ++world.step_count;
  this->open_outbox();
  for (unsigned s = 0; s < cluster_.seat_count; ++s) this->refresh(world, s);
  this->deliveries_left_ = Base::kMaxDeliveries;
  this->tell({.kind = EventKind::kStep, .message = message}, world);
}

template <Protocol P>
bool StepNetwork<P>::say(World<P>& world, const Step& step) {
  if (!step.says || !puppets_.contains(step.from) || puppets_.contains(step.to)) return false;
  const auto message = message_of<P>(*step.says, {step.from, cluster_.node_count});
  if (!message || P::round_of(*message) > Round(kMaxRound)) return false;
  begin_step(world, 0);
  const Post<Message> post{*message,
                           step.from,
                           SeatSet::single(step.to),
                           P::round_of(*message),
                           kind_of<P>(*message),
                           P::subject_of(*message),
                           0};
  const auto* sent = this->rewrite(world, post);
  this->deliver(world, this->letter_of(*sent, post), post.to);
  return true;
}

template <Protocol P>
void StepNetwork<P>::take(World<P>& world, const StepChoice& choice) {
  begin_step(world, choice.message);
  if (choice.message == 0) return this->expire(world, choice.to, choice.kind);
  unsigned at = 0;
  while (world.pending[at].post.number != choice.message) ++at;
  Post<Message>& post = world.pending[at].post;
  const auto* sent = this->rewrite(world, post);
  const auto letter = this->letter_of(*sent, post);
  post.to.erase(choice.to);
  if (post.to.empty()) {
    std::copy(world.pending.begin() + at + 1, world.pending.begin() + world.pending_count, world.pending.begin() + at);
    --world.pending_count;
  }
  this->deliver(world, letter, SeatSet::single(choice.to));
}

template <Protocol P>
void StepNetwork<P>::send(World<P>& world, Seat from, Sent<Message>& sent) {
  const SeatSet to = cluster_.seats_of_identities(sent.to) - puppets_;
  if (to.empty()) return;  // such as a vote for a round that nobody leads
  sent.number = ++world.sent_count;
  const auto letter = this->letter_of(sent, from, to, P::round_of(sent.message), P::subject_of(sent.message));
  if (this->has_outgrown(world, letter)) return;
  this->tell(EventKind::kSent, from, from, letter, world);
  world.keep(letter.post(letter.to), Wait::kForTick);
}

}  // namespace nika
