#include "nika/store/loop_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nika/store/json_parts.hpp"
#include "nika/store/trace_data.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;
using Arrival = Assumptions::Arrival;
using Liars = Assumptions::Liars;

constexpr unsigned kMostRounds = 65'535;  // a loop may begin long after the rounds of its schedule
constexpr std::array kArrivals{Arrival::kOne, Arrival::kAny};
constexpr std::array kLiars{Liars::kSilent, Liars::kSelective, Liars::kActive};

HoldingRecord record_of(const Holding& holding, bool tells_progress, const Cluster& cluster) {
  HoldingRecord record{.view = holding.view.number};
  if (!tells_progress) return record;
  record.prepared = name_of(cluster, holding.progress.prepared.value);
  record.locked = name_of(cluster, holding.progress.locked.value);
  record.executed = name_of(cluster, holding.progress.executed.value);
  return record;
}

std::string list_of(const std::vector<std::string>& texts) { return "[" + joined(texts, ", ", json_text) + "]"; }

std::string holding_text(const HoldingRecord& holding) {
  std::string text = fmt::format("{{\"view\": {}", holding.view);
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format(", \"{}\": {}", name, json_text(value));
  };
  add("prepared", holding.prepared);
  add("locked", holding.locked);
  add("executed", holding.executed);
  return text + "}";
}

std::string ends_text(const EndsRecord& ends) {
  return fmt::format("      {{\"seat\": {}, \"before\": {}, \"after\": {}}}", json_text(ends.seat),
                     holding_text(ends.before), holding_text(ends.after));
}

std::string repaired_text(const RepairedRecord& repaired) {
  return fmt::format("{{\"protocol\": {}, \"bugs\": {}, \"decides\": {}{}}}", json_text(repaired.protocol),
                     list_of(repaired.bugs), repaired.decides_in > 0,
                     repaired.decides_in > 0 ? fmt::format(", \"round\": {}", repaired.decides_in) : "");
}

std::string run_text(const LoopRunRecord& run) {
  std::string text = fmt::format("{{\"scheduled\": {}, \"period\": {}, \"from\": {}, \"to\": {}", run.scheduled,
                                 run.period, run.from, run.to);
  if (run.since) {
    text += fmt::format(", \"since\": {}, \"events\": {},\n      \"data\": \"{}\"", *run.since, run.events.size(),
                        base64_of(bytes_of(run.events)));
  }
  return text + "}";
}

void add(ByteText& text, const std::vector<std::string>& texts) {
  text.add(texts.size(), 8);
  for (const std::string& item : texts) text.add(item);
}

void add(ByteText& text, const HoldingRecord& holding) {
  text.add(holding.view, 4);
  text.add(holding.prepared);
  text.add(holding.locked);
  text.add(holding.executed);
}

void add(ByteText& text, const LoopRunRecord& run) {
  text.add("run");
  for (const unsigned number : {run.scheduled, run.period, run.from, run.to, run.since.value_or(~0U)})
    text.add(number, 4);
  const Fingerprint events = fingerprint_of(run.events);
  text.add(events.low, 8);
  text.add(events.high, 8);
}

class LoopReader {
 public:
  LoopReader(JsonReading& reading, std::size_t own_notes) : reading_(reading), own_notes_(own_notes) {}

  LoopRecord read(const LocatedJson& node) {
    const JsonObject object(
        reading_, node,
        {"unit", "first_round", "length", "proved", "assumptions", "waiting", "ends", "repaired", "run"});
    LoopRecord loop;
    loop.first_round = object.number("first_round", {1, kMostRounds});
    loop.length = object.number("length", {1, kMostRounds});
    loop.proved = object.boolean("proved");
    if (const LocatedJson* assumptions = member(reading_, object, node, "assumptions"))
      loop.assumptions = assumptions_in(*assumptions);
    loop.waiting = texts_in(reading_, object, "waiting");
    for (const LocatedJson& item : object.items("ends", Kind::kArray)) loop.ends.push_back(ends_in(item));
    if (const LocatedJson* repaired = object.find("repaired")) loop.repaired = repaired_in(*repaired);
    if (const LocatedJson* unit = object.find("unit")) loop.counts_views = is_views(*unit);
    if (const LocatedJson* run = object.find("run")) loop.run = run_in(*run);
    return loop;
  }

 private:
  Assumptions assumptions_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"healed", "fair", "order", "liars"});
    Assumptions assumptions;
    assumptions.healed = object.boolean("healed");
    assumptions.fair = object.boolean("fair");
    assumptions.order = one_of(object, "order", kArrivals);
    assumptions.liars = one_of(object, "liars", kLiars);
    return assumptions;
  }

  template <class Value, std::size_t kCount>
  Value one_of(const JsonObject& object, std::string_view name, const std::array<Value, kCount>& values) {
    const std::string read = object.text(name);
    for (const Value value : values) {
      if (read == name_of(value)) return value;
    }
    const auto names = joined(values, ", ", [](Value value) { return json_text(name_of(value)); });
    if (const LocatedJson* node = object.find(name); node != nullptr) reading_.complain(*node, "one of " + names);
    return values[0];
  }

  EndsRecord ends_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"seat", "before", "after"});
    EndsRecord ends{object.text("seat"), {}, {}};
    if (const LocatedJson* before = member(reading_, object, node, "before")) ends.before = holding_in(*before);
    if (const LocatedJson* after = member(reading_, object, node, "after")) ends.after = holding_in(*after);
    return ends;
  }

  HoldingRecord holding_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"view", "prepared", "locked", "executed"});
    const auto text = [&](std::string_view name) { return object.find(name) == nullptr ? "" : object.text(name); };
    return {object.number("view", {0, 255}), text("prepared"), text("locked"), text("executed")};
  }

  RepairedRecord repaired_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"protocol", "bugs", "decides", "round"});
    RepairedRecord repaired{object.text("protocol"), texts_in(reading_, object, "bugs"), 0};
    if (object.boolean("decides")) {
      repaired.decides_in = object.number("round", {1, kMostRounds});
    } else if (const LocatedJson* round = object.find("round")) {
      reading_.complain(*round, "no \"round\" of a protocol that does not decide");
    }
    return repaired;
  }

  bool is_views(const LocatedJson& node) {
    if (node.kind != Kind::kString || node.text != "views") reading_.complain(node, "\"views\", or no \"unit\"");
    return true;
  }

  LoopRunRecord run_in(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"scheduled", "period", "from", "to", "since", "events", "data"});
    LoopRunRecord run;
    run.scheduled = object.number("scheduled", {1, kMaxRound});
    run.period = object.number("period", {1, std::max(run.scheduled, 1U)});
    run.from = object.number("from", {0, kMostRounds});
    run.to = object.number("to", {std::min(run.from + 1, kMostRounds), kMostRounds});
    if (object.find("since") == nullptr) return run;
    run.since = object.number("since", {0, kMostRounds});
    if (const LocatedJson* events = member(reading_, object, node, "events")) read_events(run, object, *events);
    return run;
  }

  void read_events(LoopRunRecord& run, const JsonObject& object, const LocatedJson& count) {
    const std::string data = object.text("data");
    if (reading_.error()) return;
    const auto bytes = bytes_in_base64(data);
    if (!bytes) return reading_.complain(*object.find("data"), bytes.error());
    auto events = events_in(*bytes, own_notes_);
    if (!events) return reading_.complain(*object.find("data"), events.error());
    run.events = *std::move(events);
    if (count.number != run.events.size())
      reading_.complain(count, fmt::format("{}, as many as there are in \"data\"", run.events.size()));
  }

  JsonReading& reading_;
  std::size_t own_notes_;
};

std::string place_of(const LoopRecord& loop) {
  return fmt::format("{} {}..{}{}", loop.counts_views ? "views" : "rounds", loop.first_round, loop.last_round(),
                     loop.proved ? "" : ", not proved");
}

}  // namespace

std::string_view name_of(Assumptions::Arrival order) { return order == Arrival::kAny ? "any" : "one"; }

std::string_view name_of(Assumptions::Liars liars) {
  if (liars == Liars::kSilent) return "silent";
  return liars == Liars::kActive ? "active" : "selective";
}

LoopRecord record_of(const Loop& loop, const std::optional<LoopEnds>& ends, const Cluster& cluster) {
  LoopRecord record{loop.first_round, loop.length, loop.proved, loop.assumptions};
  for (Seat seat : loop.waiting) record.waiting.push_back(name_of(cluster, seat));
  if (!ends) return record;
  for (Seat seat : cluster.seats()) {
    record.ends.push_back({name_of(cluster, seat),
                           record_of(ends->before[index_of(seat)], ends->tells_progress, cluster),
                           record_of(ends->after[index_of(seat)], ends->tells_progress, cluster)});
  }
  return record;
}

LoopRunRecord run_of(const Loop& loop, const LoopEnds& ends, std::span<const Event> recorded) {
  LoopRunRecord run{loop.part.last, loop.part.period, ends.from, ends.to};
  const auto [own, other] = std::ranges::mismatch(ends.trace, recorded);
  const auto end = std::ranges::lower_bound(ends.trace, run.to + 1, {}, &Event::time);
  if (other == recorded.end() && own >= end) return run;
  unsigned since = ~0U;
  if (own != ends.trace.end()) since = std::min(since, own->time);
  if (other != recorded.end()) since = std::min(since, other->time);
  run.since = since;
  const auto first = std::ranges::lower_bound(ends.trace, since, {}, &Event::time);
  if (first < end) run.events.assign(first, end);
  return run;
}

Trace events_of(const LoopRunRecord& run, std::span<const Event> recorded) {
  const unsigned end = run.since.value_or(run.to + 1);
  Trace events(recorded.begin(), std::ranges::lower_bound(recorded, end, {}, &Event::time));
  events.insert(events.end(), run.events.begin(), run.events.end());
  return events;
}

std::string to_json(const LoopRecord& loop) {
  const Assumptions& assumed = loop.assumptions;
  std::string text = loop.counts_views ? "{\n    \"unit\": \"views\",\n" : "{\n";
  text += fmt::format("    \"first_round\": {},\n    \"length\": {},\n    \"proved\": {},\n", loop.first_round,
                      loop.length, loop.proved);
  text += fmt::format("    \"assumptions\": {{\"healed\": {}, \"fair\": {}, \"order\": \"{}\", \"liars\": \"{}\"}},\n",
                      assumed.healed, assumed.fair, name_of(assumed.order), name_of(assumed.liars));
  text += fmt::format("    \"waiting\": {}", list_of(loop.waiting));
  if (!loop.ends.empty()) text += fmt::format(",\n    \"ends\": [\n{}\n    ]", joined(loop.ends, ",\n", ends_text));
  if (loop.repaired) text += fmt::format(",\n    \"repaired\": {}", repaired_text(*loop.repaired));
  if (loop.run) text += fmt::format(",\n    \"run\": {}", run_text(*loop.run));
  return text + "\n  }";
}

LoopRecord loop_in(JsonReading& reading, const LocatedJson& node, std::size_t own_notes) {
  return LoopReader(reading, own_notes).read(node);
}

void add(ByteText& text, const LoopRecord& loop) {
  text.add("loop");
  text.add(loop.first_round, 4);
  text.add(loop.length, 4);
  for (const bool flag : {loop.proved, loop.assumptions.healed, loop.assumptions.fair}) text.add(flag ? 1 : 0, 1);
  text.add(name_of(loop.assumptions.order));
  text.add(name_of(loop.assumptions.liars));
  add(text, loop.waiting);
  text.add(loop.ends.size(), 8);
  for (const EndsRecord& ends : loop.ends) {
    text.add(ends.seat);
    add(text, ends.before);
    add(text, ends.after);
  }
  text.add(loop.repaired ? 1 : 0, 1);
  if (loop.repaired) {
    text.add(loop.repaired->protocol);
    add(text, loop.repaired->bugs);
    text.add(loop.repaired->decides_in, 4);
  }
  // What findings did not have before is added only where they have it.
  if (loop.counts_views) text.add("views");
  if (loop.run) add(text, *loop.run);
}

std::string difference_between(const LoopRecord& recorded, const std::optional<LoopRecord>& shown) {
  if (!shown) return fmt::format("the loop of {} that was recorded is not there", place_of(recorded));
  if (place_of(recorded) != place_of(*shown)) {
    return fmt::format("the loop is of {}, recorded is {}", place_of(*shown), place_of(recorded));
  }
  if (recorded.assumptions != shown->assumptions || recorded.waiting != shown->waiting)
    return "the loop has not the assumptions that were recorded";
  if (recorded.ends != shown->ends) return "what the seats hold at the ends of the loop is not what was recorded";
  if (recorded.run && shown->run && *recorded.run != *shown->run)
    return "the run does not come to the loop and through it as was recorded";
  // Without a program that knows the repaired protocol there is nothing to compare.
  if (recorded.repaired && shown->repaired && *recorded.repaired != *shown->repaired)
    return "the repaired protocol does not do in the loop's schedule what was recorded";
  return "";
}

}  // namespace nika::store
