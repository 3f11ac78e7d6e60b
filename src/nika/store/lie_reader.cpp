// Outages and lies of a scenario: faults that are bound to protocol rounds.
#include <fmt/format.h>

#include <algorithm>

#include "nika/model/saying.hpp"
#include "nika/store/scenario_reader.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

constexpr unsigned kMaxProtocolRound = 65535;

std::string describe_name(const LocatedJson& member) {
  LocatedJson name;
  name.kind = Kind::kString;
  name.text = member.name;
  return describe(name);
}

}  // namespace

void ScenarioReader::read_lies(const JsonObject& object) {
  for (const LocatedJson& node : object.items("outages", Kind::kArray)) read_outage(node);
  for (const LocatedJson& node : object.items("lies", Kind::kArray)) read_lie(node);
  if (object.find("lies_go_on") != nullptr) scenario_.lies_go_on = object.boolean("lies_go_on");
  if (object.find("faults_count") != nullptr) {
    const std::string what = object.text("faults_count");
    if (what != "messages" && what != "rounds") complain(*object.find("faults_count"), "\"rounds\" or \"messages\"");
    scenario_.faults_count_messages = what == "messages";
  }
  if (reading_.error()) return;
  const bool has_faults = !scenario_.outages.empty() || !scenario_.lies.empty();
  const LocatedJson* timed = object.find("timing") != nullptr ? object.find("timing") : object.find("steps");
  if (has_faults && timed != nullptr) {
    reading_.complain(timed->name_offset, fmt::format("\"{}\" beside lies or outages", timed->name),
                      "one or the other");
  }
}

void ScenarioReader::read_outage(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"round", "partition", "withholds"});
  Outage outage;
  outage.protocol_round = static_cast<std::uint16_t>(object.number("round", {1, kMaxProtocolRound}));
  if (const LocatedJson* partition = object.find("partition")) {
    outage.partition = partition_in(*partition);
  } else {
    reading_.complain(node.offset, "an outage without a partition", "who can still talk to whom in \"partition\"");
  }
  outage.withholds = object.boolean("withholds");
  if (!reading_.error()) scenario_.outages.push_back(outage);
}

void ScenarioReader::read_twist(const JsonObject& object, Lie& lie) {
  const std::string twist = object.text("twist");
  if (reading_.error()) return;
  std::vector<std::string_view> names;
  for (unsigned t = 0; t < kTwistCount; ++t) names.push_back(name_of(static_cast<Twist>(t)));
  const auto found = std::ranges::find(names, twist);
  if (found == names.end()) return complain(*object.find("twist"), fmt::format("one of {}", fmt::join(names, ", ")));
  lie.twist = static_cast<Twist>(found - names.begin());
  if (object.find("argument") != nullptr)
    lie.argument = static_cast<std::uint16_t>(object.number("argument", {0, kMaxProtocolRound}));
  const LocatedJson* field = object.find("field");
  if (is_of_message(lie.twist)) {
    if (field != nullptr)
      reading_.complain(field->name_offset, fmt::format("\"field\" of \"{}\"", twist), "none: the whole message");
    return;
  }
  const std::string name = object.text("field");
  if (reading_.error()) return;
  const KindLeaves& leaves = words_.leaves[lie.kind];
  const auto leaf = std::ranges::find(leaves, name, &LeafName::name);
  if (leaf == leaves.end()) {
    std::string known;
    for (const LeafName& other : leaves) known += (known.empty() ? "" : ", ") + other.name;
    return complain(*field, leaves.empty() ? "\"omit\": nobody can lie about this kind of message"
                                           : fmt::format("a field that can be lied about: {}", known));
  }
  lie.field = static_cast<std::uint8_t>(leaf - leaves.begin());
}

void ScenarioReader::read_lie(const LocatedJson& node) {
  const JsonObject object(reading_, node, {"round", "from", "to", "kind", "field", "twist", "argument"});
  Lie lie;
  lie.protocol_round = static_cast<std::uint16_t>(object.number("round", {1, kMaxProtocolRound}));
  const std::string from = object.text("from");
  const std::string kind = object.text("kind");
  (void)object.text("to");
  if (reading_.error()) return;
  const auto seat = seat_named(cluster_, from);
  if (!seat) return complain(*object.find("from"), seats_text());
  lie.from = *seat;
  if (cluster_.is_honest(lie.from)) return complain(*object.find("from"), "a liar: a node in \"liars\" or with a twin");
  lie.to = seat_set_in(*object.find("to"));
  if (lie.to.empty()) return complain(*object.find("to"), "at least one receiver");
  const auto found = std::ranges::find(words_.kinds, kind);
  if (found == words_.kinds.end()) {
    return complain(*object.find("kind"), fmt::format("a kind of message, one of {}", fmt::join(words_.kinds, ", ")));
  }
  lie.kind = static_cast<std::uint8_t>(found - words_.kinds.begin());
  if (words_.leaves.empty())
    return complain(node, fmt::format("no lie: what liars may say is not known of {}", scenario_.protocol));
  read_twist(object, lie);
  if (!reading_.error()) scenario_.lies.push_back(lie);
}

// A kind of message that a liar makes up, with a number for each field: 0 where it is not named.
void ScenarioReader::read_saying(const JsonObject& object, Step& step) {
  const std::string kind = object.text("says");
  if (reading_.error()) return;
  const LocatedJson& says = *object.find("says");
  if (const LocatedJson* message = object.find("message"))
    return reading_.complain(message->name_offset, "\"message\" beside \"says\"", "one or the other");
  if (!cluster_.puppets().contains(step.from))
    return complain(*object.find("of"), "a liar: a node in \"liars\", without a twin");
  const auto found = std::ranges::find(words_.kinds, kind);
  if (found == words_.kinds.end())
    return complain(says, fmt::format("a kind of message, one of {}", fmt::join(words_.kinds, ", ")));
  Saying& saying = step.says.emplace();
  saying.kind = static_cast<std::uint8_t>(found - words_.kinds.begin());
  if (words_.leaves.empty() || !can_be_said(words_.leaves[saying.kind]))
    return complain(says, "a kind of message that a liar can make up");
  const KindLeaves& leaves = words_.leaves[saying.kind];
  for (const LocatedJson& field : object.items("fields", Kind::kObject)) {
    const auto leaf = std::ranges::find(leaves, field.name, &LeafName::name);
    if (leaf == leaves.end() || leaf->type == LeafType::kTogether) {
      std::string known;
      for (const LeafName& other : leaves) known += (known.empty() ? "" : ", ") + other.name;
      return reading_.complain(field.name_offset, describe_name(field), fmt::format("a field of {}: {}", kind, known));
    }
    const unsigned most = most_said(leaf->type);
    if (field.kind != Kind::kNumber || !field.number || *field.number > most)
      return complain(field, fmt::format("a number from 0 to {}", most));
    saying.fields[static_cast<std::size_t>(leaf - leaves.begin())] = static_cast<std::uint16_t>(*field.number);
  }
}

}  // namespace nika::store
