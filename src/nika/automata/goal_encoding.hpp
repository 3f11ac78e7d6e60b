// A temporal goal (the negation of a property, in normal form) over an encoded run: how many cuts it needs, and the
// obligations at and between the cuts. One query covers every order in which its parts can come true.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "nika/automata/normal_form.hpp"
#include "nika/automata/run_encoding.hpp"

namespace nika::automata {

struct GoalShape {
  std::uint32_t blocks = 0;       // between the start and the last cut
  std::uint32_t loop_blocks = 0;  // 0: staying in the last configuration for ever is loop enough
  bool looks_forever = false;     // the goal says something about all of the infinite run
};

struct ShapeNeeds {
  bool cycle = false;      // the automaton has one, so runs may loop
  bool whole_run = false;  // a run is wanted to its end, even if the goal in normal form could do without
};
GoalShape shape_of(const Normal& goal, const ShapeNeeds& needs);

// The state formulas that the goal wants to hold over stretches of the run.
std::vector<NormalPtr> invariants_in(const Normal& goal);

class GoalEncoding {
 public:
  // The run must have as many blocks as the goal's shape says.
  explicit GoalEncoding(RunEncoding& run) : run_(run) {}

  smt::Formula of(const NormalPtr& goal) { return at(goal, 0); }

 private:
  smt::Formula at(const NormalPtr& formula, std::size_t position);
  smt::Formula compute_at(const NormalPtr& formula, std::size_t position);
  smt::Formula always_from(const NormalPtr& formula, std::size_t position);
  smt::Formula during(const NormalPtr& formula, std::size_t block);
  std::size_t loop_begin() const { return run_.prefix().size(); }
  std::size_t position_count() const { return loop_begin() + std::max<std::size_t>(1, run_.loop().size()); }
  std::size_t block_count() const { return loop_begin() + run_.loop().size(); }
  std::size_t end_of(std::size_t block) const { return block + 1 < position_count() ? block + 1 : loop_begin(); }
  const Block& block_at(std::size_t block) const;
  const SymbolicConfiguration& configuration_at(std::size_t position) const;

  RunEncoding& run_;
  std::map<std::pair<const Normal*, std::size_t>, smt::Formula> known_;
};

}  // namespace nika::automata
