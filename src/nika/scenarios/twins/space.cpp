#include "nika/scenarios/twins/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"
#include "nika/scenarios/twins/assignments.hpp"
#include "nika/scenarios/twins/partitions.hpp"

namespace nika::twins {
namespace {

// Each use of randomness has its own stream, so that changing one selection leaves the others as they were.
enum class Stream : std::uint64_t { kStep1 = 1, kStep2, kStep3, kOrder, kHealing };

std::uint64_t seed_of(const Settings& settings, Stream stream) {
  return mix64(settings.seed ^ mix64(static_cast<std::uint64_t>(stream)));
}

Random random_of(const Settings& settings, Stream stream, Wide index) {
  const auto low = static_cast<std::uint64_t>(index);
  const auto high = static_cast<std::uint64_t>(index >> 64U);
  return Random(mix64(mix64(seed_of(settings, stream) ^ low) ^ high));
}

// The positions that a selection keeps out of [0, available), ascending.
std::vector<std::uint64_t> kept_positions(const Selection& selection, std::uint64_t available, std::uint64_t seed) {
  const auto count = to_wide(kept(selection, mpz_class(static_cast<unsigned long>(available))));
  std::vector<std::uint64_t> positions(static_cast<std::size_t>(count.value()));
  const KeyedPermutation shuffle(available, seed);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = selection.kind == Selection::Kind::kRandom ? static_cast<std::uint64_t>(shuffle(i)) : i;
  }
  std::ranges::sort(positions);
  return positions;
}

AssignmentShape shape_of(const Space& space) {
  return {space.settings().assignment, static_cast<std::uint32_t>(space.configurations().size())};
}

Result<void> check_limits(const Settings& settings, const Counts& counts) {
  if (counts.step1 > Space::kMaxConfigurations || counts.configurations > Space::kMaxConfigurations) {
    return bad_input(
        fmt::format("step 2 gives {} configurations (step 1 {}), expected at most {}: select fewer in step 1 or 2",
                    counts.configurations.get_str(), counts.step1.get_str(), Space::kMaxConfigurations));
  }
  if (counts.healings > Healings::kMost) {
    return bad_input(fmt::format(
        "there are {} ways to heal, expected at most {}: take fewer with --heal-rotations one or --heal-orders both",
        counts.healings.get_str(), Healings::kMost));
  }
  if (counts.scenarios == 0) {
    return bad_input(fmt::format("{} configurations cannot fill {} rounds without replacement",
                                 counts.configurations.get_str(), settings.rounds));
  }
  const bool is_drawn = settings.step3.kind == Selection::Kind::kRandom && !to_wide(counts.step3(settings.assignment));
  if (is_drawn && settings.assignment != Assignment::kReplacement) {
    return bad_input(
        fmt::format("step 3 gives {} scenarios, 2^128 or more: select at random with --assignment "
                    "replacement only",
                    counts.step3(settings.assignment).get_str()));
  }
  return {};
}

// Partitions are of replicas and their twins; clients are in every block.
Partition with_clients(Partition partition, const Cluster& cluster) {
  for (Seat client : cluster.client_seats()) partition.block_of[index_of(client)] = Partition::kEverywhere;
  partition.normalize(cluster.seat_count);
  return partition;
}

}  // namespace

Result<Space> Space::make(const Settings& settings) {
  auto counts = count(settings);
  if (!counts) return tl::unexpected(counts.error());
  if (auto fits = check_limits(settings, *counts); !fits) return tl::unexpected(fits.error());

  Space space;
  space.settings_ = settings;
  space.cluster_ = cluster_of(settings).value();
  space.counts_ = *std::move(counts);
  space.leader_sets_ = twins::leader_sets(settings, space.cluster_);
  for (const IdentitySet set : space.leader_sets_) space.leading_ |= set;
  space.healings_ = Healings(settings, space.cluster_, space.leading_);
  space.fill_partitions();
  space.fill_orders();
  space.fill_configurations();
  space.size_ = to_wide(space.counts_.scenarios);
  if (settings.step3.kind == Selection::Kind::kRandom) {
    const auto all = to_wide(space.counts_.step3(settings.assignment));
    space.draws_rounds_ = !all;
    if (all) space.shuffle_.emplace(*all, seed_of(settings, Stream::kStep3));
  }
  return space;
}

void Space::fill_partitions() {
  const PartitionNumbering all({cluster_.replica_seat_count(), settings_.partitions, settings_.at_most});
  const auto positions = kept_positions(settings_.step1, all.size(), seed_of(settings_, Stream::kStep1));
  partitions_.reserve(positions.size());
  for (const std::uint64_t position : positions) partitions_.push_back(with_clients(all.at(position), cluster_));
}

void Space::fill_orders() {
  if (settings_.order != OrderChoice::kAll) {
    const bool reversed = settings_.order == OrderChoice::kReversed;
    orders_ = {reversed ? Order::reversed(cluster_.seat_count) : Order::fifo()};
    return;
  }
  orders_ = all_orders(cluster_, proposing_seats(cluster_, leading_));
}

void Space::fill_configurations() {
  const std::uint64_t pairs = partitions_.size() * leader_sets_.size();
  const auto positions = kept_positions(settings_.step2, pairs, seed_of(settings_, Stream::kStep2));
  configurations_.reserve(positions.size() * orders_.size());
  for (const std::uint64_t position : positions) {
    const auto partition = static_cast<std::uint32_t>(position / leader_sets_.size());
    const IdentitySet leaders = leader_sets_[position % leader_sets_.size()];
    for (std::uint32_t order = 0; order < orders_.size(); ++order) {
      configurations_.push_back({partition, leaders, order});
    }
  }
}

void Space::unrank(Wide index, std::span<std::uint32_t> configuration_of_round) const {
  NIKA_REQUIRE(!size_ || index < *size_);
  NIKA_REQUIRE(configuration_of_round.size() == settings_.rounds);
  if (draws_rounds_) return draw_rounds(index, configuration_of_round);
  unrank_assignment(shape_of(*this), position_of(index) / healings_.size(), configuration_of_round);
}

std::uint32_t Space::healing_of(Wide index) const {
  if (healings_.size() == 1) return 0;
  if (!draws_rounds_) return static_cast<std::uint32_t>(position_of(index) % healings_.size());
  return static_cast<std::uint32_t>(random_of(settings_, Stream::kHealing, index).below(healings_.size()));
}

// There are so many scenarios that the same one hardly comes twice.
void Space::draw_rounds(Wide index, std::span<std::uint32_t> configuration_of_round) const {
  Random random = random_of(settings_, Stream::kStep3, index);
  for (std::uint32_t& configuration : configuration_of_round)
    configuration = static_cast<std::uint32_t>(random.below(configurations_.size()));
}

std::optional<Wide> Space::rank(std::span<const std::uint32_t> configuration_of_round, std::uint32_t healing) const {
  if (configuration_of_round.size() != settings_.rounds || draws_rounds_) return std::nullopt;
  auto index = rank_assignment(shape_of(*this), configuration_of_round);
  if (index) index = *index * healings_.size() + healing;
  if (index && shuffle_) index = shuffle_->inverse(*index);
  if (index && size_ && *index >= *size_) return std::nullopt;
  return index;
}

Order Space::sampled_order(RoundOf where) const {
  const auto low = static_cast<std::uint64_t>(where.index);
  const auto high = static_cast<std::uint64_t>(where.index >> 64U);
  Random random(mix64(mix64(mix64(seed_of(settings_, Stream::kOrder) ^ low) ^ high) ^ where.round));
  std::array<Seat, kMaxSeats> seats{};
  std::size_t count = 0;
  for (Seat seat : proposing_seats(cluster_, leading_)) seats[count++] = seat;
  for (std::size_t left = count; left > 1; --left) std::swap(seats[left - 1], seats[random.below(left)]);
  return order_from(cluster_, std::span(seats).first(count), random.below(2) == 0);
}

Order Space::order(const Configuration& configuration, RoundOf where) const {
  return settings_.order == OrderChoice::kSampled ? sampled_order(where) : orders_[configuration.order];
}

RoundPlan Space::plan(const Configuration& configuration) const {
  return {configuration.leaders, partitions_[configuration.partition], orders_[configuration.order]};
}

Scenario Space::scenario(Wide index) const {
  std::array<std::uint32_t, kMaxRound> sequence{};
  const auto rounds = std::span(sequence).first(settings_.rounds);
  unrank(index, rounds);
  return scenario(index, rounds, healing_of(index));
}

Scenario Space::scenario(Wide index, std::span<const std::uint32_t> configuration_of_round,
                         std::uint32_t healing) const {
  Scenario scenario;
  scenario.protocol = settings_.protocol;
  scenario.bugs = settings_.bugs;
  scenario.node_count = cluster_.node_count;
  scenario.fault_count = cluster_.fault_count;
  scenario.copies = copies_of(settings_);
  scenario.client_count = static_cast<std::uint8_t>(settings_.clients);
  scenario.unls = settings_.unls;
  scenario.heal_rounds = static_cast<std::uint8_t>(settings_.heal_rounds);
  scenario.heal_leaders = healings_.rotation(healing);
  scenario.heal_order = healings_.order(healing);
  scenario.crashes = settings_.crashes;
  scenario.rounds.reserve(configuration_of_round.size());
  for (unsigned r = 0; r < configuration_of_round.size(); ++r) {
    const Configuration& configuration = configurations_[configuration_of_round[r]];
    scenario.rounds.push_back(plan(configuration));
    scenario.rounds.back().order = order(configuration, {index, r});
  }
  return scenario;
}

std::size_t Space::leader_position(IdentitySet leaders) const {
  return static_cast<std::size_t>(std::ranges::find(leader_sets_, leaders) - leader_sets_.begin());
}

bool Space::before(const Configuration& a, const Configuration& b) const {
  return std::tuple(a.partition, leader_position(a.leaders), a.order) <
         std::tuple(b.partition, leader_position(b.leaders), b.order);
}

Result<std::uint32_t> Space::configuration_of(const RoundPlan& plan, unsigned round) const {
  const auto missing = [&](std::string_view what) {
    return bad_input(
        fmt::format("round {} is {}: its {} is not in this space", round + 1, to_text(cluster_, plan), what));
  };
  const auto partition = std::ranges::lower_bound(partitions_, plan.partition.block_of, {}, &Partition::block_of);
  if (partition == partitions_.end() || !(*partition == plan.partition)) return missing("partition");
  if (leader_position(plan.leaders) == leader_sets_.size()) return missing("choice of leaders");
  // A sampled order belongs to the index, which is not known yet; rank() compares it afterwards.
  const auto order =
      settings_.order == OrderChoice::kSampled ? orders_.begin() : std::ranges::find(orders_, plan.order);
  if (order == orders_.end()) return missing("order");
  const Configuration wanted{static_cast<std::uint32_t>(partition - partitions_.begin()), plan.leaders,
                             static_cast<std::uint32_t>(order - orders_.begin())};
  const auto found = std::lower_bound(configurations_.begin(), configurations_.end(), wanted,
                                      [&](const auto& a, const auto& b) { return before(a, b); });
  if (found == configurations_.end() || !(*found == wanted)) return missing("configuration");
  return static_cast<std::uint32_t>(found - configurations_.begin());
}

std::optional<std::uint32_t> Space::healing_of(const Scenario& scenario) const {
  const auto rotation = std::ranges::find(healings_.rotations(), scenario.heal_leaders);
  const auto order = std::ranges::find(healings_.orders(), scenario.heal_order);
  if (rotation == healings_.rotations().end() || order == healings_.orders().end()) return std::nullopt;
  return healings_.number(static_cast<std::size_t>(rotation - healings_.rotations().begin()),
                          static_cast<std::size_t>(order - healings_.orders().begin()));
}

Result<Wide> Space::rank(const Scenario& scenario) const {
  if (scenario.rounds.size() != settings_.rounds) {
    return bad_input(fmt::format("the scenario has {} rounds, those of this space have {}", scenario.rounds.size(),
                                 settings_.rounds));
  }
  std::array<std::uint32_t, kMaxRound> sequence{};
  for (unsigned r = 0; r < settings_.rounds; ++r) {
    const auto configuration = configuration_of(scenario.rounds[r], r);
    if (!configuration) return tl::unexpected(configuration.error());
    sequence[r] = *configuration;
  }
  const auto healing = healing_of(scenario);
  if (!healing) return bad_input("the scenario heals in a way that is not in this space");
  const auto index = rank(std::span<const std::uint32_t>(sequence).first(settings_.rounds), *healing);
  if (!index) return bad_input("the scenario's rounds are not an assignment of this space");
  if (!(this->scenario(*index) == scenario)) {
    return bad_input("the scenario differs from this space in its cluster, crashes, healing, rules or orders");
  }
  return *index;
}

}  // namespace nika::twins
