// Runs of a System as solver formulas: a start, then blocks between the cuts that a temporal formula needs, then
// perhaps a loop. Two precisions. Layered: blocks up to reordering, exact at the cuts. Ordered: every single
// accelerated step in a fixed order, several rounds, exact everywhere but bounded. docs/threshold-automata.md has the
// correctness argument.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "nika/automata/system.hpp"
#include "nika/smt/solver.hpp"

namespace nika::automata {

// Transitions that fire together, each as often as its variable says, in whatever order is possible.
struct Segment {
  std::vector<std::pair<std::uint32_t, smt::IntVariable>> counts;
};

// What happens between two cuts.
struct Block {
  SymbolicConfiguration begin;
  SymbolicConfiguration end;
  std::vector<Segment> segments;
  std::vector<SymbolicConfiguration> between;  // ordered blocks only: the configuration after each segment
  std::vector<smt::Linear> fired;              // by transition: how often in this block
  smt::Linear total;                           // all firings in this block
};

// Planted errors, for the test that shows that the cross-check notices them. Never set outside of tests.
enum class PlantedError { none, ignore_falling_guards, one_segment_per_layer, forget_connectivity, one_cut_too_few };

struct EncodingOptions {
  std::uint32_t rounds = 0;  // 0: layered; otherwise ordered, with so many rounds in each block
  PlantedError planted = PlantedError::none;
  // Layered blocks only: what fires while an invariant holds has a configuration of its own in which it can.
  bool witnesses = false;
};

class RunEncoding {
 public:
  RunEncoding(const System& system, smt::Solver& solver, EncodingOptions options);

  const System& system() const { return system_; }
  const EncodingOptions& options() const { return options_; }
  const SymbolicConfiguration& initial() const { return initial_; }
  const std::vector<Block>& prefix() const { return prefix_; }
  const std::vector<Block>& loop() const { return loop_; }
  smt::Linear total() const;       // all firings
  smt::Linear parameters() const;  // their sum

  void add_block();
  // Closes a lasso at the end of the prefix with so many blocks. The atoms are those that the temporal formula watches.
  // False if some loops had to be left out: then "no run found" proves nothing.
  [[nodiscard]] bool add_loop(std::uint32_t blocks, const std::vector<Expression>& watched);

  // The run may go on for ever as it does after the prefix: its loop fires a rule, or somebody may stay where it is, or
  // no rule can fire. Only for automata that say where one may stay.
  smt::Formula never_stops_early() const;

  smt::IntVariable fresh();
  // The state formula holds at every configuration of the block, ends included. In layered blocks this is a consequence
  // of that, not always equivalent to it.
  smt::Formula invariant_of(const Block& block, const Normal& formula);

 private:
  using Members = std::vector<std::uint32_t>;

  void add_layered_segment(Block& block, const Layer& layer);
  void add_ordered_round(Block& block, const Members& members);
  Segment start_segment(Block& block, const Members& members, SymbolicConfiguration& configuration);
  void require_guards(const Segment& segment, const SymbolicConfiguration& before, const SymbolicConfiguration& after);
  void require_tokens(const Segment& segment, const SymbolicConfiguration& after);
  void require_connection(const Segment& segment, const SymbolicConfiguration& before);
  bool require_drift(const Block& block, const SymbolicConfiguration& loop_begin,
                     const std::vector<Expression>& watched);
  smt::Formula ends_and_entries(const Block& block, const Normal& formula) const;
  smt::Formula fires_only_inside(const Block& block, const Normal& formula);
  smt::Formula can_fire_inside(const Block& block, std::uint32_t index, const Normal& formula);
  smt::Formula forbids_entry(const Block& block, const Expression& atom) const;
  Block empty_block(const SymbolicConfiguration& begin) const;

  const System& system_;
  smt::Solver& solver_;
  EncodingOptions options_;
  SymbolicConfiguration initial_;
  std::vector<Block> prefix_;
  std::vector<Block> loop_;
  Members order_;  // all transitions, those that feed others first as far as possible
  std::uint32_t next_integer_ = 0;
  std::uint32_t next_boolean_ = 0;
};

}  // namespace nika::automata
