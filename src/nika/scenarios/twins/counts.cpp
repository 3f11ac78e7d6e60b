#include "nika/scenarios/twins/counts.hpp"

#include <algorithm>

#include "nika/base/require.hpp"
#include "nika/scenarios/twins/healings.hpp"
#include "nika/scenarios/twins/partitions.hpp"

namespace nika::twins {

mpz_class to_mpz(Wide value) {
  mpz_class high(static_cast<unsigned long>(value >> 64U));
  return (high << 64U) + mpz_class(static_cast<unsigned long>(value));
}

std::optional<Wide> to_wide(const mpz_class& value) {
  if (value < 0 || mpz_sizeinbase(value.get_mpz_t(), 2) > 128) return std::nullopt;
  const mpz_class high = value >> 64U;
  const mpz_class low = value - (high << 64U);
  return Wide{high.get_ui()} << 64U | low.get_ui();
}

mpz_class kept(const Selection& selection, const mpz_class& available) {
  if (selection.kind == Selection::Kind::kAll) return available;
  return std::min(available, to_mpz(selection.count));
}

const mpz_class& Counts::step3(Assignment assignment) const {
  switch (assignment) {
    case Assignment::kReplacement: return replacement;
    case Assignment::kNoReplacement: return no_replacement;
    case Assignment::kStatic: break;
  }
  return statics;
}

namespace {

void assign_to_rounds(Counts& counts, unsigned rounds) {
  counts.configurations = counts.step2 * counts.orders;
  mpz_pow_ui(counts.replacement.get_mpz_t(), counts.configurations.get_mpz_t(), rounds);
  counts.replacement *= counts.healings;
  counts.no_replacement = counts.healings;
  for (unsigned r = 0; r < rounds; ++r) counts.no_replacement *= std::max<mpz_class>(counts.configurations - r, 0);
  counts.statics = counts.configurations * counts.healings;
}

}  // namespace

Result<Counts> count(const Settings& settings) {
  if (auto valid = check(settings); !valid) return tl::unexpected(valid.error());
  const auto cluster = cluster_of(settings);
  NIKA_REQUIRE(cluster.has_value());
  const auto leaders = leader_sets(settings, *cluster);
  const PartitionNumbering partitions({cluster->replica_seat_count(), settings.partitions, settings.at_most});

  Counts counts;
  counts.orders = 1;
  IdentitySet leading;
  for (const IdentitySet set : leaders) leading |= set;
  counts.healings = Healings::count(settings, *cluster, leading);
  if (settings.order == OrderChoice::kAll) {
    const auto seats = static_cast<unsigned long>(proposing_seats(*cluster, leading).size());
    counts.orders = 2 * mpz_class::factorial(mpz_class(seats));
  }
  const mpz_class partition_count(static_cast<unsigned long>(partitions.size()));
  const auto leader_count = static_cast<unsigned long>(leaders.size());
  counts.step2 = partition_count * leader_count;
  assign_to_rounds(counts, settings.rounds);
  counts.all = counts.step3(settings.assignment);

  counts.step1 = kept(settings.step1, partition_count);
  counts.step2 = kept(settings.step2, counts.step1 * leader_count);
  assign_to_rounds(counts, settings.rounds);
  counts.scenarios = kept(settings.step3, counts.step3(settings.assignment));
  return counts;
}

}  // namespace nika::twins
