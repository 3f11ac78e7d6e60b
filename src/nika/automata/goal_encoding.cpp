#include "nika/automata/goal_encoding.hpp"

#include <algorithm>

namespace nika::automata {
namespace {

std::uint32_t modal_count(const Normal& formula, Normal::Kind kind) {
  std::uint32_t count = formula.kind == kind ? 1 : 0;
  for (const NormalPtr& child : formula.children) count += modal_count(*child, kind);
  return count;
}

// Cuts inside of "always": each temporal part changes its truth at most once, between two neighbouring configurations.
std::uint32_t cuts_under_always(const Normal& formula) {
  return 2 * (modal_count(formula, Normal::Kind::eventually) + modal_count(formula, Normal::Kind::always));
}

std::uint32_t cuts_of(const Normal& formula) {
  if (!formula.temporal) return 0;
  const Normal& child = *formula.children.front();
  std::uint32_t cuts = 0;
  switch (formula.kind) {
    case Normal::Kind::conjunction:
      for (const NormalPtr& part : formula.children) cuts += cuts_of(*part);
      return cuts;
    case Normal::Kind::disjunction:
      for (const NormalPtr& part : formula.children) cuts = std::max(cuts, cuts_of(*part));
      return cuts;
    case Normal::Kind::always:
      // "Always eventually p" has its witness in the loop.
      if (child.kind == Normal::Kind::eventually && !child.children.front()->temporal) return 0;
      return cuts_under_always(child);
    case Normal::Kind::eventually:
      // "Eventually always p" can wait until the loop.
      if (child.kind == Normal::Kind::always) return cuts_of(child);
      return 1 + cuts_of(child);
    case Normal::Kind::constant:
    case Normal::Kind::atom: break;
  }
  return 0;
}

std::uint32_t eventualities_under_always(const Normal& formula, bool under) {
  std::uint32_t count = under && formula.kind == Normal::Kind::eventually ? 1 : 0;
  for (const NormalPtr& child : formula.children) {
    count += eventualities_under_always(*child, under || formula.kind == Normal::Kind::always);
  }
  return count;
}

void collect_invariants(const NormalPtr& formula, bool under, std::vector<NormalPtr>& found) {
  if (!formula->temporal) {
    if (under) found.push_back(formula);
    return;
  }
  // What stands below "eventually" is wanted at one cut only.
  const bool below = formula->kind == Normal::Kind::always || (under && formula->kind != Normal::Kind::eventually);
  for (const NormalPtr& child : formula->children) collect_invariants(child, below, found);
}

}  // namespace

GoalShape shape_of(const Normal& goal, const ShapeNeeds& needs) {
  GoalShape shape;
  shape.looks_forever = needs.whole_run || modal_count(goal, Normal::Kind::always) > 0;
  shape.blocks = cuts_of(goal) + (shape.looks_forever ? 1 : 0);
  if (shape.looks_forever && needs.cycle) {
    shape.loop_blocks = std::max<std::uint32_t>(1, eventualities_under_always(goal, false));
  }
  return shape;
}

std::vector<NormalPtr> invariants_in(const Normal& goal) {
  std::vector<NormalPtr> found;
  collect_invariants(std::make_shared<const Normal>(goal), false, found);
  return found;
}

const Block& GoalEncoding::block_at(std::size_t block) const {
  return block < loop_begin() ? run_.prefix()[block] : run_.loop()[block - loop_begin()];
}

const SymbolicConfiguration& GoalEncoding::configuration_at(std::size_t position) const {
  if (position < block_count()) return block_at(position).begin;
  return run_.prefix().empty() ? run_.initial() : run_.prefix().back().end;
}

smt::Formula GoalEncoding::at(const NormalPtr& formula, std::size_t position) {
  const auto key = std::make_pair(formula.get(), position);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const smt::Formula result = compute_at(formula, position);
  known_.emplace(key, result);
  return result;
}

smt::Formula GoalEncoding::compute_at(const NormalPtr& formula, std::size_t position) {
  if (!formula->temporal) return instantiate(*formula, configuration_at(position));
  std::vector<smt::Formula> parts;
  switch (formula->kind) {
    case Normal::Kind::always: return always_from(formula->children.front(), position);
    case Normal::Kind::eventually:
      for (std::size_t i = std::min(position, loop_begin()); i < position_count(); ++i) {
        parts.push_back(at(formula->children.front(), i));
      }
      return smt::any_of(std::move(parts));
    default: break;
  }
  for (const NormalPtr& child : formula->children) parts.push_back(at(child, position));
  return formula->kind == Normal::Kind::conjunction ? smt::all_of(std::move(parts)) : smt::any_of(std::move(parts));
}

smt::Formula GoalEncoding::always_from(const NormalPtr& formula, std::size_t position) {
  std::vector<smt::Formula> parts;
  const std::size_t first = std::min(position, loop_begin());
  for (std::size_t i = first; i < position_count(); ++i) parts.push_back(at(formula, i));
  for (std::size_t i = first; i < block_count(); ++i) parts.push_back(during(formula, i));
  return smt::all_of(std::move(parts));
}

// The formula holds at every configuration of the block but perhaps the last, which is a cut of its own.
smt::Formula GoalEncoding::during(const NormalPtr& formula, std::size_t block) {
  if (!formula->temporal) return run_.invariant_of(block_at(block), *formula);
  if (formula->kind == Normal::Kind::eventually) return at(formula, end_of(block));
  if (formula->kind == Normal::Kind::always) return at(formula, block);
  std::vector<smt::Formula> parts;
  for (const NormalPtr& child : formula->children) parts.push_back(during(child, block));
  if (formula->kind == Normal::Kind::conjunction) return smt::all_of(std::move(parts));
  // A block of one step has nothing between its ends.
  parts.push_back(block_at(block).total <= smt::Linear(1) && at(formula, block));
  return smt::any_of(std::move(parts));
}

}  // namespace nika::automata
