// How the explorer writes worlds down, names them and takes them up again. Included by explorer.hpp only.
#pragma once

#include "nika/explore/explorer.hpp"

namespace nika {

// What is common to all worlds after the round.
template <Protocol P>
Fingerprint Explorer<P>::fingerprint_of_past(Worker& worker, const Node& node) const {
  const Rest& rest = rests_[node.rest];
  worker.writer.clear();
  write_rest(worker.writer, rest);
  return worker.writer.fingerprint();
}

template <Protocol P>
void Explorer<P>::write_rest(ByteWriter& writer, const Rest& rest) const {
  writer.write(rest.down);
  writer.write(rest.log);
  writer.write(rest.amnesiac);
  if (!folds_ || !commits_settle_) writer.write_raw(rest.tops.data(), sizeof(Height) * cluster_.seat_count);
  if (rest.conflict.found) {
    writer.write(rest.conflict.height);
    writer.write(rest.conflict.first_value);
    writer.write(rest.conflict.second_value);
  }
  writer.write_raw(rest.monitors.data(), sizeof(rest.monitors[0]) * monitor_words_);
}

// All of it but the messages.
template <Protocol P>
Fingerprint Explorer<P>::fingerprint_around_blocks(Worker& worker, const Step& step) const {
  unsigned oldest = ~0U;
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    oldest = std::min<unsigned>(oldest, P::current_round(worker.worlds[step.done].states[s]).number);
  }
  worker.writer.clear();
  worker.writer.write(step.node->rest);
  worker.writer.write(step.next_leaders);
  write_leaders(worker.writer, oldest, *step.node, step.done);
  return worker.writer.fingerprint();
}

template <Protocol P>
Fingerprint Explorer<P>::block_name(Worker& worker, const Step& step, SeatSet block, Choice choice) const {
  worker.writer.clear();
  worker.writer.write(step.surrounds);
  worker.writer.write(static_cast<std::uint32_t>(choices_.order_number(choice)));
  worker.writer.write(block);
  for (Seat seat : block) worker.writer.write(step.node->seats[index_of(seat)]);
  // Clients join blocks, inside of which not everybody hears everybody; so does a round that is run as a whole.
  if (!cluster_.clients.empty() || whole_rounds_) worker.writer.write(choices_.links(choice).reach);
  return worker.writer.fingerprint();
}

// The world after the round as it came, neither folded nor renamed.
template <Protocol P>
Fingerprint Explorer<P>::raw_name(Worker& worker, const Step& step, const Node& child) const {
  std::array<Fingerprint, kMaxSeats + 1> parts;
  Fingerprint& rest = parts[cluster_.seat_count];
  rest = step.past;
  unsigned oldest = ~0U;
  for (const BlockRun<P>* run : worker.runs) {
    run->name_seats(parts);
    rest.low += run->rest().low;
    rest.high += run->rest().high;
    oldest = std::min(oldest, run->oldest_round());
  }
  ByteWriter& writer = worker.writer;
  writer.clear();
  writer.write_raw(parts.data(), sizeof(Fingerprint) * (cluster_.seat_count + 1U));
  write_leaders(writer, oldest, child, step.done + 1);
  return writer.fingerprint();
}

template <Protocol P>
Fingerprint Explorer<P>::healing_name(Worker& worker, const World<P>& world, const Node& node) const {
  ByteWriter& writer = worker.writer;
  writer.clear();
  unsigned oldest = ~0U;
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    oldest = std::min<unsigned>(oldest, P::current_round(world.states[s]).number);
    writer.write(world.states[s]);
    writer.write(world.timers[s]);
    writer.write(world.incarnation[s]);
  }
  for (unsigned i = 0; i < world.pending_count; ++i) write_pending(writer, world.pending[i]);
  take_rest(worker.rest, world);
  write_rest(writer, worker.rest);
  writer.write(world.overflowed);
  write_leaders(writer, oldest, node, space_.rounds());
  return writer.fingerprint();
}

template <Protocol P>
void Explorer<P>::restore(const Node& node, World<P>& world) const {
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    const SeatRecord& record = seats_[node.seats[s]];
    world.states[s] = record.state;
    world.timers[s] = record.timers;
    world.incarnation[s] = record.incarnation;
  }
  const Rest& rest = rests_[node.rest];
  world.down = rest.down;
  world.amnesiac = rest.amnesiac;
  world.network_round = Round(node.network_round);
  world.now_tick = 0;
  world.overflowed = false;
  world.commits.clear();
  for (unsigned h = 1; h < rest.log.size(); ++h) world.commits.assume(Height(h), rest.log[h]);
  for (Seat seat : cluster_.seats()) world.commits.assume_top_of(seat, rest.tops[index_of(seat)]);
  if (rest.conflict.found) world.commits.adopt(rest.conflict);
  world.monitor_words = static_cast<std::uint8_t>(monitor_words_);
  std::copy_n(rest.monitors.begin(), monitor_words_, world.monitors.begin());
  std::copy_n(rest.pending.begin(), rest.pending_count, world.pending.begin());
  world.pending_count = rest.pending_count;
}

// Brings the world into its canonical form and gives the node its name. False if the world does not fit into a node.
template <Protocol P>
bool Explorer<P>::describe(Worker& worker, World<P>& world, Node& node, unsigned done, std::uint32_t& renaming) {
  reduce(worker, world);
  if (options_.unbounded && (!kRoundsAreAlike<P> || !worker.gaps.close(world, cluster_.seat_count))) is_exact_ = false;
  node.network_round = world.network_round.number;
  renaming = static_cast<std::uint32_t>(sorting_renaming(world, choices_.renamings()));
  if (!choices_.renamings().is_identity(renaming)) {
    rename(world, choices_.renamings().relabelling(renaming), cluster_.seat_count);
    rename_prefix(node, renaming, done);
  }
  sort_pending(world);
  Rest& rest = worker.rest;
  if (world.pending_count > Rest::kMaxPending) return false;
  std::copy_n(world.pending.begin(), world.pending_count, rest.pending.begin());
  rest.pending_count = world.pending_count;
  take_rest(rest, world);

  ByteWriter& writer = worker.writer;
  writer.clear();
  for (unsigned i = 0; i < rest.pending_count; ++i) write_pending(writer, rest.pending[i]);
  write_rest(writer, rest);
  node.rest = rests_.intern(writer.fingerprint(), rest);

  ByteWriter& whole = worker.writer;
  std::array<Fingerprint, kMaxSeats + 1> parts;
  parts[cluster_.seat_count] = whole.fingerprint();
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    whole.clear();
    whole.write(world.states[s]);
    whole.write(world.timers[s]);
    whole.write(world.incarnation[s]);
    parts[s] = whole.fingerprint();
    node.seats[s] = seats_.intern(parts[s], {world.states[s], world.timers[s], world.incarnation[s]});
  }
  whole.clear();
  whole.write_raw(parts.data(), sizeof(Fingerprint) * (cluster_.seat_count + 1U));
  unsigned oldest = ~0U;
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    oldest = std::min<unsigned>(oldest, P::current_round(world.states[s]).number);
  }
  write_leaders(whole, oldest, node, done);
  node.fingerprint = whole.fingerprint();
  return true;
}

template <Protocol P>
void Explorer<P>::reduce(Worker& worker, World<P>& world) {
  if (folds_) fold_judged(worker.network, world, !space_.settings().crashes.empty());
}

template <Protocol P>
void Explorer<P>::take_rest(Rest& rest, const World<P>& world) const {
  rest.down = world.down;
  rest.amnesiac = world.amnesiac;
  rest.log.clear();
  for (unsigned h = 0; h <= world.commits.top().number; ++h) (void)rest.log.push_back(world.commits.at(Height(h)));
  for (Seat seat : cluster_.seats())
    rest.tops[index_of(seat)] = folds_ && commits_settle_ ? Height{} : world.commits.top_of(seat);
  rest.conflict = world.commits.conflict();
  std::copy_n(world.monitors.begin(), monitor_words_, rest.monitors.begin());
}

template <Protocol P>
void Explorer<P>::rename_prefix(Node& node, std::uint32_t renaming, unsigned length) const {
  for (unsigned r = 0; r < length; ++r) {
    node.prefix[r] = static_cast<std::uint16_t>(choices_.renamings().renamed(renaming, node.prefix[r]));
  }
}

// What the past still means for the future: who leads the rounds that some replica has yet to go through, and which
// configurations may not, or must, come again.
template <Protocol P>
void Explorer<P>::write_leaders(ByteWriter& writer, unsigned oldest_round, const Node& node, unsigned done) const {
  writer.write(node.leaders);
  writer.write(node.network_round);
  if (space_.settings().assignment != twins::Assignment::kReplacement) {
    auto used = node.prefix;
    std::sort(used.begin(), used.begin() + done);
    writer.write_raw(used.data(), sizeof(used[0]) * done);
  }
  if (choices_.leader_sets().size() < 2) return;
  // Who will come back without memory goes through all rounds again.
  const bool begins_again = std::ranges::any_of(space_.settings().crashes, [&](const Crash& crash) {
    return !crash.keeps_memory && crash.up_from.number > done;
  });
  for (unsigned round = begins_again ? 1U : std::max(oldest_round, 1U); round <= done; ++round) {
    writer.write(choices_.leaders(node.prefix[round - 1]).bits());
  }
}

}  // namespace nika
