// The member functions of RoundNetwork that inject faults of protocol rounds. Included by round_network.hpp only.
#pragma once

#include "nika/sim/round_network.hpp"

namespace nika {

// What arrives together is received together. What a liar says of later rounds takes nobody there.
template <Protocol P>
void RoundNetwork<P>::note_received(World<P>& world, SeatSet receivers) {
  auto& reached = world.hearsay.reached;
  if (answers_->faults->count_messages) return;
  for (const Letter<Message>& letter : next_->all()) {
    const unsigned own =
        std::min<unsigned>(protocol_round_of<P>(letter.sent->message), reached[index_of(letter.key.from())]);
    for (Seat to : letter.to& receivers) {
      auto& latest = reached[index_of(to)];
      latest = std::max(latest, static_cast<std::uint16_t>(own));
    }
  }
}

// The round of a message is the latest that its sender has sent or received, so that what is sent again in that round
// shares its faults.
template <Protocol P>
void RoundNetwork<P>::judge_by_faults(World<P>& world, const Letter<Message>& letter) {
  world.hearsay.is_kept = true;
  const Seat from = letter.key.from();
  std::uint16_t& reached = world.hearsay.reached[index_of(from)];
  const unsigned own = answers_->faults->count_messages ? reached + 1U : protocol_round_of<P>(letter.sent->message);
  reached = std::max(reached, static_cast<std::uint16_t>(own));
  const Cut cut = cut_off(letter, reached);
  if (!kLiesAreReviewed<P> || cluster_.is_honest(from)) {
    travel(world, letter, cut);
  } else if constexpr (kLiesAreReviewed<P>) {
    tell_lies(world, letter, cut, reached);
  }
  if (kBindsBlocks<P> || answers_->faults->look_back) world.hearsay.remember(letter.sent->message);
}

template <Protocol P>
auto RoundNetwork<P>::cut_off(const Letter<Message>& letter, unsigned protocol_round) const -> Cut {
  Cut cut;
  if (answers_->heals) return cut;
  const std::size_t from = index_of(letter.key.from());
  for (const Outage& outage : answers_->faults->outages) {
    if (outage.protocol_round != protocol_round) continue;
    const auto& block_of = outage.partition.block_of;
    for (Seat to : letter.to - cut.lost - cut.withheld) {
      const std::uint8_t one = block_of[from];
      const std::uint8_t other = block_of[index_of(to)];
      if (one == other || one == Partition::kEverywhere || other == Partition::kEverywhere) continue;
      (outage.withholds ? cut.withheld : cut.lost).insert(to);
    }
  }
  return cut;
}

// Where no outage is in the way, all that usually decides does.
template <Protocol P>
void RoundNetwork<P>::travel(World<P>& world, Letter<Message> letter, const Cut& cut) {
  const Seat from = letter.key.from();
  for (Seat to : letter.to & cut.lost) this->tell(EventKind::kLost, from, to, letter, world);
  for (Seat to : letter.to & cut.withheld) {
    this->tell(EventKind::kLate, from, to, letter, world);
    withhold(world, letter, to);
  }
  const SeatSet stopped = letter.to & (cut.lost | cut.withheld);
  world.hearsay.counts.cut = static_cast<std::uint16_t>(world.hearsay.counts.cut + stopped.size());
  letter.to = letter.to - stopped;
  admit(world, letter);
}

// A round that lasts until the network heals is full of retransmissions; the same message comes once.
template <Protocol P>
void RoundNetwork<P>::withhold(World<P>& world, const Letter<Message>& letter, Seat to) {
  for (unsigned i = 0; i < world.pending_count; ++i) {
    Pending<Message>& item = world.pending[i];
    if (item.wait != Wait::kToHeal || item.post.from != letter.key.from()) continue;
    if (item.post.message.index() != letter.sent->message.index()) continue;
    const auto is_same = [&]<class Alternative>(const Alternative& known) {
      return leaves::say_the_same(known, std::get<Alternative>(letter.sent->message));
    };
    if (!std::visit(is_same, item.post.message)) continue;
    item.post.to.insert(to);
    return;
  }
  world.keep(letter.post(SeatSet::single(to)), Wait::kToHeal);
}

// The first lie about a receiver decides. The last version is what nobody lied about.
template <Protocol P>
void RoundNetwork<P>::tell_lies(World<P>& world, const Letter<Message>& letter, const Cut& cut,
                                unsigned protocol_round) {
  const Seat from = letter.key.from();
  LieWatch* const watch = answers_->faults->watch;
  const unsigned kind = letter.key.kind();
  if (watch != nullptr) watch->sends(protocol_round, from, kind, letter.to);
  const auto is_about = [&](const Lie& lie) {
    return lie.protocol_round == protocol_round && lie.from == from && lie.kind == kind;
  };
  if (!kBindsBlocks<P> && std::ranges::none_of(answers_->faults->lies, is_about)) return travel(world, letter, cut);
  const SeatSet stopped = cut.lost | cut.withheld;
  SeatSet to = letter.to;
  FaultCounts& counts = world.hearsay.counts;
  const auto add = [](std::uint16_t& count, SeatSet seats) {
    count = static_cast<std::uint16_t>(count + seats.size());
  };
  Versions versions;
  for (const Lie& lie : answers_->faults->lies) {
    if (!is_about(lie)) continue;
    SeatSet hit = to & lie.to;
    // A seat always hears itself, and believes no lie of its own that only helps others along.
    if (is_of_message(lie.twist) || RoundKinds<Message>::kPositions[kind] == 0) hit.erase(from);
    if (hit.empty()) continue;
    add(counts.matched, hit - stopped);
    if (lie.twist == Twist::kOmit) {
      add(counts.omitted, hit - stopped);
      for (Seat seat : hit) this->tell(EventKind::kLost, from, seat, letter, world);
      to = to - hit;
      continue;
    }
    Version version{letter.sent->message, hit, &lie, {}};
    const bool is_repeated = lie.twist == Twist::kRepeat;
    if (!is_repeated) {
      if (!distort<P>(version.message, lie, {from, cluster_.node_count}, world.hearsay, version.brief)) continue;
      make_consistent<P>(letter.sent->message, version.message);
      if (is_forged<P>(letter.sent->message, version.message)) continue;
    }
    if (versions.size() + 1 == kMaxVersions || !versions.push_back(version)) {
      world.overflowed = true;
      return;
    }
    if (!is_repeated) to = to - hit;
  }
  (void)versions.push_back({letter.sent->message, to, nullptr, {}});
  if constexpr (kBindsBlocks<P>) {
    if (!rename_blocks(world, from, versions)) {
      world.overflowed = true;
      return;
    }
  }
  for (const Version& version : versions) {
    if (version.to.empty()) continue;
    if (version.lie != nullptr) add(counts.changed, version.to - stopped);
    send_version(world, letter, version, cut);
  }
}

// One name is of one block: what the liar itself believes keeps the name that it gave, and every other content gets
// another one. A block that was proposed before just so is that block. False if there are no more names.
template <Protocol P>
bool RoundNetwork<P>::rename_blocks(World<P>& world, Seat liar, Versions& versions) {
  if constexpr (kBindsBlocks<P>) {
    Hearsay<P>& hearsay = world.hearsay;
    const BlockBinding original = P::binding_of(versions.back().message);
    if (original.block == nullptr || original.block->is_genesis()) return true;
    const ValueId given = *original.block;
    ValueId believed_parent = original.parent;
    for (Version& version : versions) {
      const BlockBinding binding = P::binding_of(version.message);
      if (version.to.contains(liar) && *binding.block == given) believed_parent = binding.parent;
    }
    for (Version& version : versions) {
      const BlockBinding binding = P::binding_of(version.message);
      if (binding.block->is_genesis()) continue;
      const ValueId payload = *binding.block;
      const auto is_same = [&](Message other) {
        const BlockBinding known = P::binding_of(other);
        return *known.block == payload && known.parent == binding.parent;
      };
      // The names of liars' blocks are all in the table: the message of one need not have been told as it was sent.
      if (cluster_.is_honest(payload.seat()) && hearsay.any_latest(version.message.index(), is_same)) continue;
      const bool is_believed = payload == given && binding.parent == believed_parent;
      ValueId name = is_believed ? hearsay.name_of(payload, binding.parent, given) : kGenesis;
      if (name.is_genesis()) name = hearsay.name_of(payload, binding.parent, liar);
      if (name.is_genesis()) return false;
      *binding.block = name;
    }
  }
  return true;
}

// A lie travels when the truth would have.
template <Protocol P>
void RoundNetwork<P>::send_version(World<P>& world, const Letter<Message>& letter, const Version& version,
                                   const Cut& cut) {
  Sent<Message>* slot = OutboxReader<Message>::take_slot(outbox_);
  if (slot == nullptr) {
    world.overflowed = true;
    return;
  }
  slot->message = version.message;
  slot->number = letter.sent->number;
  const Seat from = letter.key.from();
  const Letter<Message> told =
      this->letter_of(*slot, from, version.to, P::round_of(slot->message), P::subject_of(slot->message));
  if (version.lie != nullptr && !is_of_message(version.lie->twist) && this->trace != nullptr) {
    Event event{.kind = EventKind::kChanged, .seat = from, .message_kind = told.key.kind(), .message = slot->number};
    event.round = P::round_of(letter.sent->message);
    event.height = Height(version.lie->field);
    event.value.packed = version.brief.before;
    event.other.packed = version.brief.after;
    for (Seat to : version.to) {
      event.peer = to;
      this->tell(event, world);
    }
  }
  travel(world, told, cut);
}

}  // namespace nika
