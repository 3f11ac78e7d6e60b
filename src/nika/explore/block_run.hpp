// What one network round does inside one block of a partition. Blocks do not interact within a round, so a block does
// the same in every partition it belongs to: it is run once, and a world after the round is put together from blocks.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "nika/explore/canonical.hpp"
#include "nika/model/byte_writer.hpp"
#include "nika/sim/world.hpp"

namespace nika {

template <Protocol P>
class BlockRun {
 public:
  Fingerprint name{};  // of the block and all that it depends on; zero: nothing was run yet

  // Remembers what `after` says about the block; `before` is the world that the round began with.
  void take(const World<P>& before, const World<P>& after, SeatSet block, ByteWriter& writer) {
    block_ = block;
    seats_.clear();
    oldest_round_ = ~0U;
    for (Seat seat : block) {
      const unsigned s = index_of(seat);
      writer.clear();
      writer.write(after.states[s]);
      writer.write(after.timers[s]);
      writer.write(after.incarnation[s]);
      seats_.push_back(
          {after.states[s], after.timers[s], after.incarnation[s], after.commits.top_of(seat), writer.fingerprint()});
      oldest_round_ = std::min<unsigned>(oldest_round_, P::current_round(after.states[s]).number);
    }
    down_ = after.down;
    amnesiac_ = after.amnesiac;
    monitors_ = after.monitors;
    overflowed_ = after.overflowed;
    conflict_ = after.commits.conflict();
    writer.clear();
    take_pending(after, writer);
    take_commits(before, after, writer);
    // A monitor that listens may know more than the replicas: in which order they committed, for example.
    const std::size_t words = after.monitor_words;
    has_told_monitors_ = !std::equal(monitors_.begin(), monitors_.begin() + words, before.monitors.begin());
    if (has_told_monitors_) writer.write_raw(monitors_.data(), sizeof(monitors_[0]) * words);
    const bool is_silent = pending_.empty() && commits_.empty() && !has_told_monitors_;
    rest_ = is_silent ? Fingerprint{} : writer.fingerprint();
  }

  // Whether the world after the round needs a look at its verdict: somebody committed, or a buffer was full.
  bool may_settle() const { return overflowed_ || conflict_.found || has_told_monitors_ || !commits_.empty(); }
  bool overflowed() const { return overflowed_; }
  bool has_committed() const { return !commits_.empty(); }
  unsigned oldest_round() const { return oldest_round_; }
  const Fingerprint& rest() const { return rest_; }

  void name_seats(std::array<Fingerprint, kMaxSeats + 1>& names) const {
    std::size_t i = 0;
    for (Seat seat : block_) names[index_of(seat)] = seats_[i++].fingerprint;
  }
  // Writes the block's part into a world that has the commits of before the round.
  void put_into(World<P>& world) const {
    std::size_t i = 0;
    for (Seat seat : block_) {
      const SeatAfter& after = seats_[i++];
      world.states[index_of(seat)] = after.state;
      world.timers[index_of(seat)] = after.timers;
      world.incarnation[index_of(seat)] = after.incarnation;
    }
    for (const Pending<typename P::Message>& item : pending_) world.keep(item.post, item.wait, item.due);
    world.down = down_;
    world.amnesiac = amnesiac_;
    put_commits_into(world);
    i = 0;
    for (Seat seat : block_) world.commits.assume_top_of(seat, seats_[i++].top);
    // Only a whole round, which is one block, changes them.
    std::copy_n(monitors_.begin(), world.monitor_words, world.monitors.begin());
  }
  void put_commits_into(World<P>& world) const {
    for (const SeatCommit& item : commits_) world.commits.record(item.seat, item.commit);
    if (conflict_.found) world.commits.adopt(conflict_);
    if (overflowed_) world.overflowed = true;
  }

 private:
  struct SeatAfter {
    typename P::State state{};
    std::array<Timer, timer_count<P>()> timers{};
    std::uint8_t incarnation = 0;
    Height top{};  // that it has committed
    Fingerprint fingerprint{};
  };
  struct SeatCommit {
    Seat seat{};
    Commit commit{};
  };

  void take_pending(const World<P>& after, ByteWriter& writer) {
    pending_.clear();
    for (unsigned i = 0; i < after.pending_count; ++i) {
      if (!block_.contains(after.pending[i].post.from)) continue;
      pending_.push_back(after.pending[i]);
      write_pending(writer, after.pending[i]);
    }
  }
  void take_commits(const World<P>& before, const World<P>& after, ByteWriter& writer) {
    commits_.clear();
    for (unsigned h = 1; h <= after.commits.top().number; ++h) {
      const ValueId value = after.commits.at(Height(h));
      if (value.is_genesis() || !before.commits.at(Height(h)).is_genesis()) continue;
      commits_.push_back({after.commits.seat_at(Height(h)), {Height(h), value}});
      writer.write(Height(h));
      writer.write(value);
    }
  }

  SeatSet block_{};
  std::vector<SeatAfter> seats_;  // in the order of the block's seats
  std::vector<Pending<typename P::Message>> pending_;
  std::vector<SeatCommit> commits_;
  Conflict conflict_{};
  SeatSet down_{};
  SeatSet amnesiac_{};
  MonitorStates monitors_{};
  unsigned oldest_round_ = 0;
  bool overflowed_ = false;
  bool has_told_monitors_ = false;
  Fingerprint rest_{};
};

// Remembers runs of blocks as long as nothing else needs their place. Few places, so that they stay close to the
// processor: with more of them a search took longer, although more was found again.
template <Protocol P>
class BlockCache {
 public:
  // The place for a name, whatever is there now; never one of those that are in use.
  BlockRun<P>& at(const Fingerprint& name, std::span<const BlockRun<P>* const> in_use) {
    BlockRun<P>& run = runs_[name.low % kPlaces];
    return std::ranges::find(in_use, &run) == in_use.end() ? run : spare_[in_use.size()];
  }

 private:
  static constexpr std::size_t kPlaces = 512;

  std::vector<BlockRun<P>> runs_ = std::vector<BlockRun<P>>(kPlaces);
  std::vector<BlockRun<P>> spare_ = std::vector<BlockRun<P>>(kMaxSeats);  // by position in the partition
};

}  // namespace nika
