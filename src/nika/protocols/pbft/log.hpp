// The part of a replica's message log (section 4.2) between its water marks: for each sequence number the PRE-PREPARE
// that it has accepted, the votes of the current view, and the certificate of the last view that prepared anything.
#pragma once

#include <algorithm>

#include "nika/protocols/pbft/messages.hpp"

namespace nika::pbft {

// Votes for one digest. Counts are kept beside the sets, so that a flawed form can count messages.
struct Tally {
  Digest digest{};
  IdentitySet prepares{};
  IdentitySet commits{};
  std::uint8_t prepare_count = 0;
  std::uint8_t commit_count = 0;

  static constexpr auto fields() {
    return std::tuple{field("digest", &Tally::digest), field("prepares", &Tally::prepares),
                      field("commits", &Tally::commits), field("prepare_count", &Tally::prepare_count),
                      field("commit_count", &Tally::commit_count)};
  }
};

struct Slot {
  static constexpr std::size_t kMaxTallies = 5;
  // An identity that votes for more digests than a node and its twin do is a liar whom nobody has to listen to.
  static constexpr int kDigestsOfOneVoter = 2;

  SequenceNumber sequence{};
  Round view{};  // in which a PRE-PREPARE was accepted; of an earlier view it counts no more
  Request request{};
  bool is_prepared = false;   // in this view
  bool is_committed = false;  // in this view
  bool is_executed = false;
  Digest digest{};
  PreparedCertificate certificate{};
  BoundedVector<Tally, kMaxTallies> tallies{};  // of this view, by digest

  static constexpr auto fields() {
    return std::tuple{field("sequence", &Slot::sequence),
                      field("view", &Slot::view),
                      field("request", &Slot::request),
                      field("is_prepared", &Slot::is_prepared),
                      field("is_committed", &Slot::is_committed),
                      field("is_executed", &Slot::is_executed),
                      field("digest", &Slot::digest),
                      field("certificate", &Slot::certificate),
                      field("tallies", &Slot::tallies)};
  }

  // What was voted and proposed in a view has no part in the next one.
  void leave_view() {
    Slot next;
    next.sequence = sequence;
    next.is_executed = is_executed;
    next.certificate = certificate;
    *this = next;
  }
  Tally* tally_of(Digest voted) {
    auto* found = std::ranges::find(tallies, voted, &Tally::digest);
    return found == tallies.end() ? nullptr : found;
  }
  int digests_of(Identity voter) const {
    return static_cast<int>(std::ranges::count_if(
        tallies, [&](const Tally& tally) { return (tally.prepares | tally.commits).contains(voter); }));
  }
  // The tally that a vote goes to. Null if the voter is not listened to, or if there is no room, which is told apart.
  Tally* tally_for(Identity voter, Digest voted, bool& is_full) {
    if (Tally* known = tally_of(voted)) {
      const bool has_voted = (known->prepares | known->commits).contains(voter);
      return has_voted || digests_of(voter) < kDigestsOfOneVoter ? known : nullptr;
    }
    if (digests_of(voter) >= kDigestsOfOneVoter) return nullptr;
    if (!tallies.push_back({voted})) {
      is_full = true;
      return nullptr;
    }
    std::ranges::sort(tallies, {}, &Tally::digest);
    return tally_of(voted);
  }
};

using Slots = BoundedVector<Slot, kMaxSlots>;  // by sequence number, those of which anything is known

inline Slot* slot_at(Slots& slots, SequenceNumber sequence) {
  auto* found = std::ranges::find(slots, sequence, &Slot::sequence);
  return found == slots.end() ? nullptr : found;
}
inline const Slot* slot_at(const Slots& slots, SequenceNumber sequence) {
  const auto* found = std::ranges::find(slots, sequence, &Slot::sequence);
  return found == slots.end() ? nullptr : found;
}
// The same, made if it is not there. The caller has compared it with the water marks, so that there is room.
inline Slot& slot_for(Slots& slots, SequenceNumber sequence) {
  if (Slot* known = slot_at(slots, sequence)) return *known;
  Slot added;
  added.sequence = sequence;
  NIKA_REQUIRE(slots.push_back(added));
  std::ranges::sort(slots, {}, &Slot::sequence);
  return *slot_at(slots, sequence);
}

// Who has told of a checkpoint with this state (section 4.3).
struct CheckpointTally {
  ServiceState state{};
  IdentitySet from{};

  static constexpr auto fields() {
    return std::tuple{field("state", &CheckpointTally::state), field("from", &CheckpointTally::from)};
  }
};

// An order without meaning, so that sets of states can be kept in one form.
inline bool comes_before(const ServiceState& a, const ServiceState& b) {
  if (a.executed != b.executed) return a.executed < b.executed;
  if (a.position != b.position) return a.position < b.position;
  if (a.history != b.history) return a.history < b.history;
  if (a.last.value() != b.last.value()) return a.last.value() < b.last.value();
  const auto key = [](const LastReply& reply) {
    return index_of(reply.client) << 16U | unsigned{reply.timestamp} << 8U | reply.position.number;
  };
  return std::ranges::lexicographical_compare(a.replies, b.replies, {}, key, key);
}

// CHECKPOINT messages that are not stable yet: of each identity those of its two highest numbers, as many as there are
// between water marks, and of each number as many as a node and its twin can send. A replica that lags has heard parts
// of many checkpoints; the lowest make room, which is to lose a message that a later one makes up for.
class CheckpointLog {
 public:
  // How many identities tell the same; 0 if this message is not kept.
  int add(Identity from, const ServiceState& state) {
    Tally* known = find(state);
    if (known != nullptr && known->from.contains(from)) return known->from.size();
    if (!makes_way(from, state.executed)) return 0;
    known = find(state);
    if (known == nullptr) known = insert(state);
    if (known == nullptr) return 0;
    known->from.insert(from);
    return known->from.size();
  }
  void forget_until(SequenceNumber sequence) {
    while (!tallies_.empty() && tallies_[0].state.executed <= sequence) tallies_.erase_at(0);
  }
  // Calls visit(state) for each checkpoint that somebody has told of.
  template <class Visitor>
  void for_each_of(Identity from, Visitor&& visit) const {
    for (const Tally& tally : tallies_) {
      if (tally.from.contains(from)) visit(tally.state);
    }
  }
  std::size_t size() const { return tallies_.size(); }

  static constexpr auto fields() { return std::tuple{field("tallies", &CheckpointLog::tallies_)}; }

 private:
  using Tally = CheckpointTally;
  static constexpr std::size_t kMaxTallies = 10;
  static constexpr int kOfOneNumber = 2;

  Tally* find(const ServiceState& state) {
    auto* found = std::ranges::find(tallies_, state, &Tally::state);
    return found == tallies_.end() ? nullptr : found;
  }
  Tally* insert(const ServiceState& state) {
    if (tallies_.size() == kMaxTallies) {
      if (comes_before(state, tallies_[0].state)) return nullptr;
      tallies_.erase_at(0);
    }
    NIKA_REQUIRE(tallies_.push_back({state, {}}));
    std::ranges::sort(tallies_, [](const Tally& a, const Tally& b) { return comes_before(a.state, b.state); });
    return find(state);
  }
  // Forgets what a sender has told of before its two highest numbers, of which this may be one. False if it is not.
  bool makes_way(Identity from, SequenceNumber sequence) {
    SequenceNumber highest = sequence;
    SequenceNumber second{};
    int of_this_number = 0;
    for_each_of(from, [&](const ServiceState& state) {
      of_this_number += state.executed == sequence ? 1 : 0;
      if (state.executed > highest) {
        second = highest;
        highest = state.executed;
      } else if (state.executed < highest) {
        second = std::max(second, state.executed);
      }
    });
    if (sequence < second || of_this_number == kOfOneNumber) return false;
    for (std::size_t i = tallies_.size(); i > 0; --i) {
      Tally& tally = tallies_[i - 1];
      if (tally.state.executed >= second) continue;
      tally.from.erase(from);
      if (tally.from.empty()) tallies_.erase_at(i - 1);
    }
    return true;
  }

  BoundedVector<Tally, kMaxTallies> tallies_{};  // by state
};

}  // namespace nika::pbft
