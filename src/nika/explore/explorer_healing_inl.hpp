// How the explorer lets worlds heal: after the last scheduled round only the way to heal is left to choose. A world is
// brought into its canonical form, heals once for each rotation of leaders and for all orders of arrival that decide
// alike, and is remembered after each healing round. Included by explorer.hpp only.
#pragma once

#include "nika/explore/explorer.hpp"

namespace nika {

template <Protocol P>
void Explorer<P>::heal_once(Worker& worker, const Step& step, Node& child, const Fingerprint& raw) {
  if (const auto known = ended_.find(raw)) return count_ended(worker.found, *known, child);
  assemble(worker, step, worker.child);
  const bool is_simple = commits_settle_ && choices_.healings().size() == 1;
  const Ended ended = is_simple ? heal_for_agreement(worker, child) : heal_in_all_ways(worker, child);
  count_ended(worker.found, ended, child);
  if (ended_.bytes() < options_.memory_bytes / 2) {
    ended_.insert(raw, ended);
  } else {
    memory_was_full_ = true;
  }
}

template <Protocol P>
void Explorer<P>::count_ended(SearchResult& found, const Ended& ended, Node& node) {
  const unsigned rounds = space_.rounds();
  if (ended.renaming != 0) rename_prefix(node, ended.renaming, rounds);
  for (const Spread::Part& part : spreads_[ended.spread].parts()) {
    BrokenPrefix where;
    where.configurations.assign(node.prefix.begin(), node.prefix.begin() + rounds);
    where.while_healing = true;
    where.healing = part.first;
    count(found, endings_[{part.ending}], node, part.count, std::move(where));
  }
}

// Few worlds differ after their first healing round.
template <Protocol P>
auto Explorer<P>::heal_for_agreement(Worker& worker, const Node& node) -> Ended {
  World<P>& world = worker.child;
  set_leaders(worker.schedule, node, space_.rounds());
  Fingerprint healing;
  if (step(worker.network, world, worker.schedule)) {
    healing = healing_name(worker, world, node);
    if (const auto known = healed_.find(healing)) return {*known, 0};
  }
  finish(worker.network, world, worker.schedule, worker.outcome);
  Spread spread;
  spread.add({endings_.number_of(worker.outcome).number, 1, 0});
  const std::uint32_t number = spreads_.number_of(spread);
  if (healing != Fingerprint{} && healed_.bytes() < options_.memory_bytes / 4) healed_.insert(healing, number);
  return {number, 0};
}

template <Protocol P>
auto Explorer<P>::heal_in_all_ways(Worker& worker, const Node& child) -> Ended {
  if (worker.healing.empty()) worker.healing.emplace_back();
  World<P>& world = worker.healing.front();
  world.copy_from(worker.child, cluster_.seats());
  Node node = child;
  set_leaders(worker.schedule, node, space_.rounds());
  reduce(worker, world);
  const auto renaming = static_cast<std::uint32_t>(sorting_renaming(world, choices_.renamings()));
  if (!choices_.renamings().is_identity(renaming)) {
    rename(world, choices_.renamings().relabelling(renaming), cluster_.seat_count);
    rename_prefix(node, renaming, space_.rounds());
    node.leaders = choices_.renamed_first(renaming, node.leaders);
  }
  sort_pending(world);
  const Fingerprint name = healing_name(worker, world, node);
  if (const auto known = healed_.find(name)) return {*known, renaming};
  Spread spread;
  for (const std::size_t rotation : choices_.rotations_by_first()[node.leaders]) {
    worker.schedule.set_rotation(rotation);
    heal_on(worker, node, {.rotation = rotation}, arrival_orders_.all(), spread);
  }
  const std::uint32_t number = spreads_.number_of(spread);
  if (healed_.bytes() < options_.memory_bytes / 4) healed_.insert(name, number);
  return {number, renaming};
}

// From the world after so many healing rounds, under each of the orders that are left.
template <Protocol P>
void Explorer<P>::heal_on(Worker& worker, const Node& node, const Healed& healed, OrderSet left, Spread& total) {
  if (worker.healing.size() < healed.rounds + 2U) worker.healing.emplace_back();
  World<P>& next = worker.healing[healed.rounds + 1];
  while (!left.empty()) {
    const std::size_t order = left.first();
    next.copy_from(worker.healing[healed.rounds], cluster_.seats());
    worker.schedule.set_heal_order(order);
    worker.rivals.clear();
    worker.network.rivals = &worker.rivals;
    const bool went_on = step(worker.network, next, worker.schedule);
    worker.network.rivals = nullptr;
    if (!went_on) {
      judge(worker.network, next, worker.outcome);
      worker.outcome.has_committed = worker.outcome.has_committed || healed.has_committed;
      total.add(
          {endings_.number_of(worker.outcome).number, left.size(), choices_.healings().number(healed.rotation, order)});
      return;
    }
    ++worker.found.healing_rounds;
    OrderSet alike = arrival_orders_.alike(order, worker.rivals, left);
    left.remove(alike);
    const Healed further{healed.rotation, healed.rounds + 1, healed.has_committed || next.commits.top() > Height(0)};
    reduce(worker, next);
    sort_pending(next);
    const Fingerprint name = name_of(worker, node, further, alike);
    auto known = healed_.find(name);
    if (!known) {
      Spread part;
      heal_on(worker, node, further, std::move(alike), part);
      known = spreads_.number_of(part);
      if (healed_.bytes() < options_.memory_bytes / 4) healed_.insert(name, *known);
    }
    total.add(spreads_[*known]);
  }
}

// Of the world after so many healing rounds, and of all that is left to choose.
template <Protocol P>
Fingerprint Explorer<P>::name_of(Worker& worker, const Node& node, const Healed& healed, const OrderSet& orders) const {
  const Fingerprint world = healing_name(worker, worker.healing[healed.rounds], node);
  worker.writer.clear();
  worker.writer.write(world);
  worker.writer.write(static_cast<std::uint32_t>(healed.rounds));
  worker.writer.write(static_cast<std::uint32_t>(healed.rotation));
  worker.writer.write(healed.has_committed);
  worker.writer.write(orders.fingerprint());
  return worker.writer.fingerprint();
}

}  // namespace nika
