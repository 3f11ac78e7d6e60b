// The member functions of Explorer. Included by explorer.hpp only.
#pragma once

#include "nika/explore/explorer.hpp"

namespace nika {

template <Protocol P>
SearchResult Explorer<P>::run() {
  monitor_words_ = Monitors(properties_).words();
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
    worker.schedule.set_leaders(Round(1), choices_.leader_sets()[l]);
    worker.network.start(worker.child, worker.schedule);
    if (options_.unbounded) {  // nobody crashes, so that the cast alone decides
      judge(worker.network, worker.child, worker.outcome);
      unjudged_ = worker.outcome.judgements[0].unjudged;
    }
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
  if (!result_.broken.empty()) {
    result_.verdict = Verdict::kViolated;
  } else if (result_.was_stopped) {
    result_.reason = "the search was stopped";
  } else if (result_.tally.unknown > 0) {
    result_.reason = "some scenarios could not be judged";
  } else if (unjudged_ != Unjudged::kJudged) {
    result_.reason = text_of(unjudged_);
  } else if (options_.unbounded && !result_.closed) {
    result_.reason = memory_was_full_ ? "there was no memory left to remember worlds"
                                      : "new worlds still appear after the last round";
  } else if (!is_exact_) {
    result_.reason = "no new world appears, but rounds were left out in which a replica lags";
  } else if (options_.unbounded && !result_.has_committed) {
    result_.reason = "nothing was committed in any world, so that nothing is shown";
  } else {
    result_.verdict = Verdict::kHolds;
  }
}

// Spreads the nodes over the threads; what the workers found is added up in an order that does not matter.
template <Protocol P>
void Explorer<P>::for_each_node(Level& level, const std::function<void(Worker&, const Node&)>& visit) {
  std::atomic<std::size_t> next_shard{0};
  std::mutex mutex;
  std::atomic<bool> has_failed{false};
  const auto work = [&](unsigned) {
    auto worker = std::make_unique<Worker>(*this);
    for (std::size_t shard = next_shard++; shard < Level::kShards; shard = next_shard++) {
      for (const Node& node : level.nodes_of(shard)) {
        if (is_stopped() || has_failed.load(std::memory_order_relaxed)) break;
        visit(*worker, node);
      }
    }
    const std::lock_guard lock(mutex);
    absorb(result_, worker->found);
  };
  run_on_threads(options_.threads, work, &has_failed);
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
  const auto next_leaders =
      static_cast<std::uint16_t>(is_last(done) ? choices_.rotations_by_first().size() : choices_.leader_sets().size());
  for (std::uint16_t l = 0; l < next_leaders; ++l) {
    step.next_leaders = l;
    step.surrounds = fingerprint_around_blocks(worker, step);
    for (const Choice& choice : choices_.with_leaders(node.leaders, symmetry)) {
      if (!choices_.allows(node, done, choice.configuration)) continue;
      set_leaders(worker.schedule, node, done);  // searching on from a child has changed them
      if (is_last(done)) worker.schedule.set_rotation(choices_.rotations_by_first()[l].front());
      if (done + 1 < space_.rounds()) worker.schedule.set_leaders(Round(done + 2), choices_.leader_sets()[l]);
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
  const bool has_committed = worker.worlds[step.done].commits.top() > Height(0) ||
                             std::ranges::any_of(worker.runs, [](const BlockRun<P>* r) { return r->has_committed(); });
  worker.found.has_committed = worker.found.has_committed || has_committed;
  child.committed = has_committed ? child.count : step.node->committed * choice.weight;
  if (settle_blocks(worker, step, child)) return;
  const Fingerprint raw = raw_name(worker, step, child);
  if (is_last(step.done)) return heal_once(worker, step, child, raw);
  if (step.next != nullptr && was_kept(raw, child, step)) return;
  assemble(worker, step, worker.child);
  std::uint32_t renaming = 0;
  if (!describe(worker, worker.child, child, step.done + 1, renaming)) {
    worker.child.overflowed = true;
    judge(worker.network, worker.child, worker.outcome);
    count_settled(worker.found, worker.outcome, child, step.done + 1);
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
  const World<P>& before = worker.worlds[step.done];
  worker.schedule.set_round(choice);
  const RoundAnswers& answers = worker.schedule.round(before.network_round.next());
  worker.runs.clear();
  const unsigned blocks = whole_rounds_ ? 1 : answers.links->component_count;
  for (unsigned c = 0; c < blocks; ++c) {
    const SeatSet block = whole_rounds_ ? cluster_.seats() : answers.links->components[c];
    const Fingerprint name = block_name(worker, step, block, choice);
    BlockRun<P>& run = worker.blocks.at(name, worker.runs);
    if (run.name != name) {
      worker.child.copy_from(before, block);
      if (whole_rounds_) {
        worker.network.run_round(worker.child, answers);
      } else {
        worker.network.run_block(worker.child, answers, block);
      }
      run.take(before, worker.child, block, worker.writer);
      run.name = name;
      // The first healing leader may have proposed already.
      if (choices_.renamings().count() > 1 && !is_last(step.done)) look_for_proposers(worker.child, block);
    }
    worker.runs.push_back(&run);
  }
}

template <Protocol P>
void Explorer<P>::look_for_proposers(const World<P>& world, SeatSet block) {
  const IdentitySet renamed = choices_.renamings().interchangeable_identities();
  for (Seat seat : block) {
    if (holds_value_of(world.states[index_of(seat)], renamed)) renamed_a_proposer_ = true;
  }
}

// True if the round settles the verdict. Agreement is settled by a conflict, inside a block or between two, or by a
// full buffer; what settles other properties may be anything in the world.
template <Protocol P>
bool Explorer<P>::settle_blocks(Worker& worker, const Step& step, const Node& child) {
  World<P>& world = worker.child;
  if (healing_settles_ && std::ranges::none_of(worker.runs, &BlockRun<P>::overflowed)) return false;
  if (!commits_settle_) {
    assemble(worker, step, world);
  } else {
    if (std::ranges::none_of(worker.runs, &BlockRun<P>::may_settle)) return false;
    world.copy_rest_from(worker.worlds[step.done]);
    for (const BlockRun<P>* run : worker.runs) run->put_commits_into(world);
  }
  if (!is_settled(worker.network, world)) return false;
  judge(worker.network, world, worker.outcome);
  count_settled(worker.found, worker.outcome, child, step.done + 1);
  return true;
}

template <Protocol P>
void Explorer<P>::assemble(Worker& worker, const Step& step, World<P>& world) {
  const World<P>& before = worker.worlds[step.done];
  world.copy_rest_from(before);
  world.network_round = before.network_round.next();
  world.pending_count = 0;
  for (const BlockRun<P>* run : worker.runs) run->put_into(world);
  worker.network.monitors().passed(world.monitors, worker.network.sight_of(world));
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
  if (options_.unbounded) return 1;
  if (done < space_.rounds()) return choices_.completions(child, done, child.leaders) * choices_.healings().size();
  return choices_.rotations_by_first()[child.leaders].size() * choices_.healings().orders().size();
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
void Explorer<P>::count_settled(SearchResult& found, const Outcome& outcome, const Node& node, unsigned length) const {
  BrokenPrefix where;
  where.configurations.assign(node.prefix.begin(), node.prefix.begin() + length);
  if (!options_.unbounded && length == space_.rounds())
    where.healing = choices_.healings().number(choices_.rotations_by_first()[node.leaders].front(), 0);
  count(found, outcome, node, completions(node, length), std::move(where));
}

template <Protocol P>
void Explorer<P>::count(SearchResult& found, const Outcome& outcome, const Node& node, Wide continuations,
                        BrokenPrefix where) const {
  found.tally.add(outcome, node.count * continuations);
  if (!outcome.has_committed) found.tally.committed += node.committed * continuations;
  for (std::size_t p = 0; p < outcome.judgements.size(); ++p) {
    const Judgement& judgement = outcome.judgements[p];
    if (judgement.verdict != Verdict::kViolated) continue;
    where.property = p;
    where.kind = judgement.evidence.kind;
    keep_first(found.broken, where);
  }
}

template <Protocol P>
void Explorer<P>::set_leaders(EnumeratedSchedule& schedule, const Node& node, unsigned done) const {
  if (options_.unbounded) return schedule.set_all_leaders(choices_.leader_sets()[0]);
  for (unsigned r = 0; r < done; ++r) schedule.set_leaders(Round(r + 1), choices_.leaders(node.prefix[r]));
  // Those of the healing rounds are the rotation's.
  if (done < space_.rounds()) schedule.set_leaders(Round(done + 1), choices_.leader_sets()[node.leaders]);
}

template <Protocol P>
bool Explorer<P>::has_room(const Level& next) const {
  // Both levels and what they share; counted coarsely, since asking each time would cost more than it saves.
  return (result_.worlds_by_round.back() + next.size()) * Level::kBytesPerNode + seats_.bytes() + rests_.bytes() +
             (memo_ ? memo_->bytes() : 0) <
         options_.memory_bytes;
}

}  // namespace nika
