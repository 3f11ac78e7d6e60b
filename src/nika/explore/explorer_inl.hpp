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
  result_.closed = options_.unbounded && level->size() == 0 && !is_stopped() && !memory_was_full_;
  conclude(done);
  return result_;
}

// The worlds before round 1: they differ by the leaders of round 1 alone.
template <Protocol P>
std::unique_ptr<Level> Explorer<P>::first_level() {
  auto level = std::make_unique<Level>();
  Worker worker(*this);
  for (std::uint16_t l = 0; l < static_cast<std::uint16_t>(choices_.leader_sets().size()); ++l) {
    worker.simulator.leaders[1] = choices_.leader_sets()[l];
    worker.simulator.start(worker.child);
    Node node;
    node.leaders = l;
    node.count = 1;
    std::uint32_t renaming = 0;
    NIKA_REQUIRE(describe(worker, worker.child, node, 0, renaming));
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
  } else if (!is_exact_) {
    result_.reason = "no new world appears, but rounds were left out in which a replica lags";
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
  memo_ = std::make_unique<Memo<Canonical>>();
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
  Step step{&node, next, done, 0, fingerprint_of_past(worker, node), {}};
  const std::uint32_t symmetry = symmetry_of(world, choices_.renamings(), cluster_.seat_count);
  const auto next_leaders = static_cast<std::uint16_t>(is_last(done) ? 1 : choices_.leader_sets().size());
  for (std::uint16_t l = 0; l < next_leaders; ++l) {
    step.next_leaders = l;
    step.surrounds = fingerprint_around_blocks(worker, step);
    for (const Choice& choice : choices_.with_leaders(node.leaders, symmetry)) {
      if (!choices_.allows(node, done, choice.configuration)) continue;
      set_leaders(worker.simulator.leaders, node, done);  // searching on from a child has changed them
      if (done + 1 < space_.rounds()) worker.simulator.leaders[done + 2] = choices_.leader_sets()[l];
      run_choice(worker, step, choice);
      if (is_stopped()) return;
    }
  }
}

template <Protocol P>
void Explorer<P>::run_choice(Worker& worker, const Step& step, Choice choice) {
  Node child = *step.node;
  child.count = step.node->count * choice.weight;
  child.prefix[step.done] = static_cast<std::uint16_t>(choice.configuration);
  child.leaders = step.next_leaders;
  child.network_round = static_cast<std::uint8_t>(step.node->network_round + 1);
  if (!options_.unbounded && !can_be_completed(child, step.done + 1)) return;
  ++worker.found.executions;
  run_blocks(worker, step, choice);
  if (settle_blocks(worker, step, child)) return;
  const Fingerprint raw = raw_name(worker, step, child);
  if (is_last(step.done)) return heal_once(worker, step, child, raw);
  if (step.next != nullptr && was_kept(raw, child, step)) return;
  assemble(worker, step, worker.child);
  std::uint32_t renaming = 0;
  if (!describe(worker, worker.child, child, step.done + 1, renaming)) {
    count(worker.found, {Verdict::kUnknown, {}}, child, step.done + 1, false);
  } else if (step.next != nullptr && keep(child, *step.next)) {
    if (has_room(*step.next)) memo_->insert(raw, {child.fingerprint, renaming});
  } else {  // No room to remember it: search on from here at once.
    memory_was_full_ = true;
    if (!options_.unbounded) expand(worker, child, nullptr, step.done + 1);
  }
}

// Runs each block of the partition, unless the same block was in the same situation before.
template <Protocol P>
void Explorer<P>::run_blocks(Worker& worker, const Step& step, Choice choice) {
  const Links& links = choices_.links(choice);
  const World<P>& before = worker.worlds[step.done];
  worker.runs.clear();
  for (unsigned c = 0; c < links.component_count; ++c) {
    const SeatSet block = links.components[c];
    const Fingerprint name = block_name(worker, step, block, choices_.order_number(choice));
    BlockRun<P>& run = worker.blocks.at(name, worker.runs);
    if (run.name != name) {
      worker.child.copy_from(before, block);
      worker.simulator.run_block(worker.child, links, choices_.order(choice), block);
      run.take(before, worker.child, block, worker.writer);
      run.name = name;
    }
    worker.runs.push_back(&run);
  }
}

// True if the round settles the verdict: a conflict, inside a block or between two, or a full buffer.
template <Protocol P>
bool Explorer<P>::settle_blocks(Worker& worker, const Step& step, const Node& child) {
  if (std::ranges::none_of(worker.runs, [](const BlockRun<P>* run) { return run->may_settle(); })) return false;
  World<P>& world = worker.child;
  world.copy_rest_from(worker.worlds[step.done]);
  for (const BlockRun<P>* run : worker.runs) run->put_commits_into(world);
  if (!is_settled(world)) return false;
  count(worker.found, ending_of(world.commits.conflict(), world.overflowed), child, step.done + 1, false);
  return true;
}

template <Protocol P>
void Explorer<P>::assemble(Worker& worker, const Step& step, World<P>& world) {
  const World<P>& before = worker.worlds[step.done];
  world.copy_rest_from(before);
  world.network_round = before.network_round.next();
  world.pending_count = 0;
  for (const BlockRun<P>* run : worker.runs) run->put_into(world);
}

// What is common to all worlds after the round.
template <Protocol P>
Fingerprint Explorer<P>::fingerprint_of_past(Worker& worker, const Node& node) const {
  const Rest& rest = rests_[node.rest];
  worker.writer.clear();
  worker.writer.write(rest.log);
  worker.writer.write(rest.down);
  return worker.writer.fingerprint();
}

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
Fingerprint Explorer<P>::block_name(Worker& worker, const Step& step, SeatSet block, std::size_t order) const {
  worker.writer.clear();
  worker.writer.write(step.surrounds);
  worker.writer.write(static_cast<std::uint32_t>(order));
  worker.writer.write(block);
  for (Seat seat : block) worker.writer.write(step.node->seats[index_of(seat)]);
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

// True if the same world came before in the same form: it only counts for more scenarios now.
template <Protocol P>
bool Explorer<P>::was_kept(const Fingerprint& raw, Node& child, const Step& step) {
  const auto known = memo_->find(raw);
  if (!known) return false;
  if (options_.unbounded) return true;
  child.fingerprint = known->name;
  rename_prefix(child, known->renaming, step.done + 1);
  NIKA_REQUIRE(step.next->merge(child, false));
  return true;
}

template <Protocol P>
bool Explorer<P>::can_be_completed(const Node& child, unsigned done) const {
  if (space_.settings().assignment == twins::Assignment::kReplacement) return true;
  return completions(child, done) > 0;
}

template <Protocol P>
Wide Explorer<P>::completions(const Node& child, unsigned done) const {
  return options_.unbounded ? 1 : choices_.completions(child, done, child.leaders);
}

// True if nothing is left to do for this world now: it is remembered, or was seen before.
template <Protocol P>
bool Explorer<P>::keep(const Node& node, Level& next) {
  if (!options_.unbounded) return next.merge(node, has_room(next));
  if (!has_room(next)) return false;
  return !seen_.insert(node.fingerprint) || next.merge(node, true);
}

// Counts the scenarios of a world whose verdict is known, `length` rounds after the start.
template <Protocol P>
void Explorer<P>::count(SearchResult& found, Ending ending, const Node& node, unsigned length, bool healing) const {
  const Wide scenarios = healing ? node.count : node.count * completions(node, length);
  found.covered += scenarios;
  if (ending.verdict == Verdict::kUnknown) found.unknown += scenarios;
  if (ending.verdict != Verdict::kViolated) return;
  found.violating += scenarios;
  FoundFork fork{ending.kind, {}, healing};
  fork.configurations.assign(node.prefix.begin(), node.prefix.begin() + length);
  keep_first(found.forks, fork);
}

// After the last scheduled round a world has no choices left: it heals at once, and is remembered by its verdict.
template <Protocol P>
void Explorer<P>::heal_once(Worker& worker, const Step& step, const Node& child, const Fingerprint& raw) {
  if (const auto known = ended_.find(raw)) return count(worker.found, *known, child, space_.rounds(), true);
  assemble(worker, step, worker.child);
  const Ending ending = heal(worker, child);
  count(worker.found, ending, child, space_.rounds(), true);
  if (ended_.bytes() < options_.memory_bytes / 2) {
    ended_.insert(raw, ending);
  } else {
    memory_was_full_ = true;
  }
}

// Few worlds differ after their first healing round.
template <Protocol P>
Ending Explorer<P>::heal(Worker& worker, const Node& node) {
  World<P>& world = worker.child;
  set_leaders(worker.simulator.leaders, node, space_.rounds());
  Fingerprint healing;
  for (unsigned h = 0; h < space_.settings().heal_rounds && !is_settled(world); ++h) {
    worker.simulator.run_round(world, choices_.full(), Order::fifo(), true);
    if (h > 0) continue;
    healing = healing_name(worker, world, node);
    if (const auto known = healed_.find(healing)) return *known;
  }
  const Ending ending = ending_of(world.commits.conflict(), world.overflowed);
  if (healing != Fingerprint{} && healed_.bytes() < options_.memory_bytes / 4) healed_.insert(healing, ending);
  return ending;
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
  for (unsigned h = 0; h <= world.commits.top().number; ++h) writer.write(world.commits.at(Height(h)));
  writer.write(world.down);
  writer.write(is_settled(world));
  write_leaders(writer, oldest, node, space_.rounds());
  return writer.fingerprint();
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
bool Explorer<P>::describe(Worker& worker, World<P>& world, Node& node, unsigned done, std::uint32_t& renaming) {
  const bool has_crashes = !space_.settings().crashes.empty();
  if (options_.folds && !has_crashes) forget(world, worker.simulator.contexts());
  if (options_.folds) fold(world, cluster_.seat_count, has_crashes);
  if (options_.unbounded && !worker.gaps.close(world, cluster_.seat_count)) is_exact_ = false;
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
  unsigned oldest = ~0U;
  for (unsigned s = 0; s < cluster_.seat_count; ++s) {
    oldest = std::min<unsigned>(oldest, P::current_round(world.states[s]).number);
  }
  write_leaders(whole, oldest, node, done);
  node.fingerprint = whole.fingerprint();
  return true;
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
  for (unsigned round = std::max(oldest_round, 1U); round <= done; ++round) {
    writer.write(choices_.leaders(node.prefix[round - 1]).bits());
  }
}

template <Protocol P>
bool Explorer<P>::has_room(const Level& next) const {
  // Both levels and what they share; counted coarsely, since asking each time would cost more than it saves.
  return (result_.worlds_by_round.back() + next.size()) * Level::kBytesPerNode + seats_.bytes() + rests_.bytes() +
             (memo_ ? memo_->bytes() : 0) <
         options_.memory_bytes;
}

}  // namespace nika
