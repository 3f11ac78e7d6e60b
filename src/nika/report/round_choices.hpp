// What the schedule chose for one round, and what it did to single messages, in words.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nika/model/scenario.hpp"
#include "nika/report/trace_text.hpp"

namespace nika::report {

// Rules in force, orders, who gives up, crashes and recoveries of network round `number`.
std::vector<std::string> choices_of(const Scenario& scenario, const TraceView& view, unsigned number);

// Follows messages that are late, repeated or changed through the trace.
class MessageWatch {
 public:
  // Where messages take time, only those that took longer than `usual_ticks` are told, when they arrive.
  explicit MessageWatch(const TraceView& view, std::optional<unsigned> usual_ticks = {})
      : view_(view), usual_ticks_(usual_ticks) {}

  // What happened to messages in these events, which follow those of the last call: one line for each sender and kind.
  std::vector<std::string> watch(std::span<const Event> events);

 private:
  enum class Fate : std::uint8_t { kNothing, kPutOff, kComesLate, kWillRepeat, kComesAgain };
  struct Key {
    std::uint32_t message;
    Seat to;
    auto operator<=>(const Key&) const = default;
  };
  Fate fate_of(const Event& event);
  Fate arrival_of(const Event& event);
  static std::string_view words_of(Fate fate);
  std::vector<std::string> changes_in(std::span<const Event> events) const;

  const TraceView& view_;
  std::optional<unsigned> usual_ticks_;
  std::map<Key, std::uint32_t> late_since_;
  std::map<Key, unsigned> arrivals_;  // of those that come twice
};

}  // namespace nika::report
