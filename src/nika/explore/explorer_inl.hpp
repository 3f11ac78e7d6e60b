// The member functions of Explorer. Included by explorer.hpp only.
#pragma once

#include "nika/explore/explorer.hpp"

namespace nika {

template <Protocol P>
SearchResult Explorer<P>::run() {
  auto level = first_level();
  unsigned done = 0;
  const unsigned most = options_.unbounded ? kMaxExploredRounds : space_.rounds();
  for (; done < most && level->size() > 0 && !is_stopped(); ++done) {
    result_.worlds += level->size();
    result_.worlds_by_round.push_back(level->size());
    auto next = std::make_unique<Level>();
    expand_level(*level, *next, done);
    level = std::move(next);
  }
  result_.worlds += level->size();
  result_.worlds_by_round.push_back(level->size());
  result_.closed = options_.unbounded && level->size() == 0 && !is_stopped() && !memory_was_full_;
  if (!options_.unbounded && !is_stopped()) heal_level(*level);
  conclude(done);
  return result_;
}

// The worlds before round 1: they differ by the leaders of round 1 alone.
template <Protocol P>
std::unique_ptr<Level> Explorer<P>::first_level() {
  auto level = std::make_unique<Level>();
  Worker worker(*this);
  for (std::uint16_t l = 0; l < choices_.leader_sets().size(); ++l) {
    worker.simulator.leaders[1] = choices_.leader_sets()[l];
    worker.simulator.start(worker.child);
    Node node;
    node.leaders = l;
    node.count = 1;
    NIKA_REQUIRE(describe(worker, worker.child, node, 0));
    level->merge(node, true);
  }
  return level;
}

template <Protocol P>
void Explorer<P>::conclude(unsigned done) {
  result_.rounds = done;
  result_.was_stopped = is_stopped();
  result_.memory_was_full = memory_was_full_;
  if (!result_.forks.empty()) {
    result_.verdict = Verdict::kViolated;
  } else if (result_.was_stopped) {
    result_.reason = "the search was stopped";
  } else if (result_.unknown > 0) {
    result_.reason = "in some scenarios a buffer was full";
  } else if (options_.unbounded && !result_.closed) {
    result_.reason = memory_was_full_ ? "there was no memory left to remember worlds"
                                      : "new worlds still appear after the last round";
  } else {
    result_.verdict = Verdict::kHolds;
  }
}

// Spreads the nodes over the threads; what the workers found is added up in an order that does not matter.
template <Protocol P>
void Explorer<P>::for_each_node(Level& level, const std::function<void(Worker&, const Node&)>& visit) {
  std::atomic<std::size_t> next_shard{0};
  std::mutex mutex;
  const auto work = [&] {
    auto worker = std::make_unique<Worker>(*this);
    for (std::size_t shard = next_shard++; shard < Level::kShards; shard = next_shard++) {
      for (const Node& node : level.nodes_of(shard)) {
        if (is_stopped()) break;
        visit(*worker, node);
      }
    }
    const std::lock_guard lock(mutex);
    absorb(result_, worker->found);
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < options_.threads; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

template <Protocol P>
void Explorer<P>::expand_level(Level& level, Level& next, unsigned done) {
  std::atomic<std::uint64_t> expanded{0};
  const std::uint64_t total = level.size();
  for_each_node(level, [&](Worker& worker, const Node& node) {
    expand(worker, node, &next, done);
    const std::uint64_t count = ++expanded;
    if (options_.progress && count % 256 == 0) report(done, count, total);
  });
}

template <Protocol P>
void Explorer<P>::report(unsigned done, std::uint64_t expanded, std::uint64_t to_expand) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  options_.progress({done, result_.worlds, expanded, to_expand});
}

// Without a next level to remember worlds in, the search goes on depth first.
template <Protocol P>
void Explorer<P>::expand(Worker& worker, const Node& node, Level* next, unsigned done) {
  World<P>& world = worker.worlds[done];
  restore(node, world);
  const std::uint32_t symmetry = symmetry_of(world, choices_.renamings(), cluster_.seat_count);
  for (const Choice& choice : choices_.with_leaders(node.leaders, symmetry)) {
    if (choices_.allows(node, done, choice.configuration)) run_choice(worker, node, choice, next, done);
    if (is_stopped()) return;
  }
}

template <Protocol P>
void Explorer<P>::run_choice(Worker& worker, const Node& node, Choice choice, Level* next, unsigned done) {
  const std::size_t next_leaders = is_last(done) ? 1 : choices_.leader_sets().size();
  Node child = node;
  child.count = node.count * choice.weight;
  child.prefix[done] = static_cast<std::uint16_t>(choice.configuration);
  for (std::uint16_t l = 0; l < next_leaders; ++l) {
    child.leaders = l;
    const Wide completions = options_.unbounded ? 1 : choices_.completions(child, done + 1, l);
    if (completions == 0) continue;
    set_leaders(worker.simulator.leaders, child, done + 1);
    World<P>& world = worker.child;
    world.copy_from(worker.worlds[done], cluster_.seat_count);
    worker.simulator.run_round(world, choices_.links(choice), choices_.order(choice), false);
    ++worker.found.executions;
    if (is_settled(world)) {
      settle(worker.found, world, child.count * completions, child, done + 1, false);
      continue;
    }
    Node described = child;
    if (!describe(worker, world, described, done + 1)) {
      worker.found.covered += child.count * completions;
      worker.found.unknown += child.count * completions;
      continue;
    }
    if (next != nullptr && keep(described, *next)) continue;
    // No room to remember it: search on from here at once.
    memory_was_full_ = true;
    if (is_last(done)) {
      heal(worker, described);
    } else if (!options_.unbounded) {
      expand(worker, described, nullptr, done + 1);
    }
  }
}

// True if nothing is left to do for this world now: it is remembered, or was seen before.
template <Protocol P>
bool Explorer<P>::keep(const Node& node, Level& next) {
  if (!options_.unbounded) return next.merge(node, has_room(next));
  if (!has_room(next)) return false;
  return !seen_.insert(node.fingerprint) || next.merge(node, true);
}

template <Protocol P>
void Explorer<P>::settle(SearchResult& found, const World<P>& world, Wide scenarios, const Node& node, unsigned length,
                         bool healing) const {
  const Conflict& conflict = world.commits.conflict();
  found.covered += scenarios;
  if (!conflict.found) {
    found.unknown += scenarios;
    return;
  }
  found.violating += scenarios;
  FoundFork fork{kind_of(conflict), {}, healing};
  fork.configurations.assign(node.prefix.begin(), node.prefix.begin() + length);
  keep_first(found.forks, fork);
}

template <Protocol P>
void Explorer<P>::heal_level(Level& level) {
  for_each_node(level, [&](Worker& worker, const Node& node) { heal(worker, node); });
}

template <Protocol P>
void Explorer<P>::heal(Worker& worker, const Node& node) {
  World<P>& world = worker.child;
  restore(node, world);
  set_leaders(worker.simulator.leaders, node, space_.rounds());
  for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(world); ++h) {
    worker.simulator.run_round(world, choices_.full(), Order::fifo(), true);
    ++worker.found.executions;
  }
  if (is_settled(world)) {
    settle(worker.found, world, node.count, node, space_.rounds(), true);
  } else {
    worker.found.covered += node.count;
  }
}

template <Protocol P>
void Explorer<P>::set_leaders(LeaderTable& leaders, const Node& node, unsigned done) const {
  if (options_.unbounded) return leaders.fill(choices_.leader_sets()[0]);
  for (unsigned r = 0; r < done; ++r) leaders[r + 1] = choices_.leaders(node.prefix[r]);
  // The leaders of the healing rounds never change; the worker has them already.
  if (done < space_.rounds()) leaders[done + 1] = choices_.leader_sets()[node.leaders];
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
  world.network_round = Round(node.network_round);
  world.now_tick = 0;
  world.overflowed = false;
  world.commits.clear();
  for (unsigned h = 1; h < rest.log.size(); ++h) world.commits.assume(Height(h), rest.log[h]);
  std::copy_n(rest.pending.begin(), rest.pending_count, world.pending.begin());
  world.pending_count = rest.pending_count;
}

// Brings the world into its canonical form and gives the node its name. False if the world does not fit into a node.
template <Protocol P>
bool Explorer<P>::describe(Worker& worker, World<P>& world, Node& node, unsigned done) {
  if (options_.folds) fold(world, cluster_.seat_count);
  if (options_.unbounded) worker.gaps.close(world, cluster_.seat_count);
  node.network_round = world.network_round.number;
  const std::size_t renaming = sorting_renaming(world, choices_.renamings());
  if (!choices_.renamings().is_identity(renaming)) {
    rename(world, choices_.renamings().relabelling(renaming), cluster_.seat_count);
    for (unsigned r = 0; r < done; ++r) {
      node.prefix[r] = static_cast<std::uint16_t>(choices_.renamings().renamed(renaming, node.prefix[r]));
    }
  }
  sort_pending(world);
  Rest& rest = worker.rest;
  if (world.pending_count > Rest::kMaxPending) return false;
  std::copy_n(world.pending.begin(), world.pending_count, rest.pending.begin());
  rest.pending_count = world.pending_count;
  rest.down = world.down;
  rest.log.clear();
  for (unsigned h = 0; h <= world.commits.top().number; ++h) (void)rest.log.push_back(world.commits.at(Height(h)));

  ByteWriter& writer = worker.writer;
  writer.clear();
  for (unsigned i = 0; i < rest.pending_count; ++i) write_pending(writer, rest.pending[i]);
  writer.write(rest.down);
  writer.write(rest.log);
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
  write_leaders(whole, world, node, done);
  node.fingerprint = whole.fingerprint();
  return true;
}

// What the past still means for the future: who leads the rounds that some replica has yet to go through, and which
// configurations may not, or must, come again.
template <Protocol P>
void Explorer<P>::write_leaders(ByteWriter& writer, const World<P>& world, const Node& node, unsigned done) const {
  writer.write(node.leaders);
  writer.write(node.network_round);
  if (space_.settings().assignment != twins::Assignment::kReplacement) {
    auto used = node.prefix;
    std::sort(used.begin(), used.begin() + done);
    writer.write_raw(used.data(), sizeof(used[0]) * done);
  }
  if (choices_.leader_sets().size() < 2) return;
  unsigned oldest = done + 1;
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    oldest = std::min<unsigned>(oldest, P::current_round(world.states[s]).number);
  }
  for (unsigned round = std::max(oldest, 1U); round <= done; ++round) {
    writer.write(choices_.leaders(node.prefix[round - 1]).bits());
  }
}

template <Protocol P>
bool Explorer<P>::has_room(const Level& next) const {
  // Both levels and what they share; counted coarsely, since asking each time would cost more than it saves.
  return (result_.worlds_by_round.back() + next.size()) * Level::kBytesPerNode + seats_.bytes() + rests_.bytes() <
         options_.memory_bytes;
}

}  // namespace nika
