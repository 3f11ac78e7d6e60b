#include "nika/scenarios/phases/sampler.hpp"

#include <algorithm>

#include "nika/base/random.hpp"
#include "nika/base/require.hpp"

namespace nika::phases {
namespace {

// Each use of randomness has its own stream, so that one can be drawn without the others.
enum class Stream : std::uint64_t {
  kLeaders = 101,
  kOrder,
  kLinks,
  kHealOrder,
  kHealLinks,
  kHealLeaders,
  kDisturb,
  kCrashes
};

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

SeatSet some_of(Random& random, SeatSet seats) {
  const SeatSet some = any_of(random, seats);
  return some.empty() ? seats : some;
}

Seat one_of(Random& random, SeatSet seats) {
  auto place = seats.begin();
  for (auto left = random.below(static_cast<std::uint64_t>(seats.size())); left > 0; --left) ++place;
  return *place;
}

// A phase may reach a client or come from it on one side of a partition only: each is now and then moved from every
// block to the block of one replica.
void place_clients(Random& random, Reach& reach, const Cluster& cluster) {
  for (Seat client : cluster.client_seats()) {
    if (random.below(4) != 0) continue;
    const std::uint64_t host = random.below(cluster.replica_seat_count());
    const SeatSet block = reach[host] | SeatSet::single(client);
    for (Seat other : cluster.seats() - block) reach[index_of(other)].erase(client);
    reach[index_of(client)] = block;
  }
}

Result<void> check_sampled(const twins::Settings& settings) {
  if (settings.step3.kind != twins::Selection::Kind::kRandom) {
    return bad_input("phases are sampled, never enumerated: say how many scenarios with --step3 random:X");
  }
  if (settings.assignment != twins::Assignment::kReplacement || settings.step2.kind != twins::Selection::Kind::kAll) {
    return bad_input("phases are drawn anew in every round: --assignment and --step2 do not go with them");
  }
  const bool enumerates = settings.heal_leaders == twins::HealLeaders::kBoth ||
                          settings.heal_rotations != twins::HealRotations::kOne ||
                          settings.heal_orders != twins::HealOrders::kFifo;
  if (enumerates) {
    return bad_input(
        "with phases healing is drawn too: --heal-leaders both, --heal-rotations and --heal-orders do not go with "
        "them");
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

void Sampler::draw_links(twins::RoundOf where, KindLinks& links) const {
  Random random = random_of(settings_, Stream::kLinks, where);
  const Cluster& cluster = space_.cluster();
  for (unsigned kind = 0; kind < kind_count_; ++kind) {
    // Left to the partitions alone, hardly any phase would reach everybody, and most runs would go nowhere.
    links[kind] = random.below(2) == 0 ? full_ : reaches_[random.below(reaches_.size())];
    place_clients(random, links[kind], cluster);
    if (settings_.one_way && random.below(2) == 0) {
      make_deaf(links[kind], any_of(random, cluster.seats()), cluster.seat_count);
    }
  }
}

// Each of them in about half of the rounds, so that most rounds have few.
void Sampler::disturb(twins::RoundOf where, Disturbance& drawn) const {
  const twins::Disturbances& allowed = settings_.disturbances;
  drawn.rules.clear();
  drawn.receiver_orders.clear();
  drawn.gives_up = {};
  if (!allowed.any()) return;
  Random random = random_of(settings_, Stream::kDisturb, where);
  const SeatSet seats = space_.cluster().seats();
  const auto add_rule = [&](Action action, unsigned least, unsigned most) {
    Rule& rule = drawn.rules.emplace_back();
    rule.first_round = rule.last_round = Round(where.round + 1);
    rule.kinds = 1U << random.below(kind_count_);
    rule.from = some_of(random, seats);
    rule.to = some_of(random, seats);
    rule.action = action;
    rule.delay_rounds = static_cast<std::uint8_t>(least + random.below(most - least + 1));
  };
  if (allowed.late_rounds > 0 && random.below(2) == 0) add_rule(Action::kLate, 1, allowed.late_rounds);
  if (allowed.repeats && random.below(2) == 0) add_rule(Action::kTwice, 0, std::max(1U, allowed.late_rounds));
  if (allowed.early_timeouts && random.below(2) == 0) drawn.gives_up = any_of(random, any_of(random, seats));
  if (allowed.receiver_orders && random.below(2) == 0) {
    for (Seat seat : any_of(random, seats))
      drawn.receiver_orders.push_back({seat, any_order(random, space_.cluster().seat_count)});
  }
}

// Seats are up again when the network heals. A compromised seat may forget, and so may honest ones while f allows it.
void Sampler::draw_crashes(Wide index, std::vector<Crash>& crashes) const {
  crashes.assign(settings_.crashes.begin(), settings_.crashes.end());
  if (settings_.disturbances.crashes == 0) return;
  Random random = random_of(settings_, Stream::kCrashes, {index, 0});
  const Cluster& cluster = space_.cluster();
  IdentitySet faulty = cluster.compromised;
  SeatSet left = cluster.seats();
  for (const Crash& crash : crashes) left.erase(crash.seat);
  for (auto count = random.below(settings_.disturbances.crashes + 1U); count > 0 && !left.empty(); --count) {
    const Seat seat = one_of(random, left);
    left.erase(seat);
    const auto down = static_cast<unsigned>(1 + random.below(settings_.rounds));
    const auto up = static_cast<unsigned>(down + 1 + random.below(settings_.rounds + 1U - down));
    IdentitySet then = faulty;
    then.insert(cluster.identity(seat));
    // What a client has seen complete is what is judged: it does not forget.
    const bool may_forget = !cluster.client_seats().contains(seat) &&
                            then.size() <= std::max<int>(cluster.fault_count, cluster.compromised.size());
    const bool forgets = may_forget && random.below(2) == 0;
    if (forgets) faulty = then;
    crashes.push_back({seat, Round(down), Round(up), !forgets});
  }
}

Sampler::HealLeaders Sampler::heal_leaders(Wide index) const {
  HealLeaders leaders;
  const auto add = [&](Identity id) { NIKA_REQUIRE(leaders.push_back(id)); };
  if (!draws_healing()) {
    for (Identity id : space_.healings().rotations().front()) add(id);
    return leaders;
  }
  Random random = random_of(settings_, Stream::kHealLeaders, {index, 0});
  const Cluster& cluster = space_.cluster();
  std::array<Identity, kMaxSeats> honest{};
  unsigned count = 0;
  for (Identity id : cluster.identities() - cluster.compromised) honest[count++] = id;
  const bool alternates = settings_.heal_leaders == twins::HealLeaders::kAlternating;
  const std::uint64_t some = count == 0 ? 0 : 1 + random.below(count);
  for (unsigned i = 0; i < count; ++i) {
    if (i == some && random.below(2) == 0) break;
    std::swap(honest[i], honest[i + random.below(count - i)]);
    add(honest[i]);
    if (!alternates) continue;
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

void Sampler::draw_heal_links(twins::RoundOf where, KindLinks& links) const {
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
void Sampler::add_rules(Scenario& scenario, Round round, const KindLinks& links) const {
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
  draw_crashes(index, scenario.crashes);
  KindLinks links{};
  Disturbance drawn;
  for (unsigned r = 0; r < space_.rounds(); ++r) {
    disturb({index, r}, drawn);
    scenario.rounds[r] = {leaders({index, r}), Partition{}, order({index, r}), drawn.receiver_orders, drawn.gives_up};
    scenario.rules.insert(scenario.rules.end(), drawn.rules.begin(), drawn.rules.end());
    draw_links({index, r}, links);
    add_rules(scenario, Round(r + 1), links);
  }
  for (unsigned h = 0; draws_healing() && h < settings_.heal_rounds; ++h) {
    draw_heal_links({index, turn_of(h, turns)}, links);
    add_rules(scenario, Round(space_.rounds() + h + 1), links);
  }
  return scenario;
}

namespace {

class PhaseSchedule final : public IndexedSchedule {
 public:
  explicit PhaseSchedule(const Sampler& sampler) : sampler_(sampler) {
    begin(sampler.cluster().seat_count, sampler.space().rounds(), sampler.settings().heal_rounds);
    full_ = full_links(sampler.cluster().seat_count);
  }

  void seek(Wide index) override {
    index_ = index;
    for (unsigned r = 0; r < scheduled_rounds(); ++r) leaders_[r + 1] = sampler_.leaders({index, r});
    turns_ = sampler_.heal_leaders(index);
    set_heal_leaders(leaders_, scheduled_rounds(), {turns_.begin(), turns_.end()});
    heal_order_ = sampler_.heal_order(index);
    sampler_.draw_crashes(index, crashes_);
    set_crashes(crashes_);
  }

 private:
  void choose(Round round, RoundAnswers& answers) override {
    const twins::RoundOf where{index_, round.number - 1U};
    sampler_.draw_links(where, links_);
    sampler_.disturb(where, drawn_);
    order_ = sampler_.order(where);
    answers.links = &full_;
    answers.kind_links = &links_;
    answers.order = &order_;
    answers.rules = drawn_.rules;
    answers.receiver_orders = drawn_.receiver_orders;
    answers.gives_up = drawn_.gives_up;
  }
  void heal(Round round, RoundAnswers& answers) override {
    if (!sampler_.draws_healing()) return;
    const unsigned h = round.number - scheduled_rounds() - 1;
    sampler_.draw_heal_links({index_, Sampler::turn_of(h, turns_)}, links_);
    answers.kind_links = &links_;
  }

  const Sampler& sampler_;
  Wide index_ = 0;
  Links full_;
  KindLinks links_{};
  Order order_{};
  Sampler::HealLeaders turns_{};
  Sampler::Disturbance drawn_{};
  std::vector<Crash> crashes_{};
};

}  // namespace

std::unique_ptr<IndexedSchedule> Sampler::schedule() const { return std::make_unique<PhaseSchedule>(*this); }

}  // namespace nika::phases
