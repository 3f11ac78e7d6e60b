// What honest seats have committed so far: one value per height, and the first disagreement. This is the agreement
// property in the form that the inner loop can afford; the report explains a violation from the trace.
#pragma once

#include <array>

#include "nika/model/outcome.hpp"
#include "nika/model/protocol.hpp"

namespace nika {

class CommitLog {
 public:
  // Records that an honest seat committed; remembers the first conflict and ignores what follows.
  void record(Seat seat, Commit commit) {
    Entry& entry = entries_[commit.height.number];
    seats_.insert(seat);
    if (commit.height > top_) top_ = commit.height;
    if (entry.value.is_genesis()) {
      entry = {commit.value, seat, 0};
    } else if (entry.value != commit.value && !conflict_.found) {
      conflict_ = {true, commit.height, entry.seat, seat, entry.value, commit.value};
    }
  }
  const Conflict& conflict() const { return conflict_; }
  ValueId at(Height height) const { return entries_[height.number].value; }
  Height top() const { return top_; }
  SeatSet seats() const { return seats_; }  // that committed anything
  void clear() {
    for (unsigned h = 0; h <= top_.number; ++h) entries_[h] = {};
    top_ = {};
    seats_ = {};
    conflict_ = {};
  }
  // For describing a world anew: the value at `height` was first committed by nobody in particular.
  void assume(Height height, ValueId value) {
    entries_[height.number] = {value, {}, 0};
    if (height > top_) top_ = height;
  }
  // Copies only what is in use.
  void copy_from(const CommitLog& other) {
    clear();
    std::copy_n(other.entries_.begin(), other.top_.number + 1U, entries_.begin());
    top_ = other.top_;
    seats_ = other.seats_;
    conflict_ = other.conflict_;
  }

 private:
  struct Entry {
    ValueId value{};
    Seat seat{};
    std::uint8_t unused = 0;
  };
  std::array<Entry, kMaxHeight + 1> entries_{};
  Height top_{};
  SeatSet seats_{};
  Conflict conflict_{};
};

}  // namespace nika
