#include "nika/model/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika {

unsigned Partition::block_count(unsigned seat_count) const {
  unsigned count = 0;
  for (unsigned s = 0; s < seat_count; ++s) {
    if (block_of[s] != kEverywhere) count = std::max(count, block_of[s] + 1U);
  }
  return count;
}

SeatSet Partition::block(unsigned number, unsigned seat_count) const {
  SeatSet seats;
  for (unsigned s = 0; s < seat_count; ++s) {
    if (block_of[s] == number || block_of[s] == kEverywhere) seats.insert(static_cast<Seat>(s));
  }
  return seats;
}

SeatSet Partition::everywhere(unsigned seat_count) const {
  SeatSet seats;
  for (unsigned s = 0; s < seat_count; ++s) {
    if (block_of[s] == kEverywhere) seats.insert(static_cast<Seat>(s));
  }
  return seats;
}

void Partition::normalize(unsigned seat_count) {
  std::array<int, 256> renamed{};
  renamed.fill(-1);
  int next = 0;
  for (unsigned s = 0; s < seat_count; ++s) {
    if (block_of[s] == kEverywhere) continue;
    int& name = renamed[block_of[s]];
    if (name < 0) name = next++;
    block_of[s] = static_cast<std::uint8_t>(name);
  }
  for (unsigned s = 0; s < seat_count && next < 2; ++s) block_of[s] = 0;  // where there is one block, it is every block
  for (unsigned s = seat_count; s < kMaxSeats; ++s) block_of[s] = 0;
}

Reach reach_of(const Partition& partition, unsigned seat_count) {
  Reach reach{};
  for (unsigned s = 0; s < seat_count; ++s) {
    const std::uint8_t block = partition.block_of[s];
    reach[s] = block == Partition::kEverywhere ? SeatSet::first(seat_count) : partition.block(block, seat_count);
  }
  return reach;
}

Order Order::reversed(unsigned seat_count) {
  Order order;
  for (unsigned s = 0; s < seat_count; ++s) order.rank[s] = static_cast<std::uint8_t>(seat_count - 1 - s);
  order.own_first = false;
  return order;
}

Result<std::uint32_t> bug_bits(std::span<const std::string> bugs, std::span<const std::string_view> known,
                               std::string_view protocol) {
  std::uint32_t bits = 0;
  for (const std::string& bug : bugs) {
    const auto found = std::ranges::find(known, bug);
    if (found == known.end()) {
      return bad_input(fmt::format("protocol {} has no bug \"{}\"; it has: {}", protocol, bug,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    bits |= 1U << (found - known.begin());
  }
  return bits;
}

Result<Cluster> cast_of(const Scenario& scenario) {
  auto cluster = make_cluster(scenario.node_count, scenario.copies, scenario.client_count);
  if (!cluster) return cluster;
  cluster->compromised |= scenario.liars & cluster->identities();
  cluster->are_lies_told = !scenario.liars.empty() || !scenario.lies.empty();
  return cluster;
}

Result<void> check_lies(const Scenario& scenario, const Cluster& cluster) {
  const bool is_timed = scenario.timing || scenario.is_asynchronous();
  if (is_timed && (!scenario.lies.empty() || !scenario.outages.empty()))
    return bad_input("lies and outages are of network rounds, not of a run by a clock or by steps");
  for (const Lie& lie : scenario.lies) {
    if (cluster.is_honest(lie.from)) {
      return bad_input(
          fmt::format("{} lies in round {} but is no liar", name_of(cluster, lie.from), lie.protocol_round));
    }
  }
  if (!scenario.steps) return {};
  for (const Step& step : *scenario.steps) {
    if (step.says && !cluster.puppets().contains(step.from))
      return bad_input(fmt::format("{} says what it likes but is no liar without a twin", name_of(cluster, step.from)));
  }
  return {};
}

Result<Cluster> cluster_of(const Scenario& scenario, std::span<const std::string_view> known_bugs) {
  auto cluster = cast_of(scenario);
  if (!cluster) return cluster;
  cluster->fault_count = scenario.fault_count;
  const auto bugs = bug_bits(scenario.bugs, known_bugs, scenario.protocol);
  if (!bugs) return tl::unexpected(bugs.error());
  cluster->bugs = *bugs;
  if (const auto sound = set_unls(*cluster, scenario.unls); !sound) return tl::unexpected(sound.error());
  for (std::size_t s = 0; s < scenario.inputs.size(); ++s) {
    if (scenario.inputs[s].empty()) continue;
    const auto first = std::ranges::find(scenario.inputs, scenario.inputs[s]) - scenario.inputs.begin();
    cluster->input_of[s] = static_cast<Seat>(first);
  }
  return cluster;
}

Scenario without_notes(Scenario scenario) {
  scenario.about.clear();
  for (RoundPlan& plan : scenario.rounds) plan.note.clear();
  for (Rule& rule : scenario.rules) rule.note.clear();
  for (CoinTurn& turn : scenario.turns) turn.note.clear();
  return scenario;
}

Result<void> check_healing(const Rule& rule, const Scenario& scenario, const Cluster& cluster) {
  const bool is_open = rule.last_round == Round(kMaxRound);
  const bool acts = rule.first_round.number <= scenario.horizon() && rule.last_round.number > scenario.rounds.size();
  const bool arrives_at_once = rule.action == Action::kDeliver || rule.action == Action::kTwice;
  if (is_open || !acts || arrives_at_once) return {};
  for (Seat from : cluster.honest_seats() & rule.from) {
    SeatSet parted = (cluster.honest_seats() & rule.to) - SeatSet::single(from);
    if (rule.action == Action::kLinks) parted = parted - rule.reach[index_of(from)];
    if (parted.empty()) continue;
    return bad_input(fmt::format(
        "rounds {} to {} heal, when honest seats hear each other, but this rule keeps messages "
        "of {} from {}",
        scenario.rounds.size() + 1, scenario.horizon(), name_of(cluster, from), name_of(cluster, *parted.begin())));
  }
  return {};
}

Result<void> check_healing(const Scenario& scenario) {
  const auto cluster = cast_of(scenario);
  if (!cluster) return tl::unexpected(cluster.error());
  for (const Rule& rule : scenario.rules) {
    if (auto sound = check_healing(rule, scenario, *cluster); !sound) return sound;
  }
  return {};
}

std::optional<Partition> partition_of(const Reach& reach, const Cluster& cluster) {
  const unsigned seat_count = cluster.seat_count;
  Partition partition;
  SeatSet everywhere;
  for (Seat client : cluster.client_seats()) {
    if (reach[index_of(client)] == cluster.seats()) everywhere.insert(client);
  }
  for (unsigned s = 0; s < seat_count; ++s) {
    if (everywhere.contains(static_cast<Seat>(s))) {
      partition.block_of[s] = Partition::kEverywhere;
      continue;
    }
    const SeatSet block = reach[s] - everywhere;
    if (block.empty()) return std::nullopt;
    const Seat first = *block.begin();
    if (reach[index_of(first)] != reach[s]) return std::nullopt;
    partition.block_of[s] = static_cast<std::uint8_t>(index_of(first));
  }
  // Every seat is in the block of its first neighbour; it has to be the whole block.
  if (reach_of(partition, seat_count) != reach) return std::nullopt;
  partition.normalize(seat_count);
  return partition;
}

// Clients are named where they are not in touch with everybody.
static SeatSet unsaid_in(const Partition& partition, const Cluster& cluster) {
  return partition.block_count(cluster.seat_count) == 1 ? cluster.client_seats()
                                                        : partition.everywhere(cluster.seat_count);
}

std::string links_text(const Cluster& cluster, const Reach& reach) {
  const auto names = [&](SeatSet seats) {
    std::string text;
    for (Seat seat : seats) text += (text.empty() ? "" : " ") + name_of(cluster, seat);
    return text;
  };
  std::string text;
  if (const auto partition = partition_of(reach, cluster)) {
    const SeatSet unsaid = unsaid_in(*partition, cluster);
    for (unsigned b = 0; b < partition->block_count(cluster.seat_count); ++b) {
      text += (b > 0 ? " | " : "") + names(partition->block(b, cluster.seat_count) - unsaid);
    }
    return text;
  }
  const auto others = [&](Seat seat) { return reach[index_of(seat)] - SeatSet::single(seat); };
  SeatSet told;
  for (Seat seat : cluster.seats()) {
    if (told.contains(seat) || others(seat).empty()) continue;
    SeatSet alike;
    for (Seat other : cluster.seats()) {
      if (others(other) == others(seat)) alike.insert(other);
    }
    told |= alike;
    text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", names(alike), names(others(seat)));
  }
  return text;
}

std::string to_text(const Cluster& cluster, const RoundPlan& plan) {
  std::string text = "{";
  for (unsigned b = 0; b < plan.partition.block_count(cluster.seat_count); ++b) {
    if (b > 0) text += " |";
    for (Seat seat : plan.partition.block(b, cluster.seat_count) - unsaid_in(plan.partition, cluster)) {
      text += (text.size() > 1 ? " " : "") + name_of(cluster, seat);
      if (plan.leaders.contains(cluster.identity(seat))) text += '*';
    }
  }
  return text + "}";
}

}  // namespace nika
