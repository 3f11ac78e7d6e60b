// What honest seats have committed so far: one value per height, how far each seat is, and the first disagreement.
// Every property begins with these facts, so they are kept once, in a form that the inner loop can afford.
#pragma once

#include <algorithm>
#include <array>

#include "nika/model/protocol.hpp"

namespace nika {

// Two honest seats, or one and itself, that committed different values at one height.
struct Conflict {
  bool found = false;
  Height height{};
  Seat first_seat{};
  Seat second_seat{};
  ValueId first_value{};
  ValueId second_value{};
};

class CommitLog {
 public:
  // Records that an honest seat committed; remembers the first conflict and ignores what follows.
  void record(Seat seat, Commit commit) {
    Entry& entry = entries_[commit.height.number];
    seats_.insert(seat);
    if (commit.height > top_) top_ = commit.height;
    Height& own = top_of_[index_of(seat)];
    if (commit.height > own) own = commit.height;
    if (entry.value.is_genesis()) {
      entry = {commit.value, seat, 0};
    } else if (entry.value != commit.value && !conflict_.found) {
      conflict_ = {true, commit.height, entry.seat, seat, entry.value, commit.value};
    }
  }
  const Conflict& conflict() const { return conflict_; }
  ValueId at(Height height) const { return entries_[height.number].value; }
  Seat seat_at(Height height) const { return entries_[height.number].seat; }  // who committed there first
  Height top() const { return top_; }
  Height top_of(Seat seat) const { return top_of_[index_of(seat)]; }
  SeatSet seats() const { return seats_; }  // that committed anything
  void clear() {
    for (unsigned h = 0; h <= top_.number; ++h) entries_[h] = {};
    top_ = {};
    top_of_ = {};
    seats_ = {};
    conflict_ = {};
  }
  // A conflict that was found elsewhere; the first one counts.
  void adopt(const Conflict& conflict) {
    if (!conflict_.found) conflict_ = conflict;
  }
  // For describing a world anew: the value at `height` was first committed by nobody in particular.
  void assume(Height height, ValueId value) {
    entries_[height.number] = {value, {}, 0};
    if (height > top_) top_ = height;
  }
  void assume_top_of(Seat seat, Height height) {
    top_of_[index_of(seat)] = height;
    seats_.erase(seat);
    if (height > Height{}) seats_.insert(seat);
  }
  // Copies only what is in use.
  void copy_from(const CommitLog& other) {
    clear();
    std::copy_n(other.entries_.begin(), other.top_.number + 1U, entries_.begin());
    top_ = other.top_;
    top_of_ = other.top_of_;
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
  std::array<Height, kMaxSeats> top_of_{};
  Height top_{};
  SeatSet seats_{};
  Conflict conflict_{};
};

}  // namespace nika
