// Renamings of interchangeable honest nodes. A world may be replaced by its renamed twin because runs do not depend on
// the names of nodes that lead no scheduled round, nor propose; where they lead while the network heals, only if every
// rotation of them and every order of arrival is in the space, so that the renamed healing is. A search that meets a
// proposal of one refuses the protocol; `nika check` runs schedules and their renamed twins side by side.
#pragma once

#include <array>
#include <vector>

#include "nika/model/relabel.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika {

class Renamings {
 public:
  // No renaming but the identity if the space is not closed under renaming.
  Renamings(const twins::Space& space, bool enabled);

  // Honest seats that never lead and never crash, ascending; seat and identity have the same number.
  const std::vector<Seat>& interchangeable() const { return interchangeable_; }
  IdentitySet interchangeable_identities() const { return identities_; }

  // `order[i]` is the interchangeable seat that is put in the place of the i-th one. Returns the number of that
  // renaming.
  std::size_t number_of(std::span<const std::uint8_t> order) const;
  const Relabelling& relabelling(std::size_t number) const { return relabellings_[number]; }
  std::size_t count() const { return relabellings_.size(); }
  bool is_identity(std::size_t number) const { return number == 0; }
  std::uint32_t renamed(std::size_t number, std::uint32_t configuration) const {
    return number == 0 ? configuration : configurations_[number][configuration];
  }

 private:
  void add(const twins::Space& space, std::span<const std::uint8_t> order);

  std::vector<Seat> interchangeable_;
  IdentitySet identities_;
  std::vector<Relabelling> relabellings_;                   // in the lexicographic order of the permutations
  std::vector<std::vector<std::uint32_t>> configurations_;  // where each renaming takes each configuration
};

}  // namespace nika
