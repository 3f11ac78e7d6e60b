#include "nika/smt/race.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "nika/base/require.hpp"

namespace nika::smt {
namespace {

// The first is the one of the attempt before. The others differ in their arithmetic or in their luck: on hard questions
// of ours times differ by a factor of ten either way.
constexpr std::array<Z3Configuration, 4> kConfigurations{{{2, 0}, {6, 0}, {2, 1}, {6, 1}}};
constexpr unsigned kRounds = 4;

std::uint32_t integers_in(const Formula& formula, std::set<const Formula::Node*>& seen) {
  const Formula::Node& node = formula.node();
  if (!seen.insert(&node).second) return 0;
  std::uint32_t count = node.linear.terms().empty() ? 0 : node.linear.terms().back().first + 1;
  for (const Formula& child : node.children) count = std::max(count, integers_in(child, seen));
  return count;
}

std::uint32_t integers_in(const std::vector<Formula>& formulas) {
  std::set<const Formula::Node*> seen;
  std::uint32_t count = 0;
  for (const Formula& formula : formulas) count = std::max(count, integers_in(formula, seen));
  return count;
}

}  // namespace

Race::Race(std::vector<Formula> question, const Portfolio& portfolio)
    : question_(std::move(question)), portfolio_(portfolio) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  for (unsigned round = 0; round < kRounds; ++round) {
    const std::uint64_t effort = std::min<std::uint64_t>(std::uint64_t{portfolio.effort} << 2 * round, kMost);
    for (std::size_t i = round == 0 ? 1 : 0; i < kConfigurations.size(); ++i)
      turns_.push_back({kConfigurations[i], static_cast<std::uint32_t>(effort)});
  }
  turns_.push_back({kConfigurations[0], 0});
}

std::size_t Race::first_open() const {
  const auto open = std::find_if(turns_.begin(), turns_.end(), [](const Turn& turn) { return turn.is_open; });
  return static_cast<std::size_t>(open - turns_.begin());
}

std::int64_t Race::value(IntVariable variable) const {
  NIKA_REQUIRE(model_);
  if (variable.index >= model_->second.size()) return 0;
  const std::optional<std::int64_t>& value = model_->second[variable.index];
  if (!value) throw HugeValue();
  return *value;
}

Answer Race::solve(const Budget& budget) {
  const auto whole = [&] { work(budget); };
  if (portfolio_.crew != nullptr) {
    portfolio_.crew->run(whole);
  } else {
    whole();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (is_refuted_ && model_) {
    reason_ = "z3 contradicts itself";
    return Answer::unknown;
  }
  if (is_refuted_) return Answer::unsatisfiable;
  const std::size_t open = first_open();
  if (model_ && open > model_->first) return Answer::satisfiable;
  if (open < turns_.size()) reason_ = budget.reason();
  return Answer::unknown;
}

// The first turn that nobody has taken and that may still matter. Who finds none waits for the others: what they do not
// finish must be taken again.
std::list<Race::Running>::iterator Race::next_turn(std::unique_lock<std::mutex>& lock, const Budget& budget) {
  for (;;) {
    const std::size_t open = first_open();
    if (!failure_ && open < turns_.size() && !is_needless(open) && !budget.exhausted()) {
      running_.emplace_front().turn = open;
      turns_[open].is_open = false;
      return running_.begin();
    }
    if (running_.empty()) return running_.end();
    changed_.wait(lock);
  }
}

void Race::work(const Budget& budget) {
  try {
    take_turns(budget);
  } catch (...) {  // no memory to take one
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  changed_.notify_all();
}

void Race::take_turns(const Budget& budget) {
  std::unique_lock lock(mutex_);
  for (auto running = next_turn(lock, budget); running != running_.end(); running = next_turn(lock, budget)) {
    lock.unlock();
    Result result;
    std::exception_ptr failure;
    try {
      result = ask(*running, budget);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure;
    learn(*running, budget, std::move(result));
    running_.erase(running);
    changed_.notify_all();
  }
}

Race::Result Race::ask(const Running& running, const Budget& budget) const {
  const Turn& turn = turns_[running.turn];
  const std::unique_ptr<Solver> solver = make_z3_solver(turn.configuration);
  for (const Formula& formula : question_) solver->add(formula);
  Budget own = budget;
  own.needless = &running.needless;
  own.effort = turn.effort;
  Result result{solver->check(own), {}, solver->reason()};
  if (result.answer != Answer::satisfiable) return result;
  const std::uint32_t count = integers_in(question_);
  for (std::uint32_t i = 0; i < count; ++i) {
    try {
      result.values.emplace_back(solver->value({i}));
    } catch (const HugeValue&) {
      result.values.emplace_back(std::nullopt);
    }
  }
  return result;
}

void Race::stop_needless() {
  for (Running& running : running_) running.needless = is_needless(running.turn);
}

void Race::learn(const Running& running, const Budget& budget, Result result) {
  switch (result.answer) {
    case Answer::unsatisfiable: is_refuted_ = true; return stop_needless();
    case Answer::satisfiable:
      if (!is_needless(running.turn)) model_.emplace(running.turn, std::move(result.values));
      return stop_needless();
    case Answer::unknown: break;
  }
  if (is_needless(running.turn)) return;
  if (budget.exhausted() || failure_) {
    turns_[running.turn].is_open = true;
  } else if (running.turn + 1 == turns_.size()) {
    reason_ = result.reason;
  }
}

}  // namespace nika::smt
