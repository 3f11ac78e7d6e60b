// What every use of Z3 needs: a context that says when there is no memory for it, and a watchdog that ends what
// outlives its budget. Only for the files of this folder that speak to Z3.
#pragma once

#include <z3++.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include "nika/smt/solver.hpp"

namespace nika::smt {

// Interrupts a running check when the budget is spent. Z3's own timeout starts late in long preprocessing.
class Watchdog {
 public:
  Watchdog(z3::context& context, const Budget& budget)
      : thread_([this, &context, &budget] { watch(context, budget); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(z3::context& context, const Budget& budget) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return done_; })) {
      if (budget.exhausted()) context.interrupt();
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

// Z3's own class does not look whether there was memory for a context, and uses what is none.
class OwnContext {
 public:
  // The limit is in Z3's own units of work, the same on every machine; 0 means none.
  explicit OwnContext(std::uint32_t limit = 0) {
    const Z3_config config = Z3_mk_config();
    if (config == nullptr) throw std::bad_alloc();
    if (limit > 0) Z3_set_param_value(config, "rlimit", std::to_string(limit).c_str());
    context_ = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ~OwnContext() { Z3_del_context(context_); }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;
  Z3_context get() const { return context_; }

 private:
  Z3_context context_ = nullptr;
};

// Runs what calls Z3; memory that runs out there is what it is everywhere.
template <class Call>
auto with_memory(Call call) {
  try {
    return call();
  } catch (const z3::exception& error) {
    if (std::string_view(error.msg()).find("out of memory") != std::string_view::npos) throw std::bad_alloc();
    throw;
  }
}

}  // namespace nika::smt
