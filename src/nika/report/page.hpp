// The document that a page of `nika report` is made from, as plain values that describe their fields: the writer of
// JSON (page_json.hpp) and the types of the page (page_types.hpp) both come from these descriptions, so that the page
// cannot drift from what the program writes. docs/report.md tells what is in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/model/fields.hpp"

namespace nika::report {

inline constexpr unsigned kPageVersion = 1;

// Where a field of an event stands among the bytes of a stored event (store/trace_data.hpp), little endian.
struct PageEventField {
  static constexpr std::string_view kName = "EventField";
  std::string name;
  unsigned at = 0;
  unsigned bytes = 0;
  static constexpr auto fields() {
    using T = PageEventField;
    return std::tuple{field("name", &T::name), field("at", &T::at), field("bytes", &T::bytes)};
  }
};

// How the bytes of events are read, and what the kinds of events that all protocols share are called.
struct PageEvents {
  static constexpr std::string_view kName = "EventLayout";
  unsigned bytes = 0;
  unsigned first_own = 0;  // from this kind on they are a protocol's own notes
  std::vector<PageEventField> fields_of;
  std::vector<std::string> kinds;
  static constexpr auto fields() {
    using T = PageEvents;
    return std::tuple{field("bytes", &T::bytes), field("first_own", &T::first_own), field("fields", &T::fields_of),
                      field("kinds", &T::kinds)};
  }
};

struct PageSeat {
  static constexpr std::string_view kName = "SeatInfo";
  std::string name;
  unsigned identity = 0;
  bool is_compromised = false;
  bool is_client = false;
  static constexpr auto fields() {
    using T = PageSeat;
    return std::tuple{field("name", &T::name), field("identity", &T::identity),
                      field("is_compromised", &T::is_compromised), field("is_client", &T::is_client)};
  }
};

struct PageValue {
  static constexpr std::string_view kName = "ValueName";
  unsigned packed = 0;
  std::string name;
  static constexpr auto fields() {
    using T = PageValue;
    return std::tuple{field("packed", &T::packed), field("name", &T::name)};
  }
};

// What a liar changed in a message: an event of the kind "changed", by its position.
struct PageChange {
  static constexpr std::string_view kName = "Change";
  unsigned event = 0;
  std::string field_name;
  std::string before;
  std::string after;
  static constexpr auto fields() {
    using T = PageChange;
    return std::tuple{field("event", &T::event), field("field", &T::field_name), field("before", &T::before),
                      field("after", &T::after)};
  }
};

// A network round, or whatever the schedule chose for one time.
struct PageBand {
  static constexpr std::string_view kName = "Band";
  unsigned time = 0;
  std::string label;
  bool heals = false;
  std::vector<unsigned> leaders;  // seats
  std::vector<unsigned> blocks;   // of each seat; 255: in all of them; none if nothing is parted
  std::string network;
  std::vector<std::string> choices;
  std::string note;
  static constexpr auto fields() {
    using T = PageBand;
    return std::tuple{field("time", &T::time),       field("label", &T::label),   field("heals", &T::heals),
                      field("leaders", &T::leaders), field("blocks", &T::blocks), field("network", &T::network),
                      field("choices", &T::choices), field("note", &T::note)};
  }
};

// One recorded run with the words to tell it.
struct PageRun {
  static constexpr std::string_view kName = "Run";
  std::string title;
  std::string cast;
  std::string verdict;  // "violated", "holds" or "unknown"
  std::string verdict_text;
  std::string unit;          // of time: "round", "tick" or "step"
  unsigned delta_ticks = 0;  // of a timed run
  std::vector<PageSeat> seats;
  std::vector<std::string> kinds;
  std::vector<std::string> notes;
  std::vector<PageValue> values;
  std::vector<std::string> setting;
  std::vector<PageBand> bands;
  std::vector<PageChange> changes;
  unsigned event_count = 0;
  std::string events;  // base64
  static constexpr auto fields() {
    using T = PageRun;
    return std::tuple{field("title", &T::title),     field("cast", &T::cast),
                      field("verdict", &T::verdict), field("verdict_text", &T::verdict_text),
                      field("unit", &T::unit),       field("delta_ticks", &T::delta_ticks),
                      field("seats", &T::seats),     field("kinds", &T::kinds),
                      field("notes", &T::notes),     field("values", &T::values),
                      field("setting", &T::setting), field("bands", &T::bands),
                      field("changes", &T::changes), field("event_count", &T::event_count),
                      field("events", &T::events)};
  }
};

struct PageCommit {
  static constexpr std::string_view kName = "Commit";
  unsigned height = 0;
  std::string value;
  static constexpr auto fields() {
    using T = PageCommit;
    return std::tuple{field("height", &T::height), field("value", &T::value)};
  }
};

struct PageClaim {
  static constexpr std::string_view kName = "Claim";
  std::string seat;
  std::string value;
  std::vector<PageCommit> history;
  static constexpr auto fields() {
    using T = PageClaim;
    return std::tuple{field("seat", &T::seat), field("value", &T::value), field("history", &T::history)};
  }
};

struct PageHolding {
  static constexpr std::string_view kName = "Holding";
  unsigned view = 0;
  std::string prepared;
  std::string locked;
  std::string executed;
  static constexpr auto fields() {
    using T = PageHolding;
    return std::tuple{field("view", &T::view), field("prepared", &T::prepared), field("locked", &T::locked),
                      field("executed", &T::executed)};
  }
};

struct PageEnds {
  static constexpr std::string_view kName = "LoopEnds";
  std::string seat;
  PageHolding before;
  PageHolding after;
  static constexpr auto fields() {
    using T = PageEnds;
    return std::tuple{field("seat", &T::seat), field("before", &T::before), field("after", &T::after)};
  }
};

// A loop in the first run: after `last` the world is as it was after `before_first`, in the run's unit of time.
struct PageLoop {
  static constexpr std::string_view kName = "Loop";
  bool is_proved = false;
  bool is_shown = false;  // the run tells it from its beginning to its end
  unsigned before_first = 0;
  unsigned last = 0;
  std::string text;
  std::string repaired;
  std::vector<std::string> assumptions;
  std::vector<std::string> waiting;
  std::vector<PageEnds> ends;
  static constexpr auto fields() {
    using T = PageLoop;
    return std::tuple{field("is_proved", &T::is_proved),
                      field("is_shown", &T::is_shown),
                      field("before_first", &T::before_first),
                      field("last", &T::last),
                      field("text", &T::text),
                      field("repaired", &T::repaired),
                      field("assumptions", &T::assumptions),
                      field("waiting", &T::waiting),
                      field("ends", &T::ends)};
  }
};

// What is broken, and what shows it.
struct PageFinding {
  static constexpr std::string_view kName = "FindingInfo";
  std::string property;
  std::string kind;
  std::string why;
  unsigned since = 0;
  unsigned height = 0;
  std::vector<std::string> seats;
  std::vector<PageClaim> claims;
  std::string shrinking;
  std::string mark;
  std::optional<PageLoop> loop;
  static constexpr auto fields() {
    using T = PageFinding;
    return std::tuple{field("property", &T::property), field("kind", &T::kind),           field("why", &T::why),
                      field("since", &T::since),       field("height", &T::height),       field("seats", &T::seats),
                      field("claims", &T::claims),     field("shrinking", &T::shrinking), field("mark", &T::mark),
                      field("loop", &T::loop)};
  }
};

// A step of an attack's source, and the times of the first run that it is about; both 0 if that is not told.
struct PageStep {
  static constexpr std::string_view kName = "AttackStep";
  std::string text;
  bool is_placed = false;
  unsigned first = 0;
  unsigned last = 0;
  static constexpr auto fields() {
    using T = PageStep;
    return std::tuple{field("text", &T::text), field("is_placed", &T::is_placed), field("first", &T::first),
                      field("last", &T::last)};
  }
};

struct PageAttack {
  static constexpr std::string_view kName = "AttackInfo";
  std::string source;
  std::string about;
  std::string repair;
  std::vector<PageStep> steps;
  static constexpr auto fields() {
    using T = PageAttack;
    return std::tuple{field("source", &T::source), field("about", &T::about), field("repair", &T::repair),
                      field("steps", &T::steps)};
  }
};

// A counter of an automaton with its value: a parameter, a shared variable or a location.
struct PageCounter {
  static constexpr std::string_view kName = "Counter";
  std::string name;
  std::string value;
  static constexpr auto fields() {
    using T = PageCounter;
    return std::tuple{field("name", &T::name), field("value", &T::value)};
  }
};

struct PageRule {
  static constexpr std::string_view kName = "AutomatonRule";
  std::string id;
  unsigned source = 0;  // positions among the locations
  unsigned target = 0;
  std::string guard;
  std::vector<std::string> updates;
  static constexpr auto fields() {
    using T = PageRule;
    return std::tuple{field("id", &T::id), field("source", &T::source), field("target", &T::target),
                      field("guard", &T::guard), field("updates", &T::updates)};
  }
};

struct PagePathStep {
  static constexpr std::string_view kName = "PathStep";
  unsigned rule = 0;
  std::string count;  // how often the rule is taken
  bool is_in_loop = false;
  std::vector<std::string> unlocked;
  std::vector<PageCounter> after;  // that are not 0
  static constexpr auto fields() {
    using T = PagePathStep;
    return std::tuple{field("rule", &T::rule), field("count", &T::count), field("is_in_loop", &T::is_in_loop),
                      field("unlocked", &T::unlocked), field("after", &T::after)};
  }
};

// A threshold automaton with a run that refutes a property of it.
struct PageAutomaton {
  static constexpr std::string_view kName = "AutomatonInfo";
  std::string property;
  std::string verdict;  // "violated", "holds", "vacuous" or "unknown"
  std::vector<std::string> caption;
  std::vector<std::string> locations;
  std::vector<std::string> shared;
  std::vector<PageRule> rules;
  std::vector<PageCounter> parameters;
  std::vector<PageCounter> initial;
  std::vector<PagePathStep> steps;
  static constexpr auto fields() {
    using T = PageAutomaton;
    return std::tuple{field("property", &T::property),     field("verdict", &T::verdict), field("caption", &T::caption),
                      field("locations", &T::locations),   field("shared", &T::shared),   field("rules", &T::rules),
                      field("parameters", &T::parameters), field("initial", &T::initial), field("steps", &T::steps)};
  }
};

struct Page {
  static constexpr std::string_view kName = "Page";
  std::string format = "nika-page";
  unsigned version = kPageVersion;
  std::string program;
  std::string title;
  PageEvents event_layout;
  std::vector<PageRun> runs;  // of a finding: the one that breaks the property, then perhaps the repaired protocol's
  std::optional<PageFinding> finding;
  std::optional<PageAttack> attack;
  std::optional<PageAutomaton> automaton;
  static constexpr auto fields() {
    using T = Page;
    return std::tuple{field("format", &T::format),
                      field("version", &T::version),
                      field("program", &T::program),
                      field("title", &T::title),
                      field("event_layout", &T::event_layout),
                      field("runs", &T::runs),
                      field("finding", &T::finding),
                      field("attack", &T::attack),
                      field("automaton", &T::automaton)};
  }
};

}  // namespace nika::report
