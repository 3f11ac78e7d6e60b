#include "nika/scenarios/twins/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nika::twins {
namespace {

constexpr std::array<std::string_view, 3> kAssignments{"replacement", "no-replacement", "static"};
constexpr std::array<std::string_view, 4> kHealLeaders{"leading", "honest", "alternating", "both"};
constexpr std::array<std::string_view, 2> kHealRotations{"one", "all"};
constexpr std::array<std::string_view, 4> kHealOrders{"fifo", "reversed", "both", "all"};
constexpr std::array<std::string_view, 2> kGranularities{"round", "kind"};
constexpr std::array<std::string_view, 4> kOrders{"fifo", "reversed", "sampled", "all"};

template <class Enum, std::size_t Count>
Result<Enum> parse_word(std::string_view text, const std::array<std::string_view, Count>& words,
                        std::string_view what) {
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) {
    return bad_input(fmt::format("read {} \"{}\", expected one of {}", what, text, fmt::join(words, ", ")));
  }
  return static_cast<Enum>(found - words.begin());
}

Result<IdentitySet> parse_leader_set(std::string_view text) {
  IdentitySet set;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    if (name.size() != 1 || name[0] < 'A' || name[0] >= static_cast<char>('A' + kMaxSeats)) {
      return bad_input(fmt::format("read leader \"{}\", expected a node from A to {}", name,
                                   static_cast<char>('A' + kMaxSeats - 1)));
    }
    const auto identity = static_cast<Identity>(name[0] - 'A');
    if (set.contains(identity)) return bad_input(fmt::format("leader {} is named twice in \"{}\"", name, text));
    set.insert(identity);
    begin = end + 1;
  }
  return set;
}

Result<void> check_leaders(const Settings& settings) {
  if (settings.leaders.kind == LeaderChoice::Kind::kCompromised && settings.twins == 0) {
    return bad_input("no node is compromised, so nobody can lead: use --leaders all, or a list, or --twins 1");
  }
  if (settings.leaders.kind != LeaderChoice::Kind::kList) return {};
  if (settings.leaders.list.empty()) return bad_input("the list of leaders is empty, expected at least one");
  const IdentitySet known = IdentitySet::first(settings.nodes);
  for (const IdentitySet set : settings.leaders.list) {
    if (set.empty()) return bad_input("a round without a leader was asked for, expected at least one leader");
    for (Identity id : set - known) {
      return bad_input(fmt::format("leader {} is not one of the {} nodes", name_of(id), settings.nodes));
    }
    if (std::ranges::count(settings.leaders.list, set) > 1) {
      return bad_input("the list of leaders names the same choice twice: its scenarios would be generated twice");
    }
  }
  return {};
}

Result<void> check_crashes(const Settings& settings, const Cluster& cluster) {
  for (const Crash& crash : settings.crashes) {
    if (index_of(crash.seat) >= cluster.seat_count) {
      return bad_input(
          fmt::format("crash of seat {}, but there are only {} seats", index_of(crash.seat), cluster.seat_count));
    }
    if (crash.down_from.number == 0 || crash.up_from <= crash.down_from) {
      return bad_input(fmt::format("{} crashes in round {} and is up again in round {}: expected 1 <= down < up",
                                   name_of(cluster, crash.seat), crash.down_from.number, crash.up_from.number));
    }
    if (const unsigned last = settings.rounds + settings.heal_rounds; crash.down_from.number > last) {
      return bad_input(fmt::format(
          "{} crashes in round {}, but a run has only {}: {} that are scheduled and {} of healing",
          name_of(cluster, crash.seat), crash.down_from.number, last, settings.rounds, settings.heal_rounds));
    }
  }
  for (std::size_t i = 0; i < settings.crashes.size(); ++i) {
    unsigned forgotten = 0;
    for (std::size_t j = 0; j < settings.crashes.size(); ++j) {
      const Crash& one = settings.crashes[i];
      const Crash& other = settings.crashes[j];
      if (one.seat != other.seat) continue;
      forgotten += other.keeps_memory ? 0 : 1;
      if (i < j && one.down_from < other.up_from && other.down_from < one.up_from) {
        return bad_input(
            fmt::format("{} crashes in round {} while it is down from round {} on: expected crashes that "
                        "do not overlap",
                        name_of(cluster, one.seat), std::max(one.down_from, other.down_from).number,
                        std::min(one.down_from, other.down_from).number));
      }
    }
    if (forgotten > ValueId::kMaxIncarnation) {
      return bad_input(fmt::format("{} loses its memory {} times, expected at most {}",
                                   name_of(cluster, settings.crashes[i].seat), forgotten, ValueId::kMaxIncarnation));
    }
  }
  return {};
}

Result<void> check_sizes(const Settings& settings) {
  if (settings.nodes < 1 || settings.nodes > kMaxSeats) {
    return bad_input(fmt::format("read {} nodes, expected 1 to {}", settings.nodes, kMaxSeats));
  }
  if (settings.twins > settings.nodes) {
    return bad_input(
        fmt::format("read {} twins, expected at most one for each of the {} nodes", settings.twins, settings.nodes));
  }
  if (settings.copies < 2 || settings.copies > kMaxSeats) {
    return bad_input(fmt::format("read {} seats for a compromised node, expected 2 to {}", settings.copies, kMaxSeats));
  }
  if (settings.faults.value_or(0) > settings.nodes) {
    return bad_input(
        fmt::format("read {} faults, expected at most {}, the number of nodes", *settings.faults, settings.nodes));
  }
  if (settings.rounds == 0) return bad_input("read 0 rounds, expected at least 1");
  if (settings.rounds > kMaxRound || settings.heal_rounds > kMaxRound - settings.rounds) {
    return bad_input(fmt::format("read {} rounds and {} of healing, expected at most {} together", settings.rounds,
                                 settings.heal_rounds, kMaxRound));
  }
  return {};
}

}  // namespace

Result<Selection> parse_selection(std::string_view text) {
  using Kind = Selection::Kind;
  if (text == "all") return Selection{};
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  if (colon == std::string_view::npos || (word != "first" && word != "random")) {
    return bad_input(fmt::format("read selection \"{}\", expected all, first:X or random:X", text));
  }
  const auto count = parse_wide(text.substr(colon + 1));
  if (!count || *count == 0) {
    return bad_input(fmt::format("read selection \"{}\", expected a number from 1 to 2^128 - 1 after the colon", text));
  }
  return Selection{word == "first" ? Kind::kFirst : Kind::kRandom, *count};
}

std::string to_text(const Selection& selection) {
  if (selection.kind == Selection::Kind::kAll) return "all";
  return (selection.kind == Selection::Kind::kFirst ? "first:" : "random:") + to_string(selection.count);
}

Result<LeaderChoice> parse_leaders(std::string_view text) {
  if (text == "compromised") return LeaderChoice{};
  if (text == "all") return LeaderChoice{LeaderChoice::Kind::kAll, {}};
  LeaderChoice choice{LeaderChoice::Kind::kList, {}};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto set = parse_leader_set(text.substr(begin, end - begin));
    if (!set) return tl::unexpected(set.error());
    choice.list.push_back(*set);
    begin = end + 1;
  }
  return choice;
}

std::string to_text(const LeaderChoice& leaders) {
  if (leaders.kind == LeaderChoice::Kind::kCompromised) return "compromised";
  if (leaders.kind == LeaderChoice::Kind::kAll) return "all";
  std::string text;
  for (const IdentitySet set : leaders.list) {
    if (!text.empty()) text += ',';
    std::string names;
    for (Identity id : set) names += (names.empty() ? "" : "+") + name_of(id);
    text += names;
  }
  return text;
}

Result<Assignment> parse_assignment(std::string_view text) {
  return parse_word<Assignment>(text, kAssignments, "assignment");
}
std::string_view name_of(Assignment assignment) { return kAssignments[static_cast<std::size_t>(assignment)]; }

Result<OrderChoice> parse_order(std::string_view text) { return parse_word<OrderChoice>(text, kOrders, "order"); }
std::string_view name_of(OrderChoice order) { return kOrders[static_cast<std::size_t>(order)]; }

Result<HealLeaders> parse_heal_leaders(std::string_view text) {
  return parse_word<HealLeaders>(text, kHealLeaders, "leaders of the healing rounds");
}
std::string_view name_of(HealLeaders leaders) { return kHealLeaders[static_cast<std::size_t>(leaders)]; }

Result<HealRotations> parse_heal_rotations(std::string_view text) {
  return parse_word<HealRotations>(text, kHealRotations, "rotations of the healing leaders");
}
std::string_view name_of(HealRotations rotations) { return kHealRotations[static_cast<std::size_t>(rotations)]; }

Result<HealOrders> parse_heal_orders(std::string_view text) {
  return parse_word<HealOrders>(text, kHealOrders, "orders of the healing rounds");
}
std::string_view name_of(HealOrders orders) { return kHealOrders[static_cast<std::size_t>(orders)]; }

Result<Granularity> parse_granularity(std::string_view text) {
  if (text == "phase") return Granularity::kPhase;  // what it was called at first; scripts and findings say it
  return parse_word<Granularity>(text, kGranularities, "granularity");
}
std::string_view name_of(Granularity granularity) { return kGranularities[static_cast<std::size_t>(granularity)]; }

std::vector<std::uint8_t> copies_of(const Settings& settings) {
  return std::vector<std::uint8_t>(settings.twins, static_cast<std::uint8_t>(settings.copies));
}

Result<Cluster> cluster_of(const Settings& settings) {
  auto cluster = make_cluster(settings.nodes, copies_of(settings), settings.clients);
  if (!cluster) return cluster;
  cluster->fault_count = static_cast<std::uint8_t>(settings.faults.value_or(default_fault_count(settings.nodes)));
  if (const auto sound = set_unls(*cluster, settings.unls); !sound) return tl::unexpected(sound.error());
  return cluster;
}

std::vector<IdentitySet> leader_sets(const Settings& settings, const Cluster& cluster) {
  if (settings.leaders.kind == LeaderChoice::Kind::kList) return settings.leaders.list;
  std::vector<IdentitySet> sets;
  const bool all = settings.leaders.kind == LeaderChoice::Kind::kAll;
  for (Identity id : all ? cluster.identities() : cluster.compromised) sets.push_back(IdentitySet::single(id));
  return sets;
}

std::vector<Identity> heal_leaders_of(HealLeaders choice, const Cluster& cluster, IdentitySet leading) {
  const bool has_honest = choice != HealLeaders::kLeading;
  std::vector<Identity> leaders;
  for (Identity id : has_honest ? cluster.identities() - cluster.compromised : leading) {
    leaders.push_back(id);
    if (choice != HealLeaders::kAlternating) continue;
    for (Identity compromised : cluster.compromised) leaders.push_back(compromised);
  }
  return leaders;
}

namespace {

Scenario cast_of(const Settings& settings, const Cluster& cluster) {
  Scenario base;
  base.protocol = settings.protocol;
  base.bugs = settings.bugs;
  base.node_count = cluster.node_count;
  base.fault_count = cluster.fault_count;
  base.copies = copies_of(settings);
  base.client_count = static_cast<std::uint8_t>(settings.clients);
  base.unls = settings.unls;
  base.rounds.resize(settings.rounds);
  return base;
}

}  // namespace

Scenario steps_base(const Settings& settings) {
  const Cluster cluster = cluster_of(settings).value();
  const auto turns = leader_sets(settings, cluster);
  Scenario base = cast_of(settings, cluster);
  for (std::size_t r = 0; r < base.rounds.size(); ++r) base.rounds[r].leaders = turns[r % turns.size()];
  return base;
}

Scenario timed_base(const Settings& settings) {
  const Cluster cluster = cluster_of(settings).value();
  IdentitySet leading;
  for (const IdentitySet set : leader_sets(settings, cluster)) leading |= set;
  Scenario base = cast_of(settings, cluster);
  base.heal_rounds = static_cast<std::uint8_t>(settings.heal_rounds);
  base.heal_leaders = heal_leaders_of(settings.heal_leaders, cluster, leading);
  base.timing = Timing{static_cast<std::uint8_t>(settings.clock->delta_ticks),
                       static_cast<std::uint8_t>(settings.clock->ticks), 0};
  return base;
}

SeatSet proposing_seats(const Cluster& cluster, IdentitySet leading) {
  return cluster.clients.empty() ? cluster.seats_of_identities(leading) : cluster.client_seats();
}

Result<void> check(const Settings& settings) {
  if (auto sizes = check_sizes(settings); !sizes) return sizes;
  const auto cluster = cluster_of(settings);
  if (!cluster) return tl::unexpected(cluster.error());
  if (settings.partitions == 0 || settings.partitions > cluster->replica_seat_count()) {
    return bad_input(fmt::format("read {} partitions, expected 1 to {}, the number of seats", settings.partitions,
                                 cluster->replica_seat_count()));
  }
  for (const Selection& step : {settings.step1, settings.step2, settings.step3}) {
    if (step.kind != Selection::Kind::kAll && step.count == 0) {
      return bad_input(fmt::format("selection \"{}\" keeps nothing, expected at least 1", to_text(step)));
    }
  }
  if (auto leaders = check_leaders(settings); !leaders) return leaders;
  return check_crashes(settings, *cluster);
}

}  // namespace nika::twins
