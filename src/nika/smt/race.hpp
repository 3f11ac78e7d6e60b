// The turns of one question that was too hard for a first attempt. Any number of threads may work on it. Only for the
// portfolio solver.
#pragma once

#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nika/smt/portfolio_solver.hpp"

namespace nika::smt {

class Race {
 public:
  Race(std::vector<Formula> question, const Portfolio& portfolio);

  // Goes on until there is an answer or the budget is spent; then it may go on another time. A turn that was
  // interrupted begins anew, so that what comes of it does not depend on the clock.
  Answer solve(const Budget& budget);
  const std::string& reason() const { return reason_; }
  // Of the model, after "satisfiable".
  std::int64_t value(IntVariable variable) const;

 private:
  using Values = std::vector<std::optional<std::int64_t>>;
  struct Turn {
    Z3Configuration configuration;
    std::uint32_t effort = 0;  // 0: as long as it takes
    bool is_open = true;       // nobody has taken it, or whoever did was interrupted
  };
  struct Running {
    std::size_t turn = 0;
    std::atomic<bool> needless = false;
  };
  struct Result {
    Answer answer = Answer::unknown;
    Values values;
    std::string reason;
  };

  void work(const Budget& budget);
  void take_turns(const Budget& budget);
  std::size_t first_open() const;  // the number of turns if there is none
  std::list<Running>::iterator next_turn(std::unique_lock<std::mutex>& lock, const Budget& budget);
  Result ask(const Running& running, const Budget& budget) const;
  void learn(const Running& running, const Budget& budget, Result result);
  void stop_needless();
  bool is_needless(std::size_t turn) const { return is_refuted_ || (model_ && turn > model_->first); }

  const std::vector<Formula> question_;
  const Portfolio portfolio_;
  std::vector<Turn> turns_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Running> running_;
  bool is_refuted_ = false;
  std::optional<std::pair<std::size_t, Values>> model_;
  std::exception_ptr failure_;
  std::string reason_;
};

}  // namespace nika::smt
