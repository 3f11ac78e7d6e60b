#include "nika/scenarios/phases/sampler.hpp"

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"

namespace nika::phases {
namespace {

// Each use of randomness has its own stream, so that one can be drawn without the others.
enum class Stream : std::uint64_t { kLeaders = 101, kOrder, kLinks, kHealOrder, kHealLinks, kHealLeaders };

Random random_of(const twins::Settings& settings, Stream stream, twins::RoundOf where) {
  const auto low = static_cast<std::uint64_t>(where.index);
  const auto high = static_cast<std::uint64_t>(where.index >> 64U);
  const std::uint64_t seed = mix64(settings.seed ^ mix64(static_cast<std::uint64_t>(stream)));
  return Random(mix64(mix64(mix64(seed ^ low) ^ high) ^ where.round));
}

SeatSet any_of(Random& random, SeatSet seats) {
  return SeatSet::from_bits(static_cast<std::uint32_t>(random.next() >> 32U)) & seats;
}

Order any_order(Random& random, unsigned seat_count) {
  Order order;
  for (unsigned left = seat_count; left > 1; --left) std::swap(order.rank[left - 1], order.rank[random.below(left)]);
  order.own_first = random.below(2) == 0;
  return order;
}

void make_deaf(Reach& reach, SeatSet deaf, unsigned seat_count) {
  for (unsigned s = 0; s < seat_count; ++s) reach[s] = reach[s] - (deaf - SeatSet::single(static_cast<Seat>(s)));
}

Result<void> check_sampled(const twins::Settings& settings) {
  if (settings.step3.kind != twins::Selection::Kind::kRandom) {
    return bad_input("phases are sampled, never enumerated: say how many scenarios with --step3 random:X");
  }
  if (settings.assignment != twins::Assignment::kReplacement || settings.step2.kind != twins::Selection::Kind::kAll) {
    return bad_input("phases are drawn anew in every round: --assignment and --step2 do not go with them");
  }
  return {};
}

}  // namespace

Result<Sampler> Sampler::make(const twins::Settings& settings, unsigned kind_count) {
  NIKA_REQUIRE(kind_count >= 1 && kind_count <= kMaxKinds);
  if (auto sound = check_sampled(settings); !sound) return tl::unexpected(sound.error());
  twins::Settings whole = settings;
  whole.step3 = {};
  auto space = twins::Space::make(whole);
  if (!space) return tl::unexpected(space.error());
  return Sampler(settings, *std::move(space), kind_count);
}

Sampler::Sampler(const twins::Settings& settings, twins::Space space, unsigned kind_count)
    : settings_(settings),
      space_(std::move(space)),
      kind_count_(kind_count),
      full_(reach_of(Partition{}, space_.cluster().seat_count)) {
  for (const Partition& partition : space_.partitions()) {
    reaches_.push_back(reach_of(partition, space_.cluster().seat_count));
  }
}

IdentitySet Sampler::leaders(twins::RoundOf where) const {
  Random random = random_of(settings_, Stream::kLeaders, where);
  return space_.leader_sets()[random.below(space_.leader_sets().size())];
}

Order Sampler::order(twins::RoundOf where) const {
  const auto& orders = space_.orders();
  if (settings_.order == twins::OrderChoice::kSampled || orders.size() > 1) {
    Random random = random_of(settings_, Stream::kOrder, where);
    if (orders.size() > 1) return orders[random.below(orders.size())];
    return any_order(random, space_.cluster().seat_count);
  }
  return orders.front();
}

void Sampler::draw_links(twins::RoundOf where, PhaseLinks& links) const {
  Random random = random_of(settings_, Stream::kLinks, where);
  const Cluster& cluster = space_.cluster();
  for (unsigned kind = 0; kind < kind_count_; ++kind) {
    // Left to the partitions alone, hardly any phase would reach everybody, and most runs would go nowhere.
    links[kind] = random.below(2) == 0 ? full_ : reaches_[random.below(reaches_.size())];
    if (settings_.one_way && random.below(2) == 0) {
      make_deaf(links[kind], any_of(random, cluster.seats()), cluster.seat_count);
    }
  }
}

Sampler::HealLeaders Sampler::heal_leaders(Wide index) const {
  HealLeaders leaders;
  const auto add = [&](Identity id) { NIKA_REQUIRE(leaders.push_back(id)); };
  if (!draws_healing()) {
    for (Identity id : space_.heal_leaders()) add(id);
    return leaders;
  }
  Random random = random_of(settings_, Stream::kHealLeaders, {index, 0});
  const Cluster& cluster = space_.cluster();
  std::array<Identity, kMaxSeats> honest{};
  unsigned count = 0;
  for (Identity id : cluster.identities() - cluster.compromised) honest[count++] = id;
  const std::uint64_t kept = count == 0 ? 0 : 1 + random.below(count);
  for (unsigned i = 0; i < kept; ++i) {
    std::swap(honest[i], honest[i + random.below(count - i)]);
    add(honest[i]);
    if (settings_.heal_leaders != twins::HealLeaders::kAlternating) continue;
    for (Identity id : cluster.compromised) add(id);
  }
  return leaders;
}

Order Sampler::heal_order(Wide index) const {
  if (!draws_healing()) return Order::fifo();
  Random random = random_of(settings_, Stream::kHealOrder, {index, 0});
  switch (random.below(3)) {
    case 0: return Order::fifo();
    case 1: return Order::reversed(space_.cluster().seat_count);
    default: return any_order(random, space_.cluster().seat_count);
  }
}

void Sampler::draw_heal_links(twins::RoundOf where, PhaseLinks& links) const {
  Random random = random_of(settings_, Stream::kHealLinks, where);
  const Cluster& cluster = space_.cluster();
  const SeatSet honest = cluster.honest_seats();
  for (unsigned kind = 0; kind < kind_count_; ++kind) {
    for (Seat seat : cluster.seats()) {
      const SeatSet kept = honest.contains(seat) ? honest : SeatSet::single(seat);
      links[kind][index_of(seat)] = kept | any_of(random, cluster.seats());
    }
  }
}

// Kinds with the same links share a rule.
void Sampler::add_rules(Scenario& scenario, Round round, const PhaseLinks& links) const {
  const std::size_t first = scenario.rules.size();
  for (unsigned kind = 0; kind < kind_count_; ++kind) {
    if (links[kind] == full_) continue;
    const auto same = std::find_if(scenario.rules.begin() + static_cast<std::ptrdiff_t>(first), scenario.rules.end(),
                                   [&](const Rule& rule) { return rule.reach == links[kind]; });
    if (same != scenario.rules.end()) {
      same->kinds |= 1U << kind;
      continue;
    }
    Rule rule;
    rule.first_round = rule.last_round = round;
    rule.kinds = 1U << kind;
    rule.action = Action::kLinks;
    rule.reach = links[kind];
    scenario.rules.push_back(rule);
  }
}

Scenario Sampler::scenario(Wide index) const {
  const std::vector<std::uint32_t> any(space_.rounds(), 0);
  Scenario scenario = space_.scenario(0, any);
  const HealLeaders turns = heal_leaders(index);
  scenario.heal_leaders.assign(turns.begin(), turns.end());
  scenario.heal_order = heal_order(index);
  PhaseLinks links{};
  for (unsigned r = 0; r < space_.rounds(); ++r) {
    scenario.rounds[r] = {leaders({index, r}), Partition{}, order({index, r})};
    draw_links({index, r}, links);
    add_rules(scenario, Round(r + 1), links);
  }
  for (unsigned h = 0; draws_healing() && h < settings_.heal_rounds; ++h) {
    draw_heal_links({index, turn_of(h, turns)}, links);
    add_rules(scenario, Round(space_.rounds() + h + 1), links);
  }
  return scenario;
}

}  // namespace nika::phases
