#include "nika/scenarios/byzzfuzz/rounds_guide.hpp"

#include "nika/base/random.hpp"

namespace nika::byzzfuzz {
namespace {

// So many runs that came to a state in different ways are kept: what the state does not tell may matter.
constexpr std::uint64_t kWays = 4;

}  // namespace

RoundsGuide::RoundsGuide(const FuzzGenerator& generator)
    : generator_(generator), guide_(generator.settings().fault_rounds(), generator.settings().seed) {}

void RoundsGuide::draw(std::uint64_t number, Draw& draw, Draw&) const {
  const Settings& settings = generator_.settings();
  const guided::Genome genome = guide_.propose(number);
  Random random(mix64(settings.seed ^ mix64(static_cast<std::uint64_t>(genome.rounds.front().leaders))));
  generator_.draw_rotation(random, draw);
  generator_.draw_order(random, draw);
  draw.outages.clear();
  draw.lies.clear();
  for (unsigned i = 0; i < genome.rounds.size(); ++i)
    draw_round(static_cast<std::uint64_t>(genome.rounds[i].network), settings.first_round + i, draw);
}

// The last round of a fault that begins in this one: each further one has half the probability.
unsigned RoundsGuide::last_of(Random& random, unsigned protocol_round) const {
  unsigned last = protocol_round;
  while (last < generator_.settings().last_round && random.below(2) == 0) ++last;
  return last;
}

// Every other partition parts one node from all others.
void RoundsGuide::isolate(Random& random, Partition& partition) const {
  const unsigned replicas = generator_.cluster().replica_seat_count();
  if (replicas < 2 || random.below(2) == 0) return;
  const auto alone = random.below(replicas);
  for (unsigned s = 0; s < replicas; ++s) partition.block_of[s] = s == alone ? 1 : 0;
  partition.normalize(generator_.cluster().seat_count);
}

// Every other lie is told to all nodes, or to all but one.
void RoundsGuide::tell_more(Random& random, std::span<Lie> lies) const {
  if (random.below(2) == 0 || generator_.cluster().has_unls()) return;
  SeatSet to = generator_.cluster().seats();
  const auto spared = static_cast<Seat>(random.below(generator_.cluster().seat_count));
  if (random.below(2) == 0) to.erase(spared);
  for (Lie& lie : lies) lie.to = to;
}

void RoundsGuide::draw_round(std::uint64_t number, unsigned protocol_round, Draw& draw) const {
  const Settings& settings = generator_.settings();
  Random random(mix64(mix64(settings.seed ^ mix64(number)) + protocol_round));
  const bool is_parted = random.below(settings.fault_rounds()) < settings.outages;
  const bool has_lies = random.below(settings.fault_rounds()) < settings.lies && settings.faults > 0;
  if (is_parted && draw.outages.size() < kMaxOutages) {
    generator_.draw_outage(random, protocol_round, draw);
    isolate(random, draw.outages.back().partition);
    const unsigned last = last_of(random, protocol_round);
    for (Outage next = draw.outages.back(); next.protocol_round < last && draw.outages.size() < kMaxOutages;) {
      ++next.protocol_round;
      (void)draw.outages.push_back(next);
    }
  }
  if (!has_lies) return;
  const std::size_t before = draw.lies.size();
  generator_.draw_lies(random, protocol_round, draw);
  const std::size_t behind = draw.lies.size();
  tell_more(random, std::span(draw.lies).subspan(before));
  const unsigned last = last_of(random, protocol_round);
  for (unsigned round = protocol_round + 1; round <= last; ++round) {
    for (std::size_t i = before; i < behind; ++i) {
      draw.lies.push_back(draw.lies[i]);
      draw.lies.back().protocol_round = static_cast<std::uint16_t>(round);
    }
  }
}

// What was kept leads to the states that it led to before.
void RoundsGuide::learn(std::uint64_t first, std::span<const std::vector<guided::Reached>> reached) {
  std::vector<std::vector<guided::Reached>> behind(reached.size());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const unsigned kept = guide_.start_of(first + i).rounds;
    for (guided::Reached state : reached[i]) {
      if (state.protocol_rounds < generator_.settings().first_round) continue;
      state.rounds = state.protocol_rounds - generator_.settings().first_round + 1;
      state.state = mix64(state.held ^ (first + i) % kWays);
      state.disagreement = 0;
      if (state.rounds > kept) behind[i].push_back(state);
    }
  }
  guide_.learn(first, behind);
}

}  // namespace nika::byzzfuzz
