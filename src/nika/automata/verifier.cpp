#include "nika/automata/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "nika/automata/explicit_search.hpp"
#include "nika/automata/goal_encoding.hpp"
#include "nika/automata/safety_check.hpp"
#include "nika/automata/safety_system.hpp"
#include "nika/automata/witness.hpp"

namespace nika::automata {
namespace {

constexpr std::int64_t kHuge = 1'000'000'000'000;
constexpr std::int64_t kMaxParameters = kHuge / 1'000;
// On cycles firings are put in order one by one; elsewhere many at once.
constexpr std::int64_t kMaxFiringsOnCycles = 200'000;
constexpr std::int64_t kMaxFirings = kHuge / 1'000;
constexpr std::size_t kMaxOrderedSteps = 3'000;
constexpr const char* kRestsOnSelfLoops =
    "because nobody may stay in a location without a self-loop; if one might, the answer could be another";

std::unique_ptr<smt::Solver> solver_for(const VerifyOptions& options) {
  auto solver = options.backend == smt::Backend::z3 ? smt::make_portfolio_solver(options.portfolio)
                                                    : smt::make_solver(options.backend);
  if (options.records) return std::make_unique<smt::RecordingSolver>(options.backend, std::move(solver));
  return solver;
}

// One query: an encoding of some precision, with the goal required of it.
class Query {
 public:
  Query(const System& system, const Formula& property, const VerifyOptions& options, const EncodingOptions& encoding)
      : system_(system),
        property_(property),
        options_(options),
        goal_(without_unpredictable(system, negated_normal_form(property))),
        solver_(solver_for(options)),
        run_(system, *solver_, encoding) {
    GoalShape shape = shape_of(*goal_, {system.has_cycle, !is_settled_by_prefixes(property, true)});
    may_stop_early_ = shape.looks_forever && !system.stays.empty() && !system.relaxed;
    if (options.planted == PlantedError::one_cut_too_few && shape.blocks > 0) --shape.blocks;
    for (std::uint32_t i = 0; i < shape.blocks; ++i) run_.add_block();
    if (shape.loop_blocks > 0) complete_ = run_.add_loop(shape.loop_blocks, atoms_of(*goal_));
    solver_->add(GoalEncoding(run_).of(goal_));
  }

  smt::Answer check() {
    ++queries_;
    return solver_->check(options_.budget);
  }

  // Until this is required, a run may stop anywhere for ever, although the automaton says where one may stay.
  bool may_stop_early() const { return may_stop_early_; }
  bool has_forbidden_stopping() const { return has_forbidden_stopping_; }
  void forbid_stopping_early() {
    solver_->add(run_.never_stops_early());
    may_stop_early_ = false;
    has_forbidden_stopping_ = true;
  }

  // Reads the model and keeps it if it is better than none; says whether it was a genuine counterexample.
  bool keep_witness() {
    const std::int64_t most = system_.has_cycle ? kMaxFiringsOnCycles : kMaxFirings;
    if (value(run_.total()) > most || value(run_.parameters()) > kMaxParameters) {
      objection_ = "the run found is too long to be replayed";
      return false;
    }
    std::optional<Counterexample> witness = witness_of(run_, *solver_);
    if (!witness) {
      objection_ = "the firings that the solver found cannot be ordered";
      wrong_ = true;
      return false;
    }
    if (const auto objection = objection_to(*system_.automaton, property_, *witness)) {
      objection_ = *objection;
      wrong_ = wrong_ || (objection_ != kSatisfiesFormula && objection_ != kLoopIsNoticed);
      return false;
    }
    best_ = std::move(witness);
    return true;
  }

  // Small parameters first, then few steps, by halving; each step of it may fail without harm.
  void minimise() {
    if (minimise(run_.parameters())) minimise(run_.total());
  }

  // After an answer of "unsatisfiable": the question, if it was recorded.
  std::shared_ptr<const smt::Refutation> proof() const {
    const auto* recorder = dynamic_cast<const smt::RecordingSolver*>(solver_.get());
    if (recorder == nullptr) return nullptr;
    auto refutation = std::make_shared<smt::Refutation>(recorder->last_refutation());
    const std::uint32_t rounds = run_.options().rounds;
    refutation->about =
        fmt::format("no run violates it, up to reordering: {} blocks, {} loop blocks{}", run_.prefix().size(),
                    run_.loop().size(), rounds == 0 ? "" : fmt::format(", {} ordered rounds each", rounds));
    return refutation;
  }

  bool complete() const { return complete_; }
  bool wrong() const { return wrong_; }
  std::uint32_t queries() const { return queries_; }
  const std::string& objection() const { return objection_; }
  std::string solver_reason() const { return solver_->reason(); }
  const std::optional<Counterexample>& best() const { return best_; }

 private:
  // Of a sum of natural numbers; the limit if it is larger.
  std::int64_t value(const smt::Linear& sum) {
    std::int64_t result = sum.constant();
    for (const auto& [variable, factor] : sum.terms()) {
      try {
        result = std::min(kHuge, result + factor * std::min(kHuge, solver_->value({variable})));
      } catch (const smt::HugeValue&) {
        return kHuge;
      }
    }
    return result;
  }

  // The solver must hold a model when this starts, and does when it returns true.
  bool minimise(const smt::Linear& measure) {
    std::int64_t low = 0;
    std::int64_t high = value(measure);
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      solver_->push();
      solver_->add(measure <= smt::Linear(middle));
      const bool found = check() == smt::Answer::satisfiable;
      if (found) high = value(measure);
      if (found) keep_witness();
      solver_->pop();
      if (!found) low = middle + 1;
      if (options_.budget.exhausted()) return false;
    }
    solver_->add(measure <= smt::Linear(high));
    if (check() != smt::Answer::satisfiable) return false;
    keep_witness();
    return true;
  }

  const System& system_;
  const Formula& property_;
  const VerifyOptions& options_;
  NormalPtr goal_;
  std::unique_ptr<smt::Solver> solver_;
  RunEncoding run_;
  bool complete_ = true;
  bool wrong_ = false;
  bool may_stop_early_ = false;
  bool has_forbidden_stopping_ = false;
  std::uint32_t queries_ = 0;
  std::string objection_;
  std::optional<Counterexample> best_;
};

bool is_emptiness(const Automaton& automaton, const Expression& atom) {
  return atom.constant() == 0 && std::all_of(atom.terms().begin(), atom.terms().end(), [&](const auto& term) {
           return automaton.is_location(term.first) && term.second < 0;
         });
}

bool is_occupancy(const Automaton& automaton, const Expression& atom) {
  return atom.constant() == -1 && std::all_of(atom.terms().begin(), atom.terms().end(), [&](const auto& term) {
           return automaton.is_location(term.first) && term.second > 0;
         });
}

bool reads_locations(const Automaton& automaton, const Expression& atom) {
  return std::any_of(atom.terms().begin(), atom.terms().end(),
                     [&](const auto& term) { return automaton.is_location(term.first); });
}

// For which invariants a bounded number of rounds is enough; section "Ordered blocks" of docs/threshold-automata.md.
class RoundBound {
 public:
  RoundBound(const System& system, const Normal& goal) : automaton_(*system.automaton) {
    std::set<std::string> seen;
    for (const Transition& transition : system.transitions) {
      for (const Expression& atom : atoms_of(*transition.guard)) {
        if (!seen.insert(key_of(atom)).second) continue;
        changes_ += direction_of(automaton_, atom) == Direction::falling ? 2 : 1;
      }
    }
    covered_ = !system.has_cycle;
    for (const NormalPtr& invariant : invariants_in(goal)) add(*invariant);
    covered_ = covered_ && occupancies_.size() <= 1;
  }

  std::optional<std::uint32_t> rounds() const {
    if (!covered_) return std::nullopt;
    return 3 * (changes_ + 1);
  }

 private:
  void add(const Normal& invariant) {
    if (invariant.kind == Normal::Kind::conjunction) {
      for (const NormalPtr& child : invariant.children) add(*child);
      return;
    }
    const bool atomic = invariant.kind == Normal::Kind::atom;
    std::uint32_t emptinesses = 0;
    Expression occupied;
    for (const NormalPtr& child :
         atomic ? std::vector<NormalPtr>{std::make_shared<const Normal>(invariant)} : invariant.children) {
      if (child->kind != Normal::Kind::atom) {
        covered_ = false;
      } else if (is_emptiness(automaton_, child->atom)) {
        ++emptinesses;
      } else if (is_occupancy(automaton_, child->atom)) {
        occupied += child->atom;
      } else if (reads_locations(automaton_, child->atom) ||
                 direction_of(automaton_, child->atom) == Direction::mixed) {
        covered_ = false;
      } else {
        changes_ += 2;
      }
    }
    if (!occupied.terms().empty()) occupancies_.insert(key_of(occupied));
    covered_ = covered_ && emptinesses + (occupied.terms().empty() ? 0 : 1) <= 1;
  }

  const Automaton& automaton_;
  bool covered_ = true;
  std::uint32_t changes_ = 0;
  std::set<std::string> occupancies_;
};

}  // namespace

class Verification::Course {
 public:
  Course(const System& system, const Formula& property, const VerifyOptions& options)
      : system_(system), property_(property), options_(options) {}

  Outcome go_on(const smt::Budget& budget, const smt::Budget& to_minimise) {
    options_.budget = budget;
    to_minimise_ = to_minimise;
    outcome_.reason.clear();
    if (system_.relaxed) return decide_relaxed();
    if (rounds_ == 0 && !witnesses_) {
      if (attempt()) return outcome_;
      witnesses_ = true;
    }
    if (rounds_ == 0 && attempt()) return outcome_;
    return refine();
  }

 private:
  Outcome unknown(std::string reason) {
    outcome_.verdict = Verdict::unknown;
    outcome_.note.clear();
    outcome_.reason = std::move(reason);
    return outcome_;
  }

  // Outside the fragment: what holds of the relaxation holds of the automaton; otherwise small parameters are searched.
  Outcome decide_relaxed() {
    if (!is_relaxation_answered_) {
      if (!query_) query_ = std::make_unique<Query>(system_, property_, options_, encoding());
      const smt::Answer answer = query_->check();
      outcome_.queries = query_->queries();
      if (answer == smt::Answer::unsatisfiable && query_->complete()) {
        outcome_.verdict = Verdict::holds;
        outcome_.proof = query_->proof();
        return outcome_;
      }
      if (options_.budget.exhausted()) return unknown(options_.budget.reason());
      is_relaxation_answered_ = true;
      query_.reset();
    }
    return search();
  }

  // Small parameters by brute force and, for safety, all parameters by safety_check.hpp, in turns of growing effort.
  Outcome search() {
    if (!safety_ && is_safety(property_)) safety_ = std::make_unique<SafetyCheck>(*system_.automaton, property_);
    for (; searched_ < options_.deepest_search; ++turns_) {
      if (safety_ && safety_->is_covered(options_.budget)) {
        outcome_.verdict = Verdict::holds;
        return outcome_;
      }
      const smt::Budget budget = budget_of_search();
      const std::int64_t most = searched_ + 1;
      // Larger parameters have more configurations.
      const std::size_t configurations = std::size_t{5'000}
                                         << static_cast<unsigned>(std::clamp<std::int64_t>(most - 5, 0, 8));
      const ExplicitResult result =
          search_explicitly(*system_.automaton, property_, {most, most, configurations, budget});
      if (result.answer == ExplicitAnswer::violated) return found(result.run);
      if (!budget.exhausted()) ++searched_;
      if (safety_ && decide_safety()) return outcome_;
      if (options_.budget.exhausted()) return unknown(out_of_search());
    }
    return unknown(fmt::format("outside the fragment: {}; {}", *system_.relaxed, searched_text()));
  }

  // Where there are others that want a turn, and a limit to the time, each turn is four times as long as the last.
  smt::Budget budget_of_search() const {
    constexpr std::chrono::milliseconds kFirstTurn{250};
    constexpr unsigned kMostGrowth = 10;
    if (!safety_ || !options_.budget.has_deadline()) return options_.budget;
    return options_.budget.at_most(kFirstTurn * (std::int64_t{1} << 2 * std::min(turns_, kMostGrowth)));
  }

  bool decide_safety() {
    const SafetyCheck::Turn turn = safety_->next(options_.backend, options_.budget);
    outcome_.queries += turn.queries;
    if (turn.answer == SafetyCheck::Answer::unknown) return false;
    outcome_.verdict = turn.answer == SafetyCheck::Answer::holds ? Verdict::holds : Verdict::violated;
    outcome_.counterexample = turn.run;
    return true;
  }

  Outcome found(const Counterexample& run) {
    if (const auto objection = objection_to(*system_.automaton, property_, run)) {
      outcome_.solver_is_wrong = true;
      return unknown("internal error: " + *objection);
    }
    outcome_.verdict = Verdict::violated;
    outcome_.counterexample = run;
    return outcome_;
  }

  std::string searched_text() const { return fmt::format("nothing was found with parameters up to {}", searched_); }
  std::string out_of_search() const {
    if (searched_ == 0) return options_.budget.reason();
    return fmt::format("{}, outside the fragment: {}; {}", options_.budget.reason(), *system_.relaxed, searched_text());
  }

  EncodingOptions encoding() const { return {rounds_, options_.planted, witnesses_ && rounds_ == 0}; }

  // True if the outcome is final, or if the time is over: then the query is kept.
  bool attempt() {
    if (!query_) query_ = std::make_unique<Query>(system_, property_, options_, encoding());
    const bool is_final = ask();
    outcome_.queries = finished_queries_ + query_->queries();
    if (outcome_.verdict == Verdict::unknown && is_final && options_.budget.exhausted()) return true;
    finished_queries_ = outcome_.queries;
    query_.reset();
    return is_final;
  }

  bool ask() {
    smt::Answer answer = query_->check();
    if (answer == smt::Answer::satisfiable && query_->may_stop_early()) {
      query_->forbid_stopping_early();
      answer = query_->check();
    }
    if (answer == smt::Answer::unsatisfiable && query_->has_forbidden_stopping()) outcome_.note = kRestsOnSelfLoops;
    outcome_.proof = answer == smt::Answer::unsatisfiable ? query_->proof() : nullptr;
    if (answer == smt::Answer::satisfiable) {
      query_->keep_witness();
      const smt::Budget budget = std::exchange(options_.budget, to_minimise_);
      if (options_.minimise || !query_->best()) query_->minimise();
      options_.budget = budget;
    }
    outcome_.solver_is_wrong = query_->wrong();
    if (query_->best()) {
      outcome_.verdict = Verdict::violated;
      outcome_.note.clear();
      outcome_.counterexample = query_->best();
      return true;
    }
    if (query_->wrong()) return unknown(fmt::format("internal error: {}", query_->objection())), true;
    if (answer == smt::Answer::unknown) return unknown(query_->solver_reason()), true;
    if (answer == smt::Answer::satisfiable) {
      // What ordered blocks find is a run; if it cannot be replayed, there is one all the same.
      if (rounds_ > 0) return unknown(query_->objection()), true;
      return false;
    }
    if (!query_->complete()) {
      return unknown("a loop that adds to shared variables is outside the fragment for this formula"), true;
    }
    if (rounds_ > 0) return false;
    outcome_.verdict = Verdict::holds;
    return true;
  }

  // Layered runs satisfy the goal at the cuts, but the one found breaks an invariant between them.
  Outcome refine() {
    const std::optional<std::uint32_t> bound = RoundBound(system_, *negated_normal_form(property_)).rounds();
    const std::size_t steps = std::max<std::size_t>(1, system_.transitions.size());
    for (rounds_ = std::max<std::uint32_t>(rounds_, 1);; rounds_ = rounds_ < 3 ? rounds_ + 1 : rounds_ * 2) {
      if (bound) rounds_ = std::min(rounds_, *bound);
      if (rounds_ * steps > kMaxOrderedSteps) return unknown("an invariant between the cuts needs too many steps");
      if (attempt()) return outcome_;
      if (bound && rounds_ == *bound) {
        outcome_.verdict = Verdict::holds;
        return outcome_;
      }
      if (!bound && rounds_ >= 48)
        return unknown("no run found in 48 rounds, and the invariant's shape has no known bound");
    }
  }

  const System& system_;
  const Formula& property_;
  VerifyOptions options_;
  smt::Budget to_minimise_;
  Outcome outcome_;
  std::unique_ptr<Query> query_;  // the one that is being asked
  std::uint32_t rounds_ = 0;      // of the query; 0: layered
  bool witnesses_ = false;        // of a layered query
  std::uint32_t finished_queries_ = 0;
  bool is_relaxation_answered_ = false;
  std::unique_ptr<SafetyCheck> safety_;
  unsigned turns_ = 0;
  std::int64_t searched_ = 0;  // outside the fragment: up to these parameters
};

Verification::Verification(const System& system, const Formula& property, const VerifyOptions& options)
    : course_(std::make_unique<Course>(system, property, options)) {}
Verification::~Verification() = default;

Outcome Verification::go_on(const smt::Budget& budget, const smt::Budget& to_minimise) {
  return course_->go_on(budget, to_minimise);
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::violated: return "violated";
    case Verdict::unknown: break;
  }
  return "unknown";
}

Outcome verify_property(const System& system, const Formula& property, const VerifyOptions& options) {
  return Verification(system, property, options).go_on(options.budget, options.budget);
}

}  // namespace nika::automata
