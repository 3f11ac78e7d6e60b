#include "nika/store/attack.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/store/json_parts.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

// The members of `changes` take the place of those of `scenario`, or are added. "about" is told elsewhere.
LocatedJson changed(LocatedJson scenario, const LocatedJson& changes) {
  for (const LocatedJson& member : changes.items) {
    if (member.name == "about") continue;
    const auto place = std::ranges::find(scenario.items, member.name, &LocatedJson::name);
    if (place == scenario.items.end()) {
      scenario.items.push_back(member);
    } else {
      *place = member;
    }
  }
  return scenario;
}

class AttackReader {
 public:
  AttackReader(JsonReading& reading, const VocabularyOf& words_of) : reading_(reading), words_of_(words_of) {}

  Attack read(const LocatedJson& root) {
    check_version(reading_, root, "attack", 1);
    const JsonObject object(reading_, root,
                            {"format", "version", "name", "source", "property", "about", "steps", "step_times",
                             "paper_rounds", "search", "scenario", "repaired"});
    attack_.name = object.text("name");
    attack_.source = object.text("source");
    attack_.about = object.text("about");
    attack_.paper_rounds = object.number("paper_rounds", {0, kMaxRound});
    attack_.property = object.text("property");
    for (const LocatedJson& step : object.items("steps", Kind::kArray)) {
      if (step.kind != Kind::kString) reading_.complain(step, "a step as text");
      attack_.steps.push_back(step.text);
    }
    if (const LocatedJson* times = object.find("step_times"); times != nullptr) read_step_times(object, *times);
    if (const LocatedJson* search = object.find("search"); search != nullptr) read_search(*search);
    if (!reading_.error()) read_sides(object, root);
    return std::move(attack_);
  }

 private:
  // For each step the first and the last time, or nothing where the step is about no time of the run.
  void read_step_times(const JsonObject& object, const LocatedJson& node) {
    for (const LocatedJson& times : object.items("step_times", Kind::kArray)) {
      std::optional<StepTimes>& told = attack_.step_times.emplace_back();
      if (times.kind == Kind::kArray && times.items.empty()) continue;
      const bool are_two = times.kind == Kind::kArray && times.items.size() == 2;
      if (!are_two) return reading_.complain(times, "[FIRST, LAST] or []");
      told = StepTimes{time_in(times.items[0]), time_in(times.items[1])};
      if (told->last < told->first) return reading_.complain(times, "a first time that is not after the last");
    }
    if (attack_.step_times.size() != attack_.steps.size()) {
      reading_.complain(node, fmt::format("as many times as steps, {}", attack_.steps.size()));
    }
  }

  unsigned time_in(const LocatedJson& node) {
    constexpr unsigned kLastTime = 1'000'000;
    if (!node.number || *node.number > kLastTime) {
      reading_.complain(node, fmt::format("a time from 0 to {}", kLastTime));
      return 0;
    }
    return static_cast<unsigned>(*node.number);
  }

  void read_search(const LocatedJson& node) {
    const JsonObject object(reading_, node,
                            {"granularity", "leaders", "heal_leaders", "order", "rounds", "partitions", "one_way"});
    SearchHints& hints = attack_.search;
    const auto word = [&](std::string_view name, std::string& value) {
      if (object.find(name) != nullptr) value = object.text(name);
    };
    const auto number = [&](std::string_view name, Bounds bounds, std::optional<unsigned>& value) {
      if (object.find(name) != nullptr) value = object.number(name, bounds);
    };
    word("granularity", hints.granularity);
    word("leaders", hints.leaders);
    word("heal_leaders", hints.heal_leaders);
    word("order", hints.order);
    number("rounds", {1, kMaxRound}, hints.rounds);
    number("partitions", {1, kMaxSeats}, hints.partitions);
    if (object.find("one_way") != nullptr) hints.one_way = object.boolean("one_way");
  }

  void read_sides(const JsonObject& object, const LocatedJson& root) {
    for (const std::string_view name : {"scenario", "repaired"}) {
      const LocatedJson* node = object.find(name);
      if (node == nullptr || node->kind != Kind::kObject) {
        return reading_.complain(root.offset, fmt::format("an attack without \"{}\"", name), "it");
      }
    }
    const LocatedJson& scenario = *object.find("scenario");
    const LocatedJson& changes = *object.find("repaired");
    const auto about = std::ranges::find(changes.items, "about", &LocatedJson::name);
    if (about == changes.items.end() || about->kind != Kind::kString) {
      return reading_.complain(changes.offset, "a repair without \"about\"", "what it is");
    }
    attack_.repair = about->text;
    attack_.flawed = scenario_in(reading_, scenario, words_of_);
    attack_.repaired = scenario_in(reading_, changed(scenario, changes), words_of_);
    if (reading_.error()) return;
    if (const auto words = words_of_(attack_.flawed.protocol)) {
      check_property(reading_, *object.find("property"), words->properties);
    }
  }

  JsonReading& reading_;
  const VocabularyOf& words_of_;
  Attack attack_;
};

}  // namespace

Attack attack_in(JsonReading& reading, const LocatedJson& root, const VocabularyOf& words_of) {
  return AttackReader(reading, words_of).read(root);
}

Result<Attack> attack_from_json(std::string_view text, std::string_view file, const VocabularyOf& words_of) {
  JsonReading reading(file, text);
  const LocatedJson root = reading.parse();
  Attack attack;
  if (!reading.error()) {
    const auto format = std::ranges::find(root.items, "format", &LocatedJson::name);
    if (root.kind != Kind::kObject || format == root.items.end() || format->text != "nika-attack") {
      reading.complain(root, "an attack: an object with the format \"nika-attack\"");
    } else {
      attack = attack_in(reading, root, words_of);
    }
  }
  if (reading.error()) return tl::unexpected(*reading.error());
  return attack;
}

}  // namespace nika::store
