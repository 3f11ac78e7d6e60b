#include "nika/scenarios/twins/symmetry_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "nika/model/relabel.hpp"

namespace nika::twins {
namespace {

std::vector<Identity> members(IdentitySet set) {
  std::vector<Identity> result;
  for (Identity id : set) result.push_back(id);
  return result;
}

// Calls visit(permuted) for each order of the items.
template <class Visit>
void for_each_permutation(std::vector<Identity> items, const Visit& visit) {
  do visit(items);
  while (std::ranges::next_permutation(items).found);
}

// Sends the seats of compromised[at] and of those after it to the seats of their new identities in every order.
template <class Visit>
void permute_seats(const Cluster& cluster, const std::vector<Identity>& compromised, std::size_t at, Renaming& renaming,
                   const Visit& visit) {
  if (at == compromised.size()) return visit(renaming);
  std::vector<Seat> to;
  for (Seat seat : cluster.seats_of_identity(renaming.identity[index_of(compromised[at])])) to.push_back(seat);
  do {
    auto next = to.begin();
    for (Seat seat : cluster.seats_of_identity(compromised[at])) renaming.seat[index_of(seat)] = *next++;
    permute_seats(cluster, compromised, at + 1, renaming, visit);
  } while (std::ranges::next_permutation(to).found);
}

// Every renaming of the cluster; the identity comes first. All compromised identities have the same number of seats.
template <class Visit>
void for_each_renaming(const Cluster& cluster, const Visit& visit) {
  const auto honest = members(cluster.identities() - cluster.compromised);
  const auto compromised = members(cluster.compromised);
  Renaming renaming;
  for (Seat client : cluster.client_seats()) {
    renaming.seat[index_of(client)] = client;
    renaming.identity[index_of(client)] = cluster.identity(client);
  }
  for_each_permutation(honest, [&](const std::vector<Identity>& to) {
    for (std::size_t i = 0; i < honest.size(); ++i) {
      renaming.identity[index_of(honest[i])] = to[i];
      renaming.seat[index_of(honest[i])] = static_cast<Seat>(index_of(to[i]));
    }
    for_each_permutation(compromised, [&](const std::vector<Identity>& others) {
      for (std::size_t i = 0; i < compromised.size(); ++i) renaming.identity[index_of(compromised[i])] = others[i];
      permute_seats(cluster, compromised, 0, renaming, visit);
    });
  });
}

mpz_class renaming_count(const Settings& settings) {
  mpz_class count = mpz_class::factorial(mpz_class(settings.nodes - settings.twins)) *
                    mpz_class::factorial(mpz_class(settings.twins));
  for (unsigned i = 0; i < settings.twins; ++i) count *= mpz_class::factorial(mpz_class(settings.copies));
  return count;
}

bool keeps_crashes(const std::vector<Crash>& crashes, const Renaming& renaming) {
  std::vector<Crash> renamed = crashes;
  for (Crash& crash : renamed) crash.seat = renaming.seat[index_of(crash.seat)];
  return std::ranges::is_permutation(renamed, crashes);
}

// Who counts others is not in the place of anybody else, nor is who is counted by others.
bool keeps_unls(const Cluster& cluster, const Renaming& renaming) {
  for (Identity id : cluster.identities()) {
    const IdentitySet renamed = relabelled(cluster.unl_of[index_of(id)], renaming.identity);
    if (renamed != cluster.unl_of[index_of(renaming.identity[index_of(id)])]) return false;
  }
  return true;
}

// The seats whose names decide something, so that only renamings that leave them alone keep what happens. A fixed order
// breaks ties between any two seats that can lead, and so does the order of the healing rounds, which is always fixed;
// between messages about one proposal the sender does, which shows where an identity sends from several seats. Where
// clients propose, orders are those of clients and say nothing about the seats that lead.
SeatSet named_seats(const Space& space) {
  const Cluster& cluster = space.cluster();
  const Settings& settings = space.settings();
  SeatSet named = cluster.seats_of_identities(cluster.compromised);
  const bool ranks_are_renamed =
      settings.order == OrderChoice::kAll && settings.heal_rounds == 0 && cluster.clients.empty();
  if (!ranks_are_renamed) named |= cluster.seats_of_identities(space.leading());
  return named;
}

bool keeps(SeatSet named, const Renaming& renaming) {
  for (Seat seat : named) {
    if (renaming.seat[index_of(seat)] != seat) return false;
  }
  return true;
}

// Works out what a renaming makes of each configuration of a space, or that it leads out of the space.
class Action {
 public:
  explicit Action(const Space& space) : space_(space) {
    for (const Configuration& c : space.configurations())
      keys_.push_back(key({c.partition, position(c.leaders), c.order}));
    partition_.resize(space.partitions().size());
    leaders_.resize(space.leader_sets().size());
    order_.resize(space.orders().size());
  }

  bool append_images(const Renaming& renaming, std::vector<std::uint32_t>& images) {
    if (!map_parts(renaming)) return false;
    const std::size_t before = images.size();
    for (const Configuration& c : space_.configurations()) {
      const Parts image{partition_[c.partition], leaders_[position(c.leaders)], order_[c.order]};
      const auto found = std::ranges::lower_bound(keys_, key(image));
      if (found == keys_.end() || *found != key(image)) {
        images.resize(before);
        return false;
      }
      images.push_back(static_cast<std::uint32_t>(found - keys_.begin()));
    }
    return true;
  }

 private:
  struct Parts {
    std::uint32_t partition, leaders, order;
  };

  std::uint64_t key(const Parts& parts) const {
    return (std::uint64_t{parts.partition} * space_.leader_sets().size() + parts.leaders) * space_.orders().size() +
           parts.order;
  }
  std::uint32_t position(IdentitySet leaders) const {
    return static_cast<std::uint32_t>(std::ranges::find(space_.leader_sets(), leaders) - space_.leader_sets().begin());
  }

  bool map_parts(const Renaming& renaming) {
    for (std::size_t i = 0; i < leaders_.size(); ++i) {
      leaders_[i] = position(relabelled(space_.leader_sets()[i], renaming.identity));
      if (leaders_[i] == leaders_.size()) return false;
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      // A fixed order is no part of the configuration: see Symmetry.
      if (space_.settings().order != OrderChoice::kAll) break;
      order_[i] = image_of(space_.orders()[i], renaming);
      if (order_[i] == order_.size()) return false;
    }
    for (std::size_t i = 0; i < partition_.size(); ++i) {
      const auto image = image_of(space_.partitions()[i], renaming);
      if (!image) return false;
      partition_[i] = *image;
    }
    return true;
  }

  std::optional<std::uint32_t> image_of(const Partition& partition, const Renaming& renaming) const {
    Partition image;
    const unsigned seats = space_.cluster().seat_count;
    for (unsigned s = 0; s < seats; ++s) image.block_of[index_of(renaming.seat[s])] = partition.block_of[s];
    image.normalize(seats);
    const auto found = std::ranges::lower_bound(space_.partitions(), image.block_of, {}, &Partition::block_of);
    if (found == space_.partitions().end() || !(*found == image)) return std::nullopt;
    return static_cast<std::uint32_t>(found - space_.partitions().begin());
  }

  std::uint32_t image_of(const Order& order, const Renaming& renaming) const {
    // Seats that cannot lead keep their ranks: renaming only moves the ranks of those that can.
    Order image = order;
    for (Seat seat : proposing_seats(space_.cluster(), space_.leading())) {
      image.rank[index_of(renaming.seat[index_of(seat)])] = order.rank[index_of(seat)];
    }
    return static_cast<std::uint32_t>(std::ranges::find(space_.orders(), image) - space_.orders().begin());
  }

  const Space& space_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> partition_, leaders_, order_;
};

}  // namespace

Result<SymmetryGroup> SymmetryGroup::make(const Space& space, Symmetry symmetry) {
  SymmetryGroup group;
  group.configuration_count_ = static_cast<std::uint32_t>(space.configurations().size());
  const mpz_class renamings = renaming_count(space.settings());
  if (renamings * group.configuration_count_ > mpz_class(static_cast<unsigned long>(kMaxImages))) {
    return bad_input(
        fmt::format("{} renamings of {} configurations are too many for symmetry, expected at most {} together",
                    renamings.get_str(), group.configuration_count_, kMaxImages));
  }
  Action action(space);
  const SeatSet named = symmetry == Symmetry::kExact ? named_seats(space) : SeatSet{};
  for_each_renaming(space.cluster(), [&](const Renaming& renaming) {
    if (!keeps_crashes(space.settings().crashes, renaming)) return;
    if (!keeps(named, renaming) || !keeps_unls(space.cluster(), renaming)) return;
    if (action.append_images(renaming, group.images_)) group.elements_.push_back(renaming);
  });
  return group;
}

}  // namespace nika::twins
